// tandem bench: the command whose subcommands are the benchmarks.
#include "bench/bench_commands.h"
#include "commands/commands.h"
#include "text/output.h"

namespace tandem::cli {

namespace {

constexpr const char* k_examples = R"(
Examples:
  tandem bench
  tandem bench tumble --meshes shape:rock:500 --structures aabb,dop24 --distances 1 --steps 5
  tandem bench arm --configurations 500
  tandem bench rays --quick --scenes shape:knot:2000
  tandem bench threads --meshes shape:knot:20000 --poses 200)";

}  // namespace

Command add_bench(CLI::App& program) {
  CLI::App* const app = add_command(
      program, "bench", "Measure structures, tests, traversals, rays, and other libraries");
  allow_one_command(*app);
  set_footer(*app, k_examples);
  const std::vector<Command> benchmarks = {
      add_bench_tumble(*app), add_bench_rays(*app),      add_bench_peers(*app),
      add_bench_arm(*app),    add_bench_exactness(*app), add_bench_threads(*app),
      add_bench_scene(*app),  add_bench_self(*app),      add_bench_motion(*app),
      add_bench_gpu(*app),    add_bench_closest(*app),   add_bench_simulate(*app)};
  return {app, [&program, benchmarks]() -> int {
            for (const Command& benchmark : benchmarks) {
              if (was_given(*benchmark.options)) return benchmark.run();
            }
            print(help_of(program));
            return k_exit_ok;
          }};
}

}  // namespace tandem::cli
