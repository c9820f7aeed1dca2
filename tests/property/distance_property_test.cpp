// Distances and pairs within a distance against brute force: every instruction set and builder,
// any number of threads, on random, degenerate, tiny, huge, far and spread cases.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "math/random.h"
#include "support/collide_cases.h"
#include "support/sliver_cases.h"
#include "traverse/wide/instruction_sets.h"
#include "traverse/wide/kernels.h"

namespace tandem::test {
namespace {

using detail::InstructionSet;
using detail::UseInstructionSet;

constexpr double k_infinity = std::numeric_limits<double>::infinity();
const Engine k_brute = {.structure = "triangles"};

/// Everything but the statistics, to the bit.
bool same(const DistanceResult& x, const DistanceResult& y) {
  return x.distance == y.distance && x.pair == y.pair && x.on_a == y.on_a && x.on_b == y.on_b &&
         x.normal == y.normal && x.lower_bound == y.lower_bound;
}

/// The distances of all pairs, sorted: thresholds that separate them are hard to get right.
std::vector<double> all_distances(const Model& a, const Model& b, const Pose& pose) {
  std::vector<double> distances;
  for (std::uint32_t i = 0; i < a.mesh().triangle_count(); ++i) {
    for (std::uint32_t j = 0; j < b.mesh().triangle_count(); ++j) {
      distances.push_back(distance(a, b, pose, TrianglePair{i, j}).distance);
    }
  }
  std::sort(distances.begin(), distances.end());
  return distances;
}

void expect_brute_force(const Mesh& mesh_a, const Mesh& mesh_b, const Pose& pose,
                        detail::Random& random, const std::string& name) {
  const Model best_a(mesh_a);
  const Model best_b(mesh_b);
  const Model fast_a(mesh_a, {.builder = "fast"});
  const Model fast_b(mesh_b, {.builder = "fast"});
  const DistanceResult expected = distance(best_a, best_b, pose, {.engine = k_brute});
  const std::vector<double> distances = all_distances(best_a, best_b, pose);
  ASSERT_EQ(expected.distance, distances.empty() ? k_infinity : distances.front()) << name;

  // A threshold that is the distance of a pair, or just below it, or anything.
  double threshold = std::pow(10.0, random.uniform(-6, 2));
  if (!distances.empty() && random.below(4) != 0) {
    threshold = distances[random.below(std::min<std::size_t>(distances.size(), 40))];
    if (random.below(2) == 0) threshold = std::max(std::nextafter(threshold, 0.0), 0.0);
  }
  const auto close = collide_within(best_a, best_b, pose, threshold, {.engine = k_brute}).pairs;
  ASSERT_EQ(close.size(), static_cast<std::size_t>(
                              std::upper_bound(distances.begin(), distances.end(), threshold) -
                              distances.begin()))
      << name;

  DistanceWitness witness;
  for (const InstructionSet& set : detail::instruction_sets()) {
    const UseInstructionSet use(set);
    for (const auto& [a, b] : {std::pair(&best_a, &best_b), std::pair(&fast_a, &fast_b)}) {
      const std::string where = name + ", " + set.name + (a == &best_a ? ", best" : ", fast");
      const DistanceResult found = distance(*a, *b, pose);
      ASSERT_EQ(found.distance, expected.distance) << where;
      if (found.distance != 0) {
        ASSERT_TRUE(same(found, expected)) << where;
        ASSERT_TRUE(same(distance(*a, *b, pose, witness), expected)) << where;
      }
      const DistanceResult rough =
          distance(*a, *b, pose, {.relative_error = 0.2, .absolute_error = 1e-3});
      ASSERT_GE(rough.distance, expected.distance) << where;
      ASSERT_LE(rough.lower_bound, expected.distance) << where;
      ASSERT_LE(rough.distance, expected.distance * 1.2 + 1e-3 + 1e-9) << where;
      const DistanceResult limited = distance(*a, *b, pose, {.limit = threshold});
      ASSERT_EQ(limited.distance, expected.distance < threshold ? expected.distance : k_infinity)
          << where;
      ASSERT_EQ(collide_within(*a, *b, pose, threshold).pairs, close) << where;
      ASSERT_EQ(count_within(*a, *b, pose, threshold).count, close.size()) << where;
      const IntersectsResult first = within(*a, *b, pose, threshold);
      ASSERT_EQ(static_cast<bool>(first), !close.empty()) << where;
      if (first) {
        ASSERT_TRUE(std::binary_search(close.begin(), close.end(), *first.pair)) << where;
      }
    }
  }
}

TEST(DistanceProperty, EveryInstructionSetAndBuilderEqualsBruteForce) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    detail::Random random(seed);
    CollideCase c = CollideCases(seed).next();
    if (random.below(3) != 0) {
      const double far = std::pow(10.0, random.uniform(-3, 3));
      c.b_in_a = Pose::from_translation({random.uniform(-far, far), random.uniform(-far, far),
                                         random.uniform(-far, far)}) *
                 c.b_in_a;
    }
    expect_brute_force(c.a, c.b, c.b_in_a, random, c.name);
    if (HasFatalFailure()) return;
  }
}

