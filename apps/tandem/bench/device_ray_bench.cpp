// tandem bench rays --device cuda: traversals of rays on a CUDA device beside each other.
#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "bench/ray_bench.h"
#include "devices/ray_timer.h"
#include "measure/measurement_report.h"
#include "measure/pair_hash.h"
#include "measure/timing.h"
#include "options/command.h"
#include "options/named_choices.h"
#include "render/path_tracer.h"
#include "text/numbers.h"
#include "text/table.h"

namespace tandem::cli {

namespace {

constexpr const char* k_default_tracers =
    "pairs,pairs-refilled,pairs-stackless,pairs-stackless-refilled,compact,lanes";

struct DeviceTracer {
  std::string name;
  std::string structure;
  cuda::RayTracing how;
};

std::vector<DeviceTracer> all_tracers() {
  std::vector<DeviceTracer> tracers;
  for (const RayEngine& engine : ray_engines()) {
    const std::string structure = name_of(engine.structure);
    if (structure != "ray-pairs" && structure != "ray-binary" && structure != "ray-wide") continue;
    const std::string name = name_of(engine.traversal);
    tracers.push_back({name, structure, {engine.traversal, false}});
    tracers.push_back({name + "-refilled", structure, {engine.traversal, true}});
  }
  return tracers;
}

/// The pixels in squares of 8 by 8, row by row within each: the order in which renderers send them
/// to devices. The sides are multiples of 8.
std::vector<std::size_t> pixels_in_squares(std::size_t width, std::size_t height) {
  constexpr std::size_t k_side = 8;
  std::vector<std::size_t> pixels;
  pixels.reserve(width * height);
  for (std::size_t top = 0; top < height; top += k_side) {
    for (std::size_t left = 0; left < width; left += k_side) {
      for (std::size_t i = 0; i < k_side * k_side; ++i) {
        pixels.push_back((top + i / k_side) * width + left + i % k_side);
      }
    }
  }
  return pixels;
}

struct RaySet {
  const char* kind;
  std::vector<Ray> rays;
};

/// Diffuse rays from what paths through the pixels hit first, in the order of the pixels; at most
/// as many as there are pixels.
std::vector<Ray> diffuse_rays(const Scene& scene, int size, std::span<const std::size_t> order,
                              std::size_t samples) {
  const PathRays paths = record_paths(scene, size, size, 1, static_cast<int>(samples));
  std::vector<Hit> hits(paths.segments[0].size());
  closest_hits(scene.model, paths.segments[0], hits, {.threads = 0});
  // Where the ray that goes on from each hit is.
  std::vector<std::size_t> going_on(hits.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < hits.size(); ++i) going_on[i] = hits[i] ? count++ : count;
  std::vector<Ray> rays;
  for (const std::size_t pixel : order) {
    for (std::size_t i = pixel * samples; i < (pixel + 1) * samples; ++i) {
      if (hits[i] && rays.size() < order.size()) rays.push_back(paths.segments[1][going_on[i]]);
    }
  }
  return rays;
}

/// Primary rays, and diffuse ones that go on from what they hit. Where few of them hit anything,
/// several go on from each.
std::vector<RaySet> ray_sets(const Scene& scene, int size) {
  constexpr std::size_t k_most_samples = 8;
  const auto side = static_cast<std::size_t>(size);
  const std::vector<std::size_t> order = pixels_in_squares(side, side);
  const std::vector<Ray> through = record_paths(scene, size, size, 0).segments[0];
  std::vector<Ray> primary;
  for (const std::size_t pixel : order) primary.push_back(through[pixel]);
  std::vector<Hit> hits(primary.size());
  closest_hits(scene.model, primary, hits, {.threads = 0});
  const std::size_t hit_count = std::max<std::size_t>(1, hit_count_of(hits));
  const std::size_t samples = std::min(k_most_samples, (order.size() + hit_count - 1) / hit_count);
  std::vector<Ray> diffuse = diffuse_rays(scene, size, order, samples);
  return {{"primary", std::move(primary)}, {"diffuse", std::move(diffuse)}};
}

struct Row {
  std::string scene;
  std::string rays;
  DeviceTracer tracer;
  std::size_t ray_count = 0;
  std::size_t hits = 0;
  std::uint64_t hash = 0;
  Timing timing;

