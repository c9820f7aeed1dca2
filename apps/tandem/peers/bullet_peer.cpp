// Bullet: GImpact shapes, tested as two objects of a collision world.
#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletCollisionCommon.h>

#include "peers/broad_phase.h"
#include "peers/peer.h"

namespace tandem::cli {

namespace {

/// A mesh as a collision object.
class BulletMesh {
 public:
  explicit BulletMesh(const Mesh& mesh) {
    for (const Vec3f& v : mesh.vertices()) {
      for (int k = 0; k < 3; ++k) coordinates_.push_back(v[k]);
    }
    for (const TriangleIndices& t : mesh.triangles()) {
      for (const std::uint32_t index : t) indices_.push_back(static_cast<int>(index));
    }
    arrays_ = std::make_unique<btTriangleIndexVertexArray>(
        static_cast<int>(mesh.triangle_count()), indices_.data(), 3 * sizeof(int),
        static_cast<int>(mesh.vertex_count()), coordinates_.data(), 3 * sizeof(btScalar));
    shape_ = std::make_unique<btGImpactMeshShape>(arrays_.get());
    shape_->setMargin(0);
    shape_->updateBound();
    object_.setCollisionShape(shape_.get());
  }
  btCollisionObject& object() { return object_; }

 private:
  std::vector<btScalar> coordinates_;
  std::vector<int> indices_;
  std::unique_ptr<btTriangleIndexVertexArray> arrays_;
  std::unique_ptr<btGImpactMeshShape> shape_;
  btCollisionObject object_;
};

struct Gather : btCollisionWorld::ContactResultCallback {
  explicit Gather(std::vector<TrianglePair>& to) : pairs(to) {}
  btScalar addSingleResult(btManifoldPoint& point, const btCollisionObjectWrapper*, int, int,
                           const btCollisionObjectWrapper*, int, int) override {
    pairs.push_back(
        {static_cast<std::uint32_t>(point.m_index0), static_cast<std::uint32_t>(point.m_index1)});
    return 0;
  }
  std::vector<TrianglePair>& pairs;
};

class BulletPeer final : public Peer {
 public:
  BulletPeer(const Mesh& a, const Mesh& b)
      : dispatcher_(&configuration_),
        world_(&dispatcher_, &broadphase_, &configuration_),
        a_(a),
        b_(b) {
    btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher_);
    // contactPairTest looks up this one.
    dispatcher_.registerClosestPointsCreateFunc(GIMPACT_SHAPE_PROXYTYPE, GIMPACT_SHAPE_PROXYTYPE,
                                                &create_);
  }

  void find_all(const Pose& b_in_a, std::vector<TrianglePair>& pairs) override {
    btMatrix3x3 turn;
    for (int i = 0; i < 3; ++i) {
      turn[i] = btVector3(static_cast<btScalar>(b_in_a.rotation(i, 0)),
                          static_cast<btScalar>(b_in_a.rotation(i, 1)),
                          static_cast<btScalar>(b_in_a.rotation(i, 2)));
    }
    const Vec3d& t = b_in_a.translation();
    b_.object().setWorldTransform(
        btTransform(turn, btVector3(static_cast<btScalar>(t.x), static_cast<btScalar>(t.y),
                                    static_cast<btScalar>(t.z))));
    Gather gather(pairs);
    world_.contactPairTest(&a_.object(), &b_.object(), gather);
  }

 private:
  btGImpactCollisionAlgorithm::CreateFunc create_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btCollisionWorld world_;
  BulletMesh a_;
  BulletMesh b_;
};

/// Bullet's default: two dynamic trees of boxes, and pairs that are kept from frame to frame.
class BulletBroadPhase final : public BroadPhase {
 public:
  explicit BulletBroadPhase(std::span<const Bounds> boxes) : dispatcher_(&configuration_) {
    for (const Bounds& box : boxes) {
      proxies_.push_back(broad_phase_.createProxy(corner(box.lower), corner(box.upper), 0, nullptr,
                                                  btBroadphaseProxy::DefaultFilter,
                                                  btBroadphaseProxy::AllFilter, &dispatcher_));
    }
  }
  ~BulletBroadPhase() override {
    for (btBroadphaseProxy* proxy : proxies_) broad_phase_.destroyProxy(proxy, &dispatcher_);
  }
  BulletBroadPhase(const BulletBroadPhase&) = delete;
  BulletBroadPhase& operator=(const BulletBroadPhase&) = delete;

  void move(std::span<const Bounds> boxes) override {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      broad_phase_.setAabb(proxies_[i], corner(boxes[i].lower), corner(boxes[i].upper),
                           &dispatcher_);
    }
  }

  std::size_t count_pairs() override {
    broad_phase_.calculateOverlappingPairs(&dispatcher_);
    // It keeps pairs that no longer overlap for a while.
    const btBroadphasePairArray& pairs =
        broad_phase_.getOverlappingPairCache()->getOverlappingPairArray();
    std::size_t count = 0;
    for (int i = 0; i < pairs.size(); ++i) {
      const btBroadphaseProxy& a = *pairs[i].m_pProxy0;
      const btBroadphaseProxy& b = *pairs[i].m_pProxy1;
      count += TestAabbAgainstAabb2(a.m_aabbMin, a.m_aabbMax, b.m_aabbMin, b.m_aabbMax) ? 1 : 0;
    }
    return count;
  }

 private:
  static btVector3 corner(const Vec3f& v) { return {v.x, v.y, v.z}; }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broad_phase_;
  std::vector<btBroadphaseProxy*> proxies_;
};

}  // namespace

std::unique_ptr<Peer> make_bullet_peer(const Mesh& a, const Mesh& b, SharedModels& /*shared*/) {
  return std::make_unique<BulletPeer>(a, b);
}

std::unique_ptr<BroadPhase> make_bullet_broad_phase(std::span<const Bounds> boxes) {
  return std::make_unique<BulletBroadPhase>(boxes);
}

}  // namespace tandem::cli
