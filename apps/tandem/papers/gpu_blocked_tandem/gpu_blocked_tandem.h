// The reproduction of the blocked tandem paper's figures 6 to 8: how long it takes to find the
// touching triangles of a stack, a pile and a rock slide, by several engines on the same frames.
#pragma once

#include <tandem/batch.h>
#include <tandem/mesh.h>
#include <tandem/model.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "measure/measurement_report.h"
#include "papers/paper.h"

namespace tandem::cli::gpu_blocked_tandem {

/// Who finds touching triangles.
struct Contender {
  std::string name;
  /// Tandem's own find the same pairs, to the byte; others may not.
  bool is_ours = true;
  std::function<BatchResult(std::span<const Model>, std::span<const BatchQuery>)> find;
  /// Of a device: the seconds without copies. Nothing for others.
  std::function<double(std::span<const Model>, std::span<const BatchQuery>)> device_s = {};
};

/// The default engine on one core, which the others are checked against.
inline constexpr std::string_view k_engine = "engine";
/// The part of the paper's RAPID: trees of oriented boxes on one core.
inline constexpr std::string_view k_obb = "obb";
inline constexpr std::string_view k_fcl = "fcl";
inline constexpr std::string_view k_cuda = "cuda";
inline constexpr std::string_view k_cuda_blocked = "cuda-blocked";

/// For the models of one simulation. The engine first.
std::vector<Contender> contenders(Device device);
/// Those of a CUDA device; only where the build has CUDA.
std::vector<Contender> contenders_on_cuda();
/// A sentence for each contender that is not there; empty where all are.
std::string missing_contenders(std::span<const Contender> contenders);

/// What a contender took and found in the frames of a setup.
struct Row {
  std::string contender;
  bool is_ours = true;
  /// Means per frame: wall time with all copies, and that of the device alone.
  double find_s = 0;
  std::optional<double> device_s = {};
  /// Of those that are not ours: pairs that they did not find, and pairs that share no point.
  std::uint64_t missed = 0;
  std::uint64_t extra = 0;
};

/// Frames of one scene.
struct Measurement {
  std::string scene;
  std::size_t objects = 0;
  /// Of one object.
  std::size_t triangles = 0;
  int frames = 0;
  /// Means per frame.
  double close_bodies = 0;
  double touching_pairs = 0;
  /// Touching pairs over triangles of all objects: figure 6.
  double contact_ratio = 0;
  double points = 0;
  /// What the simulation does after that, on all cores: contacts of all pairs within the margin,
  /// and the solver.
  double contact_s = 0;
  double solver_s = 0;
  /// Of all pairs of all frames.
  std::uint64_t hash = 0;
  std::vector<Row> rows = {};

  /// What findings call it.
  std::string setup() const;
  /// Null where the contender was not there.
  const Row* find(std::string_view contender) const;
};

struct Setup {
  std::string_view scene;
  int objects;
  /// Steps before the first frame that is measured.
  int steps_before;
  /// How often each triangle becomes four, at most: there is a measurement for each number.
  int most_subdivided;
  int frames;
};
std::vector<Setup> setups(Extent extent);

/// One measurement for each subdivision, all from the same state of the bodies. `mesh` is the body
/// of piles and rock slides instead of the usual one. Throws `tandem::Error` where ours find
/// different pairs.
std::vector<Measurement> measure(const Setup& setup, const Mesh* mesh, Device device,
                                 const Progress& progress);

/// Figure 6, and figure 7 as numbers: times per frame of each contender.
std::string times_table(std::string_view scene, std::span<const Measurement> measurements);
/// Speeds relative to trees of oriented boxes on one core.
std::string speed_table(std::string_view scene, std::span<const Measurement> measurements);
/// What a frame takes beside finding pairs.
std::string frame_table(std::string_view scene, std::span<const Measurement> measurements);
Json to_json(const Measurement& measurement, const Row& row);

/// Figure 8: times over the number of objects and over their triangles.
void draw_charts(std::span<const Measurement> measurements, const WriteChart& write);

/// Sentences about these measurements.
std::vector<std::string> findings(std::span<const Measurement> measurements);

void reproduce(const ReproduceOptions& options);

}  // namespace tandem::cli::gpu_blocked_tandem
