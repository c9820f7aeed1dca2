// Queries between models on a CUDA device. Part of tandem::cuda.
//
//   tandem::cuda::Collider collider(models);
//   const tandem::BatchResult result = collider.collide(queries);
//
// The results are those of the host (tandem/batch.h), to the byte.
#pragma once

#include <tandem/batch.h>
#include <tandem/cuda/device.h>
#include <tandem/cuda/device_mesh.h>
#include <tandem/distance.h>
#include <tandem/model.h>
#include <tandem/query.h>
#include <tandem/vec.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace tandem::cuda {

/// How a device finds touching triangles; what it finds does not depend on it.
enum class CollideMethod : std::uint8_t {
  /// `waves` or `warps`, whichever suits so many queries: the fastest (docs/gpu.md).
  best,
  /// Pairs of blocks of wide trees in waves, level by level, in queues; exact tests for what floats
  /// leave open.
  waves,
  /// The same trees and tests, but each query is searched by a warp of its own: for many queries.
  warps,
  /// Blocked hierarchies of boxes with flags and prefix sums, level by level, as the paper on
  /// blocked tandem traversal has it (docs/papers.md): for comparison.
  blocked,
  /// Walks without stacks through binary trees, a thread each, that are stopped and resumed:
  /// slow, in little memory (docs/gpu.md).
  stackless
};

/// Two triangles that touch, by their ids in the meshes, in one of many queries.
struct FoundPair {
  std::uint32_t query;
  TrianglePair pair;
};

/// In the memory of the device, in any order; there until the next query.
struct FoundPairs {
  const FoundPair* pairs = nullptr;
  std::uint64_t count = 0;
};

/// How far apart the models of a query are.
struct DeviceDistance {
  /// 0 when they share a point; infinity when nothing is closer than the limit, or a mesh is empty.
  /// Then what follows means nothing.
  double distance = std::numeric_limits<double>::infinity();
  /// The closest triangles, as in `DistanceResult`.
  TrianglePair pair;
  /// Points of them that are as close, in A's frame, and the direction of length 1 from A's to B's.
  /// All zero where models touch.
  Vec3d on_a{0, 0, 0};
  Vec3d on_b{0, 0, 0};
  Vec3d normal{0, 0, 0};
};

/// What the nodes of blocked hierarchies have: boxes along the axes, 32 bytes per node, or oriented
/// ones, 64 bytes.
enum class BlockedVolume : std::uint8_t { aabb, obb };
/// How flags are stored: eight to the byte, or one, as in the paper.
enum class BlockedFlags : std::uint8_t { bits, bytes };
/// Hierarchies with few imaginary nodes, or with as many as the paper's.
enum class BlockedBuilder : std::uint8_t { full, plain };
/// The exact test, or that of the paper, which differs where rounding decides: then what is found
/// may differ too.
enum class BlockedTriangleTest : std::uint8_t { exact, separating_axes };

/// Variants of `CollideMethod::blocked`, to compare.
struct BlockedOptions {
  BlockedVolume volume = BlockedVolume::aabb;
  BlockedFlags flags = BlockedFlags::bits;
  BlockedBuilder builder = BlockedBuilder::full;
  BlockedTriangleTest triangle_test = BlockedTriangleTest::exact;
  /// How many pairs of blocks are tested at once, at most: 0 for as many as there is reason for.
  std::uint32_t most_at_once = 0;
};

/// Which tree a walk descends: B and A alternately, as the paper on stackless tandem traversal has
/// it; the one whose level is larger on average; or the one with the larger volume, which takes
/// more bytes of state.
enum class StacklessOrder : std::uint8_t { alternating, scheduled, larger_first };

/// Variants of `CollideMethod::stackless`.
struct StacklessOptions {
  StacklessOrder order = StacklessOrder::larger_first;
  /// Queries are split until there are so many walks: 1 for one walk per query, 0 for as many as
  /// keep a device busy.
  std::uint32_t least_walks = 0;
  /// How many pairs of nodes a walk visits before it is stopped for the first time, twice as many
  /// each later time: 0 for what is usually best.
  std::uint32_t first_visits = 0;
};

/// How a device builds the trees of meshes that collide; what queries find does not depend on it.
enum class ColliderBuilder : std::uint8_t {
  /// Along a space-filling curve, and by bisection among any 256 triangles that follow each other
  /// there: for queries that take longer than that.
  bisection,
  /// Along the curve alone: in about half of the time, and queries take a third longer or so
  /// (docs/gpu.md). For meshes that are new in each frame.
  curve
};

struct ColliderOptions {
  CollideMethod method = CollideMethod::best;
  /// The most bytes that the queues of `waves` and `warps` may take, beside models and results; 0
  /// stands for a quarter of the device's memory. Where they would need more, fewer queries run at
  /// a time, or a query runs in many small steps.
  std::size_t memory_limit = 0;
  /// Of what is made of meshes on the device.
  ColliderBuilder builder = ColliderBuilder::bisection;
  BlockedOptions blocked = {};
  StacklessOptions stackless = {};
};

