// FCL: bounding volume hierarchies of oriented boxes.
#include <fcl/fcl.h>

#include <cmath>
#include <limits>

#include "peers/broad_phase.h"
#include "peers/distance_peer.h"
#include "peers/peer.h"

namespace tandem::cli {

namespace {

using FclModel = fcl::BVHModel<fcl::OBBd>;
/// What FCL's distances between meshes are made for.
using FclSpheres = fcl::BVHModel<fcl::RSSd>;

template <class Model>
std::shared_ptr<Model> make_model(const Mesh& mesh) {
  std::vector<fcl::Vector3d> vertices;
  for (const Vec3f& v : mesh.vertices()) vertices.emplace_back(v.x, v.y, v.z);
  std::vector<fcl::Triangle> triangles;
  for (const TriangleIndices& t : mesh.triangles()) triangles.emplace_back(t[0], t[1], t[2]);
  auto model = std::make_shared<Model>();
  model->beginModel(static_cast<int>(triangles.size()), static_cast<int>(vertices.size()));
  model->addSubModel(vertices, triangles);
  model->endModel();
  return model;
}

fcl::Transform3d transform_of(const Pose& pose) {
  fcl::Transform3d result = fcl::Transform3d::Identity();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) result(i, j) = pose.rotation(i, j);
    result(i, 3) = pose.translation()[i];
  }
  return result;
}

class FclPeer final : public Peer {
 public:
  FclPeer(const Mesh& a, const Mesh& b, SharedModels& shared)
      : a_(shared.get<FclModel>(a, [&] { return make_model<FclModel>(a); })),
        b_(shared.get<FclModel>(b, [&] { return make_model<FclModel>(b); })) {}

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
    const fcl::CollisionRequestd request(most, false);
    fcl::CollisionResultd result;
    fcl::collide(a_.get(), fcl::Transform3d::Identity(), b_.get(), transform_of(b_in_a), request,
                 result);
    return result;
  }

  std::shared_ptr<FclModel> a_;
  std::shared_ptr<FclModel> b_;
};

class FclDistance final : public DistancePeer {
 public:
  FclDistance(const Mesh& a, const Mesh& b, SharedModels& shared)
      : a_(shared.get<FclSpheres>(a, [&] { return make_model<FclSpheres>(a); })),
        b_(shared.get<FclSpheres>(b, [&] { return make_model<FclSpheres>(b); })) {}

  double distance(const Pose& b_in_a) override {
    return query(b_in_a, std::numeric_limits<double>::max());
  }
  /// FCL has no such question; a result that begins at the threshold leaves out all that is beyond.
  bool within(const Pose& b_in_a, double distance) override {
    return query(b_in_a, distance) < distance;
  }

 private:
  double query(const Pose& b_in_a, double limit) const {
    const fcl::DistanceRequestd request;
    fcl::DistanceResultd result(limit);
    fcl::distance(a_.get(), fcl::Transform3d::Identity(), b_.get(), transform_of(b_in_a), request,
                  result);
    return result.min_distance;
  }

  std::shared_ptr<FclSpheres> a_;
  std::shared_ptr<FclSpheres> b_;
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

std::unique_ptr<DistancePeer> make_fcl_distance(const Mesh& a, const Mesh& b,
                                                SharedModels& shared) {
  return std::make_unique<FclDistance>(a, b, shared);
}

std::unique_ptr<BroadPhase> make_fcl_broad_phase(std::span<const Bounds> boxes) {
  return std::make_unique<FclBroadPhase>(boxes);
}

}  // namespace tandem::cli
