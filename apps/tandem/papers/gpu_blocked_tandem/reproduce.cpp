// tandem reproduce gpu-blocked-tandem: simulates, and prints figures 6 to 8.
#include "measure/findings.h"
#include "options/mesh_source.h"
#include "papers/gpu_blocked_tandem/gpu_blocked_tandem.h"
#include "simulate/sim_scenes.h"
#include "text/progress_bar.h"

namespace tandem::cli::gpu_blocked_tandem {

namespace {

constexpr const char* k_introduction =
    R"(Rigid bodies in a stack, a pile and a rock slide, as tandem simulate has them. In each frame
all contenders find the touching triangles of the same pairs of bodies, one after the other; times
are means in ms per frame: wall time, copies to and from a device included, and for a device also by
its own events without copies. Bodies that are subdivided go on from the same state. obb, trees of
oriented boxes on one core, has the part of the paper's RAPID. The contact ratio, figure 6, is that
of touching pairs to all triangles.
)";

}  // namespace

void reproduce(const ReproduceOptions& options) {
  std::optional<Mesh> mesh;
  if (options.meshes) mesh = load_mesh(*options.meshes, options.reporting);
  options.report.say(k_introduction + missing_contenders(contenders(options.device)));
  std::vector<Measurement> measurements;
  for (const SimSceneInfo& scene : sim_scenes()) {
    for (const Setup& setup : setups(options.extent)) {
      if (setup.scene != scene.name) continue;
      ProgressBar bar(std::string(scene.name) + " of " + std::to_string(setup.objects),
                      options.reporting);
      for (Measurement& each :
           measure(setup, mesh ? &*mesh : nullptr, options.device, bar.callback())) {
        measurements.push_back(std::move(each));
      }
    }
    options.report.say("\nTimes in ms per frame\n" + times_table(scene.name, measurements) +
                       "Times as fast as obb\n" + speed_table(scene.name, measurements) +
                       "The rest of a frame, on all cores\n" +
                       frame_table(scene.name, measurements));
  }
  const std::vector<std::string> sentences = findings(measurements);
  options.report.say("\nWhat the paper found, and what holds here\n" + findings_text(sentences) +
                     "\n");
  options.report.plot([&](const WriteChart& write) { draw_charts(measurements, write); });
  write_paper_json(options, "gpu-blocked-tandem", rows_of(measurements, to_json), sentences);
}

}  // namespace tandem::cli::gpu_blocked_tandem
