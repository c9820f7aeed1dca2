// Every traversal of rays against brute force and against its peers, step by step.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "build/builders.h"
#include "build/fit.h"
#include "build/ray_pairs.h"
#include "build/wide/clusters.h"
#include "build/wide/rays.h"
#include "build/wide/reinsert.h"
#include "support/ray_cases.h"
#include "support/ray_pair_checks.h"
#include "traverse/ray/automaton.h"
#include "traverse/ray/backtrack.h"
#include "traverse/ray/restart_trail.h"
#include "traverse/ray/skip.h"
#include "traverse/ray/stack.h"
#include "traverse/wide/instruction_sets.h"
#include "tree/node_keys.h"

namespace tandem {
namespace {

using test::transformed;

using detail::AutomatonState;
using detail::AxisStackState;
using detail::BacktrackState;
using detail::CompactState;
using detail::DistanceStackState;
using detail::RestartTrailState;
using detail::SkipState;

TEST(RayProperty, EveryTraversalEqualsBruteForceToTheBit) {
  std::size_t hit_count = 0;
  std::size_t ray_count = 0;
  const std::uint64_t last_seed = std::getenv("TANDEM_EXHAUSTIVE") != nullptr ? 10'000 : 400;
  for (std::uint64_t seed = 1; seed <= last_seed; ++seed) {
    detail::Random random(seed);
    const double scale = std::pow(10.0, random.below(3) == 0 ? random.uniform(-30, 25) : 0);
    const double far = random.below(4) == 0 ? std::pow(10.0, random.uniform(0, 5)) : 0;
    const Mesh mesh = transformed(test::random_ray_mesh(random), scale, {far, -far / 3, far / 7});
    const Model model(mesh);
    test::RayCases cases(mesh, seed);
    std::vector<Ray> rays;
    for (int i = 0; i < 60; ++i) rays.push_back(cases.next());
    std::vector<Hit> expected(rays.size());
    closest_hits(model, rays, expected, {.engine = {.traversal = "brute-force"}});
    for (const RayEngine& engine : ray_engines()) {
      std::vector<Hit> hits(rays.size());
      closest_hits(model, rays, hits, {.engine = engine});
      for (std::size_t i = 0; i < rays.size(); ++i) {
        ASSERT_EQ(hits[i], expected[i])
            << engine.traversal.name() << ", seed " << seed << ", ray " << i;
        ASSERT_EQ(any_hit(model, rays[i], engine), static_cast<bool>(expected[i]))
            << engine.traversal.name() << ", seed " << seed << ", ray " << i;
      }
    }
    for (const Hit& hit : expected) hit_count += hit ? 1 : 0;
    ray_count += rays.size();
  }
  // Worth something only if both answers are common.
  EXPECT_GT(hit_count, ray_count / 4);
  EXPECT_LT(hit_count, ray_count * 19 / 20);
}

/// Every instruction set gives the same hits.
TEST(RayProperty, EveryInstructionSetGivesTheSameHits) {
  const Mesh mesh = transformed(make_shape("knot", 3000), 3, {5, -2, 1});
  const Model model(mesh);
  test::RayCases cases(mesh, 21);
  std::vector<Ray> rays;
  for (int i = 0; i < 5000; ++i) rays.push_back(cases.next());
  std::vector<Hit> expected(rays.size());
  closest_hits(model, rays, expected, {.engine = {.traversal = "stack"}});
  const auto sets = detail::instruction_sets();
  ASSERT_FALSE(sets.empty());
  for (const detail::InstructionSet& set : sets) {
    const detail::UseInstructionSet use(set);
    std::vector<Hit> hits(rays.size());
    closest_hits(model, rays, hits, {.engine = {.structure = "ray-wide"}});
    EXPECT_EQ(hits, expected) << set.name;
  }
}

/// A mesh and one more triangle, as large as the mesh and so many times that far away.
Mesh with_stray(const Mesh& mesh, double times, const Vec3d& towards) {
  const Bounds bounds = mesh.bounds();
  const double size = double{bounds.upper.x} - bounds.lower.x;
  std::vector<Vec3f> vertices(mesh.vertices().begin(), mesh.vertices().end());
  std::vector<TriangleIndices> triangles(mesh.triangles().begin(), mesh.triangles().end());
  const auto first = static_cast<std::uint32_t>(vertices.size());
  for (const Vec3d corner : {Vec3d{0, 0, 0}, Vec3d{0, 1, 0.5}, Vec3d{0.5, 0, 1}}) {
    vertices.emplace_back(size * (times * towards + corner));
  }
  triangles.push_back({first, first + 1, first + 2});
  return {std::move(vertices), std::move(triangles)};
}

/// Counted, not timed. Beyond 1e11 all rays are traced in double precision, in the binary tree.
TEST(RayProperty, ATriangleFarAwayCostsOtherRaysNothing) {
  const Mesh mesh = make_shape("knot", 20'000);
  test::RayCases cases(mesh, 12);
  std::vector<Ray> rays;
  for (int i = 0; i < 300; ++i) rays.push_back(cases.next());
  const auto trace = [&](const Model& model, const RayEngine& engine, std::vector<Hit>* hits) {
    hits->resize(rays.size());
    return closest_hits(model, rays, *hits, {.engine = engine, .statistics = true});
  };
  std::vector<Hit> hits;
  const Model clean(mesh);
  const RayStatistics in_float = trace(clean, {}, &hits);
  const RayStatistics in_double = trace(clean, {.traversal = "stack-distance"}, &hits);
  for (const Vec3d& towards : {Vec3d{1, 0, 0}, Vec3d{-0.3, 0.7, -1}}) {
    for (const double times : {1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e10, 1e15, 1e25, 1e30}) {
      const Model model(with_stray(mesh, times, towards));
      std::vector<Hit> expected;
      trace(model, {.traversal = "brute-force"}, &expected);
      const RayStatistics work = trace(model, {}, &hits);
      EXPECT_EQ(hits, expected) << times;
      const RayStatistics& most = times < 1e11 ? in_float : in_double;
      EXPECT_LE(work.node_visits, 2 * most.node_visits) << times;
      EXPECT_LE(work.box_tests, 2 * most.box_tests) << times;
      EXPECT_LE(work.triangle_tests, 2 * most.triangle_tests) << times;
    }
  }
}

/// No ray from inside a closed mesh gets out, whichever edge or vertex it aims at.
TEST(RayProperty, ClosedMeshesDoNotLeak) {
  const int ray_count = std::getenv("TANDEM_EXHAUSTIVE") != nullptr ? 2'500'000 : 60'000;
  const Mesh meshes[] = {make_icosphere(12), make_box(9), make_rock(15, 4, 0.2),
                         transformed(make_icosphere(9), 1e-3, {700, -300, 50})};
  for (std::size_t m = 0; m < std::size(meshes); ++m) {
    const Mesh& mesh = meshes[m];
    ASSERT_TRUE(describe(mesh).closed());
    const Model model(mesh);
    const Bounds bounds = mesh.bounds();
    const Vec3d centre = 0.5 * (Vec3d(bounds.lower) + Vec3d(bounds.upper));
    const double reach = 0.1 * (double{bounds.upper.x} - bounds.lower.x);
    detail::Random random(m + 1);
    std::vector<Ray> rays;
    for (int i = 0; i < ray_count; ++i) {
      const TriangleF t = mesh.triangle(random.below(mesh.triangle_count()));
      const double share = random.below(3) == 0 ? 0 : random.uniform();
      const Vec3d at = Vec3d(t.corner[0]) + share * (Vec3d(t.corner[1]) - Vec3d(t.corner[0]));
      const Vec3f from(centre + Vec3d{random.uniform(-reach, reach), random.uniform(-reach, reach),
                                      random.uniform(-reach, reach)});
      rays.push_back({from, Vec3f(at - Vec3d(from))});
    }
    std::vector<Hit> hits(rays.size());
    closest_hits(model, rays, hits, {.threads = 0});
    for (std::size_t i = 0; i < rays.size(); ++i) {
      ASSERT_TRUE(hits[i]) << "mesh " << m << ", ray " << i << " leaks";
    }
  }
}

/// Writes down every test in its order.
struct Recorder {
  std::vector<std::uint64_t> tests;
  std::uint64_t visits = 0;

  void box_test(std::uint32_t node) { tests.push_back(node); }
  void node_visit(std::uint32_t) { ++visits; }
  void leaf_visit(std::uint32_t) {}
  void triangle_test(std::uint32_t triangle) {
    tests.push_back((std::uint64_t{triangle} + 1) << 32);
  }
  /// The triangles alone.
  std::vector<std::uint64_t> triangles() const {
    std::vector<std::uint64_t> result;
    for (const std::uint64_t test : tests) {
      if (test >> 32 != 0) result.push_back(test);
    }
    return result;
  }
};

struct Trees {
  explicit Trees(const Mesh& mesh)
      : boxes(detail::fit_tree<detail::Aabb>(mesh, detail::SahBuilder::build(mesh, nullptr))),
        binary(boxes.view()),
        keys(binary.view()) {}

  template <class State>
  auto tree_for() const {
    if constexpr (std::is_same_v<State, BacktrackState>) {
      return detail::KeyedRayTreeView{binary.view(), keys.view()};
    } else {
      return binary.view();
    }
  }

  detail::Tree<detail::Aabb> boxes;
  detail::RayTree binary;
  detail::NodeKeys keys;
};

template <class State>
Recorder record(const Trees& trees, const Mesh& mesh, const Ray& ray, detail::Wanted wanted) {
  Recorder recorder;
  detail::ValidRay valid;
  if (!detail::validate_ray(ray, &valid)) return recorder;
  detail::RayQuery query(valid, wanted);
  detail::trace<State>(trees.tree_for<State>(), mesh, query, recorder);
  return recorder;
}

TEST(RayProperty, TraversalsWithOneOrderDoTheSameTestsInTheSameOrder) {
  std::uint64_t stack_visits = 0;
  std::uint64_t compact_visits = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    detail::Random random(seed);
    const Mesh mesh = test::random_ray_mesh(random);
    const Trees trees(mesh);
    test::RayCases cases(mesh, seed);
    for (int i = 0; i < 60; ++i) {
      const Ray ray = cases.next();
      for (const auto wanted : {detail::Wanted::closest, detail::Wanted::any}) {
        const std::string where = "seed " + std::to_string(seed) + ", ray " + std::to_string(i);
        const Recorder stack = record<AxisStackState>(trees, mesh, ray, wanted);
        const Recorder automaton = record<AutomatonState>(trees, mesh, ray, wanted);
        const Recorder compact = record<CompactState>(trees, mesh, ray, wanted);
        const Recorder trail = record<RestartTrailState>(trees, mesh, ray, wanted);
        ASSERT_EQ(automaton.tests, stack.tests) << where;
        ASSERT_EQ(compact.tests, stack.tests) << where;
        // Each box once, and once more every far child whose subtree was entered.
        ASSERT_EQ(automaton.visits, compact.visits) << where;
        ASSERT_EQ(trail.triangles(), stack.triangles()) << where;
        ASSERT_GE(trail.tests.size(), stack.tests.size()) << where;
        stack_visits += stack.visits;
        compact_visits += compact.visits;
        const Recorder by_distance = record<DistanceStackState>(trees, mesh, ray, wanted);
        const Recorder backtrack = record<BacktrackState>(trees, mesh, ray, wanted);
        ASSERT_EQ(backtrack.tests, by_distance.tests) << where;
        ASSERT_EQ(backtrack.visits, by_distance.visits) << where;
      }
    }
  }
  EXPECT_GT(compact_visits, stack_visits);
}

/// The same ray in slices, each from a copy of the state that the slice before it left.
template <class State>
void expect_resumable(const Trees& trees, const Mesh& mesh, const Ray& ray, const char* name) {
  static_assert(std::is_trivially_copyable_v<State>);
  detail::ValidRay valid;
  if (!detail::validate_ray(ray, &valid)) return;
  const auto tree = trees.tree_for<State>();
  if (tree.is_leaf(0)) return;
  const detail::RaySlabs slabs(valid);
  Recorder whole;
  detail::RayQuery query(valid, detail::Wanted::closest);
  detail::trace<State>(tree, mesh, query, whole);
  for (const std::uint32_t budget : {1, 2, 7}) {
    Recorder sliced;
    detail::RayQuery resumed(valid, detail::Wanted::closest);
    State state(tree, slabs);
    while (!state.finished()) {
      alignas(State) std::byte bytes[sizeof(State)];
      std::memcpy(bytes, &state, sizeof(State));
      State copy(tree, slabs);
      std::memcpy(&copy, bytes, sizeof(State));
      copy.advance(tree, mesh, slabs, resumed, sliced, detail::NodeBudget{budget});
      state = copy;
    }
    ASSERT_EQ(sliced.tests, whole.tests) << name << ", budget " << budget;
    ASSERT_EQ(sliced.visits, whole.visits) << name << ", budget " << budget;
    ASSERT_EQ(resumed.best(), query.best()) << name << ", budget " << budget;
  }
}

TEST(RayProperty, EveryStateCanBeCopiedAndResumed) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    detail::Random random(seed);
    const Mesh mesh = test::random_ray_mesh(random);
    const Trees trees(mesh);
    test::RayCases cases(mesh, seed);
    for (int i = 0; i < 20; ++i) {
      const Ray ray = cases.next();
      expect_resumable<AxisStackState>(trees, mesh, ray, "stack");
      expect_resumable<DistanceStackState>(trees, mesh, ray, "stack-distance");
      expect_resumable<AutomatonState>(trees, mesh, ray, "automaton");
      expect_resumable<CompactState>(trees, mesh, ray, "compact");
      expect_resumable<SkipState>(trees, mesh, ray, "skip");
      expect_resumable<RestartTrailState>(trees, mesh, ray, "restart-trail");
      expect_resumable<BacktrackState>(trees, mesh, ray, "backtrack");
    }
  }
}

