// The program's commands, one file each. This room turns command lines into calls of the public API
// and results into text; it uses include/tandem/ and nothing else of the library.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace tandem::cli {

/// The program's exit statuses. `touching` is given only when --exit-code asks for it.
enum ExitStatus { k_exit_ok = 0, k_exit_touching = 1, k_exit_error = 2 };

/// A command: its options on the command line, and what it does once they are read.
struct Command {
  CLI::App* options;
  /// Returns the exit status; throws when something is wrong.
  std::function<int()> run;
};

Command add_collide(CLI::App& program);
Command add_make(CLI::App& program);
Command add_info(CLI::App& program);
Command add_list(CLI::App& program);
Command add_render(CLI::App& program);
Command add_bench(CLI::App& program);
Command add_reproduce(CLI::App& program);
/// `invoked_as` is how the user called the program; the demo's suggestions begin with it.
Command add_demo(CLI::App& program, std::string invoked_as);

}  // namespace tandem::cli
