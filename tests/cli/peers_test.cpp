// tandem bench peers, bench exactness and bench self, with whichever libraries are in the build.
#include <tandem/tandem.h>

#include <map>
#include <set>

#include "program.h"

namespace tandem::test {

namespace {

class PeersTest : public ProgramTest {};

TEST_F(PeersTest, MeasuresAndJudgesAllPairsAndTheFirst) {
  const std::string text = output({"bench", "peers", "--meshes", "shape:rock:300,shape:knot:300",
                                   "--distances", "0.3,0.8,9", "--apart", "", "--steps", "2",
                                   "--rounds", "1", "--json", "rows.json", "--plot", "figures"});
  const Json report = Json::parse(read("rows.json"));
  std::set<std::string> peers;
  std::set<std::string> modes;
  std::map<std::pair<std::string, double>, std::uint64_t> exact_pairs;
  for (const Json& row : report["rows"]) {
    for (const char* key : {"distance", "time_us", "ratio", "pairs", "missed", "false", "build_ms",
                            "bytes_per_triangle"}) {
      EXPECT_TRUE(row.at(key).is_number()) << row;
    }
    EXPECT_GT(row["time_us"], 0) << row;
#ifndef TANDEM_SANITIZED  // sanitizers allocate in their own way, which nothing counts
    EXPECT_GT(row["bytes_per_triangle"], 0) << row;
#endif
    EXPECT_GE(row["worst_us"], row["time_us"]) << row;
    if (row["distance"] == 9) {
      EXPECT_EQ(row["pairs"], 0) << row;
      continue;
    }
    peers.insert(row["peer"].get<std::string>());
    modes.insert(row["mode"].get<std::string>());
    // Those that compute exactly make no errors: Tandem, Embree with Tandem's triangle test, CGAL.
    if (row["peer"] == "tandem" || row["peer"] == "embree" || row["peer"] == "cgal") {
      EXPECT_EQ(row["missed"], 0) << row;
      EXPECT_EQ(row["false"], 0) << row;
      EXPECT_EQ(row["close"], 0) << row;
    }
    if (row["peer"] == "tandem") {
      EXPECT_EQ(row["ratio"], 1) << row;
    }
    if (row["mode"] == "all") {
      const auto where = std::pair(row["mesh"].get<std::string>(), row["distance"].get<double>());
      const std::uint64_t right = row["pairs"].get<std::uint64_t>() +
                                  row["missed"].get<std::uint64_t>() -
                                  row["false"].get<std::uint64_t>();
      // Every row agrees about the number of touching pairs, up to close ones.
      const auto known = exact_pairs.emplace(where, right).first;
      EXPECT_NEAR(static_cast<double>(right), static_cast<double>(known->second),
                  row["close"].get<double>())
          << row;
    }
  }
  EXPECT_EQ(peers.count("tandem"), 1u);
  // Whoever is not there is named, with the package.
  const std::map<std::string, std::string> packages = {{"fcl", "libfcl-dev"},
                                                       {"embree", "libembree-dev"},
                                                       {"bullet", "libbullet-dev"},
                                                       {"ode", "libode-dev"},
                                                       {"cgal", "libcgal-dev"}};
  std::set<std::string> missing;
  for (const Json& one : report["missing"]) {
    const std::string name = one["peer"].get<std::string>();
    missing.insert(name);
    EXPECT_EQ(one["package"], packages.at(name));
    EXPECT_NE(text.find(packages.at(name)), text.npos) << text;
    expect_error({"bench", "peers", "--peers", "tandem," + name}, {name, packages.at(name)});
  }
  EXPECT_EQ(text.find("Not in this build") != text.npos, !missing.empty()) << text;
  for (const auto& [name, package] : packages) {
    EXPECT_NE(missing.count(name), peers.count(name)) << name;
  }
  EXPECT_EQ(modes, (std::set<std::string>{"all", "first"}));
  EXPECT_EQ(exact_pairs.size(), 4u);
  EXPECT_NE(text.find("geometric mean"), text.npos) << text;
  EXPECT_NE(text.find("4 objects and distances at which something touches"), text.npos) << text;
  for (const std::string name : {"shape-rock-300-all", "shape-knot-300-first"}) {
    EXPECT_TRUE(read("figures/peers-" + name + ".svg").starts_with("<svg ")) << name;
  }
}

TEST_F(PeersTest, DistancesFromWhichOnNothingTouches) {
  const std::string text = output({"bench", "peers", "--meshes", "shape:rock:300,shape:screw:300",
                                   "--distances", "0.5", "--apart", "1,1.2", "--steps", "3",
                                   "--rounds", "1", "--json", "rows.json", "--plot", "figures"});
  // Of each object: the distance and the rows of each mode at a share of the least one apart.
  std::map<std::pair<std::string, double>, double> distances;
  std::map<std::pair<double, std::string>, int> tandem_rows;
  const Json report = Json::parse(read("rows.json"));
  for (const Json& row : report["rows"]) {
    const double apart = row["apart"].is_null() ? 0 : row["apart"].get<double>();
    EXPECT_EQ(row["touching"], apart == 0) << row;
    if (row["peer"] != "tandem") continue;
    EXPECT_EQ(row["pairs"] > 0, apart == 0) << row;
    ++tandem_rows[{apart, row["mode"].get<std::string>()}];
    distances[{row["mesh"].get<std::string>(), apart}] = row["distance"].get<double>();
  }
  for (const double apart : {0.0, 1.0, 1.2}) {
    for (const char* mode : {"all", "first"}) EXPECT_EQ((tandem_rows[{apart, mode}]), 2) << apart;
  }
  for (const std::string mesh : {"shape:rock:300", "shape:screw:300"}) {
    // It is the least one: a hundredth below it something touches.
    const double close = distances[{mesh, 1}];
    EXPECT_NEAR(1.2 * close, (distances[{mesh, 1.2}]), 1e-3) << mesh;
    const Json below = json_output({"bench", "peers", "--meshes", mesh, "--distances",
                                    std::to_string(0.99 * close), "--apart", "", "--steps", "3",
                                    "--rounds", "1", "--peers", "tandem", "--json", "-"});
    for (const Json& row : below["rows"]) EXPECT_EQ(row["touching"], true) << row;
  }
  EXPECT_NE(text.find("2 objects and distances at which something touches"), text.npos) << text;
  EXPECT_NE(text.find("4 objects and distances at which nothing touches"), text.npos) << text;
  EXPECT_NE(text.find("1.2 times the clear distance"), text.npos) << text;
  EXPECT_TRUE(exists("figures/peers-shape-screw-300-first.svg"));
}

TEST_F(PeersTest, ObjectsWithGapsTouchAgainFartherAway) {
  // Two small bodies: turned by half a turn, the copy meets both, then neither, then one of them.
  write("two.obj",
        "v -1 0 0\nv -0.9 0.1 0\nv -0.9 -0.1 0\nv -0.9 0 0.1\n"
        "v 1 0 0\nv 0.9 0.1 0\nv 0.9 -0.1 0\nv 0.9 0 0.1\n"
        "f 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 3 4\nf 5 6 7\nf 5 7 8\nf 5 8 6\nf 6 7 8\n");
  const Json report =
      json_output({"bench", "peers", "--meshes", "two.obj", "--distances", "0,1", "--apart", "1.01",
                   "--steps", "1", "--rounds", "1", "--peers", "tandem", "--json", "-"});
  std::map<double, bool> touching;
  for (const Json& row : report["rows"]) {
    touching[row["distance"].get<double>()] = row["touching"].get<bool>();
  }
  ASSERT_EQ(touching.size(), 3u) << report;
  EXPECT_TRUE(touching[0]);
  EXPECT_FALSE(touching[1]);
  EXPECT_GT(touching.rbegin()->first, 1.9);
  EXPECT_FALSE(touching.rbegin()->second);
}

TEST_F(PeersTest, ExactnessFindsNoErrorOfTandem) {
  const std::string text = output({"bench", "exactness", "--meshes", "shape:box:48,shape:knot:60",
                                   "--count", "30", "--json", "rows.json"});
  EXPECT_NE(text.find("one ulp away"), text.npos) << text;
  std::set<std::string> cases;
  const Json report = Json::parse(read("rows.json"));
  for (const Json& row : report["rows"]) {
    cases.insert(row["case"].get<std::string>());
    if (row["peer"] != "tandem" && row["peer"] != "cgal") continue;
    EXPECT_EQ(row["missed"], 0) << row;
    EXPECT_EQ(row["false"], 0) << row;
    EXPECT_GT(row["tested"], 0) << row;
  }
  // 21 kinds of pairs, and both meshes.
  EXPECT_EQ(cases.size(), 23U);
}

TEST_F(PeersTest, SelfCollisionsAreThoseOfTheLibraryAndOfCgal) {
  const std::string text = output({"bench", "self", "--meshes", "shape:soup:2000,shape:knot:1000",
                                   "--rounds", "1", "--json", "rows.json"});
  EXPECT_NE(text.find("shape:soup:2000"), text.npos) << text;
  const Json rows = Json::parse(read("rows.json"))["rows"];
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0]["pairs"], self_count(Model(make_shape("soup", 2000))).count);
  EXPECT_EQ(rows[1]["pairs"], 0);
  for (const Json& row : rows) {
    for (const char* key : {"build_s", "all_pairs_s", "first_pair_s"}) EXPECT_GE(row[key], 0);
    if (row["cgal"].is_null()) continue;
    EXPECT_EQ(row["cgal"]["missing"], 0) << row;
    EXPECT_EQ(row["cgal"]["extra"], 0) << row;
  }
}

TEST_F(PeersTest, BadOptionsAreNamed) {
  expect_error({"bench", "self", "--rounds", "0"}, {"--rounds"});
  expect_error({"bench", "self", "--meshes", "none.ply"}, {"none.ply"});
  expect_error({"bench", "peers", "--peers", "chance"}, {"--peers", "'chance'", "tandem"});
  expect_error({"bench", "peers", "--distances", "x"}, {"--distances"});
  expect_error({"bench", "peers", "--apart", "x"}, {"--apart", "'x'"});
  expect_error({"bench", "peers", "--apart", "1.1,0.9"}, {"--apart", "0.9", "below 1"});
  expect_error({"bench", "peers", "--apart", "1,,2"}, {"--apart", "empty"});
  expect_error({"bench", "peers", "--steps", "0"}, {"--steps"});
  expect_error({"bench", "peers", "--rounds", "0"}, {"--rounds"});
  expect_error({"bench", "peers", "--json", "no/folder/rows.json"}, {"--json"});
  expect_error({"bench", "exactness", "--count", "0"}, {"--count"});
  expect_error({"bench", "exactness", "--peers", "chance"}, {"--peers", "'chance'"});
}

}  // namespace

}  // namespace tandem::test
