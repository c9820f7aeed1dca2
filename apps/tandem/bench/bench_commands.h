// The benchmarks, one subcommand of `tandem bench` each.
#pragma once

#include <string>

#include "commands/commands.h"

namespace tandem::cli {

Command add_bench_peers(CLI::App& bench);
Command add_bench_exactness(CLI::App& bench);

/// "... (default all)"
inline std::string with_default(const std::string& text, const std::string& value) {
  return text + "\n(default " + value + ")";
}

}  // namespace tandem::cli