TEST(RayProperty, KeysLeadToTheirNodes) {
  for (const std::size_t triangle_count : {1, 2, 3, 50, 5'000, 60'000}) {
    const Mesh mesh = make_soup(triangle_count, 7);
    const Trees trees(mesh);
    const detail::RayTreeView tree = trees.binary.view();
    std::vector<std::uint64_t> keys(tree.node_count(), detail::NodeKeysView::k_root);
    for (std::uint32_t node = 0; node < tree.node_count(); ++node) {
      ASSERT_EQ(trees.keys.view().node_of(keys[node]), node) << triangle_count;
      if (tree.is_leaf(node)) continue;
      keys[tree.first_child(node)] = 2 * keys[node];
      keys[tree.second_child(node)] = 2 * keys[node] + 1;
    }
  }
}

/// The sum of the surface areas of the inner nodes: what reinsertion lowers.
double inner_area(const detail::ClusterTree& tree) {
  double sum = 0;
  for (const detail::ClusterNode& node : tree.nodes) {
    if (!node.is_leaf()) sum += detail::half_area(node.box);
  }
  return sum;
}

/// Checks the subtree of a node and adds the triangles that it holds.
void check_clusters(const Mesh& mesh, const detail::ClusterTree& tree, std::uint32_t leaf_size,
                    std::uint32_t index, int level, std::vector<int>* seen) {
  const detail::ClusterNode& node = tree.nodes[index];
  ASSERT_LE(level, detail::k_max_depth);
  if (node.is_leaf()) {
    ASSERT_LE(node.count, leaf_size);
    std::vector<Vec3f> corners;
    for (std::uint32_t i = 0; i < node.count; ++i) {
      const std::uint32_t id = tree.triangles[node.first + i];
      ++(*seen)[id];
      for (const Vec3f& corner : mesh.triangle(id).corner) corners.push_back(corner);
    }
    const detail::Aabb box = detail::Aabb::fit(corners);
    EXPECT_TRUE(box.lower == node.box.lower && box.upper == node.box.upper);
    return;
  }
  ASSERT_GT(node.first, index);
  // A node in a part has its children in the same part.
  const auto part_of = [&](std::uint32_t each) {
    return std::upper_bound(tree.parts.begin(), tree.parts.end(), each);
  };
  if (part_of(index) != tree.parts.begin()) {
    EXPECT_TRUE(part_of(node.first + 1) == part_of(index));
  }
  const detail::Aabb box =
      detail::Aabb::merge(tree.nodes[node.first].box, tree.nodes[node.first + 1].box);
  EXPECT_TRUE(box.lower == node.box.lower && box.upper == node.box.upper);
  for (const std::uint32_t child : {node.first, node.first + 1}) {
    check_clusters(mesh, tree, leaf_size, child, level + 1, seen);
  }
}

