// ODE: two triangle meshes and their contacts, at most 65,535 of them. ODE merges contacts that are
// close together. Merged ones do not name their triangles, so those pairs are lost.
#include <ode/ode.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "peers/peer.h"

namespace tandem::cli {

namespace {

/// ODE is open as long as there is one of these.
class OdeLibrary {
 public:
  OdeLibrary() {
    dInitODE2(0);
    dSetMessageHandler([](int, const char*, va_list) {});
    dSetDebugHandler([](int, const char* text, va_list) { throw std::runtime_error(text); });
  }
  ~OdeLibrary() { dCloseODE(); }
  OdeLibrary(const OdeLibrary&) = delete;
  OdeLibrary& operator=(const OdeLibrary&) = delete;

  static std::shared_ptr<OdeLibrary> open() {
    static std::weak_ptr<OdeLibrary> opened;
    std::shared_ptr<OdeLibrary> library = opened.lock();
    if (!library) opened = library = std::make_shared<OdeLibrary>();
    return library;
  }
};

/// A mesh as a geometry.
class OdeMesh {
 public:
  /// `away`: how far a triangle is moved that nothing should touch, in sizes of the mesh.
  OdeMesh(const Mesh& mesh, float away)
      : library_(OdeLibrary::open()), triangle_count_(static_cast<int>(mesh.triangle_count())) {
    for (const Vec3f& v : mesh.vertices()) {
      for (int k = 0; k < 3; ++k) coordinates_.push_back(v[k]);
    }
    for (const TriangleIndices& t : mesh.triangles()) {
      indices_.insert(indices_.end(), t.begin(), t.end());
    }
    // ODE's trees need two triangles: a single one gets a second one, far away.
    if (mesh.triangle_count() == 1) {
      const TriangleF t = mesh.triangle(0);
      float size = 0;
      for (const Vec3f& v : t.corner) {
        for (int k = 0; k < 3; ++k) size = std::max(size, std::fabs(v[k] - t.corner[0][k]));
      }
      for (const Vec3f& v : t.corner) {
        indices_.push_back(static_cast<dTriIndex>(coordinates_.size() / 3));
        coordinates_.insert(coordinates_.end(), {v.x + away * size, v.y, v.z});
      }
    }
    data_ = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSingle(data_, coordinates_.data(), 3 * sizeof(float),
                                static_cast<int>(coordinates_.size() / 3), indices_.data(),
                                static_cast<int>(indices_.size()), 3 * sizeof(dTriIndex));
    geometry_ = dCreateTriMesh(nullptr, data_, nullptr, nullptr, nullptr);
  }
  ~OdeMesh() {
    dGeomDestroy(geometry_);
    dGeomTriMeshDataDestroy(data_);
  }
  OdeMesh(const OdeMesh&) = delete;
  OdeMesh& operator=(const OdeMesh&) = delete;
  dGeomID geometry() const { return geometry_; }
  bool has(int triangle) const { return triangle >= 0 && triangle < triangle_count_; }

 private:
  std::shared_ptr<OdeLibrary> library_;
  std::vector<float> coordinates_;
  std::vector<dTriIndex> indices_;
  int triangle_count_;
  dTriMeshDataID data_;
  dGeomID geometry_;
};

class OdePeer final : public Peer {
 public:
  OdePeer(const Mesh& a, const Mesh& b, SharedModels& shared)
      : a_(shared.get<OdeMesh>(
            a, [&] { return std::make_shared<OdeMesh>(a, 1e3F); }, k_stays)),
        b_(shared.get<OdeMesh>(
            b, [&] { return std::make_shared<OdeMesh>(b, -1e3F); }, k_is_moved)) {}

  void find_all(const Pose& b_in_a, std::vector<TrianglePair>& pairs) override {
    // Some megabytes, not initialised: memory is used only for the contacts that there are.
    if (!contacts_) contacts_ = std::make_unique_for_overwrite<dContactGeom[]>(k_most);
    const int count = query(b_in_a, k_most, contacts_.get());
    for (int i = 0; i < count; ++i) {
      if (!a_->has(contacts_[i].side1) || !b_->has(contacts_[i].side2)) continue;
      pairs.push_back({static_cast<std::uint32_t>(contacts_[i].side1),
                       static_cast<std::uint32_t>(contacts_[i].side2)});
    }
  }
  bool find_first(const Pose& b_in_a) override {
    dContactGeom contact;
    return query(b_in_a, static_cast<int>(CONTACTS_UNIMPORTANT | 1U), &contact) > 0;
  }

 private:
  static constexpr int k_most = 0xffff;
  /// Kinds of geometries: only those of B get poses.
  static constexpr int k_stays = 0;
  static constexpr int k_is_moved = 1;

  int query(const Pose& b_in_a, int flags, dContactGeom* contacts) {
    dMatrix3 turn = {};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) turn[4 * i + j] = b_in_a.rotation(i, j);
    }
    const Vec3d& t = b_in_a.translation();
    dGeomSetRotation(b_->geometry(), turn);
    dGeomSetPosition(b_->geometry(), t.x, t.y, t.z);
    try {
      return dCollide(a_->geometry(), b_->geometry(), flags, contacts, sizeof(dContactGeom));
    } catch (const std::runtime_error&) {
      return 0;  // an internal error of ODE, which would end a program without a handler for it
    }
  }

  std::unique_ptr<dContactGeom[]> contacts_;
  std::shared_ptr<OdeMesh> a_;
  std::shared_ptr<OdeMesh> b_;
};

}  // namespace

std::unique_ptr<Peer> make_ode_peer(const Mesh& a, const Mesh& b, SharedModels& shared) {
  return std::make_unique<OdePeer>(a, b, shared);
}

}  // namespace tandem::cli
