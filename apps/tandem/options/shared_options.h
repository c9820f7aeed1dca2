// Options that several commands have: each is declared once, here.
#pragma once

#include <optional>
#include <string>

#include "options/command_line.h"

namespace tandem::cli {

/// --threads, for commands that use all cores unless they are told otherwise. Results never depend
/// on it.
void add_threads(CLI::App& app, std::optional<std::string>& threads);

/// The number of threads that the user wants, 0 for all. Throws `tandem::Error`.
int thread_count(const std::optional<std::string>& threads);

/// --json, for commands that report one result.
void add_json_flag(CLI::App& app, bool& json);

/// --quiet.
void add_quiet_flag(CLI::App& app, bool& quiet);

/// --meshes, for commands that measure several objects.
void add_mesh_list(CLI::App& app, std::string& meshes);

/// What every measurement has: where its rows and charts go, and whether it shows its progress.
struct MeasurementOptions {
  std::optional<std::string> json_file;
  std::optional<std::string> plot_folder;
  bool quiet = false;
};

/// --json FILE.
void add_json_file(CLI::App& app, MeasurementOptions& options);

/// --plot DIR. `what` is drawn, as in "time against distance".
void add_plot_folder(CLI::App& app, MeasurementOptions& options, const std::string& what);

}  // namespace tandem::cli
