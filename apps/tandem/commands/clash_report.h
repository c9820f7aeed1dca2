// Clashes: which objects of a scene touch or cross, and in which curves; how commands report them.
#pragma once

#include <tandem/query.h>
#include <tandem/relation.h>
#include <tandem/scene.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "devices/device_queries.h"
#include "options/command_line.h"
#include "text/output.h"
#include "text/progress_bar.h"

namespace tandem::cli {

/// Where clashes are written to, apart from the report.
struct ClashOutputs {
  std::optional<std::string> json_file;
  std::optional<std::string> table_file;
  std::optional<std::string> curves_file;
  std::optional<std::string> picture_file;
  std::optional<std::string> picture_size;
  std::optional<std::string> picture_samples;
};

/// --json, --table, --curves, --picture and what goes with it. `noun` is what clashes: "part".
void add_clash_outputs(CLI::App& app, ClashOutputs& outputs, const std::string& noun);

/// Throws `tandem::Error` for endings that are not known, options that do not go together, and
/// outputs that cannot be written or are inputs. Called before any work.
void check_clash_outputs(const ClashOutputs& outputs, const std::vector<NamedFile>& inputs);

/// A scene, and what the report tells about it.
struct ClashingScene {
  const tandem::Scene& scene;
  std::size_t triangle_count;
  /// "part" or "object".
  std::string noun;
  double read_s;
};

/// Two objects that meet.
struct Clash {
  ObjectPair objects;
  std::size_t first_pair = 0;
  std::size_t pair_count = 0;
  Meeting meeting = Meeting::touching;
  /// In the world.
  std::vector<ContactCurve> curves = {};
  double curve_length = 0;
};

/// Finds all clashes, writes the outputs and prints the report. Returns how many there are.
std::size_t report_clashes(const ClashingScene& in, const ClashOutputs& outputs,
                           SceneQueries& queries, int threads, Reporting reporting);

}  // namespace tandem::cli
