// tandem bench exactness: which library is wrong how often, on hard triangles and on meshes that
// lie on themselves.
#include <algorithm>
#include <cmath>
#include <memory>

#include "bench/bench_commands.h"
#include "bench/peer_judgement.h"
#include "measure/measurement_report.h"
#include "measure/tumble_protocol.h"
#include "options/named_choices.h"
#include "options/whole_numbers.h"
#include "peers/peer.h"
#include "support/triangle_cases.h"
#include "text/numbers.h"
#include "text/table.h"

namespace tandem::cli {

namespace {

constexpr const char* k_help = R"(
Pairs of single triangles of each kind that Tandem's own tests use, rounded to float32 and left out
where that overflows, and meshes against themselves at the same place, where every triangle touches
its neighbours along edges and corners. The tables count all wrong answers, and in brackets those
that are off by more than a millionth of the size. What is right is decided in exact arithmetic.

Examples (each runs as it stands):
  tandem bench exactness --quick
  tandem bench exactness --meshes shape:box:300 --count 200 --json rows.json)";

struct ExactnessOptions {
  std::string meshes = "shape:box:1200,shape:sphere:1280,shape:knot:2000";
  std::string peers = "all";
  std::string count = "1000";
  bool quick = false;
  MeasurementOptions measurement;
};

/// How one peer did on one kind of case: all errors, and those that rounding does not explain.
struct Score {
  Judgement strict;
  Judgement beyond;
};

struct Case {
  std::string name;
  std::uint64_t tested = 0;
  std::uint64_t touching = 0;
  std::vector<Score> scores;
};

double size_of(const Mesh& mesh) {
  const Bounds bounds = mesh.bounds();
  double size = 0;
  for (int k = 0; k < 3; ++k) {
    size = std::max(size, double{bounds.upper[k]} - double{bounds.lower[k]});
  }
  return size;
}

/// Gives two meshes in the same frame to all peers.
void try_all(const Mesh& a, const Mesh& b, std::span<const PeerInfo> peers, Case& result) {
  // The reference shares little with what is tested: it has another volume, another traversal, and
  // the exact test without the default engine's filter.
  const BuildOptions plain{.structure = "aabb"};
  const auto expected =
      collide(Model(a, plain), Model(b, plain), Pose(), {.engine = {.traversal = "recursive"}})
          .pairs;
  ++result.tested;
  result.touching += expected.size();
  const double size = std::max(size_of(a), size_of(b));
  for (std::size_t i = 0; i < peers.size(); ++i) {
    SharedModels shared;
    const std::unique_ptr<Peer> peer = peers[i].make(a, b, shared);
    peer->prepare(Pose());
    std::vector<TrianglePair> found;
    peer->find_all(Pose(), found);
    result.scores[i].beyond.add(judge_pairs(a, b, Pose(), expected, found, size));
    result.scores[i].strict.add(judge_pairs(a, b, Pose(), expected, found, -1));
  }
}

/// The pairs of one kind, without those that overflow in float32.
Case try_kind(int kind, std::uint64_t count, std::span<const PeerInfo> peers) {
  Case result{.name = "", .scores = std::vector<Score>(peers.size())};
  test::TriangleCases cases(static_cast<std::uint64_t>(kind) + 1);
  for (std::uint64_t i = 0; i < count; ++i) {
    const test::TriangleCase c = cases.next(kind);
    result.name = c.kind;
    const auto mesh = [](const Triangle& t) {
      return std::vector<Vec3f>{Vec3f(t.corner[0]), Vec3f(t.corner[1]), Vec3f(t.corner[2])};
    };
    const std::vector<Vec3f> p = mesh(c.p);
    const std::vector<Vec3f> q = mesh(c.q);
    const auto finite = [](const Vec3f& v) {
      return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
    };
    if (!std::all_of(p.begin(), p.end(), finite) || !std::all_of(q.begin(), q.end(), finite)) {
      continue;
    }
    try_all(Mesh(p, {{0, 1, 2}}), Mesh(q, {{0, 1, 2}}), peers, result);
  }
  return result;
}

std::string table_of(std::span<const Case> cases, std::span<const PeerInfo> peers) {
  Table table;
  std::vector<std::string> head = {"", "pairs touching"};
  for (const PeerInfo& info : peers) {
    head.push_back(std::string(info.name) + " missed");
    head.emplace_back("false");
  }
  table.add_row(std::move(head));
  const auto cell = [](std::uint64_t strict, std::uint64_t beyond) {
    return strict == 0 ? "0" : grouped(strict) + " (" + grouped(beyond) + ")";
  };
  for (const Case& c : cases) {
    std::vector<std::string> cells = {c.name, grouped(c.touching)};
    cells.reserve(2 + 2 * c.scores.size());
    for (const Score& score : c.scores) {
      cells.push_back(cell(score.strict.missed, score.beyond.missed));
      cells.push_back(cell(score.strict.false_ones, score.beyond.false_ones));
    }
    table.add_row(std::move(cells));
  }
  return table.text("  ");
}

int run(ExactnessOptions options) {
  if (options.quick) options.count = "100";
  const auto count =
      static_cast<std::uint64_t>(whole_number_in(options.count, "--count", 1, 10'000'000));
  std::vector<PeerInfo> chosen = find_peers(options.peers);
  std::erase_if(chosen, [](const PeerInfo& info) { return !info.tests_triangles; });
  check_measurement_files(options.measurement, options.meshes);
  const MeasurementReport report(options.measurement);
  const auto objects = load_tumbling_objects(options.meshes, reporting(true));

  std::vector<Case> triangles;
  triangles.reserve(test::TriangleCases::k_kind_count);
  for (int kind = 0; kind < test::TriangleCases::k_kind_count; ++kind) {
    triangles.push_back(try_kind(kind, count, chosen));
  }
  report.say(missing_peers_paragraph() + "Pairs of triangles, up to " + grouped(count) +
             " of each kind\n" + table_of(triangles, chosen));
  std::vector<Case> meshes;
  for (const TumblingObject& object : objects) {
    Case result{.name = object.name, .scores = std::vector<Score>(chosen.size())};
    try_all(object.mesh, object.mesh, chosen, result);
    meshes.push_back(std::move(result));
  }
  report.say("\nMeshes against themselves\n" + table_of(meshes, chosen));

  report.write([&] {
    Json object = json_head("protocol", "exactness");
    object["rows"] = Json::array();
    for (const auto& [kind, cases] :
         {std::pair("triangles", &triangles), std::pair("mesh on itself", &meshes)}) {
      for (const Case& c : *cases) {
        for (std::size_t i = 0; i < chosen.size(); ++i) {
          object["rows"].push_back({{"kind", kind},
                                    {"case", c.name},
                                    {"peer", chosen[i].name},
                                    {"tested", c.tested},
                                    {"touching", c.touching},
                                    {"missed", c.scores[i].strict.missed},
                                    {"false", c.scores[i].strict.false_ones},
                                    {"missed_beyond", c.scores[i].beyond.missed},
                                    {"false_beyond", c.scores[i].beyond.false_ones}});
        }
      }
    }
    return object;
  });
  return k_exit_ok;
}

}  // namespace

Command add_bench_exactness(CLI::App& bench) {
  const auto options = std::make_shared<ExactnessOptions>();
  CLI::App* const app =
      add_benchmark(bench, "exactness",
                    "Hard triangles and meshes against themselves: who is wrong how often", k_help);
  add_mesh_list(*app, options->meshes);
  add_list(*app, "--peers", options->peers, "libraries (tandem bench peers --help), or all");
  add_value_with_default(*app, "--count", options->count, "N", "pairs of each kind");
  add_flag(*app, "--quick", options->quick, "100 pairs of each kind");
  add_json_file(*app, options->measurement);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
