// Touching, crossing and inside against exact oracles: triangles against CGAL with exact
// constructions, convex solids against separating axes in integers, other solids against the sets
// of grid cubes that they are made of. TANDEM_EXHAUSTIVE=1 runs twenty times as many cases.
#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/intersections.h>
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "geometry/triangle_relation.h"
#include "math/random.h"
#include "oracle/cgal_oracle.h"
#include "support/solids.h"
#include "support/triangle_cases.h"

namespace tandem::test {
namespace {

/// What a variant holds, if it is a T: CGAL 5 has Boost's variant, CGAL 6 the standard's.
template <class T, class Variant>
const T* held(const Variant& variant) {
  if constexpr (requires { std::get_if<T>(&variant); }) {
    return std::get_if<T>(&variant);
  } else {
    return boost::get<T>(&variant);
  }
}

int times(int count) {
  return std::getenv("TANDEM_EXHAUSTIVE") != nullptr ? 20 * count : count;
}

const char* name_of(Meeting m) {
  static const char* const k_names[] = {"apart", "touching", "crossing"};
  return k_names[static_cast<int>(m)];
}
const char* name_of(SolidRelation r) {
  static const char* const k_names[] = {"apart", "touching", "crossing", "a_inside_b",
                                        "b_inside_a"};
  return k_names[static_cast<int>(r)];
}

/// Each answer has to be there often enough for the comparison to be worth something.
class Tally {
 public:
  void add(SolidRelation r) { ++counts_[static_cast<int>(r)]; }
  void add(Meeting m) { ++counts_[static_cast<int>(m)]; }
  void expect_at_least(int kinds, long least) const {
    for (int k = 0; k < kinds; ++k) EXPECT_GE(counts_[k], least) << "answer " << k;
  }

