// The kernels of stackless walks, run by the executor on the CPU: against brute force.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "gpu/on_cpu.h"
#include "gpu/stackless/find_pairs.h"
#include "query/device_source.h"
#include "support/collide_cases.h"

namespace tandem::test {
namespace {

using detail::AlternatingWalks;
using detail::TrailWalks;
using detail::WalkLimits;

/// Models with their trees, and the memory of their queries.
template <class Walks>
class Finder {
 public:
  Finder(const std::vector<Model>& models, std::uint64_t seed) : on_(seed) {
    for (const Model& model : models) forest_.add(inside::pre_indexed_boxes(model), model.mesh());
    models_ = forest_.models(forest_.nodes.data(), forest_.fields.data(), forest_.mean_sizes.data(),
                             forest_.triangles.data());
  }

  BatchResult find(const std::vector<BatchQuery>& queries, const WalkLimits& limits) {
    detail::WalkFinder<OnCpu, Walks> finder(on_, models_.data(), forest_.arity(), memory_, limits);
    const cuda::FoundPairs found =
        finder.find(queries.data(), static_cast<std::uint32_t>(queries.size()));
    std::vector<std::vector<TrianglePair>> pairs(queries.size());
    for (std::uint64_t i = 0; i < found.count; ++i) {
      pairs.at(found.pairs[i].query).push_back(found.pairs[i].pair);
    }
    BatchResult result;
    result.offsets.push_back(0);
    for (std::vector<TrianglePair>& of_query : pairs) {
      std::sort(of_query.begin(), of_query.end(), [](const TrianglePair& x, const TrianglePair& y) {
        return std::pair(x.a, x.b) < std::pair(y.a, y.b);
      });
      result.pairs.insert(result.pairs.end(), of_query.begin(), of_query.end());
      result.offsets.push_back(result.pairs.size());
    }
    return result;
  }

  std::size_t bytes() const { return memory_.bytes(); }

