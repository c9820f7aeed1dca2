// Other libraries behind one interface: what `tandem bench peers` and `bench exactness` compare.
//
// A peer gets one mesh, builds whatever it builds, and finds which triangles of the mesh touch which
// triangles of a copy of it, as well as it can. Each is compiled when its library is there.
#pragma once

#include <tandem/mesh.h>
#include <tandem/pose.h>
#include <tandem/query.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace tandem::cli {

class Peer {
 public:
  virtual ~Peer() = default;
  Peer() = default;
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  /// What is done before a query and does not count as its time; nothing in most peers.
  virtual void prepare(const Pose& /*b_in_a*/) {}

  /// Appends what it takes for all touching pairs; a pair may come more than once.
  virtual void find_all(const Pose& b_in_a, std::vector<TrianglePair>& pairs) = 0;

  /// Stops at the first pair. Peers that cannot do not override it, and say so in their info.
  virtual bool find_first(const Pose& /*b_in_a*/) { return false; }

  /// Bytes that `mallinfo` does not see.
  virtual std::size_t hidden_bytes() const { return 0; }
};

struct PeerInfo {
  std::string_view name;
  std::string_view description;
  /// Whether it can stop at the first pair.
  bool has_first;
  /// Whether its pairs are pairs of triangles, and not of their boxes alone.
  bool tests_triangles;
  /// For two meshes, which may be the same one.
  std::unique_ptr<Peer> (*make)(const Mesh& a, const Mesh& b);
};

/// Tandem itself first, then those that are in this build.
std::span<const PeerInfo> peers();

/// B's corner in A's frame, by the sequence that Tandem promises.
Vec3d moved(const Pose& b_in_a, const Vec3f& point);

// One file each; defined where their library is there.
std::unique_ptr<Peer> make_tandem_peer(const Mesh& a, const Mesh& b);
std::unique_ptr<Peer> make_fcl_peer(const Mesh& a, const Mesh& b);
std::unique_ptr<Peer> make_embree_peer(const Mesh& a, const Mesh& b);
std::unique_ptr<Peer> make_embree_refit_peer(const Mesh& a, const Mesh& b);
std::unique_ptr<Peer> make_embree_collide_peer(const Mesh& a, const Mesh& b);
std::unique_ptr<Peer> make_bullet_peer(const Mesh& a, const Mesh& b);
std::unique_ptr<Peer> make_ode_peer(const Mesh& a, const Mesh& b);
std::unique_ptr<Peer> make_cgal_peer(const Mesh& a, const Mesh& b);

}  // namespace tandem::cli
