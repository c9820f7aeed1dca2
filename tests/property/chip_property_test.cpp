// Queries on the chip against the library's: the nodes that meet, what overlaps, and the triangles.
//
//   - The chip visits exactly the pairs of nodes that the library's traversal of sibling pairs
//     visits when that computes as the chip does, and transforms the same nodes.
//   - All that overlaps in the library's own arithmetic overlaps on the chip, and all pairs of
//     triangles that touch are tested: culling loses nothing.
//   - Its triangles are those of the leaves that met for which condition 4 in float32 holds.
//   - The library's test of unit triangles moves corners in double. Where the two differ, the
//     answer depends on how float32 rounds the corners: interval arithmetic cannot tell it.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "chip/chip.h"
#include "chip/comparators.h"
#include "query/model_access.h"
#include "structure/stored.h"
#include "support/collide_cases.h"
#include "traverse/observer.h"
#include "traverse/tandem/descent.h"
#include "traverse/tandem/list.h"
#include "volume/kdop.h"

namespace tandem::chip {
namespace {

using detail::Kdop;
/// Pairs of nodes of the two trees, and whether they overlap.
using Visits = std::map<std::pair<std::uint32_t, std::uint32_t>, bool>;
using Triangles = std::set<TrianglePair>;

/// The chip's arithmetic as an overlap test of the library.
class ChipOverlap {
 public:
  using Tumbled = Bounds;
  static constexpr bool k_tumbles = true;
  static constexpr bool k_tests_leaves = false;

  explicit ChipOverlap(const RegisterContents& registers)
      : registers_(registers), correspondences_(registers) {}

  Bounds tumble(const Kdop<24>& dop) const {
    DopFile file;
    const Bounds bounds = bounds_of(dop);
    for (int i = 0; i < 24; ++i) file.write(i, bounds[static_cast<std::size_t>(i)]);
    Bounds results{};
    transform_dop(MatrixFile(registers_), correspondences_, file, &results);
    return results;
  }
  bool operator()(const Kdop<24>& a, const Bounds& b) const {
    return volumes_overlap(b, bounds_of(a), 24);
  }

 private:
  static Bounds bounds_of(const Kdop<24>& dop) {
    Bounds bounds{};
    std::copy(dop.lower, dop.lower + 12, bounds.begin());
    std::copy(dop.upper, dop.upper + 12, bounds.begin() + 12);
    return bounds;
  }
  const RegisterContents& registers_;
  CorrespondenceFile correspondences_;
};

struct Recorder : detail::NullObserver {
  Visits visits;
  Visits::iterator last;
  std::uint64_t tumbled_count = 0;

  void iteration(std::uint32_t a, std::uint32_t b) {
    last = visits.emplace(std::pair(a, b), false).first;
  }
  void overlap() const { last->second = true; }
  void tumbled() { ++tumbled_count; }
};

/// The library's traversal of sibling pairs with some overlap test.
struct LibraryRun {
  Recorder recorder;
  Triangles tested;

  template <class Test>
  LibraryRun(const Model& a, const Model& b, const Test& test) {
    const auto tree_a = detail::structures_of(a).get<detail::Tree<Kdop<24>>>().view();
    const auto tree_b = detail::structures_of(b).get<detail::Tree<Kdop<24>>>().view();
    const detail::NodeDescent descent(tree_a, tree_b, test, recorder);
    const auto leaf_pair = [&](std::uint32_t in_a, std::uint32_t in_b) {
      tested.insert({in_a, in_b});
      return Flow::go_on;
    };
    detail::ListTraversal(descent, leaf_pair, recorder, 1).run();
  }
};

struct ChipRun : Observer {
  const ObjectImage& a;
  const ObjectImage& b;
  Visits visits;
  Triangles tested;
  Triangles found;
  bool visited_twice = false;
  Report report;

