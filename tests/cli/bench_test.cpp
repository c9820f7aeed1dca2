// tandem bench, tandem reproduce collision-chip-traversal, and collide's volumes and tests.
#include <tandem/tandem.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "program.h"

namespace tandem::test {

namespace {

class BenchTest : public ProgramTest {
 protected:
  // A small run with these additional options.
  static std::vector<std::string> tumble(const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {
        "bench",       "tumble",  "--meshes", "shape:rock:300,shape:knot:300",
        "--distances", "0.5,1.6", "--steps",  "4"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return arguments;
  }
};

std::set<std::string> values(const Json& rows, const char* key) {
  std::set<std::string> result;
  for (const Json& row : rows) result.insert(row.at(key).get<std::string>());
  return result;
}

TEST_F(BenchTest, TumbleMeasuresEveryCombination) {
  const std::string text = output(tumble({"--structures", "all", "--traversals", "all", "--tests",
                                          "all", "--rounds", "1", "--json", "rows.json"}));
  const Json report = Json::parse(read("rows.json"));
  const Json& rows = report["rows"];
  // All except brute force, and the test that is only for poses that do not turn.
  std::set<std::string> structures;
  std::set<std::string> tests;
  std::set<std::string> traversals;
  std::size_t combination_count = 0;
  for (const Engine& engine : engines()) {
    if (engine.triangle_test != TriangleTest("exact")) continue;
    if (engine.traversal == Traversal("brute-force")) continue;
    if (engine.overlap == OverlapTest("aligned")) continue;
    ++combination_count;
    structures.emplace(engine.structure.name());
    tests.emplace(engine.overlap.name());
    traversals.emplace(engine.traversal.name());
  }
  EXPECT_EQ(rows.size(), 2 * 2 * combination_count);
  EXPECT_EQ(values(rows, "structure"), structures);
  EXPECT_EQ(values(rows, "test"), tests);
  EXPECT_EQ(values(rows, "traversal"), traversals);
  EXPECT_EQ(values(rows, "traversal").count("brute-force"), 0u);

  std::map<std::pair<std::string, double>, std::set<std::string>> hashes;
  std::map<std::pair<std::string, double>, std::set<std::uint64_t>> pairs;
  for (const Json& row : rows) {
    for (const char* key : {"distance", "time_us", "pairs", "iterations", "transforms",
                            "aligned_visits", "tumbled_visits", "steps"}) {
      EXPECT_TRUE(row.at(key).is_number()) << row;
    }
    EXPECT_GT(row["time_us"], 0) << row;
    EXPECT_EQ(row["steps"], 4) << row;
    const auto where = std::pair(row["mesh"].get<std::string>(), row["distance"].get<double>());
    hashes[where].insert(row["hash"].get<std::string>());
    pairs[where].insert(row["pairs"].get<std::uint64_t>());
    // Each node of B is transformed exactly once.
    if (row["traversal"].get<std::string>().starts_with("list")) {
      // (In boxtrees, list-fours visits the levels in between.)
      if (row["traversal"] != "list-fours") {
        EXPECT_EQ(row["transforms"], row["tumbled_visits"]) << row;
      }
      EXPECT_GT(row["aligned_visits"], 0) << row;
    } else {
      EXPECT_EQ(row["tumbled_visits"], 0) << row;
    }
  }
  EXPECT_EQ(pairs.size(), 4u);
  for (const auto& [where, counts] : pairs) EXPECT_EQ(counts.size(), 1u) << where.first;
  for (const auto& [where, found] : hashes) EXPECT_EQ(found.size(), 1u) << where.first;
  EXPECT_NE(text.find("All combinations found the same pairs"), text.npos) << text;
  EXPECT_NE(text.find("list-pairs relative to recursive"), text.npos) << text;
}

TEST_F(BenchTest, TumbleTurnsAsItsProtocolSays) {
  // Two steps are Rz(±90°)·Rx(±90°): turns by 120° about (1, 1, 1) and (-1, 1, -1).
  write("wedge.obj",
        "v -1 -0.9 -0.7\nv 1 -0.5 0.1\nv 0.3 0.9 -0.2\nv 0.1 0.2 0.7\n"
        "f 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n");
  const Json rows =
      json_output({"bench", "tumble", "--meshes", "wedge.obj", "--distances", "0.2,0.5,0.9,3",
                   "--steps", "2", "--structures", "aabb", "--traversals", "list", "--json", "-"});
  ASSERT_EQ(rows["rows"].size(), 4u);
  for (const Json& row : rows["rows"]) {
    int pair_count = 0;
    for (const std::string axis : {"1 1 1", "-1 1 -1"}) {
      const std::string pose =
          std::to_string(row["distance"].get<double>()) + " 0 0 axis " + axis + " angle 120";
      pair_count += json_output({"collide", "wedge.obj", "wedge.obj", "--pose-b", pose,
                                 "--json"})["pair_count"]
                        .get<int>();
    }
    EXPECT_EQ(row["pairs"], pair_count) << row;
    EXPECT_EQ(pair_count > 0, row["distance"] < 1) << row;
  }

  // The size and place of an object do not matter.
  write("far.obj", "v 10 0 0\nv 14 0 0\nv 10 4 0\nv 10 0 4\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n");
  write("near.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n");
  const Json both =
      json_output({"bench", "tumble", "--meshes", "far.obj,near.obj", "--distances", "0.5",
                   "--structures", "obb", "--traversals", "list", "--json", "-"});
  ASSERT_EQ(both["rows"].size(), 2u);
  EXPECT_EQ(both["rows"][0]["hash"], both["rows"][1]["hash"]);
  EXPECT_GT(both["rows"][0]["pairs"], 0);
}

TEST_F(BenchTest, TumbleDrawsTimeAgainstDistance) {
  const std::string few = output(tumble({"--structures", "obb,dop24", "--plot", "few"}));
  const std::string many = output(tumble({"--plot", "many"}));
  for (const std::string mesh : {"shape-rock-300", "shape-knot-300"}) {
    const std::string svg = read("few/tumble-" + mesh + ".svg");
    EXPECT_TRUE(svg.starts_with("<svg ")) << svg.substr(0, 80);
    for (const char* part : {"obb recursive", "dop24 list-pairs", ">1.6</text>", "distance"}) {
      EXPECT_NE(svg.find(part), svg.npos) << part;
    }
    EXPECT_NE(few.find("wrote few/tumble-" + mesh + ".svg"), few.npos) << few;
    // These lines are too many for one chart.
    for (const std::string traversal : {"recursive", "list-pairs"}) {
      const std::string part = read("many/tumble-" + mesh + "-" + traversal + ".svg");
      for (const Structure structure : Structure::all()) {
        if (!tandem::exists(Engine{.structure = structure, .traversal = "list-pairs"})) continue;
        EXPECT_NE(part.find(std::string(structure.name()) + "</text>"), part.npos)
            << structure.name();
      }
    }
  }
}

TEST_F(BenchTest, BadOptionsAreRefused) {
  expect_error({"bench", "crumble"}, {"'crumble'", "tandem bench --help"});
  expect_error({"bench", "tumble", "--speed"}, {"'--speed'", "tandem bench tumble --help"});
  expect_error(tumble({"--structures", "cube"}), {"--structures", "'cube'", "dop24"});
  expect_error(tumble({"--tests", "cube"}), {"--tests", "'cube'", "six-axes"});
  expect_error(tumble({"--traversals", "list,cube"}), {"--traversals", "'cube'", "list-pairs"});
  expect_error(tumble({"--structures", ""}), {"--structures", "empty"});
  expect_error(tumble({"--structures", "aabb,,obb"}), {"--structures", "empty"});
  expect_error(tumble({"--structures", "obb", "--tests", "six-axes"}),
               {"the structure obb does not have the overlap test six-axes", "fifteen-axes"});
  for (const char* distances : {"x", "1,-1", "nan", "inf", "1,", "", "1e999", "1 2"}) {
    expect_error({"bench", "tumble", "--distances", distances}, {"--distances"});
  }
  for (const char* steps : {"0", "-1", "x", "1e3", "100001", ""}) {
    expect_error({"bench", "tumble", "--steps", steps}, {"--steps"});
  }
  for (const char* rounds : {"0", "1001", "x"}) {
    expect_error({"bench", "tumble", "--rounds", rounds}, {"--rounds"});
  }
  expect_error({"bench", "tumble", "--meshes", "shape:cube"}, {"'shape:cube'"});
  expect_error({"bench", "tumble", "--meshes", "none.ply", "--plot", "figures"}, {"none.ply"});
  expect_error(tumble({"--json", "no/such/folder/rows.json"}), {"--json", "no/such/folder"});
  expect_error(tumble({"--json", ""}), {"--json"});
  expect_error(tumble({"--plot", ""}), {"--plot"});
  write("file", "");
  expect_error(tumble({"--plot", "file"}), {"--plot", "'file'"});
  write("empty.off", "OFF\n0 0 0\n");
  expect_error({"bench", "tumble", "--meshes", "empty.off"}, {"'empty.off'", "no triangles"});
  write("point.obj", "v 1 1 1\nf 1 1 1\n");
  expect_error({"bench", "tumble", "--meshes", "point.obj"}, {"'point.obj'", "point"});
}

TEST_F(BenchTest, ArmHasTheHitsThatItSays) {
  const std::vector<std::string> arm = {"bench",    "arm", "--configurations", "200",
                                        "--rounds", "2",   "--hits",           "0,5,20,100"};
  std::vector<std::string> arguments = arm;
  arguments.insert(arguments.end(), {"--json", "rows.json", "--plot", "figures"});
  const std::string text = output(arguments);
  const Json report = Json::parse(read("rows.json"));
  EXPECT_EQ(report["protocol"], "arm");
  EXPECT_EQ(report["configurations"], 200);
  // Eight links of some hundred triangles, and what is around them.
  EXPECT_GE(report["parts"].size(), 12u);
  for (const Json& part : report["parts"]) {
    EXPECT_GE(part["triangles"], 90) << part;
    EXPECT_LE(part["triangles"], 1000) << part;
  }
  std::map<std::string, std::set<std::string>> hashes;
  std::map<std::string, std::set<std::string>> peers;
  for (const Json& row : report["rows"]) {
    const double percent = row["hits_percent"].get<double>();
    EXPECT_GT(row["ns_least"], 0) << row;
    EXPECT_GE(row["ns_per_query"], row["ns_least"]) << row;
    EXPECT_GT(row["ratio"], 0) << row;
    EXPECT_EQ(row["queries"], 200) << row;
    EXPECT_EQ(row["kind"] == "mixed", percent > 0) << row;
    // Others may be wrong; Tandem is not.
    EXPECT_EQ(row["hits"].get<double>() + row["missed"].get<double>() - row["false"].get<double>(),
              2 * percent)
        << row;
    const std::string set = row["kind"].get<std::string>() + row["hits_percent"].dump();
    peers[set].insert(row["peer"].get<std::string>());
    if (row["peer"] == "tandem") {
      EXPECT_EQ(row["ratio"], 1) << row;
    }
    if (!row["peer"].get<std::string>().starts_with("tandem")) continue;
    EXPECT_EQ(row["missed"], 0) << row;
    EXPECT_EQ(row["false"], 0) << row;
    hashes[set].insert(row["hash"].get<std::string>());
  }
  const std::set<std::string> sets = {"far0.0", "near0.0", "mixed5.0", "mixed20.0", "mixed100.0"};
  for (const auto& [set, found] : hashes) {
    EXPECT_EQ(sets.count(set), 1u) << set;
    EXPECT_EQ(found.size(), 1u) << set;
    EXPECT_EQ(peers[set].count("tandem-count"), 1u);
    EXPECT_EQ(peers[set], peers["far0.0"]);
  }
  EXPECT_EQ(hashes.size(), sets.size());
  EXPECT_NE(text.find("0 % hits, near misses: 200 queries"), text.npos) << text;
  EXPECT_NE(text.find("geometric mean"), text.npos) << text;
  EXPECT_TRUE(read("figures/arm.svg").starts_with("<svg "));

  // The same seed asks the same, another one something else.
  const auto tandem_hashes = [&](const char* seed) {
    std::vector<std::string> again = arm;
    again.insert(again.end(), {"--seed", seed, "--peers", "tandem", "--json", "-"});
    return values(json_output(again)["rows"], "hash");
  };
  std::set<std::string> all;
  for (const auto& [set, found] : hashes) all.insert(found.begin(), found.end());
  EXPECT_EQ(tandem_hashes("1"), all);
  EXPECT_NE(tandem_hashes("2"), all);
}

TEST_F(BenchTest, ArmRefusesBadOptions) {
  expect_error({"bench", "arm", "--configurations", "0"}, {"--configurations", "not 0"});
  expect_error({"bench", "arm", "--configurations", "2000000"}, {"--configurations"});
  expect_error({"bench", "arm", "--hits", "101"}, {"--hits", "101", "100 %"});
  expect_error({"bench", "arm", "--hits", "-1"}, {"--hits"});
  expect_error({"bench", "arm", "--hits", ""}, {"--hits", "empty"});
  expect_error({"bench", "arm", "--seed", "x"}, {"--seed", "'x'"});
  expect_error({"bench", "arm", "--rounds", "0"}, {"--rounds"});
  expect_error({"bench", "arm", "--peers", "chance"}, {"--peers", "'chance'"});
  // Whether or not the build has it, it takes no part.
  expect_error({"bench", "arm", "--peers", "tandem,cgal"}, {"--peers", "cgal"});
  expect_error({"bench", "arm", "--json", "no/folder/rows.json"}, {"--json"});
}

TEST_F(BenchTest, MotionSumsUpTurnsThatTouchAndTurnsThatDoNot) {
  const std::string text =
      output({"bench", "motion", "--meshes", "shape:rock:300", "--distances", "0.5,1", "--apart",
              "1.1", "--peers", "tandem", "--steps", "50", "--rounds", "1", "--json", "rows.json"});
  EXPECT_NE(text.find("2 turns in which some steps touch, 100 poses"), std::string::npos) << text;
  EXPECT_NE(text.find("1 turn in which none does, 50 poses"), std::string::npos) << text;
  std::map<std::string, int> touching;
  const Json report = Json::parse(read("rows.json"));
  for (const Json& row : report["rows"]) {
    touching[row["way"].get<std::string>()] += row["touching"].get<int>();
  }
  ASSERT_EQ(touching.size(), 3U) << text;
  for (const auto& [way, count] : touching) {
    // The first of the two tables ends each line with how many steps touch.
    const std::string table = text.substr(text.find("some steps touch"));
    const std::string line = table.substr(table.find(std::string("\n  ") + way) + 1);
    const std::string ending = std::string(" ") + std::to_string(count);
    EXPECT_GT(count, 50) << way;
    EXPECT_TRUE(line.substr(0, line.find('\n')).ends_with(ending)) << text;
  }
}

TEST_F(BenchTest, SceneFindsTheSameOnAnyNumberOfThreads) {
  const auto rows = [&](const std::string& threads) {
    output({"bench", "scene", "--mesh", "shape:knot:500", "--objects", "20,300", "--frames", "3",
            "--threads", threads, "--json", "rows.json"});
    return Json::parse(read("rows.json"))["rows"];
  };
  const Json expected = rows("1");
  ASSERT_EQ(expected.size(), 2U);
  EXPECT_GT(expected[1]["pairs"], expected[0]["pairs"]);
  for (const char* threads : {"2", "4", "16"}) {
    const Json found = rows(threads);
    for (std::size_t i = 0; i < 2; ++i) {
      for (const char* key : {"objects", "close", "touching", "pairs", "hash"}) {
        EXPECT_EQ(found[i][key], expected[i][key]) << key << ", " << threads << " threads";
      }
    }
  }
}

TEST_F(BenchTest, HelpTeachesByExamplesThatRun) {
  EXPECT_EQ(output({"bench"}), output({"bench", "--help"}));
  std::string script = "set -e\n";
  for (const char* benchmark : {"tumble", "arm"}) {
    const std::string help = output({"bench", benchmark, "--help"});
    std::istringstream lines(help.substr(help.find("\nExamples")));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), 100u) << line;
      if (line.starts_with("  ")) script += line + "\n";
    }
  }
  const Outcome outcome = shell(script);
  EXPECT_EQ(outcome.status, 0) << script << outcome.err;
  EXPECT_EQ(outcome.err, "") << script;
}

