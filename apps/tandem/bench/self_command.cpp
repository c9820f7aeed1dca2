// tandem bench self: the triangles of one mesh that meet each other, beside CGAL.
#include <tandem/tandem.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "bench/bench_commands.h"
#include "measure/measurement_report.h"
#include "measure/timing.h"
#include "options/comma_lists.h"
#include "options/mesh_source.h"
#include "options/whole_numbers.h"
#include "peers/self_peer.h"
#include "text/numbers.h"
#include "text/strings.h"
#include "text/table.h"

namespace tandem::cli {

namespace {

constexpr const char* k_help = R"(
All pairs of triangles of a mesh that meet, as tandem self finds them, on one core. Tandem's model
is built before; CGAL sorts its boxes as part of each search, and has its mesh before. CGAL's own
function is used for meshes that are manifold and oriented, its sweep and predicates with corners
known by position for others. The two are timed alternately in processor time, and their shortest
rounds count. Pairs that one of them finds alone are counted; CGAL leaves out triangles without
area.

Examples (each runs as it stands):
  tandem bench self --meshes shape:soup:2000,shape:knot:2000 --rounds 2
  tandem bench self --meshes shape:rock:500 --rounds 1 --json rows.json)";

struct SelfBenchOptions {
  std::string meshes = "shape:knot:80000,shape:soup:20000";
  std::string rounds = "5";
  MeasurementOptions measurement;
};

/// What CGAL did.
struct OfPeer {
  std::string method;
  double all_s = 0;
  std::size_t pair_count = 0;
  /// Pairs that only Tandem, and only CGAL found.
  std::size_t missing = 0;
  std::size_t extra = 0;
};

struct Row {
  std::string source;
  std::size_t triangle_count = 0;
  double build_s = 0;
  std::size_t pair_count = 0;
  double all_s = 0;
  double first_s = 0;
  /// Where this build has CGAL.
  std::optional<OfPeer> peer;
};

std::size_t difference_count(const std::vector<TrianglePair>& a,
                             const std::vector<TrianglePair>& b) {
  return static_cast<std::size_t>(std::count_if(a.begin(), a.end(), [&](const TrianglePair& pair) {
    return !std::binary_search(b.begin(), b.end(), pair);
  }));
}

Row measure(const std::string& source, int rounds, Reporting reporting) {
  const Mesh mesh = load_mesh(source, reporting);
  Row row;
  row.source = source;
  row.triangle_count = mesh.triangle_count();
  const Model model(mesh);
  const std::vector<TrianglePair> pairs = self_collide(model).pairs;
  row.pair_count = pairs.size();
  const std::unique_ptr<SelfPeer> peer = make_self_peer(mesh);
  const auto repeated = [](const auto& work) {
    return [work](std::uint64_t repetitions) {
      for (; repetitions > 0; --repetitions) work();
    };
  };
  std::vector<RepeatedTask> tasks = {repeated([&] { (void)self_collide(model); }),
                                     repeated([&] { (void)self_intersects(model); }),
                                     repeated([&] { (void)Model(mesh); })};
  if (peer) {
    OfPeer& of_peer = row.peer.emplace();
    of_peer.method = peer->method();
    std::vector<TrianglePair> found;
    peer->find_all(found);
    std::sort(found.begin(), found.end());
    of_peer.pair_count = found.size();
    of_peer.missing = difference_count(pairs, found);
    of_peer.extra = difference_count(found, pairs);
    tasks.emplace_back(repeated([&] {
      std::vector<TrianglePair> again;
      peer->find_all(again);
    }));
  }
  ProgressBar bar("measuring", reporting);
  const std::vector<Timing> timings =
      time_in_turn(tasks, {.max_rounds = rounds, .max_task_s = 60}, bar.callback());
  row.all_s = timings[0].min_s();
  row.first_s = timings[1].min_s();
  row.build_s = timings[2].min_s();
  if (row.peer) row.peer->all_s = timings[3].min_s();
  return row;
}

std::string table_text(const std::vector<Row>& rows) {
  Table table;
  std::vector<std::string> head = {"", "triangles", "pairs", "build", "all pairs", "first pair"};
  const bool compared = rows[0].peer.has_value();
  if (compared) head.insert(head.end(), {"CGAL", "times as long", "missing", "extra", "method"});
  table.add_row(std::move(head));
  for (const Row& row : rows) {
    std::vector<std::string> cells = {one_line(row.source),    grouped(row.triangle_count),
                                      grouped(row.pair_count), duration(row.build_s),
                                      duration(row.all_s),     duration(row.first_s)};
    if (row.peer) {
      cells.insert(cells.end(),
                   {duration(row.peer->all_s), ratio_text(row.peer->all_s / row.all_s),
                    grouped(row.peer->missing), grouped(row.peer->extra), row.peer->method});
    }
    table.add_row(std::move(cells));
  }
  return table.text("");
}

Json json_of(const Row& row) {
  Json object{{"mesh", row.source},       {"triangles", row.triangle_count},
              {"pairs", row.pair_count},  {"build_s", row.build_s},
              {"all_pairs_s", row.all_s}, {"first_pair_s", row.first_s},
              {"cgal", nullptr}};
  if (row.peer) {
    object["cgal"] = {{"method", row.peer->method},
                      {"all_pairs_s", row.peer->all_s},
                      {"pairs", row.peer->pair_count},
                      {"missing", row.peer->missing},
                      {"extra", row.peer->extra}};
  }
  return object;
}

int run(const SelfBenchOptions& options) {
  const int rounds = whole_number_in(options.rounds, "--rounds", 1, 1000);
  check_measurement_files(options.measurement, options.meshes);
  const MeasurementReport report(options.measurement);
  const Reporting reporting = cli::reporting(options.measurement.quiet);
  std::vector<Row> rows;
  for (const std::string& source : split_list(options.meshes, "--meshes")) {
    rows.push_back(measure(source, rounds, reporting));
  }
  if (!rows[0].peer) {
    report.say(
        "Not in this build of the program: CGAL, which it could be compared with "
        "(Debian: libcgal-dev).\n");
  }
  report.say(table_text(rows));
  report.write([&] {
    Json object = json_head("protocol", "self");
    object["rows"] = Json::array();
    for (const Row& row : rows) object["rows"].push_back(json_of(row));
    return object;
  });
  return k_exit_ok;
}

}  // namespace

Command add_bench_self(CLI::App& bench) {
  const auto options = std::make_shared<SelfBenchOptions>();
  CLI::App* const app =
      add_benchmark(bench, "self", "Triangles of one mesh that meet, beside CGAL", k_help);
  add_mesh_list(*app, options->meshes);
  add_value_with_default(*app, "--rounds", options->rounds, "N",
                         "times that each is timed; the shortest counts");
  add_json_file(*app, options->measurement);
  add_quiet_flag(*app, options->measurement.quiet);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
