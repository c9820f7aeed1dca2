#include <cmath>

#include "peers/peer.h"

namespace tandem::cli {

namespace {

class TandemPeer final : public Peer {
 public:
  TandemPeer(const Mesh& a, const Mesh& b) : a_(a), b_(&a == &b ? a_ : Model(b)) {}

  void find_all(const Pose& b_in_a, std::vector<TrianglePair>& pairs) override {
    collide(a_, b_, b_in_a, [&](TrianglePair pair) {
      pairs.push_back(pair);
      return Flow::go_on;
    });
  }
  bool find_first(const Pose& b_in_a) override {
    return static_cast<bool>(intersects(a_, b_, b_in_a));
  }

 private:
  Model a_;
  Model b_;
};

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

}  // namespace

std::unique_ptr<Peer> make_tandem_peer(const Mesh& a, const Mesh& b) {
  return std::make_unique<TandemPeer>(a, b);
}

std::span<const PeerInfo> peers() {
  return k_peers;
}

Vec3d moved(const Pose& b_in_a, const Vec3f& point) {
  Vec3d result;
  for (int i = 0; i < 3; ++i) {
    result[i] = std::fma(
        b_in_a.rotation(i, 0), double{point.x},
        std::fma(b_in_a.rotation(i, 1), double{point.y},
                 std::fma(b_in_a.rotation(i, 2), double{point.z}, b_in_a.translation()[i])));
  }
  return result;
}

}  // namespace tandem::cli
