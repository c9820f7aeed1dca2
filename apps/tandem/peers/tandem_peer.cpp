// Tandem itself, with its default options.
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

}  // namespace

std::unique_ptr<Peer> make_tandem_peer(const Mesh& a, const Mesh& b) {
  return std::make_unique<TandemPeer>(a, b);
}

}  // namespace tandem::cli
