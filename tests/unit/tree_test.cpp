// Shapes, layouts and builders; degenerate inputs first.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <cmath>

#include "build/builders.h"
#include "build/fit.h"
#include "structure/shape.h"
#include "support/fitting.h"
#include "support/traversal_harness.h"
#include "tree/stackless_fields.h"
#include "tree/validate.h"
#include "volume/aabb.h"

namespace tandem::detail {
namespace {

// The concept needs no more than it says: a volume that knows only whether it is there.
struct Everything {
  static Everything fit(std::span<const Vec3f>) { return {}; }
  static Everything merge(const Everything&, const Everything&) { return {}; }
  bool encloses(const Vec3f&) const { return true; }
  double size() const { return 1; }
  static constexpr bool k_merges_tightly = true;
};
struct AlwaysOverlap {
  using Tumbled = Everything;
  static constexpr bool k_tumbles = false;
  static constexpr bool k_tests_leaves = true;
  Everything tumble(const Everything& b) const { return b; }
  bool operator()(const Everything&, const Everything&) const { return true; }
};
static_assert(BoundingVolume<Everything>);
static_assert(OverlapTest<AlwaysOverlap, Everything>);
static_assert(!BoundingVolume<int>);
static_assert(!OverlapTest<AlwaysOverlap, Aabb>);
static_assert(sizeof(Tree<Aabb>::Node) == 28);

TEST(Tree, AFakeVolumeTakesEveryTraversalToEveryPair) {
  const Mesh mesh = make_soup(7, 1);
  const Tree<Everything> tree =
      fit_by_merging<Everything>(mesh, MedianBuilder::build(mesh, nullptr));
  const PreIndexedTree<Everything> fielded(tree.view());
  const auto lean = tree.view();
  const auto levelled = fielded.view();
  int count = 0;
  const auto leaf_pair = [&](std::uint32_t, std::uint32_t) {
    ++count;
    return Flow::go_on;
  };
  test::RecordingObserver observer;
  const AlwaysOverlap overlap;
  traverse_recursive(PairDescent(lean, lean, overlap, observer), leaf_pair, observer);
  EXPECT_EQ(count, 49);
  traverse_stack(Alternating(), PairDescent(levelled, levelled, overlap, observer), leaf_pair,
                 observer);
  EXPECT_EQ(count, 2 * 49);
}

TEST(Tree, FieldsOfTheSmallTreeInTheDrawing) {
  const Mesh mesh = make_soup(4, 1);
  const TreeShape shape = {Link::inner(7), Link::inner(4), Link::leaf(2), Link::leaf(0),
                           Link::inner(7), Link::leaf(1),  Link::leaf(3)};
  const auto fields = stackless_fields(shape);
  const std::uint32_t escape[] = {7, 4, 3, 4, 7, 6, 7};
  const int right_child_level[] = {0, 0, 0, 1, 1, 0, 2};
  const int level[] = {0, 1, 2, 2, 1, 2, 2};
  for (int i = 0; i < 7; ++i) {
    EXPECT_EQ(fields[i].escape_index, escape[i]);
    EXPECT_EQ(fields[i].right_child_level, right_child_level[i]);
    EXPECT_EQ(fields[i].level, level[i]);
  }
  // Post-indexed: root, right child, its right child, ...
  EXPECT_EQ(post_indexed_order(shape), (std::vector<std::uint32_t>{0, 4, 6, 5, 1, 3, 2}));
  EXPECT_EQ(sibling_bound(shape), 2U);
  EXPECT_EQ(arity(shape), 2);
}

TEST(Tree, BothLayoutsOfRandomShapesAreValid) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Mesh mesh = make_soup(1 + seed % 37, seed);
    const TreeShape shape = test::RandomShape(mesh.triangle_count(), 2 + seed % 5, seed).shape();
    const Tree<Aabb> tree = fit_by_merging<Aabb>(mesh, shape);
    ASSERT_EQ(validate(mesh, tree), "") << "seed " << seed;
    const PreIndexedTree<Aabb> pre(tree.view());
    ASSERT_EQ(validate_fields(pre.view(), shape, [](std::uint32_t node) { return node; }), "")
        << "seed " << seed;
    const PostIndexedTree<Aabb> post(tree.view());
    ASSERT_EQ(validate_fields(post.view(), shape,
                              [&](std::uint32_t node) { return post.pre_index(node); }),
              "")
        << "seed " << seed;
  }
}

