// tandem reproduce stackless-rays: measures, and prints tables 1 and 2.
#include "measure/findings.h"
#include "options/comma_lists.h"
#include "papers/stackless_rays/stackless_rays.h"
#include "text/numbers.h"

namespace tandem::cli::stackless_rays {

namespace {

constexpr int k_bounces[] = {4, 8};
// Pixels along each side of the picture.
constexpr int k_size = 512;
constexpr int k_quick_size = 96;

constexpr const char* k_introduction =
    R"(Path tracing with a fixed number of bounces, one path through each pixel, one visibility ray
at each bounce. Counts are means per ray over all rays: N_IT triangles tested, N_TS nodes visited,
N_IB boxes tested, N_L leaves visited. Binary trees built by the surface area heuristic with one
triangle per leaf, so N_IT and N_L are the same; the paper's leaves have several. Times are of one
CPU core instead of a GPU, measured on a part of the rays (--device cuda measures on a GPU). Of the
paper's scenes only Sibenik is available: give its file with --meshes.
)";

constexpr const char* k_device_introduction =
    R"(Path tracing with a fixed number of bounces, one path through each pixel, one visibility ray
at each bounce. Counts are means per ray over all rays: N_IT triangles tested, N_TS nodes visited,
N_IB boxes tested, N_L leaves visited; kernels that count have counted them. Binary trees built by
the surface area heuristic with one triangle per leaf, and for pairs and pairs-stackless the tree
for devices, whose leaves have up to four. Times are medians by the device's own events, of all
rays. Active paths are what the paper calls active threads: rays that are traced, of those that
there were if no path left the scene. Active threads are those of a warp that visit a node together.
Registers, memory per thread and occupancy are what CUDA tells of the kernels. Of the paper's scenes
only Sibenik is available: give its file with --meshes.
)";

Measurement measure_on(Device device, const Scene& scene, int bounces, int size,
                       const ReproduceOptions& options) {
#ifdef TANDEM_HAS_CUDA
  if (device == Device::cuda) return measure_on_cuda(scene, bounces, size, options);
#endif
  static_cast<void>(device);
  return measure(scene, bounces, size, options);
}

}  // namespace

void reproduce(const ReproduceOptions& options) {
  const bool on_cuda = options.device == Device::cuda;
  options.report.say(on_cuda ? k_device_introduction : k_introduction);
  std::vector<Measurement> measurements;
  for (const std::string& source : split_list(options.meshes.value_or(k_interior), "--meshes")) {
    const Scene scene = load_scene(source, {}, options.reporting);
    for (const int bounces : k_bounces) {
      const int size = options.quick() ? k_quick_size : k_size;
      measurements.push_back(measure_on(options.device, scene, bounces, size, options));
      const Measurement& measurement = measurements.back();
      options.report.say("\n" + scene.name + ": " +
                         counted(measurement.triangle_count, "triangle", "triangles") + ", " +
                         grouped(measurement.reference().statistics.rays) + " rays, " +
                         grouped(measurement.timed_rays) + " of them timed, " +
                         fixed(100 * measurement.active_paths, 2) + " % of paths active\n" +
                         comparison_table(measurement));
    }
  }
  const std::vector<std::string> sentences =
      on_cuda ? device_findings(measurements) : findings(measurements);
  options.report.say(std::string("\n") + reference_table(measurements) + "\n" +
                     findings_text(sentences));
  write_paper_json(options, "stackless-rays", rows_of(measurements, to_json), sentences);
}

}  // namespace tandem::cli::stackless_rays