void check_clusters(const Mesh& mesh, const detail::ClusterTree& tree, std::uint32_t leaf_size) {
  std::vector<int> seen(mesh.triangle_count());
  if (!tree.nodes.empty()) check_clusters(mesh, tree, leaf_size, 0, 0, &seen);
  EXPECT_EQ(seen, std::vector<int>(mesh.triangle_count(), 1));
}

/// Triangles of every size, from the least to the largest.
Mesh of_every_size(std::size_t triangle_count) {
  detail::Random random(3);
  std::vector<Vec3f> vertices;
  std::vector<TriangleIndices> triangles;
  for (std::uint32_t i = 0; i < triangle_count; ++i) {
    const double size = std::exp2(random.uniform(-149, 127));
    const auto number = [&] { return static_cast<float>(random.uniform(-size, size)); };
    for (int k = 0; k < 3; ++k) vertices.push_back({number(), number(), number()});
    triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return {std::move(vertices), std::move(triangles)};
}

/// The same triangle again and again.
Mesh of_one_place(std::size_t triangle_count) {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
          std::vector<TriangleIndices>(triangle_count, TriangleIndices{0, 1, 2})};
}

/// Meshes of all sizes, and such that are hard to divide.
std::vector<Mesh> meshes_to_build() {
  std::vector<Mesh> meshes = {Mesh(),
                              make_soup(1, 1),
                              make_soup(3, 1),
                              make_soup(9, 1),
                              make_soup(500, 2),
                              make_soup(5'000, 3, 0.3),
                              make_plane(20),
                              make_shape("knot", 50'000),
                              of_every_size(20'000),
                              of_one_place(20'000),
                              transformed(make_shape("rock", 5'000), 1e38, {0, 0, 0}),
                              transformed(make_shape("rock", 5'000), 1e-38, {0, 0, 0})};
  detail::Random random(6);
  for (int i = 0; i < 1'000; ++i) meshes.push_back(make_rock(5, random.next()));
  return meshes;
}

TEST(RayProperty, TreesOfPairsAreValid) {
  for (const Mesh& mesh : meshes_to_build()) {
    for (const char* const builder : {"best", "fast"}) {
      test::check_ray_pairs(detail::build_ray_pairs(mesh, builder, 1).view(), mesh);
      ASSERT_FALSE(HasFailure()) << mesh.triangle_count() << " triangles, " << builder;
    }
  }
}

TEST(RayProperty, ClustersAndReinsertedOnesAreValid) {
  for (const Mesh& mesh : meshes_to_build()) {
    for (const std::uint32_t leaf_size : {1U, 8U}) {
      const detail::ClusterTree clusters = detail::build_clusters(mesh, leaf_size, 1);
      check_clusters(mesh, clusters, leaf_size);
      const detail::ClusterTree better = detail::reinsert(clusters, 1);
      check_clusters(mesh, better, leaf_size);
      ASSERT_FALSE(HasFailure()) << mesh.triangle_count();
      EXPECT_LE(inner_area(better), inner_area(clusters) * (1 + 1e-6)) << mesh.triangle_count();
    }
  }
  // Not merely as it was.
  const Mesh soup = make_soup(50'000, 3, 0.3);
  const detail::ClusterTree clusters = detail::build_clusters(soup, 8, 1);
  EXPECT_LT(inner_area(detail::reinsert(clusters, 1)), 0.999 * inner_area(clusters));
}

/// Checks that a node's children lie in the boxes that it gives them; adds what it holds.
void check_wide(const detail::WideRayTreeView& tree, std::uint32_t link, std::vector<int>* seen) {
  const detail::WideRayNode& node = tree.node(link);
  for (std::uint32_t i = 0; i < node.child_count; ++i) {
    const auto inside = [&](const float* lower, const float* upper) {
      for (int axis = 0; axis < 3; ++axis) {
        if (lower[axis] < node.bound[axis][i] || upper[axis] > node.bound[3 + axis][i])
          return false;
      }
      return true;
    };
    if (!detail::WideRayTreeView::is_leaf(node.child[i])) {
      const detail::WideRayNode& child = tree.node(node.child[i]);
      for (std::uint32_t k = 0; k < child.child_count; ++k) {
        const float lower[3] = {child.bound[0][k], child.bound[1][k], child.bound[2][k]};
        const float upper[3] = {child.bound[3][k], child.bound[4][k], child.bound[5][k]};
        ASSERT_TRUE(inside(lower, upper));
      }
      check_wide(tree, node.child[i], seen);
      continue;
    }
    const detail::WideRayBlock& block = tree.block(node.child[i]);
    ASSERT_GE(block.count, 1u);
    for (std::uint32_t lane = 0; lane < block.count; ++lane) {
      ++(*seen)[block.id[lane]];
      for (int k = 0; k < 3; ++k) {
        const float at[3] = {block.corner[0][k][lane], block.corner[1][k][lane],
                             block.corner[2][k][lane]};
        ASSERT_TRUE(inside(at, at));
      }
    }
  }
}

TEST(RayProperty, WideTreesHoldEachTriangleOnce) {
  for (const std::size_t triangle_count : {1, 2, 4, 5, 8, 9, 33, 1'000, 60'000}) {
    for (const Mesh& mesh : {make_soup(triangle_count, 5), of_every_size(triangle_count),
                             of_one_place(triangle_count)}) {
      for (const char* builder : {"best", "fast"}) {
        const detail::WideRayTree tree = detail::build_wide_rays(mesh, builder, 1);
        std::vector<int> seen(triangle_count, 0);
        check_wide(tree.view(), 0, &seen);
        EXPECT_EQ(seen, std::vector<int>(triangle_count, 1));
      }
    }
  }
  EXPECT_TRUE(detail::build_wide_rays(Mesh(), "best", 1).empty());
}

TEST(RayProperty, WideTreesDoNotDependOnTheNumberOfThreads) {
  for (const Mesh& mesh : {make_soup(100'000, 5), make_shape("knot", 50'000), make_plane(100),
                           of_every_size(30'000), of_one_place(30'000)}) {
    const detail::WideRayTree expected = detail::build_wide_rays(mesh, "best", 1);
    for (const int threads : {2, 3, 8, 0}) {
      const detail::WideRayTree tree = detail::build_wide_rays(mesh, "best", threads);
      ASSERT_EQ(tree.bytes(), expected.bytes());
      EXPECT_EQ(std::memcmp(tree.view().lines, expected.view().lines, tree.bytes()), 0) << threads;
    }
  }
}

}  // namespace
}  // namespace tandem