  double grays_per_s() const { return static_cast<double>(ray_count) / timing.median_s() / 1e9; }
};

std::vector<Row> measure(const Scene& scene, const RaySet& set,
                         const std::vector<DeviceTracer>& tracers,
                         const std::map<std::string, cuda::DeviceModel>& models, bool quick,
                         const Progress& progress) {
  std::vector<Hit> expected(set.rays.size());
  closest_hits(scene.model, set.rays, expected, {.threads = 0});
  RayTimer timer(set.rays);
  std::vector<Row> rows;
  for (const DeviceTracer& tracer : tracers) {
    timer.trace_s(models.at(tracer.structure), tracer.how);
    const std::vector<Hit> hits = timer.hits();
    if (hits != expected) {
      throw Error("the traversal " + tracer.name + " found other hits on the device, on " +
                  scene.name + ": this is a bug in Tandem");
    }
    rows.push_back({scene.name,
                    set.kind,
                    tracer,
                    set.rays.size(),
                    hit_count_of(hits),
                    hash_of(hits),
                    {.repetitions = 1, .rounds_s = {}}});
  }
  const int rounds = quick ? 3 : 31;
  for (int round = 0; round < rounds; ++round) {
    for (Row& row : rows) {
      row.timing.rounds_s.push_back(timer.trace_s(models.at(row.tracer.structure), row.tracer.how));
    }
    if (progress) progress(static_cast<double>(round + 1) / rounds);
  }
  return rows;
}

/// Of a ray on its way, as far as the library tells.
std::string state_text(const DeviceTracer& tracer) {
  const std::size_t bytes = state_bytes(tracer.how.traversal);
  return bytes > 0 ? std::to_string(bytes) + " bytes" : "";
}

std::string table_text(std::span<const Row> rows) {
  Table table;
  table.add_row({rows[0].rays + " rays: " + grouped(rows[0].ray_count), "Grays/s",
                 "relative to " + rows[0].tracer.name, "state", "hits", "hash"});
  for (const Row& row : rows) {
    table.add_row({row.tracer.name, ratio_text(row.grays_per_s()),
                   ratio_text(median_ratio(rows[0].timing, row.timing)), state_text(row.tracer),
                   grouped(row.hits), hexadecimal(row.hash)});
  }
  return table.text("  ");
}

}  // namespace

int bench_rays_on_cuda(const RayBenchOptions& options) {
  const std::vector<DeviceTracer> all = all_tracers();
  const std::vector<DeviceTracer> tracers =
      find_choices(std::span<const DeviceTracer>(all),
                   options.tracers.empty() ? k_default_tracers : options.tracers, "--tracers");
  check_measurement_files(options.measurement, options.scenes);
  const MeasurementReport report(options.measurement);
  const Reporting reporting = cli::reporting(options.measurement.quiet);
  const int size = options.quick ? 128 : 2048;
  Json object = json_head("protocol", "rays on a CUDA device");
  const cuda::DeviceInfo device = cuda::devices().front();
  object["device"] = device.name;
  object["rows"] = Json::array();
  report.say("On " + device.name + ", by its own events; hits as on the host, to the bit\n");
  for (const std::string& source : split_list(options.scenes, "--scenes")) {
    const Scene scene = load_scene(source, {.stage = false}, reporting);
    report.say("\n" + scene.name + ": " +
               counted(scene.model.mesh().triangle_count(), "triangle", "triangles") + "\n");
    std::map<std::string, cuda::DeviceModel> models;
    for (const DeviceTracer& tracer : tracers) {
      models.try_emplace(tracer.structure, scene.model, Structure(tracer.structure));
    }
    for (const RaySet& set : ray_sets(scene, size)) {
      if (set.rays.empty()) continue;
      ProgressBar bar("tracing", reporting);
      const std::vector<Row> rows =
          measure(scene, set, tracers, models, options.quick, bar.callback());
      report.say(table_text(rows));
      for (const Row& row : rows) {
        object["rows"].push_back({{"scene", row.scene},
                                  {"rays", row.rays},
                                  {"tracer", row.tracer.name},
                                  {"ray_count", row.ray_count},
                                  {"grays_per_s", row.grays_per_s()},
                                  {"state_bytes", state_bytes(row.tracer.how.traversal)},
                                  {"hits", row.hits},
                                  {"hash", hexadecimal(row.hash)}});
      }
    }
  }
  report.write([&] { return object; });
  return k_exit_ok;
}

}  // namespace tandem::cli
