// The reproduction of the stackless ray paper's tables 1 and 2: counters of a path tracer's rays.
#pragma once

#include <tandem/ray.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "devices/ray_timer.h"
#include "measure/findings.h"
#include "measure/timing.h"
#include "papers/paper.h"
#include "render/scene.h"

namespace tandem::cli::stackless_rays {

/// The rays of paths, which look for the closest hit, and those towards lights.
struct RaySet {
  std::vector<Ray> paths;
  std::vector<Ray> visibility;
  /// How many of the rays are there that the paths would have if none left the scene, of 1: what
  /// the paper calls the ratio of active threads.
  double active_paths = 0;

  std::size_t size() const { return paths.size() + visibility.size(); }
};
/// Of one path through each pixel of a square picture of `size` pixels along each side.
RaySet path_rays(const Scene& scene, int bounces, int size);

/// What all rays find; the same for every traversal.
struct Answers {
  std::vector<Hit> closest;
  std::vector<std::uint8_t> any;

  friend bool operator==(const Answers&, const Answers&) = default;
};
/// By the default traversal on all cores.
Answers expected_answers(const Model& model, const RaySet& rays);
/// Throws `tandem::Error` where a traversal found something else.
void check_answers(const Answers& found, const Answers& expected, RayTraversal traversal,
                   const Scene& scene);

/// A traversal on the rays of one scene and number of bounces.
struct Row {
  RayTraversal traversal;
  /// Of all rays.
  RayStatistics statistics;
  /// Of those that were timed.
  Timing timing;
  /// Where it was measured on a device.
  std::optional<DeviceCosts> device = {};

  /// The mean of a counter.
  double per_ray(std::uint64_t RayStatistics::*counter) const {
    return static_cast<double>(statistics.*counter) / static_cast<double>(statistics.rays);
  }
};

/// All traversals on the rays of one scene and number of bounces.
struct Measurement {
  std::string scene;
  std::size_t triangle_count;
  int bounces;
  /// Rays that were timed.
  std::size_t timed_rays;
  double active_paths;
  std::vector<Row> rows;

  /// What findings call it.
  std::string setup() const { return scene + " " + std::to_string(bounces); }
  const Row& row(RayTraversal traversal) const;
  /// The paper's reference: with a stack, and both children are tested at their parent.
  const Row& reference() const { return row("stack-distance"); }
  /// How many per cent more than the reference.
  double more(const Row& row, std::uint64_t RayStatistics::*counter) const;
  double more_rays_per_s(const Row& row) const;
  /// Millions of rays per second.
  double mrays_per_s(const Row& row) const;
};

/// On the paths through each pixel of a square picture of `size` pixels along each side. Throws
/// `tandem::Error` when traversals find different hits.
Measurement measure(const Scene& scene, int bounces, int size, const ReproduceOptions& options);
/// The same on a CUDA device, also through the tree that is made for devices; only where the build
/// has CUDA.
Measurement measure_on_cuda(const Scene& scene, int bounces, int size,
                            const ReproduceOptions& options);

/// Table 1: what the reference does.
std::string reference_table(std::span<const Measurement> measurements);
/// Table 2: the other traversals relative to the reference.
std::string comparison_table(const Measurement& measurement);

Json to_json(const Measurement& measurement, const Row& row);

/// What is found in the same way on the host and on a device: how the automaton and its compact
/// form compare with stacks.
class CompactFindings {
 public:
  void add(const Measurement& measurement);
  std::vector<std::string> sentences() const;

  /// Of the compact form: per cent more rays per second than the reference.
  Range speed;

 private:
  Tally same_tests_;
  Tally visits_as_paper_;
  Range more_visits_;
  Range fewer_boxes_;
};

/// Sentences about these measurements.
std::vector<std::string> findings(std::span<const Measurement> measurements);
/// Of a device: what held, and why.
std::vector<std::string> device_findings(std::span<const Measurement> measurements);

void reproduce(const ReproduceOptions& options);

}  // namespace tandem::cli::stackless_rays
