// What a way to collide models on a device does for `Collider`.
#pragma once

#include <tandem/cuda/collide.h>
#include <tandem/error.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "gpu/waves/memory.h"
#include "tree/wide/tree.h"

namespace tandem::cuda {

class Distances;

/// Of queries that were made on the device. If there are more of them than there was room for, what
/// is found does not count.
struct FoundOfMade {
  std::uint32_t query_count = 0;
  FoundPairs found;
};

/// Puts the kernels that make queries into the stream of a place, and waits for nothing.
using MakeQueries = std::function<void(const Place&)>;

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

  /// The same for queries that are made on the device, before anyone knows how many there are:
  /// `make` puts that into the stream, as often as need be, unless it is empty and that is there
  /// already. A method may wait for their number.
  virtual FoundOfMade find_made(const detail::MadeQueries& made, const MakeQueries& make,
                                const Place& place);

  /// How many pairs each query has, or with `first_only` whether it has any (not 0), into the
  /// memory of the device, for methods that need no pairs for that. False for others, which do
  /// nothing.
  virtual bool count(const BatchQuery*, std::uint32_t, bool /*first_only*/,
                     unsigned long long* /*counts*/, const Place&) {
    return false;
  }

  /// What finds distances of the models; made when it is first asked for. Throws `tandem::Error`
  /// where there is none.
  virtual Distances& distances() {
    throw Error("distances on a device are for the methods best, waves and warps alone");
  }

  /// Fits a model that the device has built to new positions, which are in its memory. Throws
  /// `tandem::Error` where there is no such model.
  virtual void refit(std::size_t /*model*/, const Vec3f*, std::size_t, const Place&) {
    throw Error("this method to collide models on a device cannot refit them");
  }

  /// Copies what is known of each tree that the device has built, beside its arrays, to the memory
  /// of the device.
  virtual void copy_trees(detail::WideTreeView* /*to*/, const Place&) const {
    throw Error("this method to collide models on a device has built none");
  }

  virtual std::size_t model_bytes() const = 0;
  virtual std::size_t query_bytes() const = 0;

  /// From now on `find` adds its steps here, and waits for each of them; null for no more. A method
  /// that measures nothing adds nothing.
  void measure(std::vector<CollideStep>* steps) { steps_ = steps; }

 protected:
  std::vector<CollideStep>* steps_ = nullptr;
};

/// The method that the options name.
std::unique_ptr<CollisionMethod> make_method(std::span<const Model> models,
                                             const ColliderOptions& options, const Place& place);
/// The same for models that the device builds. Throws `tandem::Error` for methods that cannot.
std::unique_ptr<CollisionMethod> make_method(std::span<const DeviceMesh> meshes,
                                             const ColliderOptions& options, const Place& place);
std::unique_ptr<CollisionMethod> make_waves(std::span<const Model> models, detail::WaveWay way,
                                            const ColliderOptions& options, const Place& place);
/// The same, built on the device.
std::unique_ptr<CollisionMethod> make_waves(std::span<const DeviceMesh> meshes, detail::WaveWay way,
                                            const ColliderOptions& options, const Place& place);
std::unique_ptr<CollisionMethod> make_blocked(std::span<const Model> models, const Place& place,
                                              const BlockedOptions& options = {});
std::unique_ptr<CollisionMethod> make_stackless(std::span<const Model> models, const Place& place,
                                                const StacklessOptions& options = {});

}  // namespace tandem::cuda
