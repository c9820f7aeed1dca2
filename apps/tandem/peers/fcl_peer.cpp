// FCL: bounding volume hierarchies of oriented boxes.
#include <fcl/fcl.h>

#include <cmath>
#include <limits>

#include "peers/broad_phase.h"
#include "peers/peer.h"

namespace tandem::cli {

namespace {

using FclModel = fcl::BVHModel<fcl::OBBd>;

std::shared_ptr<FclModel> make_model(const Mesh& mesh) {
  std::vector<fcl::Vector3d> vertices;
  for (const Vec3f& v : mesh.vertices()) vertices.emplace_back(v.x, v.y, v.z);
  std::vector<fcl::Triangle> triangles;
  for (const TriangleIndices& t : mesh.triangles()) triangles.emplace_back(t[0], t[1], t[2]);
  auto model = std::make_shared<FclModel>();
  model->beginModel(static_cast<int>(triangles.size()), static_cast<int>(vertices.size()));
  model->addSubModel(vertices, triangles);
  model->endModel();
  return model;
}

class FclPeer final : public Peer {
 public:
  FclPeer(const Mesh& a, const Mesh& b, SharedModels& shared)
      : a_(shared.get<FclModel>(a, [&] { return make_model(a); })),
        b_(shared.get<FclModel>(b, [&] { return make_model(b); })) {}

  void find_all(const Pose& b_in_a, std::vector<TrianglePair>& pairs) override {
    const fcl::CollisionResultd result = query(b_in_a, std::numeric_limits<int>::max());
    for (std::size_t i = 0; i < result.numContacts(); ++i) {
      const fcl::Contactd& contact = result.getContact(i);
      pairs.push_back(
          {static_cast<std::uint32_t>(contact.b1), static_cast<std::uint32_t>(contact.b2)});
    }
  }
  bool find_first(const Pose& b_in_a) override { return query(b_in_a, 1).isCollision(); }

 private:
  fcl::CollisionResultd query(const Pose& b_in_a, std::size_t most) const {
    fcl::Transform3d pose = fcl::Transform3d::Identity();
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) pose(i, j) = b_in_a.rotation(i, j);
      pose(i, 3) = b_in_a.translation()[i];
    }
    const fcl::CollisionRequestd request(most, false);
    fcl::CollisionResultd result;
    fcl::collide(a_.get(), fcl::Transform3d::Identity(), b_.get(), pose, request, result);
    return result;
  }

  std::shared_ptr<FclModel> a_;
  std::shared_ptr<FclModel> b_;
};

/// FCL's dynamic tree of boxes, which it recommends for objects that move.
class FclBroadPhase final : public BroadPhase {
 public:
  explicit FclBroadPhase(std::span<const Bounds> boxes) {
    for (const Bounds& box : boxes) {
      const Vec3f sides = box.upper - box.lower;
      objects_.push_back(std::make_unique<fcl::CollisionObjectd>(
          std::make_shared<fcl::Boxd>(sides.x, sides.y, sides.z)));
      place(*objects_.back(), box);
      manager_.registerObject(objects_.back().get());
    }
    manager_.setup();
  }

  void move(std::span<const Bounds> boxes) override {
    for (std::size_t i = 0; i < boxes.size(); ++i) place(*objects_[i], boxes[i]);
    manager_.update();
  }

  std::size_t count_pairs() override {
    std::size_t count = 0;
    manager_.collide(&count, [](fcl::CollisionObjectd*, fcl::CollisionObjectd*, void* data) {
      ++*static_cast<std::size_t*>(data);
      return false;
    });
    return count;
  }

 private:
  /// Moves the box, and gives it the sides that it has now: objects turn.
  static void place(fcl::CollisionObjectd& object, const Bounds& box) {
    const Vec3d centre = 0.5 * (Vec3d(box.lower) + Vec3d(box.upper));
    object.setTranslation({centre.x, centre.y, centre.z});
    const Vec3d half = 0.5 * (Vec3d(box.upper) - Vec3d(box.lower));
    auto& geometry = const_cast<fcl::CollisionGeometryd&>(*object.collisionGeometry());
    geometry.aabb_local =
        fcl::AABBd(fcl::Vector3d(-half.x, -half.y, -half.z), fcl::Vector3d(half.x, half.y, half.z));
    geometry.aabb_radius = std::sqrt(dot(half, half));
    object.computeAABB();
  }

  std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects_;
  fcl::DynamicAABBTreeCollisionManagerd manager_;
};

}  // namespace

std::unique_ptr<Peer> make_fcl_peer(const Mesh& a, const Mesh& b, SharedModels& shared) {
  return std::make_unique<FclPeer>(a, b, shared);
}

std::unique_ptr<BroadPhase> make_fcl_broad_phase(std::span<const Bounds> boxes) {
  return std::make_unique<FclBroadPhase>(boxes);
}

}  // namespace tandem::cli
