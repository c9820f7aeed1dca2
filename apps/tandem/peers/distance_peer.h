// What finds how far apart two meshes are. (Bullet and ODE have no such function for meshes that
// are not convex.)
#pragma once

#include <tandem/mesh.h>
#include <tandem/pose.h>

#include <memory>
#include <span>
#include <string_view>

#include "peers/shared_models.h"

namespace tandem::cli {

class DistancePeer {
 public:
  virtual ~DistancePeer() = default;
  DistancePeer() = default;
  DistancePeer(const DistancePeer&) = delete;
  DistancePeer& operator=(const DistancePeer&) = delete;

  /// The least distance; 0 or less where they touch.
  virtual double distance(const Pose& b_in_a) = 0;

  /// Whether they come as close as that.
  virtual bool within(const Pose& b_in_a, double distance) = 0;

  /// Forgets what it knows of the last query, if anything.
  virtual void forget() {}
};

struct DistancePeerInfo {
  std::string_view name;
  std::string_view description;
  /// It remembers the last query, so it is for objects that move step by step.
  bool remembers;
  /// As for `PeerInfo`.
  std::unique_ptr<DistancePeer> (*make)(const Mesh& a, const Mesh& b, SharedModels& shared);
};

/// Tandem itself, Tandem with a witness, then the others that are in this build.
std::span<const DistancePeerInfo> distance_peers();

// Each is defined beside the peer of its library.
std::unique_ptr<DistancePeer> make_tandem_distance(const Mesh& a, const Mesh& b,
                                                   SharedModels& shared);
std::unique_ptr<DistancePeer> make_tandem_witness(const Mesh& a, const Mesh& b,
                                                  SharedModels& shared);
std::unique_ptr<DistancePeer> make_fcl_distance(const Mesh& a, const Mesh& b, SharedModels& shared);

}  // namespace tandem::cli