TEST(Tree, ValidateFindsWhatIsBroken) {
  const Mesh mesh = make_soup(3, 1);
  const TreeShape good = MedianBuilder::build(mesh, nullptr);
  EXPECT_EQ(validate_shape(good, 3), "");
  EXPECT_NE(validate_shape(good, 2), "");
  EXPECT_NE(validate_shape(good, 4), "");
  EXPECT_NE(validate_shape({}, 1), "");
  TreeShape twice = good;
  twice.back() = twice[1].is_leaf() ? twice[1] : twice[2];
  EXPECT_NE(validate_shape(twice, 3), "");
  TreeShape short_root = good;
  short_root[0] = Link::inner(2);
  EXPECT_NE(validate_shape(short_root, 3), "");
  TreeShape childless = good;
  childless.push_back(Link::inner(static_cast<std::uint32_t>(good.size()) + 1));
  childless[0] = Link::inner(static_cast<std::uint32_t>(childless.size()));
  EXPECT_NE(validate_shape(childless, 3).find("no child"), std::string::npos);
  TreeShape deep;
  for (int i = 0; i < 64; ++i) deep.push_back(Link::inner(65));
  deep.push_back(Link::leaf(0));
  EXPECT_NE(validate_shape(deep, 1).find("too deep"), std::string::npos);
  // A volume that does not enclose its triangle.
  const Tree<Aabb> misfit = fit_by_merging<Aabb>(make_soup(3, 2), good);
  EXPECT_NE(validate(mesh, misfit).find("does not enclose"), std::string::npos);
}

class EveryBuilder : public testing::TestWithParam<std::string_view> {
 protected:
  static TreeShape build(const Mesh& mesh, const Progress& progress = nullptr) {
    return build_shape(mesh, {.builder = GetParam()}, progress);
  }
};
INSTANTIATE_TEST_SUITE_P(Build, EveryBuilder, testing::ValuesIn(test::binary_builder_names()),
                         [](const auto& info) { return test::test_name(info.param); });

int depth_of(const TreeShape& shape) {
  int depth = 0;
  for (const StacklessFields& f : stackless_fields(shape)) depth = std::max<int>(depth, f.level);
  return depth;
}

TEST_P(EveryBuilder, SmallCountsAndEveryArity) {
  for (std::size_t count = 0; count <= 40; ++count) {
    const Mesh mesh = count == 0 ? Mesh() : make_soup(count, count);
    const TreeShape binary = build(mesh);
    EXPECT_EQ(binary.size(), count == 0 ? 0 : 2 * count - 1);
    for (int n = 2; n <= 16; ++n) {
      const TreeShape shape = collapse(mesh, binary, n);
      ASSERT_EQ(validate(mesh, fit_by_merging<Aabb>(mesh, shape)), "") << count << ", " << n;
      EXPECT_LE(arity(shape), n);
    }
  }
}

TEST_P(EveryBuilder, CoincidentTrianglesAreHalved) {
  const Mesh one = make_soup(1, 1);
  const Mesh copies({one.vertices().begin(), one.vertices().end()},
                    std::vector<TriangleIndices>(1'000, {0, 1, 2}));
  const TreeShape shape = build(copies);
  EXPECT_EQ(validate_shape(shape, 1'000), "");
  EXPECT_EQ(depth_of(shape), 10);
}

TEST_P(EveryBuilder, DepthIsBoundedOnTheWorstInput) {
  // Sizes and distances grow by powers of two: the cheapest split peels off one triangle at a time.
  std::vector<Vec3f> vertices;
  std::vector<TriangleIndices> triangles;
  for (std::uint32_t i = 0; i < 240; ++i) {
    const float x = std::ldexp(1.0F, static_cast<int>(i) - 120);
    vertices.insert(vertices.end(), {{x, 0, 0}, {1.25F * x, 0, 0}, {x, x / 8, 0}});
    triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  const Mesh mesh(std::move(vertices), std::move(triangles));
  const TreeShape shape = build(mesh);
  EXPECT_EQ(validate(mesh, fit_by_merging<Aabb>(mesh, shape)), "");
  EXPECT_LE(depth_of(shape), k_max_depth);
}

TEST_P(EveryBuilder, LargeMeshIsValidAndReportsProgress) {
  const Mesh mesh = make_shape("rock", 60'000);
  double last = 0;
  const auto watch = [&](double done) {
    EXPECT_GE(done, last);
    last = done;
  };
  const TreeShape shape = build(mesh, watch);
  EXPECT_GT(last, 0.5);
  EXPECT_LE(last, 1);
  EXPECT_EQ(validate(mesh, fit_by_merging<Aabb>(mesh, shape)), "");
}

TEST(Build, MedianIsBalanced) {
  EXPECT_EQ(depth_of(MedianBuilder::build(make_soup(1'024, 3), nullptr)), 10);
  EXPECT_EQ(depth_of(MedianBuilder::build(make_soup(1'025, 3), nullptr)), 11);
}

TEST(Build, ModelsRefuseBadOptions) {
  EXPECT_THROW(Model(make_soup(3, 1), {.arity = 1}), Error);
  EXPECT_THROW(Model(make_soup(3, 1), {.arity = 17}), Error);
  // Options that are for other structures.
  EXPECT_THROW(Model(make_soup(3, 1), {.arity = 2}), Error);
  EXPECT_THROW(Model(make_soup(3, 1), {.builder = "sah"}), Error);
  EXPECT_THROW(Model(make_soup(3, 1), {.structure = "obb", .builder = "best"}), Error);
  EXPECT_THROW(Model(make_soup(3, 1), {.structure = "ray-wide", .builder = "sah"}), Error);
}

}  // namespace
}  // namespace tandem::detail
