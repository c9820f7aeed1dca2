// Model: a mesh made ready for queries.
#pragma once

#include <tandem/engine.h>
#include <tandem/export.h>
#include <tandem/mesh.h>
#include <tandem/sink.h>

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace tandem {

namespace detail {
class Structures;
struct ModelAccess;
struct TandemEngine;
}  // namespace detail

struct BuildOptions {
  /// For comparing structures (tandem/engine.h). The default is the fastest one.
  Structure structure = {};
  /// "best", the default, builds for the fastest queries; "fast" builds faster. The structures wide
  /// and ray-wide have these two, others have builders of their own.
  Builder builder = {};
  /// The most children per node, from 2 to 16. 0 stands for 4 in the default structure, which has
  /// no choice, and for 2 in all others.
  int arity = 0;
  BoxtreeOptions boxtree = {};
  /// How many threads build the default structure; 0 stands for as many as the machine has, and
  /// with 1 nothing but the calling thread is used. The model is the same for any number. (Other
  /// structures are built by the calling thread, and those for rays by as many as there are.)
  int threads = 1;
  Progress progress = {};
};

struct RefitOptions {
  /// A structure is built anew instead when what it costs, by the surface of its boxes relative to
  /// the whole, would be more than this many times what it was when it was built. Infinity: never;
  /// 0: always.
  double rebuild_at = 2;
};

/// A mesh and the structures made of it. What queries find never changes once it is built: copies
/// share everything, and any number of threads may query it at once.
class Model {
 public:
  /// Links in structures have 31 bits.
  static constexpr std::size_t k_max_triangles = std::size_t{1} << 30;

  /// Takes the mesh over and makes the structure that queries between models search: O(n log n)
  /// time. Throws `tandem::Error` for more than `k_max_triangles` triangles or options that do not
  /// go together.
  TANDEM_API explicit Model(Mesh mesh, const BuildOptions& options = {});

  /// A copy costs a pointer, so there is no other way to move: a model that was moved from is still
  /// the same model, and no model is ever without its mesh.
  Model(const Model&) = default;
  Model& operator=(const Model&) = default;

  /// A new version of the model for a mesh that deforms: other positions, the same triangles. This
  /// one stays what it is, and the two share the array of indices. Structures that were made so far
  /// keep their shape and are fitted to the positions, in O(n), or are built anew as the options
  /// say; what is derived from them is made when it is next asked for. Queries find what they find
  /// in a model that is built of the same mesh. Throws what `Mesh::with_vertices` throws, and for a
  /// `rebuild_at` that is negative or NaN.
  TANDEM_API Model refit(std::vector<Vec3f> positions, const RefitOptions& options = {}) const;
  /// The same for positions that someone else has, as for `Mesh::shared`.
  TANDEM_API Model refit(std::span<const Vec3f> positions, std::shared_ptr<const void> owner,
                         const RefitOptions& options = {}) const;

  /// How many times what they cost when they were built the model's structures cost now: 1 unless
  /// the model comes from `refit`, and the worst of them where there are several.
  TANDEM_API double wear() const;

  TANDEM_API const Mesh& mesh() const;

  /// The structure that the model was made for.
  Structure structure() const { return structure_; }

  /// Makes now what queries with that engine need, in this model. Without it the first query that
  /// needs something makes it, once, whichever thread asks; others that need it wait. Structures
  /// other than the model's own are made with default options.
  TANDEM_API void prepare(const Engine& engine = {}) const;
  /// The same for rays, on all cores; one core makes 2 to 4 million triangles ready per second.
  /// (The few rays that are beyond float arithmetic need the structure ray-binary too, which the
  /// first of them makes.)
  TANDEM_API void prepare_rays(const RayEngine& engine = {}) const;

  /// Bytes of all structures that have been made so far, without the mesh.
  TANDEM_API std::size_t structure_bytes() const;

 private:
  friend detail::ModelAccess;
  Model fitted_to(Mesh new_mesh, const RefitOptions& options) const;
  Model(std::shared_ptr<const detail::Structures> structures, const Model& like)
      : structures_(std::move(structures)), structure_(like.structure_), usual_(like.usual_) {}

  std::shared_ptr<const detail::Structures> structures_;
  Structure structure_;
  /// What a query runs on that names no engine, whatever the pose; null when there is no such one.
  const detail::TandemEngine* usual_ = nullptr;
};

}  // namespace tandem
