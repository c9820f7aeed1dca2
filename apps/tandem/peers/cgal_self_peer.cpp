// CGAL on one mesh: its own function, or what that is made of.
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/box_intersection_d.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <utility>

#include "peers/self_peer.h"

namespace tandem::cli {

namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;
using SurfaceMesh = CGAL::Surface_mesh<Point>;

TrianglePair ordered(std::uint32_t a, std::uint32_t b) {
  return {std::min(a, b), std::max(a, b)};
}

Point point_of(const Vec3f& v) {
  return {v.x, v.y, v.z};
}

/// Whether the mesh became a surface mesh: it must be manifold, and its triangles oriented alike.
bool make_surface(const Mesh& mesh, SurfaceMesh& surface) {
  for (const Vec3f& v : mesh.vertices()) surface.add_vertex(point_of(v));
  const auto vertex = [](std::uint32_t index) { return SurfaceMesh::Vertex_index(index); };
  return std::all_of(mesh.triangles().begin(), mesh.triangles().end(),
                     [&](const TriangleIndices& t) {
                       return surface.add_face(vertex(t[0]), vertex(t[1]), vertex(t[2])) !=
                              SurfaceMesh::null_face();
                     });
}

class FunctionPeer final : public SelfPeer {
 public:
  explicit FunctionPeer(SurfaceMesh surface) : surface_(std::move(surface)) {}

  std::string_view method() const override { return "self_intersections"; }

  void find_all(std::vector<TrianglePair>& pairs) override {
    std::vector<std::pair<SurfaceMesh::Face_index, SurfaceMesh::Face_index>> found;
    CGAL::Polygon_mesh_processing::self_intersections<CGAL::Sequential_tag>(
        surface_, std::back_inserter(found));
    for (const auto& [a, b] : found) {
      if (a != b) pairs.push_back(ordered(a, b));  // a triangle without area
    }
  }

 private:
  SurfaceMesh surface_;
};

class PredicatesPeer final : public SelfPeer {
 public:
  explicit PredicatesPeer(const Mesh& mesh) {
    for (std::uint32_t id = 0; id < mesh.triangle_count(); ++id) {
      const TriangleF t = mesh.triangle(id);
      Boxed boxed;
      for (int k = 0; k < 3; ++k) {
        boxed.corner[k] = point_of(t.corner[k]);
        double point[3] = {t.corner[k].x, t.corner[k].y, t.corner[k].z};
        boxed.extend(point);
      }
      boxed.triangle = id;
      if (!CGAL::collinear(boxed.corner[0], boxed.corner[1], boxed.corner[2])) {
        boxed_.push_back(boxed);
      }
    }
  }

  std::string_view method() const override { return "sweep and predicates"; }

  void find_all(std::vector<TrianglePair>& pairs) override {
    std::vector<Boxed*> boxes;  // the sweep sorts pointers, as in CGAL's function
    for (Boxed& boxed : boxed_) boxes.push_back(&boxed);
    CGAL::box_self_intersection_d(
        boxes.begin(), boxes.end(),
        [&](const Boxed* p, const Boxed* q) {
          if (meet(*p, *q)) pairs.push_back(ordered(p->triangle, q->triangle));
        },
        std::ptrdiff_t{2000});
  }

 private:
  struct Boxed : CGAL::Box_intersection_d::Box_d<double, 3> {
    std::uint32_t triangle = 0;
    std::array<Point, 3> corner;
  };

  static bool meet(const Boxed& p, const Boxed& q) {
    // Where p's corners are among q's; common corners in pairs, from the front.
    std::array<Point, 3> a = p.corner;
    std::array<Point, 3> b = q.corner;
    int common = 0;
    for (int i = 0; i < 3; ++i) {
      for (int j = common; j < 3; ++j) {
        if (a[i] != b[j]) continue;
        std::swap(b[common], b[j]);
        std::swap(a[common], a[i]);
        ++common;
        break;
      }
    }
    const Kernel::Triangle_3 in_p(a[0], a[1], a[2]);
    const Kernel::Triangle_3 in_q(b[0], b[1], b[2]);
    switch (common) {
      case 0:
        return CGAL::do_intersect(in_p, in_q);
      case 1:
        return CGAL::do_intersect(in_p, Kernel::Segment_3(b[1], b[2])) ||
               CGAL::do_intersect(in_q, Kernel::Segment_3(a[1], a[2]));
      case 2:
        return CGAL::coplanar(a[0], a[1], a[2], b[2]) &&
               CGAL::coplanar_orientation(a[0], a[1], a[2], b[2]) == CGAL::POSITIVE;
      default:
        return true;
    }
  }

  std::vector<Boxed> boxed_;
};

}  // namespace

std::unique_ptr<SelfPeer> make_cgal_self_peer(const Mesh& mesh) {
  SurfaceMesh surface;
  if (make_surface(mesh, surface)) return std::make_unique<FunctionPeer>(std::move(surface));
  return std::make_unique<PredicatesPeer>(mesh);
}

}  // namespace tandem::cli
