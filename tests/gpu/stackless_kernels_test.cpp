// The kernels of stackless walks, run by the executor on the CPU: against brute force.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "gpu/collision_checks.h"
#include "gpu/on_cpu.h"
#include "gpu/stackless/find_pairs.h"
#include "query/device_source.h"

namespace tandem::test {
namespace {

using detail::AlternatingWalks;
using detail::ScheduledWalks;
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
    return in_order(finder.find(queries.data(), static_cast<std::uint32_t>(queries.size())),
                    queries.size());
  }

  std::size_t bytes() const { return memory_.bytes(); }

 private:
  OnCpu on_;
  detail::WalkForest forest_;
  std::vector<detail::WalkModel> models_;
  detail::WalkMemory<OnCpu, Walks> memory_;
};

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
  check_limits<ScheduledWalks>("scheduled", models, queries, expected, seed);
  check_limits<TrailWalks>("larger first", models, queries, expected, seed);
}

const CommonCases k_common([](const std::vector<Model>& models,
                              const std::vector<BatchQuery>& queries,
                              std::uint64_t seed) { check_all_ways(models, queries, seed); });

TEST(StacklessKernels, NothingToFind) {
  k_common.nothing_to_find();
}

TEST(StacklessKernels, OneTriangleAgainstMany) {
  k_common.one_triangle_against_many();
}

TEST(StacklessKernels, EveryNumberOfTriangles) {
  k_common.every_number_of_triangles();
}

TEST(StacklessKernels, RandomCasesAtOnce) {
  k_common.random_cases_at_once();
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
  k_common.flush_planes_and_one_ulp_apart();
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
