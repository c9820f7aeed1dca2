// tandem bench gpu --scenes apart: how far apart two bodies are, in many poses.
#include <tandem/batch.h>
#include <tandem/distance.h>
#include <tandem/error.h>

#include <algorithm>
#include <cstring>
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

namespace tandem::cli {

namespace {

/// So many poses are answered by one core.
constexpr std::size_t k_on_one_core = 2'000;

bool same(const DistanceResult& x, const DistanceResult& y) {
  // Which of the touching pairs it is, is not promised.
  if (x.distance == 0 && y.distance == 0) return true;
  const double of_x[] = {x.distance, x.on_a.x, x.on_a.y,   x.on_a.z,   x.on_b.x,
                         x.on_b.y,   x.on_b.z, x.normal.x, x.normal.y, x.normal.z};
  const double of_y[] = {y.distance, y.on_a.x, y.on_a.y,   y.on_a.z,   y.on_b.x,
                         y.on_b.y,   y.on_b.z, y.normal.x, y.normal.y, y.normal.z};
  return x.pair == y.pair && std::memcmp(of_x, of_y, sizeof of_x) == 0;
}

class DistanceBench {
 public:
  DistanceBench(const GpuBenchOptions& options, const Model& body, int pose_count)
      : models_{body}, rounds_(whole_number_in(options.rounds, "--rounds", 1, 10'000)) {
    for (const Pose& pose : make_apart_poses(body, pose_count, 1)) queries_.push_back({0, 0, pose});
    Stopwatch stopwatch;
    expected_ = distance_batch(models_, queries_, {.threads = 0});
    on_all_cores_.push_back({"tandem, all cores, distance", stopwatch.seconds(), queries_.size()});
    std::vector<double> distances;
    for (const DistanceResult& result : expected_) distances.push_back(result.distance);
    const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
    std::nth_element(distances.begin(), middle, distances.end());
    middle_ = *middle;
    stopwatch = {};
    close_ = within_batch(models_, queries_, middle_, {.threads = 0});
    on_all_cores_.push_back({"tandem, all cores, within", stopwatch.seconds(), queries_.size()});
  }

  void on_device(const DeviceMethod& method) {
    cuda::Collider collider(models_, method.options);
    const std::vector<DistanceResult> found = collider.distance(queries_);
    if (!std::equal(found.begin(), found.end(), expected_.begin(), expected_.end(), same) ||
        !(collider.within(queries_, middle_) == close_)) {
      throw Error("the method " + std::string(method.name) +
                  " found other distances on the device: this is a bug in Tandem");
    }
    CollideTimer timer(collider, queries_);
    const std::string name = std::string("cuda, ").append(method.name);
    const auto add = [&](const std::string& what, const auto& seconds) {
      // The second time launches are recorded.
      for (int i = 0; i < 2; ++i) seconds();
      rows_.push_back({name + what, median_of(rounds_, seconds), queries_.size()});
    };
    add(", distance", [&] { return timer.distance_s(); });
    add(", within", [&] { return timer.within_s(middle_); });
    text_of_methods_.append("  ").append(method.name).append(": ");
    text_of_methods_ += grouped(collider.query_bytes()) + " bytes for queries\n";
  }

  void on_all_cores() { rows_.insert(rows_.end(), on_all_cores_.begin(), on_all_cores_.end()); }
  void on_one_core() {
    const std::span<const BatchQuery> some =
        std::span(queries_).first(std::min(k_on_one_core, queries_.size()));
    const auto add = [&](const char* name, const auto& query) {
      rows_.push_back({name,
                       median_of(3,
                                 [&] {
                                   const Stopwatch stopwatch;
                                   query();
                                   return stopwatch.seconds();
                                 }),
                       some.size()});
    };
    add("tandem, one core, distance", [&] { distance_batch(models_, some); });
    add("tandem, one core, within", [&] { within_batch(models_, some, middle_); });
  }

  GpuMeasurement result() const {
    PairHash hash;
    std::vector<TrianglePair> pairs;
    for (const DistanceResult& result : expected_) {
      if (result.distance > 0 && result.pair) pairs.push_back(*result.pair);
    }
    hash.add(pairs);
    const std::size_t triangles = models_[0].mesh().triangle_count();
    GpuMeasurement result;
    result.text = "apart: two bodies with " + counted(triangles, "triangle", "triangles") + ", " +
                  counted(queries_.size(), "pose", "poses") + ", " + grouped(pairs.size()) +
                  " apart, in the middle by " + shortest(middle_) + "; hash of the closest pairs " +
                  hexadecimal(hash.value()) + "\n";
    add_pose_rows(rows_, queries_.size(),
                  {{"scene", "apart"},
                   {"triangles", triangles},
                   {"queries", queries_.size()},
                   {"hash", hexadecimal(hash.value())}},
                  result);
    result.text += text_of_methods_;
    return result;
  }

 private:
  std::vector<Model> models_;
  int rounds_;
  std::vector<BatchQuery> queries_;
  std::vector<DistanceResult> expected_;
  /// The distance of half of the poses is less.
  double middle_ = 0;
  BatchBits close_{0};
  std::vector<PoseRow> on_all_cores_;
  std::vector<PoseRow> rows_;
  std::string text_of_methods_;
};

}  // namespace

GpuMeasurement measure_distances(const GpuBenchOptions& options, const Model& body, int pose_count,
                                 std::span<const DeviceMethod> methods) {
  DistanceBench bench(options, body, pose_count);
  for (const DeviceMethod& method : methods) bench.on_device(method);
  if (!options.beside.empty()) {
    for (const std::string& name : split_list(options.beside, "--beside")) {
      if (name == "tandem") {
        bench.on_one_core();
      } else if (name == "threads") {
        bench.on_all_cores();
      } else {
        throw Error("--beside " + name + ": beside distances only tandem and threads are measured");
      }
    }
  }
  return bench.result();
}

}  // namespace tandem::cli