TEST_F(BenchTest, CollisionChipTraversal) {
  const std::string text =
      output({"reproduce", "collision-chip-traversal", "--quick", "--meshes",
              "shape:rock:300,shape:torus:300", "--json", "rows.json", "--plot", "figures"});
  const Json report = Json::parse(read("rows.json"));
  ASSERT_EQ(report["rows"].size(), 8u);
  std::map<std::string, std::map<std::string, Json>> rows;
  for (const Json& row : report["rows"]) rows[row["mesh"]][row["traversal"]] = row;
  for (auto& [mesh, of] : rows) {
    SCOPED_TRACE(mesh);
    const Json& list = of["list"];
    const Json& pairs = of["list-pairs"];
    EXPECT_GT(list["distance"], 0.5);
    EXPECT_LT(list["distance"], 3.5);
    // At that distance nothing touches; a little nearer something does.
    const std::string distance = std::to_string(list["distance"].get<double>());
    const std::string nearer = std::to_string(0.98 * list["distance"].get<double>());
    for (const auto& [where, touching] : {std::pair(distance, false), std::pair(nearer, true)}) {
      const Json turn = json_output({"bench", "tumble", "--meshes", mesh, "--distances", where,
                                     "--structures", "dop24", "--steps", "20", "--json", "-"});
      EXPECT_EQ(turn["rows"][0]["pairs"] > 0, touching) << where;
    }
    for (const char* traversal : {"list", "list-pairs", "list-fours"}) {
      const Json& row = of[traversal];
      EXPECT_EQ(row["mean_transforms"], row["mean_tumbled_visits"]);
      EXPECT_EQ(row["worst_transforms"], row["worst_tumbled_visits"]);
      EXPECT_GE(row["worst_aligned_visits"], row["mean_aligned_visits"]);
    }
    EXPECT_EQ(pairs["mean_tumbled_visits"], list["mean_tumbled_visits"]);
    EXPECT_LT(pairs["mean_aligned_visits"], list["mean_aligned_visits"]);
    EXPECT_TRUE(of["recursive"]["mean_chip_us"].is_null());
    // Equation 5 in other words: 40 cycles per tumbled visit, 2.5 or 5 per aligned visit.
    const auto number = [](const Json& row, const char* key) { return row[key].get<double>(); };
    EXPECT_NEAR(number(list, "worst_chip_us"),
                3.76e-3 * (40 * number(list, "worst_tumbled_visits") +
                           2.5 * number(list, "worst_aligned_visits")),
                1e-9);
    EXPECT_NEAR(number(pairs, "mean_chip_us"),
                3.76e-3 * (40 * number(pairs, "mean_tumbled_visits") +
                           5 * number(pairs, "mean_aligned_visits")),
                1e-9);
  }
  EXPECT_GE(report["findings"].size(), 4u);
  EXPECT_NE(text.find("\n- Each tumbled node was transformed exactly once"), text.npos) << text;
  EXPECT_NE(read("figures/collision-chip-shape-rock-300.svg").find("list: tumbled visits"),
            std::string::npos);
  expect_error({"reproduce", "stackless-tandem", "--meshes", "shape:box"}, {"--meshes"});
  expect_error({"reproduce", "collision-chip-traversal", "--meshes", "none.ply"}, {"none.ply"});
}

