// Clashes: which objects of a scene touch or cross, and in which curves; how commands report them.
#pragma once

#include <tandem/query.h>
#include <tandem/relation.h>
#include <tandem/scene.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "commands/picture_choice.h"
#include "devices/device_queries.h"
#include "options/command_line.h"
#include "text/json.h"
#include "text/output.h"
#include "text/progress_bar.h"

namespace tandem::cli {

/// Where clashes are written to, apart from the report.
struct ClashOutputs {
  std::optional<std::string> json_file;
  std::optional<std::string> table_file;
  std::optional<std::string> curves_file;
  PictureChoice picture;
  /// Objects that come as close as this are reported too.
  std::optional<std::string> clearance;
};

/// --clearance, --json, --table, --curves, --picture and what goes with it. `noun` is what clashes:
/// "part".
void add_clash_outputs(CLI::App& app, ClashOutputs& outputs, const std::string& noun);

/// Throws `tandem::Error` for values that make no sense, endings that are not known, options that
/// do not go together, and outputs that cannot be written or are inputs. Called before any work.
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

/// The clearance that is wanted, if any. Throws `tandem::Error`.
std::optional<double> clearance_of(const ClashOutputs& outputs);

/// Objects that come as close as the clearance without touching, as the program reports them.
std::vector<ObjectClearance> find_close(const tandem::Scene& scene, double clearance,
                                        SceneQueries& queries, const SceneOptions& options);
/// What the JSON tells of one of them.
Json close_json(const tandem::Scene& scene, const ObjectClearance& close);

/// Finds all clashes, and what comes as close as the clearance, writes the outputs and prints the
/// report. Returns how many there are of both.
std::size_t report_clashes(const ClashingScene& in, const ClashOutputs& outputs,
                           SceneQueries& queries, int threads, Reporting reporting);

}  // namespace tandem::cli
