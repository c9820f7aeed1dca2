// Queries between models on a CUDA device. Part of tandem::cuda.
//
//   tandem::cuda::Collider collider(models);
//   const tandem::BatchResult result = collider.collide(queries);
//
// The results are those of the host (tandem/batch.h), to the byte.
#pragma once

#include <tandem/batch.h>
#include <tandem/cuda/device.h>
#include <tandem/model.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tandem::cuda {

/// How a device finds touching triangles; what it finds does not depend on it.
enum class CollideMethod : std::uint8_t {
  /// Pairs of blocks of wide trees in waves, level by level, in queues; exact tests for what floats
  /// leave open: the fastest (docs/gpu.md).
  waves,
  /// Blocked hierarchies of boxes with flags and prefix sums, level by level, as the paper on
  /// blocked tandem traversal has it (docs/papers.md): for comparison.
  blocked
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

struct ColliderOptions {
  CollideMethod method = CollideMethod::waves;
  /// The most bytes that the queues of `waves` may take, beside models and results; 0 stands for a
  /// quarter of the device's memory. Where they would need more, a query runs in many small steps.
  std::size_t memory_limit = 0;
};

/// Models in the memory of the device that is current when it is made, and the memory in which
/// queries between them run, which grows with what they need and is kept for the next ones. One
/// thread at a time may use it. Nothing is lost when memory does not suffice: the query grows it and
/// goes on, or throws `tandem::Error` if the device has no more.
class Collider {
 public:
  /// Makes what the method needs of each model, unless it is there, and copies it to the device.
  /// Throws `tandem::Error` where there is no device or too little memory.
  TANDEM_API explicit Collider(std::span<const Model> models, const ColliderOptions& options = {},
                               const Place& place = {});
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

  /// On the device: of the models, and of what queries have needed so far.
  TANDEM_API std::size_t model_bytes() const;
  TANDEM_API std::size_t query_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tandem::cuda
