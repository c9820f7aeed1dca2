// This room reads command lines: the options that several commands share, and the numbers, lists,
// names, poses and meshes that users write there. It uses the public API and text/.
//
// In this file: what a command is.
#pragma once

#include <functional>

#include "options/command_line.h"

namespace tandem::cli {

/// The program's exit statuses. `k_exit_touching` only when --exit-code asks for it.
enum ExitStatus { k_exit_ok = 0, k_exit_touching = 1, k_exit_error = 2 };

/// A command: its options on the command line, and what it does once they are read.
struct Command {
  CLI::App* options;
  /// Returns the exit status; throws when something is wrong.
  std::function<int()> run;
};

}  // namespace tandem::cli
