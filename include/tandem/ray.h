// Rays: what a ray hits of a model.
#pragma once

#include <tandem/model.h>
#include <tandem/query.h>
#include <tandem/vec.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

namespace tandem {

/// The points origin + t · direction for t_min <= t <= t_max. The direction may have any length:
/// distances are values of t.
///
/// A ray with a coordinate that is not finite, a zero direction, a NaN bound or t_min > t_max is
/// legal and hits nothing. A negative t_min counts as 0.
struct Ray {
  Vec3f origin;
  Vec3f direction;
  float t_min = 0;
  float t_max = std::numeric_limits<float>::infinity();
};

/// Where a ray meets a triangle: at the point (1 - u - v)·corner 0 + u·corner 1 + v·corner 2.
struct Hit {
  static constexpr std::uint32_t k_none = 0xffffffff;

  /// The triangle's id, or `k_none` when nothing was hit.
  std::uint32_t triangle = k_none;
  /// The value of t; it and the coordinates depend on the ray and the triangle alone.
  float distance = std::numeric_limits<float>::infinity();
  float u = 0;
  float v = 0;

  explicit operator bool() const { return triangle != k_none; }
  friend bool operator==(const Hit&, const Hit&) = default;
};

/// How a ray goes through the hierarchy. Each gives the same hits, to the bit.
enum class RayTraversal {
  /// The fastest: `wide`.
  automatic,
  /// Every triangle: the reference.
  brute_force,
  /// With a stack; the near child by the axis along which the children lie apart. A box is tested
  /// when it is popped.
  stack,
  /// With a stack; both children are tested at their parent and the closer one is taken first.
  stack_distance,
  /// Three states and links to parents instead of a stack (stackless ray paper, listing 1).
  automaton,
  /// The same as two node indices (listing 2, corrected).
  compact,
  /// Escape indices in one fixed order for all rays (Smits 1998).
  skip,
  /// One bit a level remembers the way; after a leaf the ray starts again at the root (Laine 2010).
  restart_trail,
  /// The order of `stack_distance`; one bit a level and a perfect hash of node keys lead back in
  /// constant time (Binder and Keller 2016).
  backtrack,
  /// Through a packed boxtree, whose boxes are derived on the way down; the closer child first.
  boxtree,
  /// Nodes of up to eight children and leaves of up to eight triangles, tested at once.
  wide,
};

struct RayTraversalInfo {
  RayTraversal traversal;
  std::string_view name;
  std::string_view description;
  /// What a ray remembers between two steps, beside the ray itself and its closest hit; 0 for those
  /// that cannot be stopped in between.
  std::size_t state_bytes;
};
/// All traversals of rays, with the names that the program uses.
std::span<const RayTraversalInfo> ray_traversals();

/// The counters of the stackless ray paper's tables, sums over all rays.
struct RayStatistics {
  std::uint64_t rays = 0;
  /// Boxes tested against a ray (N_IB); the root's never is.
  std::uint64_t box_tests = 0;
  /// Nodes taken up, each as often as that happens (N_TS).
  std::uint64_t node_visits = 0;
  /// Leaves whose triangles were tested (N_L), and these triangles (N_IT).
  std::uint64_t leaf_visits = 0;
  std::uint64_t triangle_tests = 0;

  RayStatistics& operator+=(const RayStatistics& other);
  friend bool operator==(const RayStatistics&, const RayStatistics&) = default;
};

struct RayOptions {
  RayTraversal traversal = RayTraversal::automatic;
  /// Of batches: how many threads share the rays; 0 stands for as many as the machine has.
  int threads = 1;
  /// Counts are added here; a query without them does not pay for them.
  RayStatistics* statistics = nullptr;
};

/// The closest hit; of several at the same distance the one with the lowest triangle id.
///
/// The triangle is closed, so a ray through an edge hits both triangles that share it: whether a
/// ray hits is decided exactly, and no ray passes between them. A ray that runs in a triangle's
/// plane does not hit it, and nothing hits a triangle without area (docs/conventions.md).
Hit closest_hit(const Model& model, const Ray& ray, const RayOptions& options = {});

/// Whether the ray hits anything.
bool any_hit(const Model& model, const Ray& ray, const RayOptions& options = {});

/// A reference to any callable `Flow(std::size_t ray, const Hit&)`; it must outlive the query.
class HitSink {
 public:
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, HitSink> &&
           std::is_invocable_r_v<Flow, F&, std::size_t, const Hit&>)
      HitSink(F&& sink)  // NOLINT(google-explicit-constructor): a sink is passed like its callable
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(sink)))),
        call_([](void* object, std::size_t ray, const Hit& hit) -> Flow {
          return (*static_cast<std::remove_reference_t<F>*>(object))(ray, hit);
        }) {}

  Flow operator()(std::size_t ray, const Hit& hit) const { return call_(object_, ray, hit); }

 private:
  void* object_;
  Flow (*call_)(void*, std::size_t, const Hit&);
};

/// Streams every hit of each ray into `sink`, with the ray's position in `rays`: ray by ray, the
/// hits of one in no particular order, each triangle once, until the sink says stop; returns whether
/// it did. On the calling thread.
Flow all_hits(const Model& model, std::span<const Ray> rays, HitSink sink,
              const RayOptions& options = {});

/// The closest hit of each ray into the place of the same index. Throws `tandem::Error` when the
/// spans have different lengths. The answer does not depend on the number of threads.
void closest_hits(const Model& model, std::span<const Ray> rays, std::span<Hit> hits,
                  const RayOptions& options = {});

/// 1 for each ray that hits anything, 0 for the others. Errors as for `closest_hits`.
void any_hits(const Model& model, std::span<const Ray> rays, std::span<std::uint8_t> hits,
              const RayOptions& options = {});

}  // namespace tandem
