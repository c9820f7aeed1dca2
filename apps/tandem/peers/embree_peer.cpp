// Embree: rtcCollide on two scenes in one frame, so B's has to be moved and refitted for each pose.
#include <tandem/error.h>
#include <tandem/triangle.h>

#include <algorithm>
#include <cmath>

#include "peers/embree.h"
#include "peers/peer.h"

namespace tandem::cli {

namespace {

/// The triangles of a mesh in A's frame, and the scene of their boxes. Vertices are moved in
/// float32, as Embree's users would do it; the boxes have a margin for the rounding.
class BoxScene {
 public:
  /// A scene that stays where it is, or one whose tree is refitted when it is moved.
  enum class Update { none, refit };

  BoxScene(RTCDevice device, const Mesh& mesh, Update update)
      : mesh_(mesh), vertices_(mesh.vertex_count()), scene_(rtcNewScene(device)) {
    place(Pose());
    geometry_ = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryUserPrimitiveCount(geometry_, static_cast<unsigned>(mesh.triangle_count()));
    rtcSetGeometryUserData(geometry_, this);
    rtcSetGeometryBoundsFunction(geometry_, bounds, nullptr);
    if (update == Update::refit) {
      // Refitting works on the trees of geometries, and only scenes of low quality keep those.
      rtcSetGeometryBuildQuality(geometry_, RTC_BUILD_QUALITY_REFIT);
      rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_LOW);
      rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_DYNAMIC);
    }
    rtcCommitGeometry(geometry_);
    rtcAttachGeometry(scene_, geometry_);
    rtcCommitScene(scene_);
  }
  ~BoxScene() {
    rtcReleaseGeometry(geometry_);
    rtcReleaseScene(scene_);
  }
  BoxScene(const BoxScene&) = delete;
  BoxScene& operator=(const BoxScene&) = delete;

  void move(const Pose& pose) {
    place(pose);
    rtcCommitGeometry(geometry_);
    rtcCommitScene(scene_);
  }

  /// In A's frame, as in Tandem.
  Triangle triangle(unsigned id) const { return transform_triangle(pose_, mesh_.triangle(id)); }
  RTCScene scene() const { return scene_; }

 private:
  void place(const Pose& pose) {
    pose_ = pose;
    float rows[3][4];
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) rows[i][j] = static_cast<float>(pose.rotation(i, j));
      rows[i][3] = static_cast<float>(pose.translation()[i]);
    }
    float largest = 0;
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
      const Vec3f& v = mesh_.vertices()[i];
      float moved_to[3];
      for (int k = 0; k < 3; ++k) {
        moved_to[k] = rows[k][0] * v.x + rows[k][1] * v.y + rows[k][2] * v.z + rows[k][3];
        largest = std::fmax(largest, std::fabs(moved_to[k]));
      }
      vertices_[i] = {moved_to[0], moved_to[1], moved_to[2]};
    }
    margin_ = 2e-6F * largest;
  }

  static void bounds(const RTCBoundsFunctionArguments* arguments) {
    const auto& self = *static_cast<const BoxScene*>(arguments->geometryUserPtr);
    const TriangleIndices& t = self.mesh_.triangles()[arguments->primID];
    const Vec3f& a = self.vertices_[t[0]];
    const Vec3f& b = self.vertices_[t[1]];
    const Vec3f& c = self.vertices_[t[2]];
    const float margin = self.margin_;
    RTCBounds& box = *arguments->bounds_o;
    box.lower_x = std::min({a.x, b.x, c.x}) - margin;
    box.lower_y = std::min({a.y, b.y, c.y}) - margin;
    box.lower_z = std::min({a.z, b.z, c.z}) - margin;
    box.upper_x = std::max({a.x, b.x, c.x}) + margin;
    box.upper_y = std::max({a.y, b.y, c.y}) + margin;
    box.upper_z = std::max({a.z, b.z, c.z}) + margin;
  }

  const Mesh& mesh_;
  Pose pose_;
  std::vector<Vec3f> vertices_;
  float margin_ = 0;
  RTCScene scene_;
  RTCGeometry geometry_;
};

/// What counts as a query: moving B, refitting, pairs of boxes and the triangle test; the same
/// without the triangle test; or pairs of boxes alone.
enum class Work { all, boxes, collision };

class EmbreePeer final : public Peer {
 public:
  EmbreePeer(const Mesh& a, const Mesh& b, Work work)
      : mesh_a_(a), mesh_b_(b), work_(work), device_(make_device(this)) {
    a_ = std::make_unique<BoxScene>(device_, mesh_a_, BoxScene::Update::none);
    b_ = std::make_unique<BoxScene>(device_, mesh_b_, BoxScene::Update::refit);
  }
  ~EmbreePeer() override {
    a_.reset();
    b_.reset();
    rtcReleaseDevice(device_);
  }

  void prepare(const Pose& b_in_a) override {
    if (work_ == Work::collision) b_->move(b_in_a);
  }

  void find_all(const Pose& b_in_a, std::vector<TrianglePair>& pairs) override {
    if (work_ != Work::collision) b_->move(b_in_a);
    pairs_ = &pairs;
    rtcCollide(a_->scene(), b_->scene(), take, this);
  }

  std::size_t hidden_bytes() const override { return static_cast<std::size_t>(bytes_); }

 private:
  static RTCDevice make_device(EmbreePeer* self) {
    const RTCDevice device = rtcNewDevice("threads=1,set_affinity=0");
    if (device == nullptr) throw Error("Embree cannot make a device here");
    rtcSetDeviceMemoryMonitorFunction(
        device,
        [](void* peer, ssize_t bytes, bool) {
          static_cast<EmbreePeer*>(peer)->bytes_ += bytes;
          return true;
        },
        self);
    return device;
  }

  static void take(void* peer, RTCCollision* collisions, unsigned count) {
    auto& self = *static_cast<EmbreePeer*>(peer);
    for (unsigned i = 0; i < count; ++i) {
      const RTCCollision& c = collisions[i];
      if (self.work_ != Work::all ||
          intersects(self.a_->triangle(c.primID0), self.b_->triangle(c.primID1))) {
        self.pairs_->push_back({c.primID0, c.primID1});
      }
    }
  }

  const Mesh mesh_a_;
  const Mesh mesh_b_;
  Work work_;
  ssize_t bytes_ = 0;
  RTCDevice device_;
  std::unique_ptr<BoxScene> a_;
  std::unique_ptr<BoxScene> b_;
  std::vector<TrianglePair>* pairs_ = nullptr;
};

}  // namespace

std::unique_ptr<Peer> make_embree_peer(const Mesh& a, const Mesh& b, SharedModels& /*shared*/) {
  return std::make_unique<EmbreePeer>(a, b, Work::all);
}
std::unique_ptr<Peer> make_embree_refit_peer(const Mesh& a, const Mesh& b,
                                             SharedModels& /*shared*/) {
  return std::make_unique<EmbreePeer>(a, b, Work::boxes);
}
std::unique_ptr<Peer> make_embree_collide_peer(const Mesh& a, const Mesh& b,
                                               SharedModels& /*shared*/) {
  return std::make_unique<EmbreePeer>(a, b, Work::collision);
}

}  // namespace tandem::cli
