// Blocked hierarchies, and the kernels that walk them, run by the executor on the CPU: against
// brute force.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gpu/blocked/find_pairs.h"
#include "gpu/collision_checks.h"
#include "gpu/on_cpu.h"
#include "query/device_source.h"

namespace tandem::test {
namespace {

using cuda::BlockedBuilder;
using detail::BitFlags;
using detail::BlockedBox;
using detail::BlockedKind;
using detail::BlockedObb;
using detail::BlockedTree;
using detail::ByteFlags;

template <class V>
BlockedTree<V> tree_of(const Model& model, BlockedBuilder build) {
  if constexpr (std::is_same_v<V, BlockedBox>) {
    return inside::blocked_boxes(model, build);
  } else {
    return inside::blocked_obbs(model, build);
  }
}

/// Models in blocked hierarchies, and the memory of their queries.
template <class V, class Flags = BitFlags, class Test = detail::ExactTriangleTest>
class Finder {
 public:
  Finder(const std::vector<Model>& models, BlockedBuilder build, std::uint64_t seed) : on_(seed) {
    for (const Model& model : models) forest_.add(tree_of<V>(model, build));
  }

  BatchResult find(const std::vector<BatchQuery>& queries, std::uint32_t most_at_once = 0) {
    detail::BlockedFinder<OnCpu, V, Flags, Test> finder(on_, forest_.view(), memory_, most_at_once);
    return in_order(finder.find(queries.data(), static_cast<std::uint32_t>(queries.size())),
                    queries.size());
  }

  std::size_t bytes() const { return memory_.bytes(); }

