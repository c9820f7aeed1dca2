// tandem bench gpu --scenes poses: two bodies, many poses.
#include <tandem/batch.h>
#include <tandem/error.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "bench/gpu/gpu_bench.h"
#include "devices/collide_timer.h"
#include "measure/body_scenes.h"
#include "measure/pair_hash.h"
#include "options/comma_lists.h"
#include "options/whole_numbers.h"
#include "text/numbers.h"
#include "text/stopwatch.h"
#include "text/table.h"

namespace tandem::cli {

namespace {

/// So many poses are compared pair by pair, and so many answered by one core.
constexpr std::size_t k_compared = 20'000;
constexpr std::size_t k_on_one_core = 2'000;

class PoseBench {
 public:
  PoseBench(const GpuBenchOptions& options, const Model& body, int pose_count)
      : models_{body}, rounds_(whole_number_in(options.rounds, "--rounds", 1, 10'000)) {
    for (const Pose& pose : make_close_poses(pose_count, 1)) queries_.push_back({0, 0, pose});
    // The host's answers to compare with are also its times.
    Stopwatch stopwatch;
    counts_ = count_batch(models_, queries_, {.threads = 0});
    on_all_cores_.push_back({"tandem, all cores, counted", stopwatch.seconds(), queries_.size()});
    stopwatch = {};
    touching_ = intersects_batch(models_, queries_, {.threads = 0});
    on_all_cores_.push_back(
        {"tandem, all cores, first pair", stopwatch.seconds(), queries_.size()});
    const std::span<const BatchQuery> some = first(k_compared);
    stopwatch = {};
    expected_ = collide_batch(models_, some, {.threads = 0});
    on_all_cores_.push_back({"tandem, all cores, all pairs", stopwatch.seconds(), some.size()});
  }

  void on_device(const DeviceMethod& method, bool steps) {
    cuda::Collider collider(models_, method.options);
    compare(collider, method);
    CollideTimer timer(collider, queries_);
    const std::string name = std::string("cuda, ").append(method.name);
    timer.find_s();
    add(name + ", all pairs", median_of(rounds_, [&] { return timer.find_s(); }));
    if (timer.pair_count() != pair_count()) differs(method);
    timer.count_s();
    add(name + ", counted", median_of(rounds_, [&] { return timer.count_s(); }));
    timer.intersects_s();
    add(name + ", first pair", median_of(rounds_, [&] { return timer.intersects_s(); }));
    text_of_methods_.append("  ").append(method.name).append(": ");
    text_of_methods_ += grouped(collider.query_bytes()) + " bytes for queries and their pairs\n";
    if (!steps) return;
    Table table;
    for (const cuda::CollideStep& step : collider.measure(queries_)) {
      table.add_row({step.phase, duration(step.seconds)});
    }
    text_of_methods_ += table.text("    ");
  }

  void on_all_cores() { rows_.insert(rows_.end(), on_all_cores_.begin(), on_all_cores_.end()); }
  void on_one_core() {
    const std::span<const BatchQuery> some = first(k_on_one_core);
    Stopwatch stopwatch;
    count_batch(models_, some);
    rows_.push_back({"tandem, one core, counted", stopwatch.seconds(), some.size()});
    stopwatch = {};
    intersects_batch(models_, some);
    rows_.push_back({"tandem, one core, first pair", stopwatch.seconds(), some.size()});
  }

  GpuMeasurement result() const {
    PairHash hash;
    hash.add(expected_.pairs);
    const double touching = static_cast<double>(touching_.count());
    GpuMeasurement result;
    result.text = "poses: two bodies with " +
                  counted(models_[0].mesh().triangle_count(), "triangle", "triangles") + ", " +
                  counted(queries_.size(), "pose", "poses") + ", " +
                  fixed(100 * touching / static_cast<double>(queries_.size()), 1) +
                  " % of them touching, " + counted(pair_count(), "pair", "pairs") +
                  "; hash of the pairs of " + grouped(expected_.query_count()) + ": " +
                  hexadecimal(hash.value()) + "\n";
    add_pose_rows(rows_, queries_.size(),
                  {{"scene", "poses"},
                   {"triangles", models_[0].mesh().triangle_count()},
                   {"queries", queries_.size()},
                   {"pairs", pair_count()},
                   {"hash", hexadecimal(hash.value())}},
                  result);
    result.text += text_of_methods_;
    return result;
  }

 private:
  std::span<const BatchQuery> first(std::size_t count) const {
    return std::span(queries_).first(std::min(count, queries_.size()));
  }
  std::uint64_t pair_count() const {
    return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
  }
  void add(const std::string& name, double seconds) {
    rows_.push_back({name, seconds, queries_.size()});
  }

  /// All counts, and the pairs of the first poses.
  void compare(cuda::Collider& collider, const DeviceMethod& method) const {
    const BatchResult found = collider.collide(first(k_compared));
    if (found.pairs != expected_.pairs || found.offsets != expected_.offsets ||
        collider.count(queries_) != counts_ || !(collider.intersects(queries_) == touching_)) {
      differs(method);
    }
  }
  [[noreturn]] static void differs(const DeviceMethod& method) {
    throw Error("the method " + std::string(method.name) +
                " found other pairs on the device, of two bodies in many poses: this is a bug in "
                "Tandem");
  }

  std::vector<Model> models_;
  int rounds_;
  std::vector<BatchQuery> queries_;
  std::vector<std::uint64_t> counts_;
  BatchBits touching_{0};
  /// Of the first poses.
  BatchResult expected_;
  std::vector<PoseRow> on_all_cores_;
  std::vector<PoseRow> rows_;
  std::string text_of_methods_;
};

}  // namespace

GpuMeasurement measure_poses(const GpuBenchOptions& options, const Model& body, int pose_count,
                             std::span<const DeviceMethod> methods) {
  PoseBench bench(options, body, pose_count);
  for (const DeviceMethod& method : methods) bench.on_device(method, options.steps);
  if (!options.beside.empty()) {
    for (const std::string& name : split_list(options.beside, "--beside")) {
      if (name == "tandem") {
        bench.on_one_core();
      } else if (name == "threads") {
        bench.on_all_cores();
      } else {
        throw Error("--beside " + name + ": beside poses only tandem and threads are measured");
      }
    }
  }
  return bench.result();
}

}  // namespace tandem::cli
