// tandem bench gpu: what is asked for, and the measurement itself.
#pragma once

#include <tandem/model.h>

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "devices/device_queries.h"
#include "options/shared_options.h"
#include "text/json.h"

namespace tandem::cli {

struct GpuBenchOptions {
  std::string scenes = "pile";
  std::string objects = "1000";
  std::string mesh;
  std::string triangles;
  std::string methods = "all";
  std::string beside = "tandem,threads";
  std::string sample = "200";
  std::string rounds = "31";
  std::string memory_limit;
  bool steps = false;
  bool unique = false;
  MeasurementOptions measurement;
};

/// The median of what `seconds` returns.
double median_of(int rounds, const std::function<double()>& seconds);

/// What was measured of a scene, as text and as rows.
struct GpuMeasurement {
  std::string text;
  std::vector<Json> rows = {};
};

/// How long some poses took.
struct PoseRow {
  std::string name;
  double seconds = 0;
  std::size_t poses = 0;
};

/// Adds a table of poses per second to the text, and a row for each to the rows: what all rows
/// have in common first. `pose_count` is how many a row has that was measured on all.
void add_pose_rows(std::span<const PoseRow> rows, std::size_t pose_count, const Json& common,
                   GpuMeasurement& to);

/// Two bodies in so many poses: all pairs, how many, and whether there are any. Throws
/// `tandem::Error`.
GpuMeasurement measure_poses(const GpuBenchOptions& options, const Model& body, int pose_count,
                             std::span<const DeviceMethod> methods);

/// Two bodies in so many poses in which they are apart: how far, and whether they come as close as
/// a distance. Throws `tandem::Error`.
GpuMeasurement measure_distances(const GpuBenchOptions& options, const Model& body, int pose_count,
                                 std::span<const DeviceMethod> methods);

/// There is a device. Defined where the build has CUDA. Throws `tandem::Error`.
int bench_on_cuda(const GpuBenchOptions& options);

}  // namespace tandem::cli