TEST(DistanceProperty, Slivers) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    detail::Random random(seed);
    const CollideCase c = SliverCases(seed).next();
    expect_brute_force(c.a, c.b, c.b_in_a, random, c.name);
    if (HasFatalFailure()) return;
  }
}

/// Long flat parts beside each other, touching or nearly so: their centres say little about them.
TEST(DistanceProperty, FlatParts) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    detail::Random random(seed);
    const auto side = [&] { return std::pow(10.0, random.uniform(-3, 1)); };
    const Vec3d sides_a{side(), side(), side()};
    const Vec3d sides_b{side(), side(), side()};
    const std::vector<ProfilePoint> profile = {
        {0.5 * sides_b.x, 0}, {sides_b.x, 0}, {sides_b.x, sides_b.z}, {0.5 * sides_b.x, sides_b.z}};
    const Mesh a = make_box(1 + static_cast<int>(random.below(3)), sides_a);
    const Mesh b = random.below(2) == 0 ? make_box(2, sides_b) : make_turned(profile, 12);
    // Parallel, nearly so, or turned in any way; flush faces, a small gap, or anything.
    const double angle = random.below(3) == 0 ? 0 : std::pow(10.0, random.uniform(-9, 0.5));
    Vec3d move{random.uniform(-1, 1) * sides_a.x, random.uniform(-1, 1) * sides_a.y,
               0.5 * (sides_a.z + sides_b.z)};
    if (random.below(3) != 0) move.z += std::pow(10.0, random.uniform(-12, 0));
    const Pose pose = Pose::from_axis_angle(
        {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}, angle, move);
    expect_brute_force(a, b, pose, random, "seed " + std::to_string(seed));
    if (HasFatalFailure()) return;
  }
}

/// With a witness nothing asks first whether models touch: they come closer, touch, go through each
/// other and part again.
TEST(DistanceProperty, AWitnessGoesThroughContact) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    detail::Random random(seed);
    const Model a(random.below(2) == 0 ? make_rock(2, seed) : make_box(4));
    const Model b(random.below(2) == 0 ? make_knot(60, 8) : make_box(3));
    for (const InstructionSet& set : detail::instruction_sets()) {
      const UseInstructionSet use(set);
      DistanceWitness witness;
      int touching = 0;
      for (int step = 0; step <= 40; ++step) {
        const Pose pose = Pose::from_axis_angle(
            {0, 1, static_cast<double>(seed)}, 0.01 * step * static_cast<double>(seed % 3),
            {-5 + 0.25 * step, 0.125 * static_cast<double>(seed % 5), 0.25});
        const DistanceResult expected = distance(a, b, pose);
        const DistanceResult found = distance(a, b, pose, witness);
        const std::string where =
            "seed " + std::to_string(seed) + ", " + set.name + ", step " + std::to_string(step);
        if (expected.distance != 0) {
          ASSERT_TRUE(same(found, expected)) << where;
          ASSERT_FALSE(within(a, b, pose, std::nextafter(expected.distance, 0.0))) << where;
          continue;
        }
        ++touching;
        ASSERT_EQ(found.distance, 0) << where;
        ASSERT_EQ(found.lower_bound, 0) << where;
        ASSERT_EQ(found.on_a, found.on_b) << where;
        ASSERT_EQ(distance(a, b, pose, *found.pair).distance, 0) << where;
        ASSERT_TRUE(within(a, b, pose, std::pow(10.0, random.uniform(-300, 1)))) << where;
      }
      ASSERT_GT(touching, 0) << "seed " << seed;
    }
  }
}

