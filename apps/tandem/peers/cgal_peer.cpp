// CGAL: a sweep over the boxes of triangles, then its exact predicates. Triangles without area
// become the segments or points that they are, as its predicate for triangles does not accept them.
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/box_intersection_d.h>

#include <variant>

#include "peers/peer.h"

namespace tandem::cli {

namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Simplex = std::variant<Kernel::Triangle_3, Kernel::Segment_3, Kernel::Point_3>;

Kernel::Point_3 point_of(const Vec3d& v) {
  return {v.x, v.y, v.z};
}

Simplex simplex_of(const Triangle& t) {
  const Kernel::Point_3 p = point_of(t.corner[0]);
  const Kernel::Point_3 q = point_of(t.corner[1]);
  const Kernel::Point_3 r = point_of(t.corner[2]);
  if (!CGAL::collinear(p, q, r)) return Kernel::Triangle_3(p, q, r);
  // The first and the last in lexicographic order enclose the other one.
  const Kernel::Point_3& low = std::min({p, q, r});
  const Kernel::Point_3& high = std::max({p, q, r});
  if (low == high) return low;
  return Kernel::Segment_3(low, high);
}

struct Boxed : CGAL::Box_intersection_d::Box_d<double, 3> {
  std::uint32_t triangle = 0;
  Simplex simplex;
};

/// The triangles in A's frame.
std::vector<Boxed> boxed(const Mesh& mesh, const Pose& pose) {
  std::vector<Boxed> result(mesh.triangle_count());
  for (std::uint32_t id = 0; id < result.size(); ++id) {
    const Triangle t = transform_triangle(pose, mesh.triangle(id));
    for (const Vec3d& v : t.corner) {
      double point[3] = {v.x, v.y, v.z};
      result[id].extend(point);
    }
    result[id].triangle = id;
    result[id].simplex = simplex_of(t);
  }
  return result;
}

class CgalPeer final : public Peer {
 public:
  CgalPeer(const Mesh& a, const Mesh& b) : b_(b), boxed_a_(boxed(a, Pose())) {}

  void find_all(const Pose& b_in_a, std::vector<TrianglePair>& pairs) override {
    std::vector<Boxed> boxed_b = boxed(b_, b_in_a);
    CGAL::box_intersection_d(
        boxed_a_.begin(), boxed_a_.end(), boxed_b.begin(), boxed_b.end(),
        [&](const Boxed& x, const Boxed& y) {
          const bool touch =
              std::visit([](const auto& p, const auto& q) { return CGAL::do_intersect(p, q); },
                         x.simplex, y.simplex);
          if (touch) pairs.push_back({x.triangle, y.triangle});
        });
  }

 private:
  Mesh b_;
  std::vector<Boxed> boxed_a_;
};

}  // namespace

std::unique_ptr<Peer> make_cgal_peer(const Mesh& a, const Mesh& b, SharedModels& /*shared*/) {
  return std::make_unique<CgalPeer>(a, b);
}

}  // namespace tandem::cli
