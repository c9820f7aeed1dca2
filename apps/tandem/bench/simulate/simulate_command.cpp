// tandem bench simulate: what a frame takes with each back end, and beside other simulators.
#include <tandem/error.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "bench/bench_commands.h"
#include "bench/simulate/simulate_bench.h"
#include "measure/measurement_report.h"
#include "options/comma_lists.h"
#include "options/named_choices.h"
#include "options/whole_numbers.h"
#include "peers/simulator_peer.h"
#include "simulate/back_ends.h"
#include "text/numbers.h"
#include "text/table.h"

namespace tandem::cli {

namespace {

using simulate_bench::Measurement;
using simulate_bench::Row;

constexpr const char* k_help = R"(
The scenes of tandem simulate, moved by Tandem with each of its back ends and by other simulators.
The default engine runs the first frames alone; from there all begin with the same meshes, masses,
friction, places and velocities, and the same number of solver iterations. Bodies do not sleep.

Columns: mean wall time per frame; of Tandem's, what finding close bodies, touching and near
triangles, contacts and manifolds of them, and the solver take of it. The deepest point of all
manifolds, by the same function for all, at 50 frames at most. How the energy has changed, and its
largest rise from one frame to any later one, as shares of the energy at the start, which counts
from the ground. How far a body has gone at most: a stack that stands has hardly moved.

Examples (each runs as it stands):
  tandem bench simulate --scenes stack --objects 27 --frames 20
  tandem bench simulate --scenes pile --objects 8 --before 99 --frames 9 --contenders engine,obb)";

struct SimulateBenchOptions {
  std::string scenes = "stack,pile";
  std::string objects = "64";
  std::string subdivide = "0";
  std::string before = "200";
  std::string frames = "100";
  std::string contenders;
  std::string threads = "1";
  MeasurementOptions measurement;
};

bool is_there(std::string_view peer) {
  const auto known = peers();
  return std::any_of(known.begin(), known.end(),
                     [&](const PeerInfo& info) { return info.name == peer; });
}

std::string default_contenders() {
  std::string names = "engine,obb";
  if (is_there("fcl")) names += ",fcl";
  for (const SimulatorInfo& info : simulators()) names.append(",").append(info.name);
  return names;
}

/// A sentence for what could be compared with and is not there; empty where all is.
std::string missing_text() {
  std::string missing;
  if (!is_there("fcl")) missing += " fcl (Debian: libfcl-dev)";
  if (simulators().empty()) missing += " bullet (Debian: libbullet-dev)";
  return missing.empty() ? ""
                         : "Not in this build of the program:" + missing +
                               "; tools/setup bench && make run brings them in\n";
}

std::string milliseconds(double seconds) {
  return three_digits(1e3 * seconds);
}

std::string table_text(const Measurement& m) {
  Table table;
  table.add_row({"", "ms per frame", "close bodies", "triangles", "contacts", "solver",
                 "deepest in mm", "energy change", "energy rise", "farthest in mm"});
  for (const Row& row : m.rows) {
    const auto part = [&](double Row::Parts::*time) {
      return row.parts ? milliseconds(*row.parts.*time) : "-";
    };
    const auto share = [&](const std::optional<double>& energy) {
      return energy ? three_digits(100 * *energy / m.energy) + " %" : "-";
    };
    table.add_row({row.contender, milliseconds(row.frame_s), part(&Row::Parts::broad_phase_s),
                   part(&Row::Parts::collision_s), part(&Row::Parts::contact_s),
                   part(&Row::Parts::solver_s), three_digits(1e3 * row.deepest),
                   share(row.energy_change), share(row.energy_rise),
                   three_digits(1e3 * row.farthest)});
  }
  std::string text = "\n" + m.scene + ": " + counted(m.objects, "body", "bodies") + " of " +
                     counted(m.triangles, "triangle", "triangles") + ", " +
                     counted(m.frames, "frame", "frames") + "\n" + table.text("  ");
  const Row& first = m.rows.front();
  if (first.parts) {
    text += "  " + first.contender + ": " + rounded(first.parts->touching) +
            " touching pairs of triangles and " + rounded(first.parts->points) +
            " points of contact per frame";
    if (first.parts->points > 0) {
      text += ", for each of which the solver takes " +
              duration(first.parts->solver_s / first.parts->points);
    }
    text += "\n";
  }
  for (const Row& row : m.rows) {
    if (!row.device_s) continue;
    text += "  " + row.contender + ": the device finds touching triangles in " +
            duration(*row.device_s) + " per frame, without copies\n";
  }
  for (const Row& row : m.rows) {
    if (row.false_pairs > 0) {
      text += "  " + row.contender + " named " + counted(row.false_pairs, "pair", "pairs") +
              " of triangles that share no point\n";
    }
  }
  return text;
}

Json to_json(const Measurement& m, const Row& row) {
  Json json = {
      {"scene", m.scene},       {"objects", m.objects},       {"triangles", m.triangles},
      {"frames", m.frames},     {"contender", row.contender}, {"frame_ms", 1e3 * row.frame_s},
      {"deepest", row.deepest}, {"farthest", row.farthest},   {"false_pairs", row.false_pairs}};
  if (row.parts) {
    json["broad_phase_ms"] = 1e3 * row.parts->broad_phase_s;
    json["collision_ms"] = 1e3 * row.parts->collision_s;
    json["contact_ms"] = 1e3 * row.parts->contact_s;
    json["solver_ms"] = 1e3 * row.parts->solver_s;
    json["touching"] = row.parts->touching;
    json["points"] = row.parts->points;
  }
  if (row.device_s) json["device_ms"] = 1e3 * *row.device_s;
  if (row.energy_change) {
    json["energy_change"] = *row.energy_change / m.energy;
    json["energy_rise"] = *row.energy_rise / m.energy;
  }
  return json;
}

int run(const SimulateBenchOptions& options) {
  check_measurement_files(options.measurement, "");
  const MeasurementReport report(options.measurement);
  const std::vector<std::string> contenders = split_list(options.contenders, "--contenders");
  simulate_bench::Setup setup;
  setup.options.objects = whole_number_in(options.objects, "--objects", 1, 1'000'000);
  setup.options.subdivide = whole_number_in(options.subdivide, "--subdivide", 0, 6);
  setup.options.settings.threads = whole_number_in(options.threads, "--threads", 0, 1024);
  setup.before = whole_number_in(options.before, "--before", 0, 1'000'000);
  setup.frames = whole_number_in(options.frames, "--frames", 1, 1'000'000);
  for (const std::string& name : contenders) {
    const auto known = simulators();
    const auto has_name = [&](const SimulatorInfo& info) { return info.name == name; };
    if (std::any_of(known.begin(), known.end(), has_name)) continue;
    if (name == "bullet") throw Error("--contenders: " + missing_text());
    find_back_end(name, 1);
  }
  std::vector<Measurement> measurements;
  report.say(missing_text());
  for (const std::string& name : split_list(options.scenes, "--scenes")) {
    setup.scene = &find_named(sim_scenes(), name, "--scenes: there is no simulation called");
    {
      ProgressBar bar(name, cli::reporting(options.measurement.quiet));
      measurements.push_back(simulate_bench::measure(setup, contenders, bar.callback()));
    }
    report.say(table_text(measurements.back()));
  }
  report.write([&] {
    Json object = json_head("protocol", "simulate");
    object["rows"] = rows_of(measurements, to_json);
    return object;
  });
  return k_exit_ok;
}

}  // namespace

Command add_bench_simulate(CLI::App& bench) {
  const auto options = std::make_shared<SimulateBenchOptions>();
  options->contenders = default_contenders();
  CLI::App* const app = add_benchmark(
      bench, "simulate", "Frames of rigid bodies with each back end, beside Bullet", k_help);
  add_list(*app, "--scenes", options->scenes, "stack, pile, rockslide");
  add_value_with_default(*app, "--objects", options->objects, "N", "how many bodies move");
  add_value_with_default(*app, "--subdivide", options->subdivide, "N",
                         "how often each triangle of a body becomes four");
  add_value_with_default(*app, "--before", options->before, "N",
                         "frames by the default engine before those that are measured");
  add_value_with_default(*app, "--frames", options->frames, "N", "frames that are measured");
  add_list(*app, "--contenders", options->contenders,
           "back ends (" + back_end_names() + ") and simulators (bullet)");
  add_value_with_default(*app, "--threads", options->threads, "N",
                         "threads that Tandem uses; 0 for all");
  add_json_file(*app, options->measurement);
  add_quiet_flag(*app, options->measurement.quiet);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