/// What a search left is where the next one begins: small moves, pauses and jumps, limits and
/// allowed errors in between, a copy that goes on from where the first one was, meshes with pairs
/// that are equally close.
TEST(DistanceProperty, AWitnessFollowsSmallMoves) {
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    detail::Random random(seed);
    const Model a(seed % 3 == 0 ? make_box(16) : make_rock(4, seed));
    const Model b(seed % 4 == 0 ? make_box(12) : make_knot(120, 12));
    DistanceWitness witness;
    DistanceWitness copy;
    const auto change = [&](double size) {
      return Vec3d{random.uniform(-size, size), random.uniform(-size, size),
                   random.uniform(-size, size)};
    };
    double angle = 0;
    Vec3d place{4 + random.uniform(-1, 1), 0, 0};
    const double step = std::pow(10.0, random.uniform(-6, -1.5));
    std::size_t sets = 0;
    for (int k = 0; k < 120; ++k) {
      const auto size = random.below(30) == 0 ? 0.5 : random.below(10) == 0 ? 0 : step;
      angle += random.uniform(-size, size);
      place += change(size);
      const Pose pose = Pose::from_axis_angle({1, 2, static_cast<double>(seed)}, angle, place);
      const auto& all = detail::instruction_sets();
      const UseInstructionSet use(all[sets++ % all.size()]);
      const std::string where = "seed " + std::to_string(seed) + ", step " + std::to_string(k);
      const DistanceResult expected = distance(a, b, pose);
      const auto expect_same = [&](DistanceWitness& known) {
        const DistanceResult found = distance(a, b, pose, known);
        ASSERT_EQ(found.distance, expected.distance) << where;
        ASSERT_TRUE(expected.distance == 0 || same(found, expected)) << where;
      };
      if (random.below(12) == 0) copy = witness;
      if (random.below(8) == 0) {
        const double limit = expected.distance * random.uniform(0.8, 1.2);
        const DistanceResult limited = distance(a, b, pose, witness, {.limit = limit});
        ASSERT_EQ(limited.distance, expected.distance < limit ? expected.distance : k_infinity)
            << where;
      }
      if (random.below(8) == 0) {
        const DistanceResult rough = distance(a, b, pose, witness, {.relative_error = 0.1});
        ASSERT_GE(rough.distance, expected.distance) << where;
        ASSERT_LE(rough.lower_bound, expected.distance) << where;
        ASSERT_LE(rough.distance, expected.distance * 1.1 + 1e-9) << where;
      }
      expect_same(witness);
      if (random.below(3) == 0) expect_same(copy);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(DistanceProperty, AWitnessSavesMostVisits) {
  const Model rock(make_shape("rock", 20'000));
  Statistics plain;
  Statistics known;
  DistanceWitness witness;
  for (int k = 0; k < 200; ++k) {
    const Pose pose = Pose::from_axis_angle({0, 0, 1}, 0.001 * k, {2.2, 0.2, 0.1});
    const DistanceResult expected = distance(rock, rock, pose, {.statistics = true});
    const DistanceResult found = distance(rock, rock, pose, witness, {.statistics = true});
    ASSERT_TRUE(same(found, expected)) << k;
    plain += expected.statistics;
    known += found.statistics;
  }
  EXPECT_LT(2 * known.iterations, plain.iterations);
  EXPECT_LT(known.triangle_tests, plain.triangle_tests);
}

/// The allowed error is kept, and 0 still means touching: boxes that are flush, nearly so, or on
/// each other's edges.
TEST(DistanceProperty, OfAPairWithAnAllowedError) {
  const Model box(make_box(1));
  int touching = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    detail::Random random(seed);
    const double gap = random.below(4) == 0 ? 0 : std::pow(10.0, random.uniform(-17, 0));
    const double turn = random.below(2) == 0 ? 0 : std::pow(10.0, random.uniform(-17, 0));
    const Pose pose =
        Pose::from_axis_angle({random.uniform(-1, 1), random.uniform(-1, 1), 1}, turn,
                              {random.uniform(-2, 2), random.uniform(-2, 2), 2 + gap});
    const double error = std::pow(10.0, random.uniform(-14, 2));
    for (std::uint32_t i = 0; i < 12; ++i) {
      for (std::uint32_t j = 0; j < 12; ++j) {
        const double best = distance(box, box, pose, TrianglePair{i, j}).distance;
        const double found = distance(box, box, pose, TrianglePair{i, j}, error).distance;
        ASSERT_EQ(found == 0, best == 0) << "seed " << seed << ", " << i << " and " << j;
        ASSERT_LE(std::fabs(found - best), (error + 2e-12) * best)
            << "seed " << seed << ", " << i << " and " << j;
        touching += best == 0 ? 1 : 0;
      }
    }
  }
  ASSERT_GT(touching, 300);
  EXPECT_THROW(distance(box, box, Pose{}, TrianglePair{0, 0}, -1e-6), Error);
  EXPECT_THROW(distance(box, box, Pose{}, TrianglePair{0, 0}, std::nan("")), Error);
}

/// What a search takes from its lists: all sizes around those of vectors, bounds of every kind.
TEST(DistanceProperty, TheNearestPairsOfAList) {
  for (const InstructionSet& set : detail::instruction_sets()) {
    const UseInstructionSet use(set);
    const detail::WideKernels& kernels = detail::wide_kernels();
    for (std::uint64_t seed = 1; seed <= 600; ++seed) {
      detail::Random random(seed);
      const std::size_t size = seed <= 256 ? seed : random.below(257);
      const std::size_t most = 1 + random.below(16);
      constexpr std::size_t k_room = detail::NearList::k_room + detail::k_list_slack;
      std::vector<std::uint32_t> a(k_room);
      std::vector<std::uint32_t> b(k_room);
      std::vector<float> bound(k_room, 0);  // what is behind the list counts for nothing
      for (std::size_t i = 0; i < size; ++i) {
        a[i] = static_cast<std::uint32_t>(i);
        b[i] = static_cast<std::uint32_t>(7 * i + 1);
        const double sizes[] = {0, std::numeric_limits<float>::lowest(), random.uniform(-1, 1),
                                std::pow(10.0, random.uniform(-30, 30)), k_infinity};
        bound[i] = static_cast<float>(sizes[random.below(5)]);
      }
      const auto limit = static_cast<float>(random.below(3) == 0 ? std::numeric_limits<float>::max()
                                                                 : random.uniform(-0.1, 1));
      const std::vector<float> bounds = bound;
      std::vector<float> near;
      for (std::size_t i = 0; i < size; ++i) {
        if (bounds[i] <= limit) near.push_back(bounds[i]);
      }
      std::sort(near.begin(), near.end());

      // Again and again, until nothing is left: each pair once, closer ones first.
      detail::NearList list{{a.data(), b.data()}, bound.data(), size};
      std::vector<bool> was_taken(size);
      std::size_t before = 0;
      const std::string where = std::string(set.name) + ", seed " + std::to_string(seed);
      for (;;) {
        std::vector<std::uint32_t> taken_a(16 + detail::k_list_slack);
        std::vector<std::uint32_t> taken_b(16 + detail::k_list_slack);
        const std::size_t count =
            kernels.take_nearest(list, limit, {taken_a.data(), taken_b.data()}, most);
        ASSERT_EQ(count, std::min(most, near.size() - before)) << where;
        if (count == 0) break;
        for (std::size_t i = 0; i < count; ++i) {
          ASSERT_LT(taken_a[i], size) << where;
          ASSERT_EQ(taken_b[i], 7 * taken_a[i] + 1) << where;
          ASSERT_FALSE(was_taken[taken_a[i]]) << where;
          was_taken[taken_a[i]] = true;
          // None is farther than those that had to come next, but for the last bits of its bound.
          const float worst = near[before + count - 1];
          ASSERT_LE(bounds[taken_a[i]], worst + std::fabs(worst) * 0x1p-13F) << where;
        }
        before += count;
      }
    }
  }
}

Mesh scaled(const Mesh& mesh, double factor, const Vec3d& move) {
  std::vector<Vec3f> vertices;
  for (const Vec3f& v : mesh.vertices()) vertices.push_back(Vec3f(factor * Vec3d(v) + move));
  return {std::move(vertices), {mesh.triangles().begin(), mesh.triangles().end()}};
}

/// Sizes that float32 does not hold together, strays, subnormal coordinates, poses far away.
TEST(DistanceProperty, TheEndsOfTheRange) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    detail::Random random(seed);
    const double size_a = std::pow(10.0, random.uniform(-38, 30));
    const double size_b = random.below(2) == 0 ? size_a : std::pow(10.0, random.uniform(-38, 30));
    const Vec3d stray{size_a * 1e6, 0, 0};
    const Mesh rock = scaled(make_rock(1, seed), size_a, {0, 0, 0});
    Mesh a = rock;
    if (random.below(3) == 0) {
      std::vector<Vec3f> vertices(rock.vertices().begin(), rock.vertices().end());
      std::vector<TriangleIndices> triangles(rock.triangles().begin(), rock.triangles().end());
      const auto first = static_cast<std::uint32_t>(vertices.size());
      for (int k = 0; k < 3; ++k) vertices.push_back(Vec3f(stray + Vec3d(vertices[k])));
      triangles.push_back({first, first + 1, first + 2});
      a = Mesh(std::move(vertices), std::move(triangles));
    }
    const Mesh b = scaled(make_knot(8, 3), size_b, {0, size_b * random.uniform(0, 10), 0});
    const double far = std::max(size_a, size_b) * std::pow(10.0, random.uniform(-3, 12));
    const Pose pose = Pose::from_axis_angle(
        {random.uniform(-1, 1), 1, 2}, random.uniform(0, 6),
        {random.uniform(-far, far), random.uniform(-far, far), random.uniform(-far, far)});
    expect_brute_force(a, b, pose, random, "seed " + std::to_string(seed));
    if (HasFatalFailure()) return;
  }
}

TEST(DistanceProperty, BatchesHaveTheSameBytesForAnyNumberOfThreads) {
  const std::vector<Model> models = {Model(make_knot(40, 6)), Model(make_torus(20, 8)),
                                     Model(make_icosphere(3)), Model(Mesh())};
  detail::Random random(4);
  std::vector<Pose> poses;
  std::vector<BatchQuery> queries;
  for (std::uint32_t i = 0; i < 400; ++i) {
    poses.push_back(Pose::from_axis_angle({1, random.uniform(-1, 1), 2}, random.uniform(0, 6),
                                          {random.uniform(-4, 4), random.uniform(-4, 4), 0}));
    queries.push_back({i % 4, i / 4 % 4, poses.back()});
  }
  const auto one = distance_batch(models[0], models[1], poses);
  const auto many = distance_batch(models, queries);
  const BatchBits bits = within_batch(models[0], models[1], poses, 0.3);
  const BatchBits many_bits = within_batch(models, queries, 0.3);
  for (std::size_t i = 0; i < poses.size(); ++i) {
    ASSERT_TRUE(same(one[i], distance(models[0], models[1], poses[i]))) << i;
    ASSERT_EQ(bits[i], one[i].distance <= 0.3) << i;
    ASSERT_EQ(many_bits[i], many[i].distance <= 0.3) << i;
  }
  for (const int threads : {2, 3, 0}) {
    const auto again = distance_batch(models[0], models[1], poses, {.threads = threads});
    const auto many_again = distance_batch(models, queries, {.threads = threads});
    for (std::size_t i = 0; i < poses.size(); ++i) {
      ASSERT_TRUE(same(one[i], again[i])) << i << ", threads " << threads;
      ASSERT_TRUE(same(many[i], many_again[i])) << i << ", threads " << threads;
    }
    EXPECT_EQ(within_batch(models[0], models[1], poses, 0.3, {.threads = threads}), bits);
    EXPECT_EQ(within_batch(models, queries, 0.3, {.threads = threads}), many_bits);
  }
}

TEST(DistanceProperty, PairsWithinADistanceOnSeveralThreads) {
  const Model knot(make_knot(400, 20));
  const Pose pose = Pose::from_axis_angle({1, 2, 3}, 0.5, {0.9, 0.4, 0.2});
  const auto pairs = collide_within(knot, knot, pose, 0.05).pairs;
  ASSERT_GT(pairs.size(), 10'000U);
  EXPECT_EQ(collide_within(knot, knot, pose, 0.05, {.threads = 3}).pairs, pairs);
  EXPECT_EQ(count_within(knot, knot, pose, 0.05, {.threads = 3}).count, pairs.size());
}

}  // namespace
}  // namespace tandem::test
