// What the tests of all ways to collide models on a device have in common.
#pragma once

#include <gtest/gtest.h>
#include <tandem/cuda/collide.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "support/collide_cases.h"

namespace tandem::test {

/// What was found, in the order of a batch.
inline BatchResult in_order(const cuda::FoundPairs& found, std::size_t query_count) {
  std::vector<std::vector<TrianglePair>> pairs(query_count);
  for (std::uint64_t i = 0; i < found.count; ++i) {
    pairs.at(found.pairs[i].query).push_back(found.pairs[i].pair);
  }
  BatchResult result;
  result.offsets.push_back(0);
  for (std::vector<TrianglePair>& of_query : pairs) {
    std::sort(of_query.begin(), of_query.end());
    result.pairs.insert(result.pairs.end(), of_query.begin(), of_query.end());
    result.offsets.push_back(result.pairs.size());
  }
  return result;
}

inline BatchResult brute_force(const std::vector<Model>& models,
                               const std::vector<BatchQuery>& queries, const char* test = "exact") {
  return collide_batch(models, queries,
                       {.engine = {.structure = "triangles", .triangle_test = test}});
}

inline testing::AssertionResult same(const BatchResult& found, const BatchResult& expected) {
  for (std::size_t i = 0; i < expected.query_count(); ++i) {
    const auto x = found.pairs_of(i);
    const auto y = expected.pairs_of(i);
    if (std::equal(x.begin(), x.end(), y.begin(), y.end())) continue;
    return testing::AssertionFailure() << "query " << i << " finds " << x.size() << " pairs, not "
                                       << y.size() << ", or other ones";
  }
  return testing::AssertionSuccess();
}

/// Cases that every way must get right. `Check` is called as `check(models, queries, seed)` and
/// compares with brute force.
template <class Check>
class CommonCases {
 public:
  explicit CommonCases(const Check& check) : check_(check) {}

  /// Each against the other.
  void two(const Mesh& a, const Mesh& b, const Pose& b_in_a, std::uint64_t seed) const {
    check_({Model(a), Model(b)}, {{0, 1, b_in_a}, {1, 0, b_in_a.inverse()}}, seed);
  }

  void nothing_to_find() const {
    check_({}, {}, 1);
    two(Mesh(), Mesh(), {}, 1);
    two(Mesh(), make_box(2), {}, 1);
    two(make_box(2), make_box(2), Pose::from_translation({3, 0, 0}), 1);
  }

  /// One tree is at its leaves while the other one is still descended.
  void one_triangle_against_many() const {
    const Mesh one({{-2, -2, 0.1F}, {2, -2, 0.1F}, {0, 2, 0.1F}}, {{0, 1, 2}});
    for (const std::uint32_t copies : {1, 3, 4, 5}) {
      const Mesh few({one.vertices().begin(), one.vertices().end()},
                     std::vector<TriangleIndices>(copies, {0, 1, 2}));
      two(few, make_icosphere(1), {}, copies);
      two(few, make_icosphere(1), Pose::from_axis_angle({1, 2, 3}, 1), copies);
    }
    two(one, one, {}, 1);
  }

  void every_number_of_triangles() const {
    for (std::size_t count = 1; count <= 20; ++count) {
      two(make_soup(count, count, 0.5), make_soup(21 - count, 100 + count, 0.5), {}, count);
    }
  }

  void random_cases_at_once() const {
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
      check_(models, queries, seed);
      if (testing::Test::HasFatalFailure()) return;
    }
  }

  void flush_planes_and_one_ulp_apart() const {
    const Mesh plane = make_plane(5);
    two(plane, plane, {}, 1);
    two(plane, plane, Pose::from_axis_angle({0, 0, 1}, 0.5), 2);
    const double ulp = std::numeric_limits<float>::epsilon();
    for (const double z : {ulp / 2, -ulp / 2, ulp, 1e-30, -1e-45}) {
      two(plane, plane, Pose::from_translation({0.25, 0.125, z}), 3);
    }
  }

 private:
  Check check_;
};

}  // namespace tandem::test
