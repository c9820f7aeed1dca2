// Queries between models on a CUDA device: the pairs of the host, to the byte, by every method.
//
//   test_cuda_collide [MESH...]   also mesh files, each against each
#include <tandem/cuda/collide.h>
#include <tandem/tandem.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "math/random.h"
#include "run_on_device.h"
#include "support/collide_cases.h"
#include "support/normalised.h"

namespace {

using tandem::BatchQuery;
using tandem::BatchResult;
using tandem::Mesh;
using tandem::Model;
using tandem::Pose;
using tandem::Vec3d;
using tandem::cuda::BlockedBuilder;
using tandem::cuda::BlockedFlags;
using tandem::cuda::BlockedVolume;
using tandem::cuda::CollideMethod;
using tandem::cuda::Collider;
using tandem::cuda::ColliderOptions;
using tandem::cuda::CollideStep;
using tandem::cuda::StacklessOrder;

struct Way {
  std::string name;
  ColliderOptions options;
};

/// Every method, and every variant of those that have some.
std::vector<Way> all_ways() {
  std::vector<Way> ways = {
      {"waves", {.method = CollideMethod::waves}},
      {"waves, in little memory", {.method = CollideMethod::waves, .memory_limit = 1 << 22}},
      {"warps", {.method = CollideMethod::warps}},
      {"warps, in little memory", {.method = CollideMethod::warps, .memory_limit = 1 << 16}}};
  for (const BlockedVolume volume : {BlockedVolume::aabb, BlockedVolume::obb}) {
    for (const BlockedFlags flags : {BlockedFlags::bits, BlockedFlags::bytes}) {
      for (const BlockedBuilder builder : {BlockedBuilder::full, BlockedBuilder::plain}) {
        ways.push_back({std::string("blocked, ") +
                            (volume == BlockedVolume::aabb ? "aabb, " : "obb, ") +
                            (flags == BlockedFlags::bits ? "bits, " : "bytes, ") +
                            (builder == BlockedBuilder::full ? "full" : "plain"),
                        {.method = CollideMethod::blocked,
                         .blocked = {.volume = volume, .flags = flags, .builder = builder}}});
      }
    }
  }
  ways.push_back({"blocked, in small parts",
                  {.method = CollideMethod::blocked, .blocked = {.most_at_once = 1000}}});
  constexpr std::pair<StacklessOrder, const char*> k_orders[] = {
      {StacklessOrder::larger_first, "stackless, larger first"},
      {StacklessOrder::alternating, "stackless, alternating"},
      {StacklessOrder::scheduled, "stackless, scheduled"}};
  for (const auto& [order, order_name] : k_orders) {
    const std::string name = order_name;
    ways.push_back({name, {.method = CollideMethod::stackless, .stackless = {.order = order}}});
    ways.push_back({name + ", one walk per query, in small steps",
                    {.method = CollideMethod::stackless,
                     .stackless = {.order = order, .least_walks = 1, .first_visits = 10}}});
  }
  return ways;
}

bool same_pairs(const std::string& name, const std::vector<Model>& models,
                const std::vector<BatchQuery>& queries, const std::vector<Way>& ways) {
  const BatchResult expected = tandem::collide_batch(models, queries, {.threads = 0});
  for (const Way& way : ways) {
    Collider collider(models, way.options);
    // Twice: the first time the memory grows while it runs.
    for (int i = 0; i < 2; ++i) {
      const BatchResult found = collider.collide(queries);
      if (found.offsets == expected.offsets && found.pairs == expected.pairs) continue;
      std::fprintf(stderr, "%s, %s: %zu pairs on the device, %zu on the host, or other ones\n",
                   name.c_str(), way.name.c_str(), found.pairs.size(), expected.pairs.size());
      return false;
    }
    const std::vector<std::uint64_t> counts = collider.count(queries);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      if (counts[i] == expected.count(i)) continue;
      std::fprintf(stderr, "%s, %s, query %zu: other counts\n", name.c_str(), way.name.c_str(), i);
      return false;
    }
    const tandem::BatchBits any = collider.intersects(queries);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      if (any[i] == (expected.count(i) != 0)) continue;
      std::fprintf(stderr, "%s, %s, query %zu: another answer\n", name.c_str(), way.name.c_str(),
                   i);
      return false;
    }
  }
  std::printf("%-28s %5zu models %6zu queries %9zu pairs, the same in %zu ways\n", name.c_str(),
              models.size(), queries.size(), expected.pairs.size(), ways.size());
  std::fflush(stdout);
  return true;
}

Pose random_pose(tandem::detail::Random& random, double reach) {
  const auto point = [&](double size) {
    return Vec3d{random.uniform(-size, size), random.uniform(-size, size),
                 random.uniform(-size, size)};
  };
  return Pose::from_axis_angle(point(1), random.uniform(-4, 4), point(reach));
}

