// The peers of this build. CMake defines TANDEM_PEER_NAME for each library that it found.
#include <algorithm>
#include <iterator>

#include "peers/broad_phase.h"
#include "peers/distance_peer.h"
#include "peers/peer.h"
#include "peers/self_peer.h"
#include "peers/simulator_peer.h"

namespace tandem::cli {

namespace {

constexpr PeerInfo k_peers[] = {
    {"tandem", "Tandem as it is by default", true, true, make_tandem_peer},
#ifdef TANDEM_PEER_FCL
    {"fcl", "FCL, oriented boxes, double precision", true, true, make_fcl_peer},
#endif
#ifdef TANDEM_PEER_EMBREE
    {"embree", "Embree: transform, refit, rtcCollide, Tandem's triangle test", false, true,
     make_embree_peer},
    {"embree-refit", "Embree: the same without the triangle test; pairs of boxes", false, false,
     make_embree_refit_peer},
    {"embree-collide", "Embree: rtcCollide alone, trees in one frame; pairs of boxes", false, false,
     make_embree_collide_peer},
#endif
#ifdef TANDEM_PEER_BULLET
    {"bullet", "Bullet, GImpact shapes without margin", false, true, make_bullet_peer},
#endif
#ifdef TANDEM_PEER_ODE
    {"ode", "ODE, triangle meshes", true, true, make_ode_peer},
#endif
#ifdef TANDEM_PEER_CGAL
    {"cgal", "CGAL: box sweep and exact predicates", false, true, make_cgal_peer},
#endif
};

constexpr PeerPackage k_packages[] = {{"fcl", "libfcl-dev"},
                                      {"embree", "libembree-dev"},
                                      {"bullet", "libbullet-dev"},
                                      {"ode", "libode-dev"},
                                      {"cgal", "libcgal-dev"}};

}  // namespace

std::span<const BroadPhaseInfo> broad_phases() {
  // An array has at least one element; the last one here is no broad phase.
  static constexpr BroadPhaseInfo k_broad_phases[] = {
#ifdef TANDEM_PEER_FCL
      {"fcl", make_fcl_broad_phase},
#endif
#ifdef TANDEM_PEER_BULLET
      {"bullet", make_bullet_broad_phase},
#endif
      {},
  };
  return std::span(k_broad_phases).first(std::size(k_broad_phases) - 1);
}

std::span<const SimulatorInfo> simulators() {
  // As above.
  static constexpr SimulatorInfo k_simulators[] = {
#ifdef TANDEM_PEER_BULLET
      {"bullet", "Bullet's dynamics world, GImpact bodies", make_bullet_simulator},
#endif
      {},
  };
  return std::span(k_simulators).first(std::size(k_simulators) - 1);
}

std::span<const DistancePeerInfo> distance_peers() {
  static constexpr DistancePeerInfo k_distance_peers[] = {
      {"tandem", "Tandem's distance and within", false, make_tandem_distance},
      {"tandem-witness", "Tandem's distance with a witness", true, make_tandem_witness},
#ifdef TANDEM_PEER_FCL
      {"fcl", "FCL, rectangle swept spheres, double precision", false, make_fcl_distance},
#endif
  };
  return k_distance_peers;
}

std::span<const PeerInfo> peers() {
  return k_peers;
}

std::vector<PeerPackage> missing_peers() {
  std::vector<PeerPackage> missing;
  for (const PeerPackage& one : k_packages) {
    const bool is_there = std::any_of(std::begin(k_peers), std::end(k_peers),
                                      [&](const PeerInfo& peer) { return peer.name == one.name; });
    if (!is_there) missing.push_back(one);
  }
  return missing;
}

std::unique_ptr<SelfPeer> make_self_peer([[maybe_unused]] const Mesh& mesh) {
#ifdef TANDEM_PEER_CGAL
  return make_cgal_self_peer(mesh);
#else
  return nullptr;
#endif
}

}  // namespace tandem::cli
