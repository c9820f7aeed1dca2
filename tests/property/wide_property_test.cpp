// The wide hierarchy: every instruction set against brute force and against each other, on random,
// degenerate, tiny, huge and far cases; the invariants of its trees; its filter; its order of
// search; what it tells its observers.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "build/wide/builders.h"
#include "engine/leaf_pair.h"
#include "math/random.h"
#include "support/collide_cases.h"
#include "support/triangle_cases.h"
#include "support/wide_queries.h"
#include "traverse/observer.h"
#include "traverse/wide/instruction_sets.h"
#include "traverse/wide/kernels.h"
#include "traverse/wide/roots.h"
#include "traverse/wide/traversal.h"
#include "tree/wide/validate.h"

namespace tandem::test {
namespace {

using detail::InstructionSet;
using detail::UseInstructionSet;
using detail::WideQuery;
using detail::WideTree;
using detail::WideTreeView;

using Kind = WideKind;

/// Every instruction set finds the brute-force set; all with fused operations count the same, and
/// so do all without.
void expect_brute_force(const Mesh& mesh_a, const Mesh& mesh_b, const Pose& pose, bool fast,
                        const std::string& name) {
  const auto build = fast ? detail::WideFast::build : detail::WideBest::build;
  const WideTree a = build(mesh_a, 1, nullptr);
  const WideTree b = build(mesh_b, 1, nullptr);
  ASSERT_EQ(detail::validate_wide(mesh_a, a), "") << name;
  ASSERT_EQ(detail::validate_wide(mesh_b, b), "") << name;
  const auto expected =
      collide(Model(mesh_a), Model(mesh_b), pose, {.engine = {.traversal = "brute-force"}}).pairs;
  std::optional<Statistics> counted[2];
  for (const InstructionSet& set : detail::instruction_sets()) {
    const UseInstructionSet use(set);
    const std::string where = name + ", " + set.name;
    const WideResult all = run_wide(mesh_a, a, mesh_b, b, pose);
    ASSERT_EQ(all.pairs, expected) << where;
    ASSERT_EQ(all.statistics.triangle_overlaps, expected.size()) << where;
    std::optional<Statistics>& statistics = counted[detail::wide_kernels().fused ? 1 : 0];
    if (!statistics) statistics = all.statistics;
    ASSERT_TRUE(*statistics == all.statistics) << where;
    const WideResult searched = run_wide(mesh_a, a, mesh_b, b, pose, Kind::search_all);
    ASSERT_EQ(searched.pairs, expected) << where << ", searched";
    const WideResult first = run_wide(mesh_a, a, mesh_b, b, pose, Kind::first);
    ASSERT_EQ(first.pairs.size(), expected.empty() ? 0U : 1U) << where;
    if (!first.pairs.empty()) {
      ASSERT_TRUE(std::binary_search(expected.begin(), expected.end(), first.pairs[0])) << where;
    }
  }
}

TEST(Wide, EveryInstructionSetHasKernelsOfItsOwn) {
  const detail::WideKernels& best = detail::wide_kernels();
  std::vector<std::string> names;
  std::set<const detail::WideKernels*> kernels;
  for (const InstructionSet& set : detail::instruction_sets()) {
    const UseInstructionSet use(set);
    names.emplace_back(set.name);
    kernels.insert(&detail::wide_kernels());
    EXPECT_EQ(&detail::wide_kernels() == &best, names.size() == 1) << set.name;
  }
  ASSERT_FALSE(names.empty());
  EXPECT_EQ(kernels.size(), names.size());
  EXPECT_EQ(&detail::wide_kernels(), &best) << "the best is used again";
  RecordProperty("targets", testing::PrintToString(names));
}

TEST(Wide, EveryInstructionSetEqualsBruteForceOnRandomCases) {
  for (std::uint64_t seed = 20'001; seed <= 20'800; ++seed) {
    const CollideCase c = CollideCases(seed).next();
    expect_brute_force(c.a, c.b, c.b_in_a, seed % 2 == 0, c.name);
    if (HasFatalFailure()) return;
  }
}

/// The mesh with all coordinates multiplied.
Mesh scaled(const Mesh& mesh, double factor) {
  std::vector<Vec3f> vertices;
  for (const Vec3f& v : mesh.vertices()) vertices.emplace_back(factor * Vec3d(v));
  return {std::move(vertices), {mesh.triangles().begin(), mesh.triangles().end()}};
}

TEST(Wide, EverySizeFromTheSmallestToTheLargest) {
  // Both of one size, whatever it is, and one much smaller than the other.
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CollideCase c = CollideCases(seed).next();
    detail::Random random(seed);
    const double size_a = std::pow(10.0, random.uniform(-38, 30));
    const bool alike = random.below(2) == 0;
    const double size_b = alike ? size_a : std::pow(10.0, random.uniform(-38, 30));
    const Vec3d& t = c.b_in_a.translation();
    const double move = std::max(size_a, size_b);
    double rows[9];
    for (int i = 0; i < 9; ++i) rows[i] = c.b_in_a.rotation(i / 3, i % 3);
    const Pose pose = Pose::from_rotation(rows, alike ? move * t : size_a * t);
    expect_brute_force(scaled(c.a, size_a), scaled(c.b, size_b), pose, seed % 2 == 0,
                       c.name + ", sizes " + std::to_string(size_a) + " " + std::to_string(size_b));
    if (HasFatalFailure()) return;
  }
}

TEST(Wide, OneAxisFarAway) {
  // A plate at z = 1e20: float32 resolves nothing along z, and everything along x and y.
  const Mesh plane = make_plane(6);
  std::vector<Vec3f> vertices(plane.vertices().begin(), plane.vertices().end());
  for (Vec3f& v : vertices) v.z = 1e20F;
  const Mesh far(vertices, {plane.triangles().begin(), plane.triangles().end()});
  expect_brute_force(far, far, Pose(), false, "far plane on itself");
  expect_brute_force(far, far, Pose::from_translation({0.25, 0.25, 0}), false, "far plane moved");
  expect_brute_force(far, plane, Pose::from_translation({0, 0, 1e20}), false, "plane moved far");
  expect_brute_force(far, far, Pose::from_axis_angle({0, 0, 1}, 0.5), false, "far plane turned");
}

TEST(Wide, ASearchThatFindsNothingVisitsWhatAWholeQueryDoes) {
  // A shell within a shell: boxes overlap everywhere, but nothing touches. Then a needle pierces
  // both.
  const Mesh outer = make_shape("sphere", 5'000);
  const Mesh inner = scaled(outer, 0.995);
  std::vector<Vec3f> vertices(inner.vertices().begin(), inner.vertices().end());
  std::vector<TriangleIndices> triangles(inner.triangles().begin(), inner.triangles().end());
  const auto first = static_cast<std::uint32_t>(vertices.size());
  vertices.insert(vertices.end(), {{0.9F, 0.3F, 0.2F}, {1.1F, 0.3F, 0.2F}, {1.1F, 0.301F, 0.2F}});
  triangles.push_back({first, first + 1, first + 2});
  const Mesh with_needle(vertices, triangles);

  for (const bool touching : {false, true}) {
    const Mesh& mesh = touching ? with_needle : inner;
    const WideTree a = detail::WideBest::build(outer);
    const WideTree b = detail::WideBest::build(mesh);
    for (const InstructionSet& set : detail::instruction_sets()) {
      const UseInstructionSet use(set);
      const WideResult all = run_wide(outer, a, mesh, b, Pose());
      const WideResult one = run_wide(outer, a, mesh, b, Pose(), Kind::first);
      EXPECT_EQ(all.pairs.empty(), !touching) << set.name;
      EXPECT_EQ(one.pairs.size(), touching ? 1U : 0U) << set.name;
      for (const TrianglePair pair : one.pairs) {
        EXPECT_TRUE(std::binary_search(all.pairs.begin(), all.pairs.end(), pair)) << set.name;
      }
      if (!touching) {
        // Both visit every pair of blocks that overlaps.
        EXPECT_EQ(one.statistics.iterations, all.statistics.iterations) << set.name;
        EXPECT_GT(one.statistics.iterations, 16 * 1'000U);
      }
    }
  }
}

/// The mesh and one more triangle far away, at `distance` along all axes.
Mesh with_stray(const Mesh& mesh, float distance) {
  std::vector<Vec3f> vertices(mesh.vertices().begin(), mesh.vertices().end());
  std::vector<TriangleIndices> triangles(mesh.triangles().begin(), mesh.triangles().end());
  const auto first = static_cast<std::uint32_t>(vertices.size());
  const float near = 0.999F * distance;
  vertices.insert(
      vertices.end(),
      {{distance, distance, distance}, {near, distance, distance}, {distance, near, distance}});
  triangles.push_back({first, first + 1, first + 2});
  return {std::move(vertices), std::move(triangles)};
}

TEST(Wide, ATriangleFarAwayBlursNothing) {
  const Mesh clean = make_shape("knot", 3'000);
  const Pose pose = Pose::from_axis_angle({1, 2, 3}, 0.7, {0.5, 0.1, 0});
  for (const bool fast : {false, true}) {
    const auto build = fast ? detail::WideFast::build : detail::WideBest::build;
    const WideTree clean_tree = build(clean, 1, nullptr);
    const WideResult expected = run_wide(clean, clean_tree, clean, clean_tree, pose);
    ASSERT_FALSE(expected.pairs.empty());
    for (int power = 1; power <= 30; ++power) {
      const Mesh strayed = with_stray(clean, static_cast<float>(std::pow(10.0, power)));
      const WideTree tree = build(strayed, 1, nullptr);
      ASSERT_EQ(detail::validate_wide(strayed, tree), "");
      const auto expect_same = [&](const Mesh& mesh_a, const WideTree& a, const Mesh& mesh_b,
                                   const WideTree& b) {
        const WideResult result = run_wide(mesh_a, a, mesh_b, b, pose);
        const std::string where = (fast ? "fast, 1e" : "best, 1e") + std::to_string(power);
        EXPECT_EQ(result.pairs, expected.pairs) << where;
        // Float32 sees what it saw before, with a little more to allow for. The fast builder puts
        // the stray into one leaf with others; in double precision there are boxes alone.
        const bool in_range = detail::WideFrame(pose, a.view(), b.view()).in_range;
        EXPECT_TRUE(in_range || power > 10) << where;
        const std::uint64_t times = in_range && !fast ? 2 : 6;
        EXPECT_LE(result.statistics.iterations, times * expected.statistics.iterations) << where;
        EXPECT_LE(result.statistics.triangle_tests, times * expected.statistics.triangle_tests)
            << where;
      };
      expect_same(strayed, tree, strayed, tree);
      expect_same(strayed, tree, clean, clean_tree);
      expect_same(clean, clean_tree, strayed, tree);
    }
  }
}

TEST(Wide, StraysEqualBruteForce) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const CollideCase c = CollideCases(30'000 + seed).next();
    detail::Random random(seed);
    const auto distance = static_cast<float>(std::pow(10.0, random.uniform(0, 30)));
    const Mesh a = random.below(3) == 0 ? c.a : with_stray(c.a, distance);
    const Mesh b = random.below(3) == 0 ? c.b : with_stray(c.b, distance);
    expect_brute_force(a, b, c.b_in_a, seed % 2 == 0,
                       c.name + ", stray at " + std::to_string(distance));
    if (HasFatalFailure()) return;
  }
}

TEST(Wide, EveryNumberOfTriangles) {
  // Around the sizes at which blocks, levels and lists fill up.
  const Mesh all = make_soup(300, 3, 0.5);
  const auto first = [&](std::size_t count) {
    return Mesh({all.vertices().begin(), all.vertices().end()},
                {all.triangles().begin(), all.triangles().begin() + static_cast<long>(count)});
  };
  const Pose pose = Pose::from_axis_angle({1, 2, 3}, 0.4, {0.1, 0, 0});
  for (std::size_t count = 0; count <= 70; ++count) {
    for (const std::size_t other : {std::size_t{1}, std::size_t{17}, count, std::size_t{260}}) {
      expect_brute_force(first(count), first(other), pose, count % 2 == 0,
                         std::to_string(count) + " and " + std::to_string(other));
      expect_brute_force(first(other), first(count), pose, count % 2 == 1,
                         std::to_string(other) + " and " + std::to_string(count));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Wide, MorePairsThanAnyListHolds) {
  // Copies of one triangle, each touching each: the list of every step is filled again and again.
  const Mesh copies({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                    std::vector<TriangleIndices>(600, {0, 1, 2}));
  const WideTree tree = detail::WideBest::build(copies);
  for (const InstructionSet& set : detail::instruction_sets()) {
    const UseInstructionSet use(set);
    EXPECT_EQ(run_wide(copies, tree, copies, tree, Pose()).pairs.size(), 600U * 600U) << set.name;
  }
}

TEST(Wide, MeshesOnThemselves) {
  expect_brute_force(make_icosphere(5), make_icosphere(5), Pose(), false, "sphere on itself");
  expect_brute_force(make_box(6), make_box(6), Pose(), true, "box on itself");
  expect_brute_force(make_box(6), make_box(6), Pose::from_translation({0.25, 0, 0}), false,
                     "box moved in its faces");
  expect_brute_force(make_knot(40, 6), make_knot(40, 6), Pose(), false, "knot on itself");
}

TEST(Wide, TheFilterIsNeverWrongOnTheAdversarialSuite) {
  // One pair per query, so that nothing but boxes and the filter stands before the exact test.
  // Cases that float32 cannot hold are left out.
  std::size_t touching_count = 0;
  std::size_t tested_count = 0;
  TriangleCases cases(77);
  for (int i = 0; i < 20'000; ++i) {
    const TriangleCase c = cases.next();
    std::vector<Vec3f> p;
    std::vector<Vec3f> q;
    bool finite = true;
    for (int k = 0; k < 3; ++k) {
      p.emplace_back(c.p.corner[k]);
      q.emplace_back(c.q.corner[k]);
      for (int axis = 0; axis < 3; ++axis) {
        finite = finite && std::isfinite(p[k][axis]) && std::isfinite(q[k][axis]);
      }
    }
    if (!finite) continue;
    const Mesh a(p, {{0, 1, 2}});
    const Mesh b(q, {{0, 1, 2}});
    expect_brute_force(a, b, Pose(), false,
                       std::string(c.kind).append(", ").append(std::to_string(i)));
    if (HasFatalFailure()) return;
    ++tested_count;
    touching_count += intersects(Model(a), Model(b), Pose()) ? 1 : 0;
  }
  EXPECT_GT(tested_count, 15'000U);
  EXPECT_GT(touching_count, 5'000U);
}

/// Counts, and writes down which pairs were visited.
class Tracer : public detail::CountingObserver {
 public:
  using CountingObserver::CountingObserver;

  struct Blocks {
    int step;
    std::uint32_t a;
    std::uint32_t b;
    auto operator<=>(const Blocks&) const = default;
  };
  void pair_of_blocks(int step, std::uint32_t a, std::uint32_t b) {
    blocks.push_back({step, a, b});
  }
  void pair_of_triangles(std::uint32_t a, std::uint32_t b) { triangles.push_back({a, b}); }

  std::vector<Blocks> blocks;
  std::vector<TrianglePair> triangles;
};
static_assert(detail::TracingObserver<Tracer>);
static_assert(!detail::TracingObserver<detail::CountingObserver>);
static_assert(!detail::TracingObserver<detail::NullObserver>);

/// The parent of each block or leaf, step by step from 1 on; a tree that waits is its own parent.
std::vector<std::vector<std::uint32_t>> parents_of(const WideTreeView& tree,
                                                   const detail::WidePair& trees,
                                                   detail::Descent other_alone) {
  std::vector<std::vector<std::uint32_t>> result(1);
  int level = 0;
  for (int step = 0; step < trees.steps(); ++step) {
    std::vector<std::uint32_t>& parents = result.emplace_back();
    const std::uint32_t size = level == tree.level_count
                                   ? tree.leaf_count
                                   : tree.level_begin[level + 1] - tree.level_begin[level];
    const bool waits = trees.descent(step) == other_alone;
    for (std::uint32_t i = 0; i < size; ++i) {
      parents.insert(parents.end(), waits ? 1 : tree.level(level)[i].child_count, i);
    }
    level += waits ? 0 : 1;
  }
  EXPECT_EQ(level, tree.level_count);
  return result;
}

/// What a tracing observer is told agrees with the counts, and is a tree of pairs from the roots to
/// all touching triangles.
void expect_trace(const Mesh& mesh_a, const Mesh& mesh_b, const Pose& pose, Kind kind,
                  const std::string& name) {
  const WideTree a = detail::WideBest::build(mesh_a);
  const WideTree b = detail::WideBest::build(mesh_b);
  std::vector<TrianglePair> found;
  const auto sink = [&](TrianglePair pair) {
    found.push_back(pair);
    return kind == Kind::first ? Flow::stop : Flow::go_on;
  };
  const Progress no_progress = nullptr;
  Tracer tracer(no_progress);
  detail::LeafPair leaf_pair({mesh_a, mesh_b, pose}, sink, tracer);
  const auto query = kind == Kind::all ? WideQuery::all_pairs : WideQuery::first_pair;
  detail::traverse_wide(detail::wide_kernels(), a.view(), b.view(), pose, query, leaf_pair, tracer);

  // It changes nothing, and all that was counted was told.
  const Statistics& counts = tracer.statistics();
  EXPECT_TRUE(counts == run_wide(mesh_a, a, mesh_b, b, pose, kind).statistics) << name;
  EXPECT_EQ(16 * tracer.blocks.size(), counts.iterations) << name;
  EXPECT_EQ(tracer.triangles.size(), counts.triangle_tests) << name;

  // Each pair once, and after its parent.
  if (a.empty() || b.empty()) return;
  const detail::WidePair trees{a.view(), b.view()};
  const int steps = trees.steps();
  const auto parents_a = parents_of(a.view(), trees, detail::Descent::b_alone);
  const auto parents_b = parents_of(b.view(), trees, detail::Descent::a_alone);
  std::set<Tracer::Blocks> visited;
  for (const auto& [step, block_a, block_b] : tracer.blocks) {
    ASSERT_TRUE(visited.insert({step, block_a, block_b}).second) << name;
    if (step == 0) continue;
    ASSERT_LE(step, steps) << name;
    ASSERT_LT(block_a, parents_a[step].size()) << name;
    ASSERT_LT(block_b, parents_b[step].size()) << name;
    ASSERT_TRUE(visited.contains({step - 1, parents_a[step][block_a], parents_b[step][block_b]}))
        << name;
  }

  // Triangles were tested once, in leaves that were visited, and nothing was found without a test.
  std::vector<std::uint32_t> slot_a(mesh_a.triangle_count());
  std::vector<std::uint32_t> slot_b(mesh_b.triangle_count());
  for (std::uint32_t i = 0; i < a.ids.size(); ++i) {
    if (a.ids[i] != detail::k_no_triangle) slot_a[a.ids[i]] = i;
  }
  for (std::uint32_t i = 0; i < b.ids.size(); ++i) {
    if (b.ids[i] != detail::k_no_triangle) slot_b[b.ids[i]] = i;
  }
  const std::set<TrianglePair> tested(tracer.triangles.begin(), tracer.triangles.end());
  EXPECT_EQ(tested.size(), tracer.triangles.size()) << name;
  for (const TrianglePair& pair : tested) {
    EXPECT_TRUE(visited.contains({steps, slot_a[pair.a] / 4, slot_b[pair.b] / 4})) << name;
  }
  for (const TrianglePair& pair : found) EXPECT_TRUE(tested.contains(pair)) << name;
}

TEST(Wide, AnObserverCanTraceEveryPair) {
  for (const InstructionSet& set : detail::instruction_sets()) {
    const UseInstructionSet use(set);
    for (const Kind kind : {Kind::all, Kind::first, Kind::search_all}) {
      for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const CollideCase c = CollideCases(seed).next();
        // In models that float32 cannot hold together there are no pairs of blocks.
        const WideTree a = detail::WideBest::build(c.a);
        const WideTree b = detail::WideBest::build(c.b);
        if (!a.empty() && !b.empty() && !detail::WideFrame(c.b_in_a, a.view(), b.view()).in_range) {
          continue;
        }
        expect_trace(c.a, c.b, c.b_in_a, kind, c.name + ", " + set.name);
        if (HasFatalFailure()) return;
      }
      // One tree much higher than the other, both ways, and a search that goes on with lists.
      const Mesh knot = make_knot(60, 6);
      const Mesh needle({{-1, -1, 0}, {1, 1, 0.1F}, {1, 1, 0}}, {{0, 1, 2}});
      const Mesh sphere = make_shape("sphere", 5'000);
      expect_trace(knot, needle, Pose(), kind, "knot and needle");
      expect_trace(needle, knot, Pose(), kind, "needle and knot");
      expect_trace(sphere, scaled(sphere, 0.995), Pose(), kind, "shells");
      // The lower tree waits at its root, in its last blocks or at its triangles.
      for (const std::size_t size : {12, 48, 300, 3'000}) {
        for (const double scale : {0.01, 0.2, 1.0, 5.0}) {
          const Mesh box = scaled(make_shape("box", size), scale);
          const Pose pose = Pose::from_axis_angle({1, 2, 3}, 0.7, {0.9, 0.1, 0});
          const std::string name = "sphere and box of " + std::to_string(size);
          expect_trace(sphere, box, pose, kind, name);
          expect_trace(box, sphere, pose, kind, name);
        }
      }
    }
  }
}

TEST(Wide, AnySinkMayStopAtAnyPair) {
  const Model knot(make_knot(60, 6));
  const Pose pose = Pose::from_axis_angle({1, 1, 0}, 0.5, {0.2, 0, 0});
  const std::size_t pair_count = count(knot, knot, pose).count;
  ASSERT_GT(pair_count, 100U);
  for (std::size_t limit = 1; limit <= pair_count; limit += 13) {
    std::size_t seen = 0;
    const auto sink = [&](TrianglePair) { return ++seen == limit ? Flow::stop : Flow::go_on; };
    EXPECT_TRUE(collide(knot, knot, pose, sink).stopped);
    EXPECT_EQ(seen, limit);
  }
}

TEST(Wide, OtherTriangleTestsWorkAsOnTrees) {
  const Mesh knot = make_knot(60, 6);
  const Pose pose = Pose::from_axis_angle({1, 1, 0}, 0.5, {0.2, 0, 0});
  for (const TriangleTest test : TriangleTest::all()) {
    const QueryOptions options{.engine = {.triangle_test = test}};
    const Model wide(knot);
    const Model boxes(knot, {.structure = "aabb"});
    EXPECT_EQ(collide(wide, wide, pose, options).pairs, collide(boxes, boxes, pose, options).pairs)
        << test.name();
  }
}

TEST(Wide, WhatItDoesNotHaveIsAnError) {
  const Model wide(make_icosphere(2));
  const Model boxes(make_icosphere(2), {.structure = "aabb"});
  EXPECT_THROW(collide(wide, boxes, Pose()), Error);
  EXPECT_THROW(collide(wide, wide, Pose(), {.engine = {.traversal = "recursive"}}), Error);
  EXPECT_THROW(collide(wide, wide, Pose(), {.engine = {.overlap = "six-axes"}}), Error);
  EXPECT_THROW(StacklessCursor(wide, wide, Pose(), "stackless"), Error);
  EXPECT_THROW(TrailCursor(wide, wide, Pose(), "trail"), Error);
}

TEST(Wide, ATriangleTakesEightyBytes) {
  for (const Builder builder : {"best", "fast"}) {
    const Model model(make_shape("knot", 80'000), {.builder = builder});
    const double bytes = static_cast<double>(model.structure_bytes());
    EXPECT_LT(bytes / static_cast<double>(model.mesh().triangle_count()), 81);
  }
}

/// In every direction the support is at least that of the mesh, and on round meshes not much more.
TEST(Wide, SupportReachesAsFarAsTheMesh) {
  const Mesh sphere = make_icosphere(12);
  detail::Random random(9);
  for (int round = 0; round < 40; ++round) {
    // Far away, flat, tiny, huge, and with strays.
    const double size = std::ldexp(1.0, static_cast<int>(random.uniform(-100, 100)));
    const Vec3d move = size * random.uniform(-3, 3) * Vec3d{1, -2, 3};
    std::vector<Vec3f> vertices;
    for (const Vec3f& v : sphere.vertices()) {
      const Vec3d flat = round % 4 == 1 ? Vec3d{v.x, v.y, 0} : Vec3d(v);
      vertices.emplace_back(size * flat + move);
    }
    if (round % 4 == 2) vertices.front() = Vec3f(1e3 * size * Vec3d{1, 1, 0});
    const Mesh mesh(vertices, {sphere.triangles().begin(), sphere.triangles().end()});
    const WideTree tree = detail::WideFast::build(mesh);
    const WideTreeView view = tree.view();
    for (int i = 0; i < 200; ++i) {
      const Vec3d direction{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
      double reach = -std::numeric_limits<double>::infinity();
      for (const Vec3f& v : mesh.vertices()) {
        reach = std::max(reach, dot(direction, Vec3d(v) - view.root.centre));
      }
      const double off = 1e-12 * (view.root.farthest + view.root.radius);
      const double support = view.support(direction);
      ASSERT_GE(support, reach - off) << "seed 9, round " << round << ", direction " << i;
      if (round % 4 == 0) {
        ASSERT_LE(support, 1.07 * reach + off) << "seed 9, round " << round << ", direction " << i;
      }
    }
  }
}

/// Two meshes that touch are never taken for apart, and balls that are well apart always are.
TEST(Wide, RootsAreApartOnlyWhereNothingTouches) {
  const WideTree ball = detail::WideBest::build(make_icosphere(4));
  detail::Random random(10);
  for (int i = 0; i < 2'000; ++i) {
    const auto unit = [&] { return random.uniform(-1, 1); };
    const Vec3d line{unit(), unit(), unit()};
    const double distance = random.uniform(1.9, 2.2);
    const Pose pose = Pose::from_quaternion(unit(), unit(), unit(), unit(),
                                            distance / std::sqrt(dot(line, line)) * line);
    const bool apart = detail::roots_apart(ball.view(), ball.view(), pose);
    if (distance > 2.12) {
      ASSERT_TRUE(apart) << "seed 10, case " << i;
    }
    if (distance < 1.98) {
      ASSERT_FALSE(apart) << "seed 10, case " << i;
    }
  }
}

/// A broken tree is found broken.
TEST(Wide, ValidateFindsWhatIsBroken) {
  const Mesh mesh = make_knot(20, 5);
  const WideTree whole = detail::WideBest::build(mesh);
  ASSERT_EQ(detail::validate_wide(mesh, whole), "");
  const auto broken = [&](auto&& change) {
    WideTree tree = whole;
    change(tree);
    return detail::validate_wide(mesh, tree);
  };
  EXPECT_NE(broken([](WideTree& t) { t.ids[5] = t.ids[6]; }), "");
  EXPECT_NE(broken([](WideTree& t) { t.corners[7].value[4] += 0.01F; }), "");
  EXPECT_NE(broken([](WideTree& t) { t.boxes[3].upper[1][2] -= 0.01F; }), "");
  EXPECT_NE(broken([](WideTree& t) { t.level(t.level_count - 1)[0].half[0][0] *= 0.9F; }), "");
  EXPECT_NE(broken([](WideTree& t) { t.level(t.level_count - 1)[1].thickness[1] *= 0.5F; }), "");
  EXPECT_NE(broken([](WideTree& t) { t.level(0)[0].half[2][0] *= 0.9F; }), "");
  EXPECT_NE(broken([](WideTree& t) { t.level(t.level_count - 1)[1].first_child += 1; }), "");
  EXPECT_NE(broken([](WideTree& t) { t.level(t.level_count - 1)[0].child_count = 3; }), "");
  EXPECT_NE(broken([](WideTree& t) { t.level_count = 0; }), "");
  EXPECT_NE(broken([](WideTree& t) { --t.level_count; }), "");
  EXPECT_NE(broken([](WideTree& t) { ++t.level_begin[1]; }), "");
  EXPECT_NE(broken([](WideTree& t) { t.blocks.pop_back(); }), "");
  EXPECT_NE(broken([](WideTree& t) { t.triangles.pop_back(); }), "");
  EXPECT_NE(broken([](WideTree& t) { t.triangles[2].half[1][3] *= 0.5F; }), "");
  EXPECT_NE(broken([](WideTree& t) { t.triangles[4].offset[0] += 0.01F; }), "");
  EXPECT_NE(broken([](WideTree& t) { t.support.pop_back(); }), "");
  EXPECT_NE(broken([](WideTree& t) { t.support[77] -= 0.01F; }), "");
  EXPECT_NE(broken([](WideTree& t) { t.support[77] += 0.01F; }), "");
}

}  // namespace
}  // namespace tandem::test
