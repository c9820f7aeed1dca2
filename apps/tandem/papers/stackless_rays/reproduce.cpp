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
CPU core instead of a GPU, measured on a part of the rays; the share of active threads has no
counterpart here. Of the paper's scenes only Sibenik is available: give its file with --meshes.
)";

}  // namespace

void reproduce(const ReproduceOptions& options) {
  options.report.say(k_introduction);
  std::vector<Measurement> measurements;
  for (const std::string& source : split_list(options.meshes.value_or(k_interior), "--meshes")) {
    const Scene scene = load_scene(source, {}, options.reporting);
    for (const int bounces : k_bounces) {
      measurements.push_back(
          measure(scene, bounces, options.quick() ? k_quick_size : k_size, options));
      const Measurement& measurement = measurements.back();
      options.report.say(
          "\n" + scene.name + ": " + counted(measurement.triangle_count, "triangle", "triangles") +
          ", " + grouped(measurement.reference().statistics.rays) + " rays, " +
          grouped(measurement.timed_rays) + " of them timed\n" + comparison_table(measurement));
    }
  }
  const std::vector<std::string> sentences = findings(measurements);
  options.report.say(std::string("\n") + reference_table(measurements) + "\n" +
                     findings_text(sentences));
  write_paper_json(options, "stackless-rays", rows_of(measurements, to_json), sentences);
}

}  // namespace tandem::cli::stackless_rays
