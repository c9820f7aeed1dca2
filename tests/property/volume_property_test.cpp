// Every volume with every traversal and every overlap test returns the brute-force set: on random
// cases, degenerate ones and ones far from the origin among them.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <string>
#include <vector>

#include "build/fit.h"
#include "query/leaf_pair.h"
#include "support/collide_cases.h"
#include "traverse/observer.h"
#include "traverse/recursive.h"
#include "traverse/relative_obb_descent.h"
#include "tree/relative_obb.h"
#include "tree/validate.h"

namespace tandem {
namespace {

struct Combination {
  VolumeInfo volume;
  OverlapInfo overlap;
};

std::vector<Combination> combinations() {
  std::vector<Combination> result;
  for (const VolumeInfo& volume : volumes()) {
    for (const OverlapInfo& overlap : overlaps()) {
      if (supports(volume.volume, overlap.overlap)) result.push_back({volume, overlap});
    }
  }
  return result;
}

class EveryVolume : public testing::TestWithParam<Combination> {};
INSTANTIATE_TEST_SUITE_P(Volumes, EveryVolume, testing::ValuesIn(combinations()),
                         [](const auto& info) {
                           std::string name = std::string(info.param.volume.name) + "_" +
                                              std::string(info.param.overlap.name);
                           for (char& c : name) {
                             if (c == '-') c = '_';
                           }
                           return name;
                         });

TEST_P(EveryVolume, EveryTraversalEqualsBruteForce) {
  std::size_t touching_count = 0;
  for (std::uint64_t seed = 10'001; seed <= 10'200; ++seed) {
    const test::CollideCase c = test::CollideCases(seed).next();
    detail::Random random(seed);
    const Volume volume = GetParam().volume.volume;
    const bool two_planes =
        volume == Volume::boxtree_two_planes || volume == Volume::boxtree_packed;
    const auto draw = [&] {
      BuildOptions options{.volume = volume,
                           .builder = builders()[random.below(builders().size())].builder};
      if (two_planes) {
        options.leaf_size = static_cast<int>(random.below(6));
      } else {
        options.arity = 2 + static_cast<int>(random.below(3));
      }
      if (two_planes || volume == Volume::boxtree) options.parallel_planes = random.below(2) == 0;
      return options;
    };
    const Model a(c.a, draw());
    const Model b(c.b, draw());
    const auto expected = collide(a, b, c.b_in_a, {.algorithm = Algorithm::brute_force}).pairs;
    touching_count += expected.empty() ? 0 : 1;
    for (const AlgorithmInfo& info : algorithms()) {
      if (!supports(volume, info.algorithm)) continue;
      const QueryOptions options{.algorithm = info.algorithm,
                                 .overlap = GetParam().overlap.overlap};
      ASSERT_EQ(collide(a, b, c.b_in_a, options).pairs, expected) << info.name << ", " << c.name;
    }
  }
  EXPECT_GT(touching_count, 60U);
}

TEST_P(EveryVolume, ListTraversalsTransformEachTumbledNodeOnce) {
  if (!supports(GetParam().volume.volume, Algorithm::list)) {
    GTEST_SKIP() << GetParam().volume.name << " has no list traversals";
  }
  const Model a(make_knot(120, 8), {.volume = GetParam().volume.volume});
  const Model b(make_rock(12, 3), {.volume = GetParam().volume.volume});
  const Pose pose = Pose::from_axis_angle({1, 2, 3}, 0.7, {0.8, 0.1, 0});
  const auto run = [&](Algorithm algorithm) {
    return count(
               a, b, pose,
               {.algorithm = algorithm, .overlap = GetParam().overlap.overlap, .statistics = true})
        .statistics;
  };
  const Statistics recursive = run(Algorithm::recursive);
  EXPECT_GT(recursive.triangle_overlaps, 100U);
  for (const Algorithm algorithm :
       {Algorithm::list, Algorithm::list_pairs, Algorithm::list_fours}) {
    const Statistics list = run(algorithm);
    EXPECT_EQ(list.triangle_overlaps, recursive.triangle_overlaps);
    if (supports(b.volume(), Overlap::lookup) && algorithm == Algorithm::list_fours) {
      // A boxtree goes through the level between, each node of which it derives once as well.
      EXPECT_GT(list.node_transforms, list.tumbled_visits);
    } else {
      EXPECT_EQ(list.node_transforms, list.tumbled_visits);
    }
    EXPECT_LE(list.node_transforms, 2 * b.mesh().triangle_count() - 1);
    EXPECT_LT(list.node_transforms, recursive.node_transforms);
  }
  // The lists are read once for siblings instead of once for each.
  EXPECT_LT(run(Algorithm::list_pairs).aligned_visits, run(Algorithm::list).aligned_visits);
  // Transforms at the parent serve all pairs of its children.
  EXPECT_LT(run(Algorithm::one_level_up).node_transforms, recursive.node_transforms);
}

/// Each node has one triangle and the rest below it: as deep as trees may be.
detail::TreeShape chain(std::uint32_t triangle_count) {
  detail::TreeShape shape;
  const std::uint32_t size = 2 * triangle_count - 1;
  for (std::uint32_t id = 0; id + 1 < triangle_count; ++id) {
    shape.push_back(detail::Link::inner(size));
    shape.push_back(detail::Link::leaf(id));
  }
  shape.push_back(detail::Link::leaf(triangle_count - 1));
  return shape;
}

TEST(Volumes, RelativeOrientedBoxesLoseNothingDownTheLongestWay) {
  std::size_t touching_count = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Mesh mesh = make_soup(detail::k_max_depth + 1, seed, 0.3);
    const detail::TreeShape shape = chain(static_cast<std::uint32_t>(mesh.triangle_count()));
    ASSERT_EQ(detail::validate_shape(shape, mesh.triangle_count()), "");
    const detail::Tree<detail::Obb> tree =
        detail::relative_obbs(detail::fit_tree<detail::Obb>(mesh, shape));
    const Pose pose = Pose::from_axis_angle({1, 2, 3}, static_cast<double>(seed), {0.1, 0, 0});
    const Model model(mesh);
    const auto expected = collide(model, model, pose, {.algorithm = Algorithm::brute_force}).pairs;
    std::vector<TrianglePair> pairs;
    const auto append = [&](TrianglePair pair) {
      pairs.push_back(pair);
      return Flow::go_on;
    };
    detail::NullObserver observer;
    detail::LeafPair leaf_pair({mesh, mesh, pose}, append, observer);
    const detail::RelativeObbDescent descent(tree, tree, pose, observer);
    traverse_recursive(descent, leaf_pair, observer);
    std::sort(pairs.begin(), pairs.end());
    ASSERT_EQ(pairs, expected) << "seed " << seed;
    touching_count += expected.size();
  }
  EXPECT_GT(touching_count, 500U);
}

TEST(Volumes, ModelsWithDifferentVolumesAndStrayOverlapTestsAreErrors) {
  const Model box(make_icosphere(1));
  const Model ball(make_icosphere(1), {.volume = Volume::sphere});
  EXPECT_THROW(collide(box, ball, Pose()), Error);
  EXPECT_THROW(collide(ball, ball, Pose(), {.overlap = Overlap::six_axes}), Error);
  EXPECT_THROW(TrailCursor(box, ball, Pose(), Algorithm::trail), Error);
}

TEST(Volumes, BytesANode) {
  const auto bytes = [](Volume volume) {
    for (const VolumeInfo& info : volumes()) {
      if (info.volume == volume) return info.bytes_per_node;
    }
    return std::size_t{0};
  };
  EXPECT_EQ(bytes(Volume::sphere), 20U);
  EXPECT_EQ(bytes(Volume::aabb), 28U);
  EXPECT_EQ(bytes(Volume::obb), 64U);
  EXPECT_EQ(bytes(Volume::obb_relative), 64U);
  EXPECT_EQ(bytes(Volume::boxtree), 9U);
  EXPECT_LE(bytes(Volume::boxtree_packed), 4U);
  EXPECT_EQ(bytes(Volume::dop24), 100U);
}

}  // namespace
}  // namespace tandem
