// tandem bench rays, tandem selftest, devices, and tandem reproduce stackless-rays.
#include <tandem/tandem.h>

#include <map>
#include <set>

#include "program.h"

namespace tandem::test {

namespace {

using RaysTest = ProgramTest;

TEST_F(RaysTest, SelftestFindsTheProcessorSound) {
  const std::string text = output({"selftest", "--seed", "5", "--quiet"});
  EXPECT_NE(text.find("pairs of triangles, default engine"), text.npos);
  EXPECT_NE(text.find("rays, default traversal"), text.npos);
  EXPECT_NE(text.find("All is well on this processor"), text.npos);
  expect_error({"selftest", "--device", "abacus"}, {"--device", "cpu nor cuda"});
  expect_error({"selftest", "--seed", "many"}, {"--seed"});
}

TEST_F(RaysTest, DevicesAreListedAndUsedOrMissing) {
  const Json devices = Json::parse(output({"list", "--json"}))["devices"];
  ASSERT_GE(devices.size(), 1u);
  EXPECT_EQ(devices[0]["kind"], "cpu");
  if (devices.size() == 1) {
    expect_error({"selftest", "--device", "cuda"}, {"--device cuda: "});
    expect_error({"bench", "rays", "--device", "cuda"}, {"--device cuda: "});
    expect_error({"reproduce", "stackless-rays", "--device", "cuda"}, {"--device cuda: "});
    return;
  }
  const std::string text = output({"selftest", "--device", "cuda", "--quiet"});
  EXPECT_NE(text.find(devices[1]["name"].get<std::string>()), text.npos);
  output({"bench", "rays", "--device", "cuda", "--quick", "--scenes", "shape:knot:2000", "--json",
          "device.json"});
  for (const Json& row : Json::parse(read("device.json"))["rows"]) {
    EXPECT_GT(row["grays_per_s"], 0) << row;
    EXPECT_GT(row["hits"], 0) << row;
  }
  expect_error({"reproduce", "stackless-tandem", "--device", "cuda"}, {"--device", "processor"});
  const Json report = json_output({"reproduce", "stackless-rays", "--quick", "--device", "cuda",
                                   "--meshes", "shape:rock:3000", "--json", "-"});
  std::map<std::string, Json> rows;
  for (const Json& row : report["rows"]) {
    if (row["bounces"] == 4) rows[row["traversal"]] = row;
    EXPECT_GT(row["active_threads"], 0) << row;
    EXPECT_LE(row["active_threads"], 1) << row;
    EXPECT_GT(row["registers"], 0) << row;
    EXPECT_GT(row["occupancy"], 0) << row;
  }
  for (const char* key : {"n_ib", "n_it", "n_l"}) {
    EXPECT_EQ(rows.at("compact").at(key), rows.at("stack").at(key)) << key;
  }
  EXPECT_EQ(rows.count("pairs-stackless"), 1u);
  EXPECT_GE(report["findings"].size(), 6u);
}

TEST_F(RaysTest, BenchMeasuresEveryTracerOnTheSameRays) {
  const std::string text =
      output({"bench", "rays", "--quick", "--scenes", "shape:rock:300,shape:knot:300", "--tracers",
              "all", "--json", "rows.json"});
  const Json report = Json::parse(read("rows.json"));
  EXPECT_EQ(report["protocol"], "rays");
  std::map<std::string, std::set<std::string>> hashes;
  std::map<std::string, std::set<std::uint64_t>> hits;
  std::set<std::string> tracers;
  for (const Json& row : report["rows"]) {
    const auto tracer = row["tracer"].get<std::string>();
    const std::string rays = row["scene"].get<std::string>() + row["rays"].get<std::string>();
    tracers.insert(tracer);
    EXPECT_GT(row["mrays_per_s"], 0) << row;
    EXPECT_GT(row["hits"], 0) << row;
    EXPECT_NE(text.find(tracer), text.npos) << tracer;
    if (tracer.starts_with("embree")) continue;
    hashes[rays].insert(row["hash"].get<std::string>());
    hits[rays].insert(row["hits"].get<std::uint64_t>());
  }
  for (const RayTraversal traversal : RayTraversal::all()) {
    EXPECT_EQ(tracers.count(std::string(traversal.name())), 1u) << traversal.name();
  }
  EXPECT_EQ(hashes.size(), 4u);
  for (const auto& [rays, found] : hashes) EXPECT_EQ(found.size(), 1u) << rays;
  for (const auto& [rays, found] : hits) EXPECT_EQ(found.size(), 1u) << rays;
}

TEST_F(RaysTest, BenchTellsHowFastTreesAreBuilt) {
  const std::string text = output({"bench", "rays", "--quick", "--scenes", "shape:rock:3000",
                                   "--tracers", "lanes", "--json", "rows.json"});
  EXPECT_NE(text.find("million triangles/s"), text.npos);
  const Json report = Json::parse(read("rows.json"));
  std::set<std::string> builds;
  for (const Json& row : report["builds"]) {
    EXPECT_GT(row["build_s"], 0) << row;
    EXPECT_GT(row["mtriangles_per_s"], 0) << row;
    if (row["builder"] == "embree") continue;
    builds.insert(row["builder"].get<std::string>() + " " + row["cores"].get<std::string>());
  }
  EXPECT_EQ(builds, (std::set<std::string>{"best 1", "best all", "fast 1", "fast all"}));
}

TEST_F(RaysTest, BenchRefusesWhatItDoesNotHave) {
  expect_error({"bench", "rays", "--tracers", "fast"}, {"--tracers", "'fast'", "lanes"});
  expect_error({"bench", "rays", "--scenes", "nothing.ply"}, {"nothing.ply"});
  expect_error({"bench", "rays", "--json", "missing/rows.json"}, {"--json"});
}

TEST_F(RaysTest, ReproductionShowsThatTheAutomatonDoesTheTestsOfTheStack) {
  const Json report = json_output({"reproduce", "stackless-rays", "--quick", "--meshes",
                                   "shape:rock:3000,shape:knot:2000", "--json", "-"});
  std::map<std::string, std::map<std::string, Json>> setups;
  for (const Json& row : report["rows"]) {
    setups[row["scene"].get<std::string>() + row["bounces"].dump()][row["traversal"]] = row;
  }
  EXPECT_EQ(setups.size(), 4u);
  for (const auto& setup : setups) {
    SCOPED_TRACE(setup.first);
    const std::map<std::string, Json>& rows = setup.second;
    const auto value = [&](const char* traversal, const char* key) {
      return rows.at(traversal).at(key).get<double>();
    };
    for (const char* key : {"n_ib", "n_it", "n_l"}) {
      EXPECT_EQ(value("automaton", key), value("stack", key)) << key;
      EXPECT_EQ(value("compact", key), value("stack", key)) << key;
      EXPECT_EQ(value("backtrack", key), value("stack-distance", key)) << key;
    }
    // The reference tests two boxes at each node that it visits.
    EXPECT_EQ(value("stack-distance", "n_ib"), 2 * value("stack-distance", "n_ts"));
    EXPECT_EQ(value("backtrack", "n_ts"), value("stack-distance", "n_ts"));
    EXPECT_GT(value("compact", "n_ts"), 1.5 * value("stack-distance", "n_ts"));
    EXPECT_LT(value("compact", "n_ts"), 2.4 * value("stack-distance", "n_ts"));
    EXPECT_EQ(value("automaton", "n_ts"), value("compact", "n_ts"));
    EXPECT_GT(value("restart-trail", "n_ib"), value("stack", "n_ib"));
    EXPECT_LE(value("compact", "state_bytes"), 8);
  }
  EXPECT_GE(report["findings"].size(), 6u);
  expect_error({"reproduce", "stackless-rays", "--quick", "--plot", "figures"}, {"--plot"});
}

}  // namespace

}  // namespace tandem::test
