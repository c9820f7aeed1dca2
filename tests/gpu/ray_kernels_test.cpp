// The kernels that trace rays, run by the executor on the CPU, against brute force.
#include "gpu/rays/trace_rays.h"

#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <cmath>
#include <string>
#include <vector>

#include "gpu/cpu_grid.h"
#include "gpu/rays/count_rays.h"
#include "query/device_source.h"
#include "support/ray_cases.h"

namespace tandem::test {
namespace {

using detail::DeviceRays;
using detail::DoubtfulTriangles;
using detail::RaysToSettle;

/// What the kernels answer, and how many rays were left for exact arithmetic.
struct Answers {
  std::vector<Hit> hits;
  std::vector<std::uint8_t> any;
  std::uint32_t undecided_count = 0;
};

enum class Fill { once, again_at_1, again_at_24, again_at_32 };

/// What the kernels leave to each other: room for some doubtful triangles.
class LeftRays {
 public:
  LeftRays(std::size_t ray_count, std::uint32_t room)
      : doubtful_(room), to_settle_(ray_count), undecided_(ray_count) {}

  template <class Way>
  detail::RayTask<Way> task(const Way& way, const DeviceRays& batch) {
    return {way, batch,
            DoubtfulTriangles{doubtful_.data(), &counts_[0],
                              static_cast<std::uint32_t>(doubtful_.size())},
            RaysToSettle{to_settle_.data(), &counts_[1]},
            detail::UndecidedRays{undecided_.data(), &counts_[2]}};
  }
  std::uint32_t undecided_count() const { return counts_[2]; }

 private:
  std::vector<DoubtfulTriangles::Entry> doubtful_;
  std::vector<RaysToSettle::Entry> to_settle_;
  std::vector<std::uint32_t> undecided_;
  std::uint32_t counts_[3] = {};
};

template <class Way>
Answers trace(const Way& way, const std::vector<Ray>& rays, bool closest, Fill fill,
              std::uint32_t room, std::uint64_t seed) {
  // Neither answer of a ray.
  Answers answers{std::vector<Hit>(rays.size(), Hit{7, -1, -1, -1}),
                  std::vector<std::uint8_t>(rays.size(), 7), 0};
  const DeviceRays batch{rays.data(), closest ? answers.hits.data() : nullptr,
                         closest ? nullptr : answers.any.data(),
                         static_cast<std::uint32_t>(rays.size())};
  LeftRays left(rays.size(), room);
  const detail::RayTask<Way> task = left.task(way, batch);
  if (fill == Fill::once) {
    const auto blocks = static_cast<std::uint32_t>((rays.size() + 63) / 64);
    launch_on_cpu(detail::TraceRays<Way>{task}, {blocks, 64}, seed);
  } else {
    const std::uint32_t refill_at = fill == Fill::again_at_1    ? 1
                                    : fill == Fill::again_at_24 ? 24
                                                                : 32;
    std::uint32_t next = 0;
    launch_on_cpu(detail::TraceRaysRefilled<Way>{task, &next, refill_at}, {2, 64}, seed);
    launch_on_cpu(detail::SettleRays<Way>{task}, {1, 64}, seed);
  }
  launch_on_cpu(detail::TraceUndecidedRays<Way>{task}, {1, 64}, seed);
  answers.undecided_count = left.undecided_count();
  return answers;
}

/// The structures of a mesh that devices know, and the ways through them.
class Structures {
 public:
  explicit Structures(const Mesh& mesh) : model_(mesh) {
    for (std::uint32_t i = 0; i < mesh.triangle_count(); ++i) corners_.push_back(mesh.triangle(i));
  }

  static constexpr std::uint64_t k_way_count = 4 + detail::BinaryRayTraversals::k_size;

  Answers trace(std::uint64_t way, const std::vector<Ray>& rays, bool closest, Fill fill,
                std::uint32_t room, std::uint64_t seed) const {
    const auto by = [&](const auto& it) {
      return test::trace(it, rays, closest, fill, room, seed);
    };
    if (way == 0) return by(detail::PairStackWay{inside::ray_pairs(model_)});
    if (way == 1) return by(detail::PairRingWay<>{inside::ray_pairs(model_)});
    if (way == 2) return by(detail::WideWay{inside::ray_wide(model_), binary(), triangles()});
    // One that soon forgets, so that rays have to go up along parents.
    if (way == 3) {
      return by(detail::PairRingWay<detail::LinkRingOf<2>>{inside::ray_pairs(model_)});
    }
    return trace_binary(detail::BinaryRayTraversals(), way - 4, by);
  }

 private:
  template <class First, class... Others, class By>
  Answers trace_binary(detail::TypeList<First, Others...>, std::uint64_t position,
                       const By& by) const {
    if constexpr (sizeof...(Others) > 0) {
      if (position > 0) return trace_binary(detail::TypeList<Others...>(), position - 1, by);
    }
    return by(detail::BinaryWay<First>{binary(), triangles(),
                                       inside::ray_wide(model_).largest_coordinate});
  }

  detail::KeyedRayTreeView binary() const { return inside::ray_binary(model_); }
  detail::TriangleCorners triangles() const { return {corners_.data()}; }

