// The kernels that trace rays, run by the executor on the CPU, against brute force.
#include "gpu/trace_rays.h"

#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <cmath>
#include <string>
#include <vector>

#include "build/ray_pairs.h"
#include "gpu/cpu_grid.h"
#include "support/ray_cases.h"

namespace tandem::test {
namespace {

using detail::DeviceRays;
using detail::LinkRegisters;
using detail::LinkStack;
using detail::RayPairTree;
using detail::UndecidedRays;

/// What the kernels answer, and how many rays were left for exact arithmetic.
struct Answers {
  std::vector<Hit> hits;
  std::vector<std::uint8_t> any;
  std::uint32_t undecided_count = 0;
};

enum class Fill { once, again_at_1, again_at_24, again_at_32 };

template <class Memory>
Answers trace(const RayPairTree& tree, const std::vector<Ray>& rays, bool closest, Fill fill,
              std::uint64_t seed) {
  // Neither answer of a ray.
  Answers answers{std::vector<Hit>(rays.size(), Hit{7, -1, -1, -1}),
                  std::vector<std::uint8_t>(rays.size(), 7), 0};
  std::vector<std::uint32_t> left(rays.size());
  const DeviceRays batch{rays.data(), closest ? answers.hits.data() : nullptr,
                         closest ? nullptr : answers.any.data(),
                         static_cast<std::uint32_t>(rays.size())};
  const UndecidedRays undecided{left.data(), &answers.undecided_count};
  if (fill == Fill::once) {
    const auto blocks = static_cast<std::uint32_t>((rays.size() + 63) / 64);
    launch_on_cpu(detail::TraceRays<Memory>{tree.view(), batch, undecided}, {blocks, 64}, seed);
  } else {
    const std::uint32_t refill_at = fill == Fill::again_at_1    ? 1
                                    : fill == Fill::again_at_24 ? 24
                                                                : 32;
    std::uint32_t next = 0;
    launch_on_cpu(
        detail::TraceRaysRefilled<Memory>{tree.view(), batch, undecided, &next, refill_at}, {2, 64},
        seed);
  }
  launch_on_cpu(detail::TraceUndecidedRays{tree.view(), batch, undecided}, {1, 64}, seed);
  return answers;
}

Answers trace_any_way(const RayPairTree& tree, const std::vector<Ray>& rays, bool closest,
                      std::uint64_t seed) {
  detail::Random random(seed);
  const Fill fill = static_cast<Fill>(random.below(4));
  return random.below(2) == 0 ? trace<LinkStack>(tree, rays, closest, fill, seed)
                              : trace<LinkRegisters>(tree, rays, closest, fill, seed);
}

TEST(RayKernels, AnswerAsBruteForceDoesToTheBit) {
  std::uint64_t undecided_count = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    detail::Random random(seed);
    const double scale = std::pow(10.0, random.below(3) == 0 ? random.uniform(-30, 25) : 0);
    const Mesh mesh = transformed(random_ray_mesh(random), scale, {0, 0, 0});
    const RayPairTree tree = detail::build_ray_pairs(mesh, "best", 1);
    RayCases cases(mesh, seed);
    std::vector<Ray> rays;
    for (std::size_t i = random.below(300); i > 0; --i) rays.push_back(cases.next());
    rays.push_back({{0, 0, 0}, {0, 0, 0}});
    std::vector<Hit> expected(rays.size());
    closest_hits(Model(mesh), rays, expected, {.engine = {.traversal = "brute-force"}});
    const Answers closest = trace_any_way(tree, rays, true, seed);
    const Answers any = trace_any_way(tree, rays, false, seed + 1'000);
    undecided_count += closest.undecided_count;
    for (std::size_t i = 0; i < rays.size(); ++i) {
      ASSERT_EQ(closest.hits[i], expected[i]) << "seed " << seed << ", ray " << i;
      ASSERT_EQ(any.any[i], expected[i] ? 1 : 0) << "seed " << seed << ", ray " << i;
    }
  }
  EXPECT_GT(undecided_count, 100u) << "the exact kernel has hardly been tried";
}

TEST(RayKernels, AnEmptyTreeIsNeverHit) {
  const RayPairTree tree;
  const std::vector<Ray> rays(70, Ray{{0, 0, 0}, {1, 0, 0}});
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    EXPECT_EQ(trace_any_way(tree, rays, true, seed).hits, std::vector<Hit>(70));
    EXPECT_EQ(trace_any_way(tree, rays, false, seed).any, std::vector<std::uint8_t>(70, 0));
  }
}

TEST(RayKernels, FewRaysNeedExactArithmetic) {
  const Mesh mesh = make_shape("knot", 3'000);
  const RayPairTree tree = detail::build_ray_pairs(mesh, "best", 1);
  RayCases cases(mesh, 5);
  std::vector<Ray> rays;
  for (int i = 0; i < 2'000; ++i) rays.push_back(cases.next(0));
  const Answers answers = trace<LinkRegisters>(tree, rays, true, Fill::again_at_24, 1);
  std::vector<Hit> expected(rays.size());
  closest_hits(Model(mesh), rays, expected);
  EXPECT_EQ(answers.hits, expected);
  EXPECT_LE(answers.undecided_count, 2u);
}

}  // namespace
}  // namespace tandem::test