 private:
  OnCpu on_;
  detail::WalkForest forest_;
  std::vector<detail::WalkModel> models_;
  detail::WalkMemory<OnCpu, Walks> memory_;
};

BatchResult brute_force(const std::vector<Model>& models, const std::vector<BatchQuery>& queries) {
  return collide_batch(models, queries, {.engine = {.structure = "triangles"}});
}

testing::AssertionResult same(const BatchResult& found, const BatchResult& expected) {
  for (std::size_t i = 0; i < expected.query_count(); ++i) {
    const auto x = found.pairs_of(i);
    const auto y = expected.pairs_of(i);
    if (std::equal(x.begin(), x.end(), y.begin(), y.end())) continue;
    return testing::AssertionFailure() << "query " << i << " finds " << x.size() << " pairs, not "
                                       << y.size() << ", or other ones";
  }
  return testing::AssertionSuccess();
}

/// One walk per query and many, in one go and in the smallest steps, with room for one pair at
/// first and for all.
constexpr WalkLimits k_limits[] = {{.least_walks = 1, .first_visits = 1'000'000, .first_room = 0},
                                   {.least_walks = 1, .first_visits = 1, .first_room = 1},
                                   {.least_walks = 300, .first_visits = 7, .first_room = 40},
                                   {.least_walks = 2'000, .first_visits = 0, .first_room = 1}};

template <class Walks>
void check_limits(const char* name, const std::vector<Model>& models,
                  const std::vector<BatchQuery>& queries, const BatchResult& expected,
                  std::uint64_t seed) {
  for (const WalkLimits& limits : k_limits) {
    Finder<Walks> finder(models, seed);
    ASSERT_TRUE(same(finder.find(queries, limits), expected))
        << name << ", " << limits.least_walks << " walks, " << limits.first_visits
        << " visits, room for " << limits.first_room << ", seed " << seed;
  }
}

void check_all_ways(const std::vector<Model>& models, const std::vector<BatchQuery>& queries,
                    std::uint64_t seed) {
  const BatchResult expected = brute_force(models, queries);
  check_limits<AlternatingWalks>("alternating", models, queries, expected, seed);
  check_limits<TrailWalks>("larger first", models, queries, expected, seed);
}

void check_all_ways(const Mesh& a, const Mesh& b, const Pose& b_in_a, std::uint64_t seed) {
  check_all_ways({Model(a), Model(b)}, {{0, 1, b_in_a}, {1, 0, b_in_a.inverse()}}, seed);
}

TEST(StacklessKernels, NothingToFind) {
  check_all_ways({}, {}, 1);
  check_all_ways(Mesh(), Mesh(), {}, 1);
  check_all_ways(Mesh(), make_box(2), {}, 1);
  check_all_ways(make_box(2), make_box(2), Pose::from_translation({3, 0, 0}), 1);
}

TEST(StacklessKernels, OneTriangleAgainstMany) {
  // One tree is at a leaf while the other is walked; walks begin in the middle of that too.
  const Mesh one({{-2, -2, 0.1F}, {2, -2, 0.1F}, {0, 2, 0.1F}}, {{0, 1, 2}});
  for (const std::uint32_t copies : {1, 3, 4, 5}) {
    const Mesh few({one.vertices().begin(), one.vertices().end()},
                   std::vector<TriangleIndices>(copies, {0, 1, 2}));
    check_all_ways(few, make_icosphere(1), {}, copies);
    check_all_ways(few, make_icosphere(1), Pose::from_axis_angle({1, 2, 3}, 1), copies);
  }
  check_all_ways(one, one, {}, 1);
}

TEST(StacklessKernels, EveryNumberOfTriangles) {
  for (std::size_t count = 1; count <= 20; ++count) {
    check_all_ways(make_soup(count, count, 0.5), make_soup(21 - count, 100 + count, 0.5), {},
                   count);
  }
}

TEST(StacklessKernels, RandomCasesAtOnce) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    std::vector<Model> models;
    std::vector<BatchQuery> queries;
    for (std::uint64_t i = 0; i < 20; ++i) {
      const CollideCase c = CollideCases(1000 * seed + i).next();
      const auto first = static_cast<std::uint32_t>(models.size());
      models.emplace_back(c.a);
      models.emplace_back(c.b);
      queries.push_back({first, first + 1, c.b_in_a});
    }
    check_all_ways(models, queries, seed);
    if (HasFatalFailure()) return;
  }
}

TEST(StacklessKernels, NodesWithManyChildren) {
  for (const int arity : {3, 8}) {
    const BuildOptions build{.structure = "aabb", .arity = arity};
    const std::vector<Model> models = {Model(make_knot(16, 3), build),
                                       Model(make_rock(1, 3), build)};
    check_all_ways(models, {{0, 1, Pose::from_translation({1.5, 0, 0})}, {1, 0, {}}, {0, 0, {}}},
                   static_cast<std::uint64_t>(arity));
  }
}

TEST(StacklessKernels, FlushFacesAndOneUlpApart) {
  const Mesh plane = make_plane(5);
  check_all_ways(plane, plane, {}, 1);
  check_all_ways(plane, plane, Pose::from_axis_angle({0, 0, 1}, 0.5), 2);
  const double ulp = std::numeric_limits<float>::epsilon();
  for (const double z : {ulp / 2, -ulp / 2, ulp, 1e-30, -1e-45}) {
    check_all_ways(plane, plane, Pose::from_translation({0.25, 0.125, z}), 3);
  }
}

TEST(StacklessKernels, MemoryGrowsAndIsKept) {
  const std::vector<Model> models = {Model(make_knot(16, 3)), Model(make_rock(1, 3))};
  const std::vector<BatchQuery> few = {{0, 1, Pose::from_translation({1.5, 0, 0})}};
  std::vector<BatchQuery> many;
  for (int i = 0; i < 12; ++i) {
    many.push_back({static_cast<std::uint32_t>(i % 2), 1, Pose::from_translation({0.1 * i, 0, 0})});
  }
  const WalkLimits limits{.least_walks = 1, .first_visits = 10, .first_room = 4};
  Finder<TrailWalks> finder(models, 1);
  EXPECT_EQ(finder.bytes(), 0U);
  EXPECT_TRUE(same(finder.find(few, limits), brute_force(models, few)));
  const std::size_t bytes = finder.bytes();
  const BatchResult expected = brute_force(models, many);
  EXPECT_TRUE(same(finder.find(many, limits), expected));
  const std::size_t more = finder.bytes();
  EXPECT_GT(more, bytes);
  // Beside the results a few bytes for each walk, this time's and the next.
  const std::size_t walks = 2 * many.size() * sizeof(detail::WaitingWalk<TrailWalks>);
  EXPECT_LE(more, 3 * (expected.pairs.size() + 128) * sizeof(cuda::FoundPair) + 2 * walks);
  EXPECT_TRUE(same(finder.find(few, limits), brute_force(models, few)));
  EXPECT_TRUE(same(finder.find(many, limits), expected));
  EXPECT_EQ(finder.bytes(), more);
}

}  // namespace
}  // namespace tandem::test
