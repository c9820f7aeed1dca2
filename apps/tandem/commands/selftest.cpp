// tandem selftest: does this machine compute what it should?
#include "commands/selftest.h"

#include <tandem/tandem.h>

#include <memory>

#include "commands/commands.h"
#include "devices/devices.h"
#include "options/shared_options.h"
#include "options/whole_numbers.h"
#include "support/ray_cases.h"
#include "text/numbers.h"
#include "text/output.h"
#include "text/stopwatch.h"
#include "text/table.h"

namespace tandem::cli {

namespace {

constexpr const char* k_examples = R"(
Random and hard cases from a seed, each answered in two ways, which must agree to the bit. On this
processor: the default engine and the traversal of rays that queries use, against brute force. On a
CUDA device: the exact triangle test, rays through trees that were copied, built and refitted there
by every traversal, and a picture, against this processor. It takes less than a minute.

Examples (each runs as it stands):
  tandem selftest
  tandem selftest --seed 7 || echo "something is wrong")";

struct SelftestOptions {
  std::string device = "cpu";
  std::string seed = "1";
  bool quiet = false;
};

constexpr int k_mesh_count = 3'000;

Mesh any_mesh(detail::Random& random) {
  const double scale = random.below(4) == 0 ? 1e-6 : 1;
  return test::transformed(test::random_ray_mesh(random), scale, {0.3, -0.1, 0.2});
}

std::string other_answers(const std::string& what, std::uint64_t seed, int mesh) {
  return what + " differ for seed " + std::to_string(seed) + ", mesh " + std::to_string(mesh) +
         ": this is a bug in Tandem, or this machine is broken";
}

std::uint64_t check_pairs(std::uint64_t seed, const Progress& progress) {
  detail::Random random(seed);
  std::uint64_t pair_count = 0;
  for (int i = 0; i < k_mesh_count; ++i) {
    const Model a(any_mesh(random));
    const Model b(any_mesh(random));
    const double angle = random.uniform(-4, 4);
    const double shift = random.uniform(-0.5, 0.5);
    const Pose pose = Pose::from_axis_angle({1, 2, 3}, angle, {shift, 0, 0});
    const std::vector<TrianglePair> pairs = collide(a, b, pose).pairs;
    if (pairs != collide(a, b, pose, {.engine = {.structure = "triangles"}}).pairs) {
      throw Error(other_answers("pairs", seed, i));
    }
    pair_count += pairs.size();
    if (progress) progress(static_cast<double>(i + 1) / k_mesh_count);
  }
  return pair_count;
}

std::uint64_t check_rays(std::uint64_t seed, const Progress& progress) {
  constexpr std::size_t k_rays_per_mesh = 300;
  detail::Random random(seed);
  for (int i = 0; i < k_mesh_count; ++i) {
    const Mesh mesh = any_mesh(random);
    const Model model(mesh);
    test::RayCases cases(mesh, random.next());
    std::vector<Ray> rays;
    for (std::size_t k = 0; k < k_rays_per_mesh; ++k) rays.push_back(cases.next());
    std::vector<Hit> hits(rays.size());
    std::vector<Hit> expected(rays.size());
    closest_hits(model, rays, hits);
    closest_hits(model, rays, expected, {.engine = {.traversal = "brute-force"}});
    if (hits != expected) throw Error(other_answers("hits", seed, i));
    if (progress) progress(static_cast<double>(i + 1) / k_mesh_count);
  }
  return k_mesh_count * k_rays_per_mesh;
}

std::vector<SelfCheck> checks_on(Device device) {
#ifdef TANDEM_HAS_CUDA
  if (device == Device::cuda) return cuda_checks();
#endif
  static_cast<void>(device);
  return {{"pairs of triangles, default engine", check_pairs},
          {"rays, default traversal", check_rays}};
}

int run(const SelftestOptions& options) {
  const Device device = parse_device(options.device);
  const auto seed =
      static_cast<std::uint64_t>(whole_number_in(options.seed, "--seed", 0, 1'000'000'000));
  const Reporting reporting = cli::reporting(options.quiet);
  Table table;
  const Stopwatch total;
  for (const SelfCheck& check : checks_on(device)) {
    ProgressBar bar(check.name, reporting);
    const std::uint64_t count = check.run(seed, bar.callback());
    table.add_row({check.name, grouped(count), "the same"});
  }
  const std::string where =
      device == Device::cuda ? cuda_devices().front().name : std::string("this processor");
  print(table.text("  ") + "All is well on " + where + ", after " + duration(total.seconds()) +
        "\n");
  return k_exit_ok;
}

}  // namespace

Command add_selftest(CLI::App& program) {
  const auto options = std::make_shared<SelftestOptions>();
  CLI::App* const app =
      add_command(program, "selftest", "Check this machine's answers against slower ways");
  add_device(*app, options->device);
  add_value_with_default(*app, "--seed", options->seed, "S", "for the random cases");
  add_quiet_flag(*app, options->quiet);
  set_footer(*app, k_examples);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
