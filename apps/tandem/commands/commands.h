// This room has the program's commands, one file for each; collide has several. They turn command
// lines into calls of the public API and results into text. It may use every other room.
#pragma once

#include <string>

#include "options/command.h"

namespace tandem::cli {

Command add_collide(CLI::App& program);
Command add_distance(CLI::App& program);
Command add_self(CLI::App& program);
Command add_batch(CLI::App& program);
Command add_clash(CLI::App& program);
Command add_scene(CLI::App& program);
Command add_view(CLI::App& program);
Command add_simulate(CLI::App& program);
Command add_make(CLI::App& program);
Command add_info(CLI::App& program);
Command add_list(CLI::App& program);
Command add_render(CLI::App& program);
Command add_bench(CLI::App& program);
Command add_chip(CLI::App& program);
Command add_reproduce(CLI::App& program);
Command add_selftest(CLI::App& program);
/// `invoked_as` is how the user called the program; the demo's suggestions begin with it.
Command add_demo(CLI::App& program, std::string invoked_as);

}  // namespace tandem::cli
