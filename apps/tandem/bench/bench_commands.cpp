#include "bench/bench_commands.h"

#include "options/whole_numbers.h"

namespace tandem::cli {

CLI::App* add_benchmark(CLI::App& bench, const char* name, const char* description,
                        const char* footer) {
  CLI::App* const app = bench.add_subcommand(name, description);
  app->group("Benchmarks");
  app->footer(footer);
  return app;
}

void add_turn_options(CLI::App& app, TurnOptions& options, const std::string& timed) {
  add_list(app, "--distances", options.distances, "distances of the centres");
  add_value_with_default(app, "--steps", options.steps, "N", "steps of the turn");
  add_value_with_default(app, "--rounds", options.rounds, "N",
                         "times that " + timed + " is timed; the median counts");
}

int step_count(const TurnOptions& options) {
  return whole_number_in(options.steps, "--steps", 1, 100'000);
}

int round_count(const TurnOptions& options) {
  return whole_number_in(options.rounds, "--rounds", 1, 1000);
}

}  // namespace tandem::cli