  ChipRun(const ObjectImage& image_a, const ObjectImage& image_b, const Pose& pose)
      : a(image_a), b(image_b) {
    report = CollisionChip(Config(), a, b).run(pose, this);
  }
  void visit(const Visit& v) override {
    const std::pair key(a.nodes[v.aligned].node, b.nodes[v.tumbled].node);
    visited_twice |= !visits.emplace(key, v.overlap).second;
  }
  void triangle(const TriangleVisit& t) override {
    visited_twice |= !tested.insert({t.a, t.b}).second;
    if (t.overlap) found.insert({t.a, t.b});
  }
};

// ---- Condition 4, written anew ----

struct Corners {
  float at[3][3];
};

Corners mapped(const float (&matrix)[3][4], const Corners& corners) {
  Corners result{};
  for (int c = 0; c < 3; ++c) {
    for (int i = 0; i < 3; ++i) {
      const float* m = matrix[i];
      const float* p = corners.at[c];
      result.at[c][i] = ((p[0] * m[0] + p[1] * m[1]) + p[2] * m[2]) + m[3];
    }
  }
  return result;
}

bool pierces(const Pose& pose, const TriangleRecord& moving, const TriangleRecord& fixed) {
  float rigid[3][4];
  Corners corners{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      rigid[i][j] = static_cast<float>(pose.rotation(i, j));
      corners.at[i][j] = moving.corner[i][j];
    }
    rigid[i][3] = static_cast<float>(pose.translation()[i]);
  }
  const Corners v = mapped(fixed.matrix, mapped(rigid, corners));
  for (int edge = 0; edge < 3; ++edge) {
    const float* p = v.at[edge];
    const float* q = v.at[(edge + 1) % 3];
    if (!((p[2] < 0 && q[2] > 0) || (p[2] > 0 && q[2] < 0))) continue;
    float x = p[0] * q[2] - q[0] * p[2];
    float y = p[1] * q[2] - q[1] * p[2];
    float z = q[2] - p[2];
    float sum = x + y;
    if (z < 0) {
      x = -x;
      y = -y;
      sum = -sum;
      z = -z;
    }
    if (x >= 0 && y >= 0 && sum <= z) return true;
  }
  return false;
}

bool condition_4(const Pose& b_in_a, const TriangleRecord& a, const TriangleRecord& b) {
  return pierces(b_in_a.inverse(), a, b) || pierces(b_in_a, b, a);
}

// ---- What rounding may decide ----

struct Interval {
  double low;
  double high;