TEST_F(BenchTest, CollideTakesStructuresAndTests) {
  const std::vector<std::string> query = {
      "collide", "shape:knot",   "shape:knot:3000", "--pose-b", "0.5 0.2 0 axis 1 2 3 angle 40",
      "--json",  "--statistics", "--traversal",     "list"};
  const auto with = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments = query;
    arguments.insert(arguments.end(), options.begin(), options.end());
    return json_output(arguments);
  };
  const Json plain = with({});
  EXPECT_GT(plain["pair_count"], 0);
  const Json list = json_output({"list", "--json"});
  ASSERT_EQ(list["structures"].size(), Structure::all().size());
  std::set<std::uint64_t> iterations;
  std::size_t structure_count = 0;
  for (const Json& structure : list["structures"]) {
    const std::string name = structure["name"];
    EXPECT_EQ(structure["bytes_per_node"] > 0, name != "triangles") << structure;
    if (!tandem::exists(Engine{.structure = name, .traversal = "list"})) continue;
    const Json report = with({"--structure", name});
    EXPECT_EQ(report["pair_count"], plain["pair_count"]) << structure;
    const Json& statistics = report["statistics"];
    EXPECT_EQ(statistics["node_transforms"], statistics["tumbled_visits"]) << structure;
    EXPECT_GT(statistics["aligned_visits"], 0) << structure;
    iterations.insert(statistics["iterations"].get<std::uint64_t>());
    ++structure_count;
  }
  EXPECT_GT(structure_count, 8u);
  EXPECT_GE(iterations.size(), structure_count - 2);
  for (const Json& test : list["overlap_tests"]) {
    const std::string name = test["name"];
    if (name == "aligned" || !tandem::exists(Engine{.structure = "aabb", .overlap = name}))
      continue;
    EXPECT_EQ(with({"--structure", "aabb", "--overlap", name})["pair_count"], plain["pair_count"])
        << test;
  }
  ASSERT_EQ(list["triangle_tests"].size(), TriangleTest::all().size());
  for (const Json& test : list["triangle_tests"]) {
    EXPECT_NEAR(with({"--triangle-test", test["name"]})["pair_count"].get<double>(),
                plain["pair_count"].get<double>(), 5)
        << test;
  }
  expect_error({"collide", "shape:box", "shape:box", "--structure", "cube"},
               {"--structure", "sphere"});
  expect_error({"collide", "shape:box", "shape:box", "--overlap", "x"}, {"--overlap", "six-axes"});
  expect_error({"collide", "shape:box", "shape:box", "--triangle-test", "x"},
               {"--triangle-test", "unit-triangle"});
  expect_error(
      {"collide", "shape:box", "shape:box", "--structure", "obb", "--overlap", "realigned"},
      {"the structure obb does not have the overlap test realigned"});
}

}  // namespace
}  // namespace tandem::test
