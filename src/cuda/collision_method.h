// What a way to collide models on a device does for `Collider`.
#pragma once

#include <tandem/cuda/collide.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gpu/waves/memory.h"

namespace tandem::cuda {

/// Holds what it needs of the models on the device, and the memory for queries.
class CollisionMethod {
 public:
  CollisionMethod() = default;
  CollisionMethod(const CollisionMethod&) = delete;
  CollisionMethod& operator=(const CollisionMethod&) = delete;
  virtual ~CollisionMethod() = default;

  /// All pairs of all queries, each once. The queries are in the memory of the device and name
  /// models that are there. May wait for the stream.
  virtual FoundPairs find(const BatchQuery* queries, std::uint32_t count, const Place& place) = 0;

  /// How many pairs each query has, or with `first_only` whether it has any (not 0), into the
  /// memory of the device, for methods that need no pairs for that. False for others, which do
  /// nothing.
  virtual bool count(const BatchQuery*, std::uint32_t, bool /*first_only*/,
                     unsigned long long* /*counts*/, const Place&) {
    return false;
  }

  virtual std::size_t model_bytes() const = 0;
  virtual std::size_t query_bytes() const = 0;

  /// From now on `find` adds its steps here, and waits for each of them; null for no more. A method
  /// that measures nothing adds nothing.
  void measure(std::vector<CollideStep>* steps) { steps_ = steps; }

 protected:
  std::vector<CollideStep>* steps_ = nullptr;
};

/// Queues take at most so many bytes; 0 stands for a share of the device's memory.
std::unique_ptr<CollisionMethod> make_waves(std::span<const Model> models, detail::WaveWay way,
                                            std::size_t memory_limit, const Place& place);
std::unique_ptr<CollisionMethod> make_blocked(std::span<const Model> models, const Place& place,
                                              const BlockedOptions& options = {});
std::unique_ptr<CollisionMethod> make_stackless(std::span<const Model> models, const Place& place,
                                                const StacklessOptions& options = {});

}  // namespace tandem::cuda