/// One step of a query on a device, as it was measured.
struct CollideStep {
  /// Such as "boxes" or "triangles".
  const char* phase = "";
  /// Of the hierarchies, from the roots down; one more for what comes after the last.
  int level = 0;
  /// What the step goes through: pairs of blocks, flags, pairs of triangles.
  std::uint64_t items = 0;
  /// Read and written, as the algorithm needs them; caches may save some.
  std::uint64_t bytes = 0;
  double seconds = 0;
};

/// Models in the memory of the device that is current when it is made, and the memory in which
/// queries between them run, which grows with what they need and is kept for the next ones. One
/// thread at a time may use it. Nothing is lost when memory does not suffice: the query grows it
/// and goes on, or throws `tandem::Error` if the device has no more.
class Collider {
 public:
  /// Makes what the method needs of each model, unless it is there, and copies it to the device.
  /// Throws `tandem::Error` where there is no device or too little memory.
  TANDEM_API explicit Collider(std::span<const Model> models, const ColliderOptions& options = {},
                               const Place& place = {});
  /// Models that the device itself makes of meshes, all at once and in far less time than the host,
  /// for the methods `best`, `waves` and `warps`. Queries find the same; they take longer than with
  /// models of the host (docs/gpu.md). Throws as above, and for other methods.
  TANDEM_API explicit Collider(std::span<const Mesh> meshes, const ColliderOptions& options = {},
                               const Place& place = {});
  /// The same for meshes in the memory of the device, which may go when this returns.
  TANDEM_API explicit Collider(std::span<const DeviceMesh> meshes,
                               const ColliderOptions& options = {}, const Place& place = {});
  TANDEM_API ~Collider();
  TANDEM_API Collider(Collider&& other) noexcept;
  TANDEM_API Collider& operator=(Collider&& other) noexcept;

  /// All pairs of each query, as `tandem::collide_batch` returns them. Waits for the device. Throws
  /// `tandem::Error` for a query that names a model that is not there.
  TANDEM_API BatchResult collide(std::span<const BatchQuery> queries);
  /// The number of pairs of each query.
  TANDEM_API std::vector<std::uint64_t> count(std::span<const BatchQuery> queries);
  /// Which queries have a pair.
  TANDEM_API BatchBits intersects(std::span<const BatchQuery> queries);

  /// All pairs of queries that are in the memory of the device already, each once, for work there
  /// that goes on with them. Nothing of the queries is checked: they must name models that are
  /// there. May wait for the stream.
  TANDEM_API FoundPairs find(const BatchQuery* queries, std::uint32_t count,
                             const Place& place = {});

  /// The same for the number of pairs of each query, and for whether it has any (not 0 if so), into
  /// the memory of the device.
  TANDEM_API void count(const BatchQuery* queries, std::uint32_t count, std::uint64_t* counts,
                        const Place& place = {});
  TANDEM_API void intersects(const BatchQuery* queries, std::uint32_t count, std::uint64_t* any,
                             const Place& place = {});

  /// The distances of each query, as `tandem::distance_batch` returns them, to the byte, but for
  /// statistics: only which pair it is that touches may be another one. Waits for the device. For
  /// the methods `best`, `waves` and `warps`. Throws `tandem::Error` for other ones, for a query
  /// that names a model that is not there, and for a limit that is negative or NaN.
  TANDEM_API std::vector<DistanceResult> distance(
      std::span<const BatchQuery> queries, double limit = std::numeric_limits<double>::infinity());
  /// Which queries have a pair that is at most `distance` apart, as `tandem::within_batch` tells.
  TANDEM_API BatchBits within(std::span<const BatchQuery> queries, double distance);

  /// The same for queries that are in the memory of the device, into its memory; `any` is 1 for
  /// those that have a pair, else 0. May wait for the stream.
  TANDEM_API void distance(const BatchQuery* queries, std::uint32_t count, DeviceDistance* results,
                           double limit = std::numeric_limits<double>::infinity(),
                           const Place& place = {});
  TANDEM_API void within(const BatchQuery* queries, std::uint32_t count, double distance,
                         std::uint64_t* any, const Place& place = {});

  /// Moves the vertices of a model that the device has made of a mesh: in far less time than a new
  /// one takes, but queries take longer the more the mesh has changed. The positions are in the
  /// memory of the device and are not checked: if some are not finite, queries may miss what they
  /// should find. Waits for the stream. Throws `tandem::Error` for a model that is not there or
  /// that the host has made, and for another number of positions than the mesh has vertices.
  TANDEM_API void refit(std::size_t model, const Vec3f* positions, std::size_t count,
                        const Place& place = {});
  /// From host memory. Throws too, naming the vertex, where a coordinate is not finite.
  TANDEM_API void refit(std::size_t model, std::span<const Vec3f> positions);

  /// Runs queries step by step, and measures each: for profiles. None where a method has no steps
  /// to tell apart.
  TANDEM_API std::vector<CollideStep> measure(std::span<const BatchQuery> queries);

  /// On the device: of the models, and of what queries have needed so far.
  TANDEM_API std::size_t model_bytes() const;
  TANDEM_API std::size_t query_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tandem::cuda