  Model model_;
  std::vector<TriangleF> corners_;
};

Answers trace_any_way(const Structures& structures, const std::vector<Ray>& rays, bool closest,
                      std::uint64_t seed) {
  detail::Random random(seed);
  const Fill fill = static_cast<Fill>(random.below(4));
  // Sometimes there is little room for what floats do not decide.
  const auto room =
      static_cast<std::uint32_t>(random.below(3) == 0 ? random.below(4) : rays.size());
  return structures.trace(seed % Structures::k_way_count, rays, closest, fill, room, seed);
}

TEST(RayKernels, AnswerAsBruteForceDoesToTheBit) {
  std::uint64_t undecided_count = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    detail::Random random(seed);
    const double scale = std::pow(10.0, random.below(3) == 0 ? random.uniform(-30, 25) : 0);
    const Mesh mesh = transformed(random_ray_mesh(random), scale, {0, 0, 0});
    const Structures structures(mesh);
    RayCases cases(mesh, seed);
    std::vector<Ray> rays;
    for (std::size_t i = random.below(300); i > 0; --i) rays.push_back(cases.next());
    rays.push_back({{0, 0, 0}, {0, 0, 0}});
    std::vector<Hit> expected(rays.size());
    closest_hits(Model(mesh), rays, expected, {.engine = {.traversal = "brute-force"}});
    const Answers closest = trace_any_way(structures, rays, true, seed);
    const Answers any = trace_any_way(structures, rays, false, seed + 1'000);
    undecided_count += closest.undecided_count;
    for (std::size_t i = 0; i < rays.size(); ++i) {
      ASSERT_EQ(closest.hits[i], expected[i]) << "seed " << seed << ", ray " << i;
      ASSERT_EQ(any.any[i], expected[i] ? 1 : 0) << "seed " << seed << ", ray " << i;
    }
  }
  EXPECT_GT(undecided_count, 100u) << "the exact kernel has hardly been tried";
}

TEST(RayKernels, AnEmptyTreeIsNeverHit) {
  const Structures structures{Mesh()};
  const std::vector<Ray> rays(70, Ray{{0, 0, 0}, {1, 0, 0}});
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_EQ(trace_any_way(structures, rays, true, seed).hits, std::vector<Hit>(70));
    EXPECT_EQ(trace_any_way(structures, rays, false, seed).any, std::vector<std::uint8_t>(70, 0));
  }
}

TEST(RayKernels, FewRaysNeedExactArithmetic) {
  const Mesh mesh = make_shape("knot", 3'000);
  const Structures structures(mesh);
  RayCases cases(mesh, 5);
  std::vector<Ray> rays;
  for (int i = 0; i < 2'000; ++i) rays.push_back(cases.next(0));
  std::vector<Hit> expected(rays.size());
  closest_hits(Model(mesh), rays, expected);
  for (std::uint64_t way = 0; way < Structures::k_way_count; ++way) {
    const Answers answers = structures.trace(way, rays, true, Fill::again_at_24, 2'000, 1);
    EXPECT_EQ(answers.hits, expected);
    EXPECT_LE(answers.undecided_count, 2u);
  }
}

/// What the kernel that counts says of closest hits.
template <class Way>
detail::RayWork count_work(const Way& way, const std::vector<Ray>& rays) {
  std::vector<Hit> hits(rays.size());
  LeftRays left(rays.size(), static_cast<std::uint32_t>(rays.size()));
  const DeviceRays batch{rays.data(), hits.data(), nullptr,
                         static_cast<std::uint32_t>(rays.size())};
  detail::RayWork work;
  launch_on_cpu(detail::CountRays<Way>{left.task(way, batch), &work},
                {static_cast<std::uint32_t>((rays.size() + 63) / 64), 64}, 1);
  EXPECT_EQ(left.undecided_count(), 0u);
  return work;
}

TEST(RayKernels, CountWhatTraversalsDo) {
  const Mesh mesh = make_shape("knot", 3'000);
  const Model model(mesh);
  RayCases cases(mesh, 5);
  std::vector<Ray> rays;
  for (int i = 0; i < 500; ++i) rays.push_back(cases.next(0));
  const detail::RayWork with_stack =
      count_work(detail::PairStackWay{inside::ray_pairs(model)}, rays);
  const detail::RayWork with_ring =
      count_work(detail::PairRingWay<>{inside::ray_pairs(model)}, rays);
  EXPECT_EQ(with_stack.statistics.rays, rays.size());
  EXPECT_EQ(with_stack.statistics.box_tests, 2 * with_stack.statistics.node_visits);
  EXPECT_GT(with_stack.statistics.triangle_tests, with_stack.statistics.leaf_visits);
  EXPECT_EQ(with_ring.statistics, with_stack.statistics);
  // On the executor each thread is alone.
  EXPECT_EQ(with_stack.warp_visits, with_stack.statistics.node_visits);
  // The host's traversal tests in the same way.
  std::vector<Hit> hits(rays.size());
  const RayStatistics on_host = closest_hits(
      model, rays, hits,
      {.engine = {.structure = "ray-pairs", .traversal = "pairs"}, .statistics = true});
  EXPECT_NEAR(static_cast<double>(with_stack.statistics.node_visits),
              static_cast<double>(on_host.node_visits),
              0.01 * static_cast<double>(on_host.node_visits));
}

}  // namespace
}  // namespace tandem::test
