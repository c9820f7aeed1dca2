// tandem collide: which triangles of A touch which triangles of B.
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "commands/collide/collide_files.h"
#include "commands/collide/collide_options.h"
#include "commands/collide/collide_report.h"
#include "commands/commands.h"
#include "commands/two_models.h"
#include "options/mesh_source.h"
#include "text/progress_bar.h"
#include "text/stopwatch.h"

namespace tandem::cli {

namespace {

void run_query(const CollideOptions& options, const Model& a, const Model& b, const Pose& b_in_a,
               QueryOptions query, Reporting reporting, CollideAnswer& answer) {
  ProgressBar bar("searching", reporting);
  query.progress = bar.callback();
  const Stopwatch stopwatch;
  if (options.first) {
    const IntersectsResult result = intersects(a, b, b_in_a, query);
    if (result.pair) answer.pairs.push_back(*result.pair);
    answer.touching = result.pair.has_value();
    answer.statistics = result.statistics;
  } else if (options.pairs_file || options.segments_file || options.contacts_file ||
             options.picture.file) {
    CollideResult result = collide(a, b, b_in_a, query);
    answer.pair_count = result.pairs.size();
    answer.pairs = std::move(result.pairs);
    answer.statistics = result.statistics;
  } else if (options.count || options.json) {
    const CountResult result = count(a, b, b_in_a, query);
    answer.pair_count = result.count;
    answer.statistics = result.statistics;
  } else {
    FewPairs few;
    answer.statistics = collide(a, b, b_in_a, few, query).statistics;
    answer.pair_count = few.count;
    answer.pairs = std::move(few.first);
  }
  if (answer.pair_count) answer.touching = *answer.pair_count > 0;
  answer.query_s = stopwatch.seconds();
}

/// The same on a device, where both models are already.
void run_query(const CollideOptions& options, DevicePair& models, const Pose& b_in_a,
               CollideAnswer& answer) {
  const Stopwatch stopwatch;
  const std::span<const Pose> poses(&b_in_a, 1);
  if (options.count) {
    answer.pair_count = models.count(poses)[0];
    answer.touching = *answer.pair_count > 0;
  } else {
    answer.pairs = models.collide(poses).pairs;
    answer.touching = !answer.pairs.empty();
    if (!options.first) answer.pair_count = answer.pairs.size();
  }
  answer.query_s = stopwatch.seconds();
}

int run(const CollideOptions& options) {
  const CollidePlan plan = make_collide_plan(options);
  const Pose b_in_a = relative_pose(plan.a_in_world, plan.b_in_world);
  const Reporting reporting = cli::reporting(options.quiet);

  // Read; a mesh that is both A and B is read and built once
  CollideAnswer answer;
  const Stopwatch read_watch;
  const bool same = options.a == options.b;
  Mesh mesh_a = load_mesh(options.a, reporting, plan.read);
  Mesh mesh_b = same ? Mesh() : load_mesh(options.b, reporting, plan.read);
  answer.read_s = read_watch.seconds();

  // Build
  const Stopwatch build_watch;
  const Model a = build_model(std::move(mesh_a), plan.build, "building A", reporting);
  const Model b = same ? a : build_model(std::move(mesh_b), plan.build, "building B", reporting);
  std::optional<DevicePair> on_device;
  if (plan.on_device) on_device.emplace(a, b, *plan.on_device);
  answer.build_s = build_watch.seconds();

  // Search
  if (on_device) {
    run_query(options, *on_device, b_in_a, answer);
  } else {
    run_query(options, a, b, b_in_a, plan.query, reporting, answer);
  }

  // Write the files, then report
  if (options.pairs_file) write_pairs(*options.pairs_file, answer.pairs);
  if (options.segments_file) {
    write_segments(*options.segments_file, a, b, plan.a_in_world, plan.b_in_world, answer.pairs);
  }
  if (options.contacts_file) {
    write_contacts(*options.contacts_file, a, b, plan.a_in_world, plan.b_in_world, answer.pairs);
  }
  if (options.picture.file) {
    write_collision_picture(*options.picture.file, a, b, plan.a_in_world, plan.b_in_world,
                            answer.pairs, plan.picture, reporting);
  }
  if (options.json) {
    report_collision_as_json(options, plan, a, b, answer);
  } else if (options.pairs_file != "-") {
    report_collision_as_text(options, plan, a, b, answer);
  }
  return options.exit_code && answer.touching ? k_exit_touching : k_exit_ok;
}

}  // namespace

Command add_collide(CLI::App& program) {
  const auto options = std::make_shared<CollideOptions>();
  CLI::App* const app =
      add_command(program, "collide", "Find which triangles of A touch which triangles of B");
  add_collide_options(*app, *options);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