 private:
  OnCpu on_;
  detail::BlockedForest<V> forest_;
  detail::BlockedMemory<OnCpu, Flags> memory_;
};

/// Every volume, every kind of flags and every builder, all queries at once and in small parts.
void check_all_ways(const std::vector<Model>& models, const std::vector<BatchQuery>& queries,
                    std::uint64_t seed) {
  const BatchResult expected = brute_force(models, queries);
  const auto check = [&]<class V, class Flags>(BlockedBuilder build, std::uint32_t most_at_once) {
    Finder<V, Flags> finder(models, build, seed);
    ASSERT_TRUE(same(finder.find(queries, most_at_once), expected))
        << V::k_name << ", " << sizeof(typename Flags::Word) << " bytes per word, "
        << (build == BlockedBuilder::plain ? "plain" : "full") << ", " << most_at_once
        << " at once, seed " << seed;
  };
  check.operator()<BlockedBox, BitFlags>(BlockedBuilder::full, 0);
  check.operator()<BlockedBox, ByteFlags>(BlockedBuilder::plain, 101);
  check.operator()<BlockedObb, BitFlags>(BlockedBuilder::plain, 0);
  check.operator()<BlockedObb, ByteFlags>(BlockedBuilder::full, 50);
}

const CommonCases k_common([](const std::vector<Model>& models,
                              const std::vector<BatchQuery>& queries,
                              std::uint64_t seed) { check_all_ways(models, queries, seed); });

Mesh scaled(const Mesh& mesh, double scale, const Vec3d& move = {}) {
  std::vector<Vec3f> vertices;
  for (const Vec3f& v : mesh.vertices()) vertices.emplace_back(scale * Vec3d(v) + move);
  return mesh.with_vertices(std::move(vertices));
}

TEST(BlockedKernels, NothingToFind) {
  k_common.nothing_to_find();
}

TEST(BlockedKernels, OneTriangleAgainstMany) {
  k_common.one_triangle_against_many();
}

TEST(BlockedKernels, EveryNumberOfTriangles) {
  k_common.every_number_of_triangles();
}

TEST(BlockedKernels, RandomCasesAtOnce) {
  k_common.random_cases_at_once();
}

TEST(BlockedKernels, FlushFacesAndOneUlpApart) {
  k_common.flush_planes_and_one_ulp_apart();
  const double ulp = std::numeric_limits<float>::epsilon();
  const Mesh box = make_box(2);
  const Bounds bounds = box.bounds();
  const double side = double{bounds.upper.x} - bounds.lower.x;
  for (const double apart : {0.0, ulp * side, -ulp * side, 1e-15}) {
    k_common.two(box, box, Pose::from_translation({side + apart, 0.1, 0.2}), 4);
  }
}

TEST(BlockedKernels, FarAway) {
  const Mesh rock = make_rock(1, 5);
  for (const double distance : {1e3, 1e6, 1e7}) {
    const Vec3d move{distance, -distance, distance / 3};
    k_common.two(scaled(rock, 1, move), rock, Pose::from_translation(move), 1);
    k_common.two(scaled(rock, 1, move), scaled(rock, 1, move),
                 Pose::from_translation({0.5, 0, 0.1}), 2);
  }
}

TEST(BlockedKernels, BeyondFloat32) {
  const Mesh rock = make_rock(1, 5);
  int in_double = 0;
  const auto check = [&](const Mesh& a, const Mesh& b, const Pose& pose) {
    const auto units = [](const Mesh& mesh) {
      return tree_of<BlockedBox>(Model(mesh), BlockedBuilder::full).units;
    };
    in_double += detail::BlockedFrame::of(pose, units(a), units(b)).in_range() ? 0 : 1;
    k_common.two(a, b, pose, 7);
  };
  // Units that differ by more than 2^80, with the small model inside a triangle of the large one.
  for (const double scale : {1e-30, 1e-26, 1e25, 1e30}) {
    check(rock, scaled(rock, scale), Pose::from_translation(Vec3d(rock.vertices()[7])));
    check(scaled(rock, scale), scaled(rock, 1 / scale), {});
  }
  // So far away that rounding blurs both.
  check(rock, rock, Pose::from_translation({1e16, 0, 0}));
  check(scaled(rock, 1e20, {1e36, 0, 0}), rock, Pose::from_translation({1e36, 1e18, 0}));
  // One triangle of a mesh is far larger than all others.
  std::vector<Vec3f> vertices(rock.vertices().begin(), rock.vertices().end());
  std::vector<TriangleIndices> triangles(rock.triangles().begin(), rock.triangles().end());
  const auto next = static_cast<std::uint32_t>(vertices.size());
  vertices.insert(vertices.end(),
                  {{-1e30F, -1e30F, 0.2F}, {1e30F, -1e30F, 0.2F}, {0, 1e30F, 0.2F}});
  triangles.push_back({next, next + 1, next + 2});
  check({vertices, triangles}, rock, Pose::from_axis_angle({1, 1, 0}, 0.3));
  EXPECT_GE(in_double, 8);
}

TEST(BlockedKernels, MemoryGrowsAndIsKept) {
  const std::vector<Model> models = {Model(make_knot(16, 3)), Model(make_rock(1, 3))};
  const std::vector<BatchQuery> few = {{0, 1, Pose::from_translation({1.5, 0, 0})}};
  std::vector<BatchQuery> many;
  for (int i = 0; i < 12; ++i) {
    many.push_back({static_cast<std::uint32_t>(i % 2), 1, Pose::from_translation({0.1 * i, 0, 0})});
  }
  Finder<BlockedBox> finder(models, BlockedBuilder::full, 1);
  EXPECT_EQ(finder.bytes(), 0U);
  EXPECT_TRUE(same(finder.find(few), brute_force(models, few)));
  const std::size_t bytes = finder.bytes();
  EXPECT_TRUE(same(finder.find(many), brute_force(models, many)));
  const std::size_t more = finder.bytes();
  EXPECT_GT(more, bytes);
  EXPECT_TRUE(same(finder.find(few, 1), brute_force(models, few)));
  EXPECT_TRUE(same(finder.find(many, 2), brute_force(models, many)));
  EXPECT_EQ(finder.bytes(), more);
}

TEST(BlockedKernels, SeparatingAxesAsOnTheHost) {
  const std::vector<Model> models = {Model(make_knot(16, 3)), Model(make_rock(1, 3))};
  const std::vector<BatchQuery> queries = {{0, 1, Pose::from_axis_angle({1, 0, 2}, 1)},
                                           {0, 0, Pose::from_axis_angle({0, 1, 0}, 0.7)}};
  const BatchResult expected = brute_force(models, queries, "separating-axes");
  ASSERT_GT(expected.pairs.size(), 100U);
  Finder<BlockedBox, BitFlags, detail::AxesTriangleTest> boxes(models, BlockedBuilder::full, 1);
  EXPECT_TRUE(same(boxes.find(queries), expected));
  Finder<BlockedObb, ByteFlags, detail::AxesTriangleTest> obbs(models, BlockedBuilder::plain, 1);
  EXPECT_TRUE(same(obbs.find(queries), expected));
}

/// Two triangles with a common corner in many poses: their boxes must overlap, however large or far
/// away they are.
template <class V>
void check_margins(std::uint64_t seed) {
  detail::Random random(seed);
  const auto point = [&](double size) {
    return Vec3d{random.uniform(-size, size), random.uniform(-size, size),
                 random.uniform(-size, size)};
  };
  const auto magnitude = [&](double from, double to) {
    return std::pow(10.0, random.uniform(from, to));
  };
  const auto triangle = [&] {
    const double size = magnitude(-4, 4);
    const Vec3d place = point(random.below(2) == 0 ? size : size * magnitude(0, 7));
    std::vector<Vec3f> corners;
    for (int i = 0; i < 3; ++i) {
      corners.emplace_back(place + random.uniform(0, 1) * point(size));
      if (random.below(4) == 0) corners.back()[static_cast<int>(random.below(3))] = 0;
    }
    return Mesh(std::move(corners), {{0, 1, 2}});
  };
  const double e = 4e-7;
  const double barely[9] = {1 + e, e, -e, -e, 1 - e, e, e, -e, 1 + e};
  int touching = 0;
  for (int i = 0; i < 3'000; ++i) {
    const Mesh a = triangle();
    const Mesh b = triangle();
    const Pose turn = random.below(3) == 0 ? Pose::from_rotation(barely)
                      : random.below(3) == 0
                          ? Pose()
                          : Pose::from_axis_angle(point(1), random.uniform(-4, 4));
    const Vec3d moved = transform_point(turn, Vec3d(b.vertices()[random.below(3)]));
    const Pose pose = Pose::from_translation(Vec3d(a.vertices()[random.below(3)]) - moved) * turn;
    const auto tree_a = tree_of<V>(Model(a), BlockedBuilder::full);
    const auto tree_b = tree_of<V>(Model(b), BlockedBuilder::full);
    if (!intersects(Model(a), Model(b), pose)) continue;
    ++touching;
    const V box_a = V::load(tree_a.quads.data());
    const V box_b = V::load(tree_b.quads.data());
    const auto frame = detail::BlockedFrame::of(pose, tree_a.units, tree_b.units);
    ASSERT_TRUE(!frame.in_range() || overlap(frame, box_a, box_b)) << "seed " << seed << ", " << i;
    ASSERT_TRUE(overlap_in_double(pose, tree_a.units, tree_b.units, box_a, box_b))
        << "seed " << seed << ", " << i;
  }
  EXPECT_GT(touching, 100);
}

TEST(BlockedKernels, MarginsCoverEveryRounding) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    check_margins<BlockedBox>(seed);
    check_margins<BlockedObb>(seed);
  }
}