  Interval negated() const { return {-high, -low}; }
  friend Interval operator+(const Interval& a, const Interval& b) {
    return {a.low + b.low, a.high + b.high};
  }
  friend Interval operator-(const Interval& a, const Interval& b) { return a + b.negated(); }
  friend Interval operator*(const Interval& a, const Interval& b) {
    const auto [low, high] =
        std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
    return {low, high};
  }
};

enum class Certainty { no, open, yes };

/// The corners of `moving` in the frame of `fixed`'s unit triangle, with what float32 may be off.
Certainty certainty(const Pose& pose, const TriangleRecord& moving, const TriangleRecord& fixed) {
  Interval v[3][3];
  for (int c = 0; c < 3; ++c) {
    double moved[3];
    double size[3];
    for (int i = 0; i < 3; ++i) {
      moved[i] = pose.translation()[i];
      size[i] = std::fabs(moved[i]);
      for (int j = 0; j < 3; ++j) {
        moved[i] += pose.rotation(i, j) * moving.corner[c][j];
        size[i] += std::fabs(pose.rotation(i, j) * moving.corner[c][j]);
      }
    }
    for (int i = 0; i < 3; ++i) {
      // About the triangle's corner, where the numbers are small; errors are those of the sum.
      double value = 0;
      double error = std::fabs(fixed.matrix[i][3]);
      for (int j = 0; j < 3; ++j) {
        value += double{fixed.matrix[i][j]} * (moved[j] - double{fixed.corner[0][j]});
        error += std::fabs(fixed.matrix[i][j]) * (size[j] + std::fabs(fixed.corner[0][j]));
      }
      error *= 16 * 0x1p-24;
      v[c][i] = {value - error, value + error};
    }
  }
  bool possible = false;
  for (int edge = 0; edge < 3; ++edge) {
    const Interval(&p)[3] = v[edge];
    const Interval(&q)[3] = v[(edge + 1) % 3];
    for (const bool up : {true, false}) {
      const Interval& from = up ? p[2] : q[2];
      const Interval& to = up ? q[2] : p[2];
      if (from.low >= 0 || to.high <= 0) continue;
      const Interval x = p[0] * q[2] - q[0] * p[2];
      const Interval y = p[1] * q[2] - q[1] * p[2];
      const Interval z = q[2] - p[2];
      const Interval inside[3] = {up ? x : x.negated(), up ? y : y.negated(),
                                  up ? z - x - y : x + y - z};
      // Products of rounded numbers are rounded again.
      double size = 0;
      for (int i = 0; i < 3; ++i) {
        for (const Interval& side : {p[i], q[i]}) {
          size = std::max({size, std::fabs(side.low), std::fabs(side.high)});
        }
      }
      const double slack = 16 * 0x1p-24 * size * size;
      const auto all = [&](auto holds) {
        return holds(inside[0]) && holds(inside[1]) && holds(inside[2]);
      };
      possible |= all([&](const Interval& i) { return i.high >= -slack; });
      if (from.high < 0 && to.low > 0 && all([&](const Interval& i) { return i.low > slack; })) {
        return Certainty::yes;
      }
    }
  }
  return possible ? Certainty::open : Certainty::no;
}

Certainty certainty_of_both(const Pose& b_in_a, const TriangleRecord& a, const TriangleRecord& b) {
  return std::max(certainty(b_in_a.inverse(), a, b), certainty(b_in_a, b, a));
}

// ---- One query ----

struct Totals {
  std::uint64_t overlaps = 0;
  std::uint64_t extra_overlaps = 0;
  std::uint64_t triangles = 0;
  std::uint64_t other_triangles = 0;
};

/// `in_float32`: neither coordinates nor their products leave the range of float32, so condition 4
/// means something.
void check_query(const Model& a, const Model& b, const ObjectImage& image_a,
                 const ObjectImage& image_b, const Pose& pose, bool in_float32,
                 const std::string& name, Totals* totals) {
  SCOPED_TRACE(name);
  const ChipRun chip(image_a, image_b, pose);
  ASSERT_FALSE(chip.visited_twice);
  if (image_a.empty() || image_b.empty()) {
    ASSERT_EQ(chip.report.cycles, 0U);
    return;
  }

  const RegisterContents registers = set_up(Config(), image_a, image_b, pose);
  const LibraryRun same(a, b, ChipOverlap(registers));
  ASSERT_TRUE(chip.visits == same.recorder.visits);
  ASSERT_TRUE(chip.tested == same.tested);
  ASSERT_EQ(chip.report.counts.tumbled_nodes, same.recorder.tumbled_count);

  const auto root_of = [](const Model& model) -> const Kdop<24>& {
    return detail::structures_of(model).get<detail::Tree<Kdop<24>>>().view().volume(0);
  };
  const LibraryRun library(a, b, detail::KdopOverlap<24>(pose, root_of(a), root_of(b)));
  for (const auto& [nodes, overlap] : library.recorder.visits) {
    const auto found = chip.visits.find(nodes);
    ASSERT_TRUE(found != chip.visits.end()) << nodes.first << ", " << nodes.second;
    ASSERT_GE(found->second, overlap) << nodes.first << ", " << nodes.second;
    totals->overlaps += overlap ? 1 : 0;
  }
  totals->extra_overlaps += chip.report.counts.overlaps;
  for (const auto& [nodes, overlap] : library.recorder.visits) {
    totals->extra_overlaps -= overlap ? 1 : 0;
  }
  // Nothing that touches is culled.
  for (const TrianglePair& pair : collide(a, b, pose).pairs) {
    ASSERT_TRUE(chip.tested.contains(pair)) << pair.a << ", " << pair.b;
  }

  if (!in_float32) return;
  Triangles expected;
  for (const TrianglePair& pair : chip.tested) {
    if (condition_4(pose, image_a.triangles[pair.a], image_b.triangles[pair.b])) {
      expected.insert(pair);
    }
  }
  ASSERT_TRUE(chip.found == expected);
  const std::vector<TrianglePair> listed = collide(a, b, pose,
                                                   {.engine = {.structure = "dop24",
                                                               .traversal = "list-pairs",
                                                               .triangle_test = "unit-triangle"}})
                                               .pairs;
  const Triangles of_library(listed.begin(), listed.end());
  std::vector<TrianglePair> differences;
  std::set_symmetric_difference(chip.found.begin(), chip.found.end(), of_library.begin(),
                                of_library.end(), std::back_inserter(differences));
  for (const TrianglePair& pair : differences) {
    EXPECT_EQ(certainty_of_both(pose, image_a.triangles[pair.a], image_b.triangles[pair.b]),
              Certainty::open)
        << pair.a << ", " << pair.b << ": only rounding may make a difference";
  }
  totals->triangles += of_library.size();
  totals->other_triangles += differences.size();
}

bool fits_float32(const Mesh& mesh) {
  return std::all_of(mesh.vertices().begin(), mesh.vertices().end(), [](const Vec3f& v) {
    return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}) < 1e8F;
  });
}

