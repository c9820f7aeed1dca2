// Tandem itself, with its default options.
#include <tandem/distance.h>

#include "peers/distance_peer.h"
#include "peers/peer.h"

namespace tandem::cli {

namespace {

Model model_of(const Mesh& mesh, SharedModels& shared) {
  return *shared.get<Model>(mesh, [&] { return std::make_shared<Model>(mesh); });
}

class TandemPeer : public Peer {
 public:
  TandemPeer(const Mesh& a, const Mesh& b, SharedModels& shared)
      : a_(model_of(a, shared)), b_(model_of(b, shared)) {}

  void find_all(const Pose& b_in_a, std::vector<TrianglePair>& pairs) override {
    collide(a_, b_, b_in_a, [&](TrianglePair pair) {
      pairs.push_back(pair);
      return Flow::go_on;
    });
  }
  bool find_first(const Pose& b_in_a) override {
    return static_cast<bool>(intersects(a_, b_, b_in_a));
  }

 protected:
  Model a_;
  Model b_;
};

class TandemCountPeer final : public TandemPeer {
 public:
  using TandemPeer::TandemPeer;
  bool find_first(const Pose& b_in_a) override { return count(a_, b_, b_in_a).count > 0; }
};

class TandemDistance : public DistancePeer {
 public:
  TandemDistance(const Mesh& a, const Mesh& b, SharedModels& shared)
      : a_(model_of(a, shared)), b_(model_of(b, shared)) {}

  double distance(const Pose& b_in_a) override { return tandem::distance(a_, b_, b_in_a).distance; }
  bool within(const Pose& b_in_a, double distance) override {
    return static_cast<bool>(tandem::within(a_, b_, b_in_a, distance));
  }

 protected:
  Model a_;
  Model b_;
};

class TandemWitness final : public TandemDistance {
 public:
  using TandemDistance::TandemDistance;
  double distance(const Pose& b_in_a) override {
    return tandem::distance(a_, b_, b_in_a, witness_).distance;
  }
  void forget() override { witness_.clear(); }

 private:
  DistanceWitness witness_;
};

}  // namespace

std::unique_ptr<DistancePeer> make_tandem_distance(const Mesh& a, const Mesh& b,
                                                   SharedModels& shared) {
  return std::make_unique<TandemDistance>(a, b, shared);
}

std::unique_ptr<DistancePeer> make_tandem_witness(const Mesh& a, const Mesh& b,
                                                  SharedModels& shared) {
  return std::make_unique<TandemWitness>(a, b, shared);
}

std::unique_ptr<Peer> make_tandem_peer(const Mesh& a, const Mesh& b, SharedModels& shared) {
  return std::make_unique<TandemPeer>(a, b, shared);
}

PeerInfo tandem_count() {
  return {"tandem-count", "Tandem's count, which finds all pairs", true, true,
          [](const Mesh& a, const Mesh& b, SharedModels& shared) -> std::unique_ptr<Peer> {
            return std::make_unique<TandemCountPeer>(a, b, shared);
          }};
}

}  // namespace tandem::cli
