// This room has other libraries, each behind the same interface as Tandem, for the benchmarks that
// compare them. Each library's headers are included by one file. It uses the public API and no
// other room of the program.
//
// In this file: what finds touching triangles. A peer gets two meshes, builds what it needs, and
// finds which triangles of one touch which of the other, as well as it can.
#pragma once

#include <tandem/mesh.h>
#include <tandem/pose.h>
#include <tandem/query.h>
#include <tandem/triangle.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "peers/shared_models.h"

namespace tandem::cli {

class Peer {
 public:
  virtual ~Peer() = default;
  Peer() = default;
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  /// What comes before a query and does not count as its time; nothing in most peers.
  virtual void prepare(const Pose& /*b_in_a*/) {}

  /// Appends the pairs that touch in its opinion; a pair may come more than once.
  virtual void find_all(const Pose& b_in_a, std::vector<TrianglePair>& pairs) = 0;

  /// Whether they touch; stops at the first pair. Peers that cannot stop there do not override it,
  /// and their info says so.
  virtual bool find_first(const Pose& /*b_in_a*/) { return false; }

  /// Allocated bytes that `mallinfo` does not see.
  virtual std::size_t hidden_bytes() const { return 0; }
};

struct PeerInfo {
  std::string_view name;
  std::string_view description;
  /// Whether it can stop at the first pair.
  bool has_first;
  /// Whether its pairs are pairs of triangles, and not only of their boxes.
  bool tests_triangles;
  /// Makes it for two meshes, which may be the same one. Peers with the same `shared` that can stop
  /// at the first pair have one model for each mesh, however many pairs it is in.
  std::unique_ptr<Peer> (*make)(const Mesh& a, const Mesh& b, SharedModels& shared);
};

/// Tandem itself, then the others that are in this build.
std::span<const PeerInfo> peers();

/// Tandem's `count`, where the others are asked for the first pair; not among `peers()`.
PeerInfo tandem_count();

/// A library that `tandem bench peers` can compare, and the Debian package that it comes in.
struct PeerPackage {
  std::string_view name;
  std::string_view package;
};

/// Those that were not there when the program was built.
std::vector<PeerPackage> missing_peers();

/// A triangle moved by a pose, with the same bits as in Tandem's queries.
inline Triangle transform_triangle(const Pose& pose, const TriangleF& triangle) {
  Triangle result;
  for (int i = 0; i < 3; ++i) {
    result.corner[i] = transform_point(pose, Vec3d(triangle.corner[i]));
  }
  return result;
}

// Each is defined in a file of its own, which is compiled when its library was found.
std::unique_ptr<Peer> make_tandem_peer(const Mesh& a, const Mesh& b, SharedModels& shared);
std::unique_ptr<Peer> make_fcl_peer(const Mesh& a, const Mesh& b, SharedModels& shared);
std::unique_ptr<Peer> make_embree_peer(const Mesh& a, const Mesh& b, SharedModels& shared);
std::unique_ptr<Peer> make_embree_refit_peer(const Mesh& a, const Mesh& b, SharedModels& shared);
std::unique_ptr<Peer> make_embree_collide_peer(const Mesh& a, const Mesh& b, SharedModels& shared);
std::unique_ptr<Peer> make_bullet_peer(const Mesh& a, const Mesh& b, SharedModels& shared);
std::unique_ptr<Peer> make_ode_peer(const Mesh& a, const Mesh& b, SharedModels& shared);
std::unique_ptr<Peer> make_cgal_peer(const Mesh& a, const Mesh& b, SharedModels& shared);

}  // namespace tandem::cli
