// The subcommands of `tandem chip`.
#pragma once

#include "options/command.h"

namespace tandem::cli {

Command add_chip_run(CLI::App& chip);
Command add_chip_table(CLI::App& chip);

}  // namespace tandem::cli