/// Every invariant of a blocked hierarchy.
template <class V>
void check_tree(const Mesh& mesh, const BlockedTree<V>& tree) {
  std::set<std::uint32_t> ids;
  for (const detail::BlockedTriangle& triangle : tree.triangles) ids.insert(triangle.id);
  EXPECT_EQ(tree.triangles.size(), mesh.triangle_count());
  EXPECT_EQ(ids.size(), mesh.triangle_count());
  const std::size_t block_count = tree.node_count() / detail::k_blocked_nodes;
  std::vector<int> block_uses(block_count);
  std::vector<int> triangle_uses(tree.triangles.size());
  for (std::size_t block = 0; block < block_count; ++block) {
    int kinds[3] = {};
    for (std::size_t i = 0; i < detail::k_blocked_nodes; ++i) {
      const detail::BlockedLink link = tree.link(detail::k_blocked_nodes * block + i);
      ++kinds[static_cast<int>(link.kind)];
      if (link.kind == BlockedKind::inner) {
        EXPECT_GT(link.index, block);
        ++block_uses.at(link.index);
      } else if (link.kind == BlockedKind::leaf) {
        ++triangle_uses.at(link.index);
      }
    }
    EXPECT_LT(kinds[static_cast<int>(BlockedKind::imaginary)], 4);
    EXPECT_TRUE(kinds[static_cast<int>(BlockedKind::inner)] == 0 ||
                kinds[static_cast<int>(BlockedKind::leaf)] == 0)
        << "block " << block << " has inner nodes and leaves";
  }
  EXPECT_EQ(std::count(triangle_uses.begin(), triangle_uses.end(), 1), mesh.triangle_count());
  if (block_count > 0) block_uses[0] += 1;
  EXPECT_EQ(std::count(block_uses.begin(), block_uses.end(), 1), block_count);
}

TEST(BlockedTrees, KeepTheirInvariants) {
  std::vector<Mesh> meshes = {Mesh(), make_shape("knot", 3'000), make_plane(9)};
  for (std::size_t count = 1; count <= 70; ++count) meshes.push_back(make_soup(count, count));
  for (const Mesh& mesh : meshes) {
    for (const BlockedBuilder build : {BlockedBuilder::full, BlockedBuilder::plain}) {
      check_tree(mesh, tree_of<BlockedBox>(Model(mesh), build));
      check_tree(mesh, tree_of<BlockedObb>(Model(mesh), build));
      ASSERT_FALSE(HasFailure()) << mesh.triangle_count() << " triangles";
    }
  }
}

TEST(BlockedTrees, HaveFewImaginaryNodes) {
  for (const char* const name : {"knot", "rock", "torus", "soup", "pipes"}) {
    for (const std::size_t count : {1'500, 6'000, 24'000}) {
      const Model model(make_shape(name, count));
      const auto share = [&](BlockedBuilder build) {
        const auto tree = tree_of<BlockedBox>(model, build);
        return static_cast<double>(tree.imaginary_count()) / static_cast<double>(tree.node_count());
      };
      const double full = share(BlockedBuilder::full);
      const double plain = share(BlockedBuilder::plain);
      std::printf("%-8s %6zu triangles: %4.1f %% of the nodes are imaginary, plain %4.1f %%\n",
                  name, model.mesh().triangle_count(), 100 * full, 100 * plain);
      EXPECT_LT(full, 0.05);
      EXPECT_GT(plain, 0.2);
    }
  }
}

}  // namespace
}  // namespace tandem::test
