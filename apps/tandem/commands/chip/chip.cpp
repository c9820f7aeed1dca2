// tandem chip: the command whose subcommands model the collision chip.
#include "commands/chip/chip_commands.h"
#include "commands/commands.h"
#include "text/output.h"

namespace tandem::cli {

namespace {

constexpr const char* k_examples = R"(
Examples:
  tandem chip run shape:knot:2000 shape:rock:2000 --pose-b 0.5,0.2,0
  tandem chip table --meshes shape:knot:2000 --steps 5
  tandem reproduce collision-chip --quick)";

}  // namespace

Command add_chip(CLI::App& program) {
  CLI::App* const app = add_command(
      program, "chip", "Run queries on a model of the collision chip, and print its tables");
  allow_one_command(*app);
  set_footer(*app, k_examples);
  const std::vector<Command> commands = {add_chip_run(*app), add_chip_table(*app)};
  return {app, [app, commands]() -> int {
            for (const Command& command : commands) {
              if (was_given(*command.options)) return command.run();
            }
            print(help_of(*app));
            return k_exit_ok;
          }};
}

}  // namespace tandem::cli