 private:
  long counts_[5] = {};
};

// Triangles

using ExactKernel = CGAL::Exact_predicates_exact_constructions_kernel;

/// Triangles that are not in one plane have insides in common exactly when they share a segment
/// whose middle is on no edge.
Meeting cgal_meeting(const Triangle& p, const Triangle& q) {
  if (!cgal_intersects(p, q)) return Meeting::apart;
  const auto exact = [](const Triangle& t) {
    const auto point = [](const Vec3d& v) { return ExactKernel::Point_3(v.x, v.y, v.z); };
    return ExactKernel::Triangle_3(point(t.corner[0]), point(t.corner[1]), point(t.corner[2]));
  };
  const ExactKernel::Triangle_3 s = exact(p);
  const ExactKernel::Triangle_3 t = exact(q);
  if (s.is_degenerate() || t.is_degenerate()) return Meeting::touching;
  const auto shared = CGAL::intersection(s, t);
  if (!shared) return Meeting::apart;
  const auto* segment = held<ExactKernel::Segment_3>(*shared);
  if (segment == nullptr) return Meeting::touching;
  const ExactKernel::Point_3 middle = CGAL::midpoint(segment->source(), segment->target());
  for (const auto& triangle : {s, t}) {
    for (int k = 0; k < 3; ++k) {
      const ExactKernel::Segment_3 edge(triangle.vertex(k), triangle.vertex(k + 1));
      if (edge.has_on(middle)) return Meeting::touching;
    }
  }
  return Meeting::crossing;
}

TEST(RelationOracle, TrianglesMeetAsCgalSays) {
  const std::uint64_t seed = 20'261'116;
  const int pair_count = times(60'000);
  TriangleCases cases(seed);
  Tally tally;
  for (int i = 0; i < pair_count; ++i) {
    const TriangleCase c = cases.next(i % TriangleCases::k_kind_count);
    const Meeting answer = meeting(c.p, c.q);
    tally.add(answer);
    ASSERT_STREQ(name_of(answer), name_of(cgal_meeting(c.p, c.q)))
        << "seed " << seed << ", pair " << i << ": " << c.kind;
    const detail::ExpansionSigns expansions(c.p, c.q);
    ASSERT_STREQ(name_of(detail::relate_exactly(expansions).meeting), name_of(answer))
        << "expansions, seed " << seed << ", pair " << i << ": " << c.kind;
    ASSERT_STREQ(name_of(meeting(c.q, c.p)), name_of(answer))
        << "swapped, seed " << seed << ", pair " << i << ": " << c.kind;
  }
  tally.expect_at_least(3, pair_count / 20);
}

TEST(RelationOracle, TrianglesOnASmallGridMeetAsCgalSays) {
  const std::uint64_t seed = 31;
  const int pair_count = times(40'000);
  detail::Random random(seed);
  Tally tally;
  for (int i = 0; i < pair_count; ++i) {
    const std::uint64_t reach = 2 + random.below(3);
    const auto coordinate = [&] { return static_cast<double>(random.below(reach)); };
    Triangle t[2];
    for (Triangle& triangle : t) {
      for (Vec3d& corner : triangle.corner) corner = {coordinate(), coordinate(), coordinate()};
    }
    const Meeting answer = meeting(t[0], t[1]);
    tally.add(answer);
    ASSERT_STREQ(name_of(answer), name_of(cgal_meeting(t[0], t[1])))
        << "seed " << seed << ", pair " << i;
  }
  tally.expect_at_least(3, pair_count / 50);
}

// Solids

using Vector = std::array<std::int64_t, 3>;

Vector operator-(const Vector& a, const Vector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
std::int64_t dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// One of the 24 turns by quarters, then a move by integers: exact for small integers.
struct GridPose {
  std::int64_t rows[3][3] = {};
  Vector offset = {};

  Vector operator()(const Vector& v) const {
    Vector result = offset;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) result[i] += rows[i][j] * v[j];
    }
    return result;
  }

  Pose pose() const {
    double entries[9];
    for (int k = 0; k < 9; ++k) entries[k] = static_cast<double>(rows[k / 3][k % 3]);
    return Pose::from_rotation(entries, {double(offset[0]), double(offset[1]), double(offset[2])});
  }
};

class SolidCases {
 public:
  explicit SolidCases(std::uint64_t seed) : random_(seed) {}

  std::int64_t integer(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>((random_.next() >> 20) %
                                           static_cast<std::uint64_t>(high - low + 1));
  }
  bool coin() { return integer(0, 1) == 1; }

  GridPose pose(std::int64_t reach) {
    GridPose result;
    const std::int64_t first = integer(0, 2);
    const bool odd = coin();
    std::int64_t sign = odd ? -1 : 1;
    for (int i = 0; i < 3; ++i) {
      const std::int64_t column = (first + (odd ? 3 - i : i)) % 3;
      const std::int64_t flip = i == 2 ? sign : coin() ? 1 : -1;
      if (i < 2) sign *= flip;
      result.rows[i][column] = flip;
      result.offset[i] = integer(-reach, reach);
    }
    if (integer(0, 2) == 0) {
      for (int k = 0; k < 9; ++k) result.rows[k / 3][k % 3] = k % 4 == 0 ? 1 : 0;
    }
    return result;
  }

 private:
  detail::Random random_;
};

Mesh mesh_of(const std::vector<Vector>& corners, std::vector<TriangleIndices> triangles) {
  std::vector<Vec3f> vertices;
  for (const Vector& v : corners) vertices.emplace_back(float(v[0]), float(v[1]), float(v[2]));
  return {std::move(vertices), std::move(triangles)};
}

struct Convex {
  std::vector<Vector> corners;
  std::vector<TriangleIndices> triangles;
};

/// A linear image of a simplex, an octahedron, a prism or a box. It may be inside out.
Convex random_convex(SolidCases& cases) {
  Vector columns[3];
  do {
    for (Vector& c : columns)
      c = {cases.integer(-2, 2), cases.integer(-2, 2), cases.integer(-2, 2)};
    if (cases.coin()) {
      // Along the axes, as boxes stand most of the time.
      for (int k = 0; k < 3; ++k) {
        columns[k] = {};
        columns[k][k] = cases.integer(1, 3);
      }
    }
  } while (dot(columns[0], cross(columns[1], columns[2])) == 0);
  Convex shape;
  const auto corner = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    Vector v = {};
    for (int k = 0; k < 3; ++k) v[k] = x * columns[0][k] + y * columns[1][k] + z * columns[2][k];
    shape.corners.push_back(v);
  };
  switch (cases.integer(0, 3)) {
    case 0:
      corner(0, 0, 0), corner(1, 0, 0), corner(0, 1, 0), corner(0, 0, 1);
      shape.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
      break;
    case 1:
      corner(1, 0, 0), corner(-1, 0, 0), corner(0, 1, 0);
      corner(0, -1, 0), corner(0, 0, 1), corner(0, 0, -1);
      shape.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                         {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
      break;
    case 2:
      corner(0, 0, 0), corner(1, 0, 0), corner(0, 1, 0);
      corner(0, 0, 1), corner(1, 0, 1), corner(0, 1, 1);
      shape.triangles = {{0, 2, 1}, {3, 4, 5}, {0, 1, 4}, {0, 4, 3},
                         {1, 2, 5}, {1, 5, 4}, {2, 0, 3}, {2, 3, 5}};
      break;
    default: {
      const Mesh unit = box({0, 0, 0}, {1, 1, 1}, static_cast<unsigned>(cases.integer(0, 63)));
      for (const Vec3f& v : unit.vertices()) {
        corner(std::int64_t(v.x), std::int64_t(v.y), std::int64_t(v.z));
      }
      shape.triangles.assign(unit.triangles().begin(), unit.triangles().end());
      break;
    }
  }
  return shape;
}

/// How two convex solids meet. Were they apart, the normal of a face or the product of two edges
/// would separate them.
SolidRelation convex_oracle(const Convex& a, const Convex& b) {
  struct Extent {
    std::int64_t low;
    std::int64_t high;
  };
  const auto extent = [](const Convex& c, const Vector& axis) {
    Extent e{dot(c.corners[0], axis), dot(c.corners[0], axis)};
    for (const Vector& v : c.corners) {
      e.low = std::min(e.low, dot(v, axis));
      e.high = std::max(e.high, dot(v, axis));
    }
    return e;
  };
  const auto edge = [](const Convex& c, const TriangleIndices& t, int k) {
    return c.corners[t[(k + 1) % 3]] - c.corners[t[k]];
  };
  bool disjoint = false;
  bool no_common_volume = false;
  bool a_inside = true;
  bool b_inside = true;
  const auto look_along = [&](const Vector& axis) {
    if (axis == Vector{}) return;
    const Extent of_a = extent(a, axis);
    const Extent of_b = extent(b, axis);
    disjoint |= of_a.high < of_b.low || of_b.high < of_a.low;
    no_common_volume |= of_a.high <= of_b.low || of_b.high <= of_a.low;
  };
  const auto normal = [&](const Convex& c, const TriangleIndices& t) {
    return cross(edge(c, t, 0), edge(c, t, 1));
  };
  for (const TriangleIndices& t : a.triangles) {
    const Vector axis = normal(a, t);
    look_along(axis);
    b_inside &= extent(a, axis).low < extent(b, axis).low;
    b_inside &= extent(b, axis).high < extent(a, axis).high;
  }
  for (const TriangleIndices& t : b.triangles) {
    const Vector axis = normal(b, t);
    look_along(axis);
    a_inside &= extent(b, axis).low < extent(a, axis).low;
    a_inside &= extent(a, axis).high < extent(b, axis).high;
  }
  for (const TriangleIndices& s : a.triangles) {
    for (const TriangleIndices& t : b.triangles) {
      for (int k = 0; k < 9; ++k) look_along(cross(edge(a, s, k / 3), edge(b, t, k % 3)));
    }
  }
  if (disjoint) return SolidRelation::apart;
  if (a_inside) return SolidRelation::a_inside_b;
  if (b_inside) return SolidRelation::b_inside_a;
  return no_common_volume ? SolidRelation::touching : SolidRelation::crossing;
}

/// What the surfaces do when the solids are related so.
Meeting surfaces_of(SolidRelation solids, bool share_a_point) {
  if (!share_a_point) return Meeting::apart;
  return solids == SolidRelation::touching ? Meeting::touching : Meeting::crossing;
}

TEST(RelationOracle, ConvexSolidsMeetAsSeparatingAxesSay) {
  const std::uint64_t seed = 5;
  const int case_count = times(30'000);
  SolidCases cases(seed);
  Tally tally;
  for (int i = 0; i < case_count; ++i) {
    Convex a = random_convex(cases);
    Convex second = random_convex(cases);
    // Large ones have room for others.
    const std::int64_t size = cases.integer(0, 11);
    if (size < 6) {
      for (Vector& v : (size < 3 ? a : second).corners) v = {4 * v[0], 4 * v[1], 4 * v[2]};
    }
    const GridPose pose = cases.pose(4);
    Convex b = second;
    for (Vector& v : b.corners) v = pose(v);
    const SolidRelation expected = convex_oracle(a, b);
    tally.add(expected);
    const Model model_a(mesh_of(a.corners, a.triangles));
    const Model model_b(mesh_of(second.corners, second.triangles));
    ASSERT_STREQ(name_of(solid_relation(model_a, model_b, pose.pose())), name_of(expected))
        << "seed " << seed << ", case " << i;
    const bool share = expected == SolidRelation::touching || expected == SolidRelation::crossing;
    ASSERT_STREQ(name_of(meeting(model_a, model_b, pose.pose())),
                 name_of(surfaces_of(expected, share)))
        << "seed " << seed << ", case " << i;
  }
  tally.expect_at_least(5, case_count / 200);
}

// Sets of grid cubes

using Cells = std::set<Vector>;

/// A random set of cubes of the given size, as cells of side 1.
Cells random_cells(SolidCases& cases, std::int64_t size) {
  const std::int64_t reach = cases.integer(1, 3);
  const std::int64_t share = cases.integer(2, 10);
  const bool hollow = cases.integer(0, 3) == 0;
  Cells cells;
  for (std::int64_t k = 0; k < reach * reach * reach; ++k) {
    const Vector cube = {k % reach, k / reach % reach, k / reach / reach};
    const bool middle = cube == Vector{1, 1, 1};
    if (hollow ? reach == 3 && middle : cases.integer(0, 10) >= share) continue;
    for (std::int64_t c = 0; c < size * size * size; ++c) {
      cells.insert({size * cube[0] + c % size, size * cube[1] + c / size % size,
                    size * cube[2] + c / size / size});
    }
  }
  return cells;
}

/// A face of a cell: its least corner and the axes that it lies along, in cyclic order after its
/// normal, and on which side of it the cell is.
struct CellFace {
  Vector corner;
  int normal;
  bool outward_is_up;
};

std::vector<CellFace> faces_of(const Cells& cells) {
  std::vector<CellFace> faces;
  for (const Vector& cell : cells) {
    for (int normal = 0; normal < 3; ++normal) {
      for (const bool up : {false, true}) {
        Vector neighbour = cell;
        neighbour[normal] += up ? 1 : -1;
        if (cells.contains(neighbour)) continue;
        Vector corner = cell;
        corner[normal] += up ? 1 : 0;
        faces.push_back({corner, normal, up});
      }
    }
  }
  return faces;
}

std::array<Vector, 4> corners_of(const CellFace& face) {
  const int u = (face.normal + 1) % 3;
  const int v = (face.normal + 2) % 3;
  std::array<Vector, 4> corners = {face.corner, face.corner, face.corner, face.corner};
  ++corners[1][u];
  ++corners[2][u];
  ++corners[2][v];
  ++corners[3][v];
  return corners;
}

/// The surface of the set, each face divided one way or the other.
Mesh surface_of(const Cells& cells, SolidCases& cases) {
  std::vector<Vector> vertices;
  std::vector<TriangleIndices> triangles;
  const bool inside_out = cases.integer(0, 4) == 0;
  for (const CellFace& face : faces_of(cells)) {
    const auto first = static_cast<std::uint32_t>(vertices.size());
    for (const Vector& corner : corners_of(face)) vertices.push_back(corner);
    std::array<std::uint32_t, 4> c = {first, first + 1, first + 2, first + 3};
    if (face.outward_is_up == inside_out) std::swap(c[1], c[3]);
    if (cases.coin()) std::rotate(c.begin(), c.begin() + 1, c.end());
    triangles.push_back({c[0], c[1], c[2]});
    triangles.push_back({c[0], c[2], c[3]});
  }
  return mesh_of(vertices, std::move(triangles));
}

/// The cell that the pose moves a cell to.
Vector moved_cell(const GridPose& pose, const Vector& cell) {
  const Vector p = pose(cell);
  const Vector q = pose({cell[0] + 1, cell[1] + 1, cell[2] + 1});
  return {std::min(p[0], q[0]), std::min(p[1], q[1]), std::min(p[2], q[2])};
}

/// Faces of the grid share a point exactly when they share a corner.
bool surfaces_share_a_point(const Cells& a, const Cells& b) {
  std::set<Vector> corners;
  for (const CellFace& face : faces_of(a)) {
    for (const Vector& corner : corners_of(face)) corners.insert(corner);
  }
  for (const CellFace& face : faces_of(b)) {
    for (const Vector& corner : corners_of(face)) {
      if (corners.contains(corner)) return true;
    }
  }
  return false;
}

SolidRelation cells_oracle(const Cells& a, const Cells& b, bool share_a_point) {
  const auto common =
      std::count_if(a.begin(), a.end(), [&](const Vector& c) { return b.contains(c); });
  if (share_a_point) return common > 0 ? SolidRelation::crossing : SolidRelation::touching;
  if (common == 0) return SolidRelation::apart;
  if (common == static_cast<std::ptrdiff_t>(a.size())) return SolidRelation::a_inside_b;
  if (common == static_cast<std::ptrdiff_t>(b.size())) return SolidRelation::b_inside_a;
  return SolidRelation::crossing;
}

/// Coarse cells are triangulated finely by `surface_of`: this joins 2x2x2 of them into cubes whose
/// faces have two triangles, so that edges of one mesh run through faces of the other.
Mesh coarse_surface_of(const Cells& cells, std::int64_t size, SolidCases& cases) {
  Cells coarse;
  for (const Vector& c : cells) coarse.insert({c[0] / size, c[1] / size, c[2] / size});
  const Mesh unit = surface_of(coarse, cases);
  std::vector<Vec3f> vertices;
  for (const Vec3f& v : unit.vertices()) vertices.push_back(static_cast<float>(size) * v);
  return {std::move(vertices), {unit.triangles().begin(), unit.triangles().end()}};
}

/// What a linear map with small integers and the pose before it make of a mesh. Who touches whom,
/// and who is inside, stays as it is.
Mesh slanted(const Mesh& mesh, const GridPose& pose, const Vector (&rows)[3]) {
  std::vector<Vector> vertices;
  for (const Vec3f& v : mesh.vertices()) {
    const Vector p = pose({std::int64_t(v.x), std::int64_t(v.y), std::int64_t(v.z)});
    vertices.push_back({dot(rows[0], p), dot(rows[1], p), dot(rows[2], p)});
  }
  return mesh_of(vertices, {mesh.triangles().begin(), mesh.triangles().end()});
}

TEST(RelationOracle, SetsOfGridCubesMeetAsTheirCubesSay) {
  const std::uint64_t seed = 77;
  const int case_count = times(4'000);
  SolidCases cases(seed);
  Tally tally;
  for (int i = 0; i < case_count; ++i) {
    const std::int64_t size_a = cases.integer(1, 3);
    const std::int64_t size_b = cases.integer(1, 3);
    const Cells a = random_cells(cases, size_a);
    const Cells in_b = random_cells(cases, size_b);
    const GridPose pose = cases.pose(5);
    Cells b;
    for (const Vector& cell : in_b) b.insert(moved_cell(pose, cell));
    const bool share = surfaces_share_a_point(a, b);
    const SolidRelation expected = cells_oracle(a, b, share);
    tally.add(expected);
    const bool fine = cases.coin();
    const Mesh mesh_a = fine ? surface_of(a, cases) : coarse_surface_of(a, size_a, cases);
    const Mesh mesh_b = coarse_surface_of(in_b, size_b, cases);
    const auto compare = [&](const Model& model_a, const Model& model_b, const Pose& b_in_a) {
      ASSERT_STREQ(name_of(solid_relation(model_a, model_b, b_in_a)), name_of(expected))
          << "seed " << seed << ", case " << i;
      ASSERT_STREQ(name_of(meeting(model_a, model_b, b_in_a)),
                   name_of(surfaces_of(expected, share)))
          << "seed " << seed << ", case " << i;
    };
    compare(Model(mesh_a), Model(mesh_b), pose.pose());
    const Vector rows[3] = {{cases.integer(1, 3), cases.integer(-2, 2), cases.integer(-2, 2)},
                            {0, cases.integer(1, 3), cases.integer(-2, 2)},
                            {0, 0, cases.coin() ? 1 : -1}};
    GridPose still;
    for (int k = 0; k < 3; ++k) still.rows[k][k] = 1;
    const Mesh slanted_a = slanted(mesh_a, still, rows);
    const Mesh slanted_b = slanted(mesh_b, pose, rows);
    compare(Model(slanted_a), Model(slanted_b), Pose());
    const auto choose_edge = [&](const TriangleIndices&) {
      return static_cast<int>(cases.integer(0, 5));
    };
    compare(Model(with_needles(slanted_a, choose_edge)),
            Model(with_needles(slanted_b, choose_edge)), Pose());
    if (HasFatalFailure()) return;
  }
  tally.expect_at_least(3, case_count / 50);
}

}  // namespace
}  // namespace tandem::test
