// What finds the triangles of one mesh that meet each other: Tandem's self_collide is compared with
// it.
#pragma once

#include <tandem/mesh.h>
#include <tandem/query.h>

#include <memory>
#include <string_view>
#include <vector>

namespace tandem::cli {

class SelfPeer {
 public:
  virtual ~SelfPeer() = default;
  SelfPeer() = default;
  SelfPeer(const SelfPeer&) = delete;
  SelfPeer& operator=(const SelfPeer&) = delete;

  /// What it runs, for the table.
  virtual std::string_view method() const = 0;

  /// Appends the pairs that meet, in any order.
  virtual void find_all(std::vector<TrianglePair>& pairs) = 0;
};

/// CGAL's `self_intersections` for meshes that its data structure can hold. For others, the sweep
/// and the predicates that this function is made of, with corners that are known by position; then
/// triangles without area are left out. Null when this build has no CGAL.
std::unique_ptr<SelfPeer> make_self_peer(const Mesh& mesh);

/// Defined in a file of its own, which is compiled when CGAL was found.
std::unique_ptr<SelfPeer> make_cgal_self_peer(const Mesh& mesh);

}  // namespace tandem::cli