/// Each model with each, itself included, in so many poses.
std::vector<BatchQuery> each_with_each(std::size_t model_count, int poses, std::uint64_t seed) {
  tandem::detail::Random random(seed);
  std::vector<BatchQuery> queries;
  for (std::uint32_t a = 0; a < model_count; ++a) {
    for (std::uint32_t b = a; b < model_count; ++b) {
      for (int i = 0; i < poses; ++i) queries.push_back({a, b, random_pose(random, 1.2)});
    }
  }
  return queries;
}

bool shapes(const std::vector<Way>& ways) {
  std::vector<Model> models;
  for (const char* const name : {"box", "knot", "rock", "torus", "soup", "pipes", "sheet"}) {
    for (const std::size_t count : {100, 3'000}) {
      models.emplace_back(tandem::test::normalised(tandem::make_shape(name, count)));
    }
  }
  models.emplace_back(tandem::make_soup(1, 1));
  models.emplace_back(Mesh());
  return same_pairs("shapes", models, each_with_each(models.size(), 20, 1), ways);
}

/// Touching, degenerate, far away, empty.
bool hard_cases(const std::vector<Way>& ways) {
  std::vector<Model> models;
  std::vector<BatchQuery> queries;
  const std::uint64_t count = std::getenv("TANDEM_EXHAUSTIVE") != nullptr ? 20'000 : 2'000;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const tandem::test::CollideCase c = tandem::test::CollideCases(seed).next();
    const auto first = static_cast<std::uint32_t>(models.size());
    models.emplace_back(c.a);
    models.emplace_back(c.b);
    queries.push_back({first, first + 1, c.b_in_a});
  }
  return same_pairs("hard cases", models, queries, ways);
}

bool files(int count, char** paths, const std::vector<Way>& ways) {
  std::vector<Model> models;
  for (int i = 0; i < count; ++i) {
    models.emplace_back(tandem::test::normalised(tandem::read_mesh(paths[i])));
  }
  if (models.empty()) {
    std::printf("no mesh files given\n");
    return true;
  }
  return same_pairs("files", models, each_with_each(models.size(), 20, 2), ways);
}

bool nothing(const std::vector<Way>& ways) {
  return same_pairs("no queries", {}, {}, ways);
}

/// Adds up steps that are alike.
template <class Key>
std::map<Key, CollideStep> added_up(const std::vector<CollideStep>& steps,
                                    Key (*key_of)(const CollideStep&)) {
  std::map<Key, CollideStep> sums;
  for (const CollideStep& step : steps) {
    CollideStep& sum = sums[key_of(step)];
    sum.seconds += step.seconds;
    sum.items += step.items;
    sum.bytes += step.bytes;
  }
  return sums;
}

void print(const CollideStep& sum) {
  std::printf("%9.1f us %12llu items %9.1f MB\n", 1e6 * sum.seconds,
              static_cast<unsigned long long>(sum.items), static_cast<double>(sum.bytes) / 1e6);
}

/// What each way that can be measured takes for many bodies, phase by phase, and the first of them
/// level by level.
void print_profile(const std::vector<Way>& ways) {
  const std::vector<Model> models = {Model(tandem::make_shape("rock", 24'000))};
  tandem::detail::Random random(5);
  std::vector<BatchQuery> queries;
  for (int i = 0; i < 1000; ++i) queries.push_back({0, 0, random_pose(random, 1.0)});
  bool is_first = true;
  for (const Way& way : ways) {
    Collider collider(models, way.options);
    collider.measure(queries);
    const std::vector<CollideStep> steps = collider.measure(queries);
    if (steps.empty()) continue;
    std::printf(
        "%s, 1,000 queries of rocks with 24,000 triangles: %.1f MB of models, %.1f MB for "
        "queries\n",
        way.name.c_str(), static_cast<double>(collider.model_bytes()) / 1e6,
        static_cast<double>(collider.query_bytes()) / 1e6);
    const auto phase_of = +[](const CollideStep& step) { return std::string(step.phase); };
    for (const auto& [phase, sum] : added_up(steps, phase_of)) {
      std::printf("  %-10s ", phase.c_str());
      print(sum);
    }
    if (!std::exchange(is_first, false)) continue;
    const auto level_of =
        +[](const CollideStep& step) { return std::pair(step.level, std::string(step.phase)); };
    for (const auto& [key, sum] : added_up(steps, level_of)) {
      std::printf("  level %2d, %-10s ", key.first, key.second.c_str());
      print(sum);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  return tandem::test::run_on_device([&] {
    const std::vector<Way> ways = all_ways();
    const bool same = nothing(ways) && shapes(ways) && hard_cases(ways) &&
                      files(argc - 1, argv + 1, {ways[0], ways[2], ways[4], ways[8]});
    if (same) print_profile(ways);
    return same;
  });
}