TEST(ChipProperty, SmallMeshesMeetAsInTheLibrary) {
  constexpr std::uint64_t k_cases = 400;
  Totals totals;
  for (std::uint64_t seed = 0; seed < k_cases; ++seed) {
    test::CollideCases cases(7000 + seed);
    const test::CollideCase c = cases.next();
    const Model a(c.a);
    const Model b(c.b);
    check_query(a, b, object_image(a, Nodes::dop24), object_image(b, Nodes::dop24), c.b_in_a,
                fits_float32(c.a) && fits_float32(c.b), c.name, &totals);
    if (HasFailure()) return;
  }
  EXPECT_GT(totals.overlaps, 10'000U);
  EXPECT_GT(totals.triangles, 1000U);
  RecordProperty("overlaps", std::to_string(totals.overlaps));
  RecordProperty("overlaps_by_margin", std::to_string(totals.extra_overlaps));
  RecordProperty("triangles", std::to_string(totals.triangles));
  RecordProperty("triangles_that_differ", std::to_string(totals.other_triangles));
}

TEST(ChipProperty, ShapesInGeneralPositionMeetAsInTheLibrary) {
  constexpr std::uint64_t k_cases = 100;
  Totals totals;
  for (std::uint64_t seed = 0; seed < k_cases; ++seed) {
    detail::Random random(seed);
    const char* const k_shapes[] = {"knot", "rock", "torus", "sphere"};
    const auto model = [&] {
      return Model(make_shape(k_shapes[random.below(4)], 200 + random.below(1500), seed));
    };
    const Model a = model();
    const Model b = model();
    const auto any = [&](double size) { return random.uniform(-size, size); };
    const Pose pose =
        Pose::from_axis_angle({any(1), any(1), any(1) + 2}, any(3), {any(1), any(1), any(1)});
    check_query(a, b, object_image(a, Nodes::dop24), object_image(b, Nodes::dop24), pose, true,
                "seed " + std::to_string(seed), &totals);
    if (HasFailure()) return;
  }
  EXPECT_GT(totals.triangles, 5000U);
  // In general position rounding decides hardly anything.
  EXPECT_LE(1000 * totals.other_triangles, totals.triangles);
  EXPECT_LE(1000 * totals.extra_overlaps, totals.overlaps);
  RecordProperty("overlaps", std::to_string(totals.overlaps));
  RecordProperty("overlaps_by_margin", std::to_string(totals.extra_overlaps));
  RecordProperty("triangles", std::to_string(totals.triangles));
  RecordProperty("triangles_that_differ", std::to_string(totals.other_triangles));
}

TEST(ChipProperty, RealMeshesMeetAsInTheLibrary) {
  const std::filesystem::path folder = std::filesystem::path(TANDEM_SHARED_DATA) / "meshes";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no real meshes in " << folder;
  Totals totals;
  for (const char* file :
       {"armadillo.ply", "bunny.ply", "engine_2cyl.ply", "happy_buddha.ply", "rocker_arm.ply"}) {
    const Mesh mesh = read_mesh(folder / file);
    const Model model(mesh);
    const ObjectImage image = object_image(model, Nodes::dop24);
    const Vec3d size = Vec3d(mesh.bounds().upper) - Vec3d(mesh.bounds().lower);
    const double longest = std::max({size.x, size.y, size.z});
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      detail::Random random(seed);
      const auto any = [&](double reach) { return random.uniform(-reach, reach); };
      const Pose pose = Pose::from_axis_angle(
          {any(1), any(1), 1}, any(3), {any(0.4 * longest), any(0.4 * longest), 0.5 * longest});
      check_query(model, model, image, image, pose, true,
                  std::string(file) + ", seed " + std::to_string(seed), &totals);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(totals.triangles, 0U);
  RecordProperty("overlaps", std::to_string(totals.overlaps));
  RecordProperty("overlaps_by_margin", std::to_string(totals.extra_overlaps));
  RecordProperty("triangles", std::to_string(totals.triangles));
  RecordProperty("triangles_that_differ", std::to_string(totals.other_triangles));
}

}  // namespace
}  // namespace tandem::chip
