// What the wide traversal's kernels cost: cycles per pair of blocks, per pair of leaves and per
// pair of triangles, for every instruction set that this machine has.
//
//   bench_wide [MESH...]     default: a knot
#include <tandem/tandem.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <numbers>
#include <string>
#include <vector>

#include "build/wide/builders.h"
#include "build/wide/refit.h"
#include "engine/leaf_pair.h"
#include "support/normalised.h"
#include "traverse/observer.h"
#include "traverse/wide/instruction_sets.h"
#include "traverse/wide/kernels.h"
#include "traverse/wide/traversal.h"

namespace tandem {
namespace {

using detail::WideKernels;

double now_ns() {
  return std::chrono::duration<double, std::nano>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Cycles per nanosecond: additions that wait for each other take one cycle each.
double clock_rate() {
  double best = 1e30;
  for (int round = 0; round < 200; ++round) {
    std::uint64_t x = static_cast<std::uint64_t>(round);
    const double start = now_ns();
    for (int i = 0; i < 10'000; ++i) {
      x += 3;
      asm volatile("" : "+r"(x));  // NOLINT(hicpp-no-assembler): keeps each addition
    }
    best = std::min(best, now_ns() - start);
  }
  return 10'000 / best;
}

/// Time spent in a kernel, and how many pairs it took.
struct Meter {
  double ns = 0;
  std::uint64_t pairs = 0;
};
struct Meters {
  Meter blocks;
  Meter leaves;
  Meter triangles;
};

// Kernels are plain functions, so the meters and the kernels that they measure are global.
const WideKernels* metered = nullptr;
Meters meters;

/// Adds the time of a kernel's call to its meter.
template <class Call>
auto timed(Meter& meter, const Call& call) {
  const double start = now_ns();
  const auto result = call();
  meter.ns += now_ns() - start;
  return result;
}

std::size_t descend(const detail::WideFrame& frame, const detail::NodeBlock* a,
                    const detail::NodeBlock* b, detail::PairList in, std::size_t count,
                    detail::Outlets<1>& out) {
  const std::size_t taken = timed(
      meters.blocks, [&] { return metered->descend_in_one.both(frame, a, b, in, count, out); });
  meters.blocks.pairs += taken;
  return taken;
}
detail::KernelResult boxes(const detail::WideFrame& frame, const detail::BoxBlock* a,
                           const detail::CornerRow* rows_a, const detail::CornerRow* rows_b,
                           detail::PairList in, std::size_t count, detail::PairList out,
                           std::size_t room) {
  const auto result = timed(meters.leaves, [&] {
    return metered->compact_leaves.boxes(frame, a, rows_a, rows_b, in, count, out, room);
  });
  meters.leaves.pairs += result.taken;
  return result;
}
detail::FilterResult triangles(const detail::WideFrame& frame, const detail::CornerRow* a,
                               const detail::CornerRow* b, detail::PairList in, std::size_t count,
                               detail::PairList touching, detail::PairList unsure) {
  meters.triangles.pairs += count;
  return timed(meters.triangles, [&] {
    return metered->compact_leaves.triangles(frame, a, b, in, count, touching, unsure);
  });
}

/// The shortest of several runs, kernel by kernel: other programs can only make them longer.
struct Cost {
  Meters least;
  double total_ns = 1e30;
  std::uint64_t pair_count = 0;
};

Cost cost_of(const Mesh& mesh, const detail::WideTreeView& tree, const Pose& pose) {
  metered = &detail::wide_kernels();
  WideKernels with_meters = *metered;
  with_meters.descend_in_one.both = descend;
  with_meters.compact_leaves.boxes = boxes;
  with_meters.compact_leaves.triangles = triangles;
  Cost cost;
  for (int round = 0; round < 12; ++round) {
    meters = {};
    cost.pair_count = 0;
    const auto sink = [&](TrianglePair) {
      ++cost.pair_count;
      return Flow::go_on;
    };
    detail::NullObserver observer;
    detail::LeafPair leaf_pair({mesh, mesh, pose}, sink, observer);
    const double start = now_ns();
    detail::traverse_wide(with_meters, tree, tree, pose, detail::WideQuery::all_pairs, leaf_pair,
                          observer);
    cost.total_ns = std::min(cost.total_ns, now_ns() - start);
    const auto keep = [round](Meter& least, const Meter& meter) {
      if (round == 0 || meter.ns < least.ns) least = meter;
    };
    keep(cost.least.blocks, meters.blocks);
    keep(cost.least.leaves, meters.leaves);
    keep(cost.least.triangles, meters.triangles);
  }
  return cost;
}

constexpr int k_steps = 20;

/// The tumble protocol at distance 1.
Pose pose_at(int step) {
  const double theta = 2 * std::numbers::pi * (step + 0.5) / k_steps;
  return Pose::from_axis_angle({0, 0, 1}, theta, {1, 0, 0}) *
         Pose::from_axis_angle({1, 0, 0}, theta);
}

void report(const std::string& name, const Mesh& mesh, double rate) {
  const detail::WideTree tree = detail::WideBest::build(mesh);
  std::printf("\n%s, %zu triangles, all pairs at distance 1: means per query, cycles per pair\n",
              name.c_str(), mesh.triangle_count());
  std::printf("  %-8s %9s  %8s %7s  %8s %7s  %9s %7s  %9s\n", "set", "time, µs", "blocks", "cycles",
              "leaves", "cycles", "triangles", "cycles", "touching");
  for (const detail::InstructionSet& set : detail::instruction_sets()) {
    const detail::UseInstructionSet use(set);
    Meters sum;
    double total_ns = 0;
    std::uint64_t pair_count = 0;
    for (int i = 0; i < k_steps; ++i) {
      const Cost cost = cost_of(mesh, tree.view(), pose_at(i));
      const auto add = [](Meter& to, const Meter& meter) {
        to.ns += meter.ns;
        to.pairs += meter.pairs;
      };
      add(sum.blocks, cost.least.blocks);
      add(sum.leaves, cost.least.leaves);
      add(sum.triangles, cost.least.triangles);
      total_ns += cost.total_ns;
      pair_count += cost.pair_count;
    }
    const auto mean = [](const Meter& meter) { return static_cast<double>(meter.pairs) / k_steps; };
    const auto cycles = [rate](const Meter& meter) {
      return meter.ns * rate / static_cast<double>(std::max<std::uint64_t>(1, meter.pairs));
    };
    std::printf("  %-8s %9.1f  %8.0f %7.1f  %8.0f %7.1f  %9.0f %7.1f  %9.0f\n", set.name,
                total_ns / 1e3 / k_steps, mean(sum.blocks), cycles(sum.blocks), mean(sum.leaves),
                cycles(sum.leaves), mean(sum.triangles), cycles(sum.triangles),
                static_cast<double>(pair_count) / k_steps);
  }
}

void report_builders(const Mesh& mesh) {
  for (const Builder builder : Builder::all()) {
    if (!builds(builder, "wide")) continue;
    const auto build =
        builder == Builder("fast") ? detail::WideFast::build : detail::WideBest::build;
    double best = 1e30;
    detail::WideTree tree;
    for (int round = 0; round < 10; ++round) {
      const std::clock_t start = std::clock();  // processor time: a build is long enough
      tree = build(mesh, 1, nullptr);
      best = std::min(best, 1e9 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    double query_ns = 0;
    for (int i = 0; i < k_steps; ++i) {
      query_ns += cost_of(mesh, tree.view(), pose_at(i)).total_ns;
    }
    const auto count = static_cast<double>(mesh.triangle_count());
    std::printf(
        "  %-5s builds in %.1f ms: %.1f million triangles per second, %.1f bytes each; queries "
        "take "
        "%.1f µs\n",
        std::string(builder.name()).c_str(), best / 1e6, 1e3 * count / best,
        static_cast<double>(tree.bytes()) / count, query_ns / 1e3 / k_steps);
  }
}

/// A wave through the mesh.
Mesh deformed(const Mesh& mesh, float height) {
  std::vector<Vec3f> vertices(mesh.vertices().begin(), mesh.vertices().end());
  for (Vec3f& v : vertices) v.x += height * std::sin(4 * v.y);
  return mesh.with_vertices(std::move(vertices));
}

void report_refit(const Mesh& mesh) {
  const detail::WideTree tree = detail::WideBest::build(mesh);
  const auto query_ns = [](const Mesh& of, const detail::WideTree& searched) {
    double sum = 0;
    for (int i = 0; i < k_steps; ++i) sum += cost_of(of, searched.view(), pose_at(i)).total_ns;
    return sum;
  };
  for (const float height : {0.01F, 0.3F}) {
    const Mesh now = deformed(mesh, height);
    double best = 1e30;
    detail::WideTree fitted;
    for (int round = 0; round < 10; ++round) {
      const std::clock_t start = std::clock();
      fitted = detail::refit_wide(tree, now);
      best = std::min(best, 1e9 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    const double fresh_ns = query_ns(now, detail::WideBest::build(now));
    std::printf(
        "  a wave of %.2f is fitted in %.1f ms: %.1f million triangles per second; queries take "
        "%.2f times as long as in a fresh tree\n",
        static_cast<double>(height), best / 1e6,
        1e3 * static_cast<double>(mesh.triangle_count()) / best, query_ns(now, fitted) / fresh_ns);
  }
}

}  // namespace
}  // namespace tandem

int main(int argc, char** argv) {
  using namespace tandem;
  try {
    const double rate = clock_rate();
    std::printf("The wide traversal, at %.2f cycles per nanosecond\n", rate);
    std::vector<std::string> names(argv + 1, argv + argc);
    if (names.empty()) names.emplace_back("shape:knot");
    for (const std::string& name : names) {
      const Mesh mesh =
          test::normalised(name == "shape:knot" ? make_shape("knot", 80'000) : read_mesh(name));
      report(name, mesh, rate);
      report_builders(mesh);
      report_refit(mesh);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_wide: %s\n", error.what());
    return 2;
  }
  return 0;
}
