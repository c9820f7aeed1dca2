// tandem simulate, from end to end.
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "program.h"

namespace tandem::test {

namespace {

/// A table of two parts that never move, a ball that falls on it, and a ring that flies freely.
constexpr const char* k_world = R"({
  "meshes": {"box": "shape:box", "ball": "shape:sphere:500", "ring": "shape:torus:500"},
  "gravity": [0, 0, -2], "time_step": 0.02,
  "objects": [
    {"name": "table", "mesh": "box", "static": true, "friction": 0.8},
    {"mesh": "box", "parent": "table", "pose": "2 0 0", "static": true},
    {"mesh": "ball", "pose": "0.4 0 2.2", "mass": 5, "restitution": 0.5},
    {"mesh": "ring", "pose": "0 9 0", "density": 100, "velocity": [0, 1, 2],
     "angular_velocity": [0, 0, 3]}
  ]
})";

class SimulateTest : public ProgramTest {
 protected:
  /// The rows of the frames, without the times, which differ from run to run.
  Json frames(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "simulate");
    arguments.insert(arguments.end(), {"--json", "-"});
    Json rows = json_output(arguments)["frames"];
    for (Json& row : rows) {
      for (const char* const time : {"broad_phase_ms", "collision_ms", "contact_ms", "solver_ms"}) {
        row.erase(time);
      }
    }
    return rows;
  }
};

TEST_F(SimulateTest, AStackStands) {
  const Json rows = frames({"stack", "--objects", "8", "--frames", "60"});
  ASSERT_EQ(rows.size(), 60U);
  EXPECT_EQ(rows.back()["frame"], 60);
  EXPECT_GT(rows.back()["points"], 0);
  EXPECT_LT(rows.back()["kinetic_energy"], 1);
}

TEST_F(SimulateTest, BackEndsAndThreadsGiveTheSameFrames) {
  const auto pile = [&](const std::string& option, const std::string& value) {
    return frames({"pile", "--objects", "12", "--frames", "80", option, value});
  };
  const Json usual = pile("--threads", "1");
  std::uint64_t touching = 0;
  for (const Json& row : usual) touching += row["touching_triangles"].get<std::uint64_t>();
  EXPECT_GT(touching, 0U);
  EXPECT_EQ(pile("--threads", "2"), usual);
  EXPECT_EQ(pile("--backend", "obb"), usual);
  EXPECT_EQ(pile("--backend", "aabb/stackless"), usual);
}

TEST_F(SimulateTest, AStateContinuesToTheBit) {
  const auto slide = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"simulate", "rockslide", "--objects", "10", "--frames"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return output(arguments);
  };
  slide({"100", "-o", "whole.json"});
  slide({"60", "-o", "half.json"});
  slide({"40", "--continue", "half.json", "-o", "again.json"});
  EXPECT_EQ(read("again.json"), read("whole.json"));
  expect_error({"simulate", "rockslide", "--objects", "11", "--continue", "half.json"},
               {"half.json", "another simulation"});
  write("broken.json", R"({"simulation": 1})");
  expect_error({"simulate", "stack", "--continue", "broken.json"}, {"broken.json"});
}

TEST_F(SimulateTest, OpenMeshesAreHollowUnlessTheyMustBeSolid) {
  const std::vector<std::string> hollow = {"simulate", "pile", "--objects", "2",
                                           "--frames", "2",    "--mesh",    "shape:plane:200"};
  EXPECT_NE(output(hollow).find("hollow"), std::string::npos);
  std::vector<std::string> solid = hollow;
  solid.push_back("--solid");
  expect_error(solid, {"closed mesh"});
}

TEST_F(SimulateTest, BodiesOfASceneFileFallAndRest) {
  write("world.json", k_world);
  const std::string text =
      output({"simulate", "world.json", "--frames", "150", "-o", "state.json"});
  EXPECT_NE(text.find("4 bodies, of which 2 move"), std::string::npos) << text;
  const Json bodies = Json::parse(read("state.json"))["bodies"];
  ASSERT_EQ(bodies.size(), 4U);
  // The ball rests on the table, whose top is at height 1 and 3 wide to the right.
  EXPECT_NEAR(bodies[2]["centre"][2], 2, 0.02);
  // The ring flies freely: the sum of velocities that change at the beginning of each step.
  EXPECT_NEAR(bodies[3]["centre"][1], 9 + 3, 1e-9);
  EXPECT_NEAR(bodies[3]["centre"][2], 2 * 3 - 0.5 * 2 * 3 * 3.02, 1e-9);
  EXPECT_NEAR(bodies[3]["angular_velocity"][2], 3, 1e-6);
  // Other commands read the same file.
  EXPECT_NE(output({"scene", "world.json"}).find("4 objects"), std::string::npos);

  output({"simulate", "world.json", "--frames", "100", "-o", "half.json"});
  output({"simulate", "world.json", "--frames", "50", "--continue", "half.json", "-o", "end.json"});
  EXPECT_EQ(read("end.json"), read("state.json"));
}

TEST_F(SimulateTest, BadBodiesAreNamedByTheirLine) {
  const auto expect_line_error = [&](const std::string& from, const std::string& to, int line,
                                     const std::vector<std::string>& parts) {
    std::string text = k_world;
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    write("bad.json", text.replace(at, from.size(), to));
    std::vector<std::string> all = {"bad.json, line " + std::to_string(line) + ": "};
    all.insert(all.end(), parts.begin(), parts.end());
    expect_error({"simulate", "bad.json", "--frames", "1"}, all);
  };
  expect_line_error("\"mass\": 5", "\"mass\": 0", 7, {"mass", "above 0"});
  expect_line_error("\"mass\": 5", "\"mass\": 1e999", 7, {"number"});
  expect_line_error("\"mass\": 5", "\"mass\": 5, \"density\": 5", 7, {"not both"});
  expect_line_error("\"mass\": 5", "\"weight\": 5", 7, {"weight"});
  expect_line_error("0.5}", "1.5}", 7, {"restitution", "from 0 to 1"});
  expect_line_error("\"friction\": 0.8", "\"friction\": -1", 5, {"friction"});
  expect_line_error("\"friction\": 0.8", "\"velocity\": [0, 0, 1]", 5, {"static", "velocity"});
  expect_line_error("[0, 1, 2]", "[0, 1]", 8, {"velocity", "3 numbers"});
  expect_line_error("[0, 0, -2]", "\"down\"", 3, {"gravity", "3 numbers"});
  expect_line_error("0.02", "0", 3, {"time_step", "above 0"});
  expect_line_error("shape:torus:500", "shape:plane:500", 8, {"not closed", "mass"});
  expect_line_error("shape:torus:500", "shape:tours:500", 2, {"tours"});
  expect_line_error("shape:torus:500", "missing.ply", 2, {"missing.ply"});
  expect_line_error("  ]\n", "  ],\n\"allowed\": [[\"table\", \"ball\"]]\n", 11, {"allowed"});
  write("world.json", k_world);
  expect_error({"simulate", "world.json", "--objects", "3"}, {"--objects", "file"});
  expect_error({"simulate", "missing.json"}, {"missing.json"});
}

TEST_F(SimulateTest, BodiesThatBeginInEachOtherArePushedApart) {
  // Of twelve triangles: depths are those of pairs of triangles, and so no larger than these.
  write("world.json", R"({"meshes": {"box": "shape:box:12"}, "objects": [
    {"mesh": "box"}, {"mesh": "box", "pose": "1.9 0.1 0.2"}], "gravity": [0, 0, 0]})");
  const std::string text =
      output({"simulate", "world.json", "--frames", "400", "--json", "rows.json"});
  EXPECT_NE(text.find("bodies overlap at the start, by up to 100 mm"), std::string::npos) << text;
  EXPECT_LT(Json::parse(read("rows.json"))["frames"].back()["deepest"], 0.003);
}

TEST_F(SimulateTest, BodiesThatRestSleepWhereAsked) {
  const auto asleep = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"stack", "--objects", "8", "--frames", "100"});
    return frames(more).back()["asleep"].get<int>();
  };
  EXPECT_EQ(asleep({}), 0);
  EXPECT_EQ(asleep({"--sleep"}), 8);
  const auto state = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"simulate", "stack",   "--objects",
                                          "8",        "--sleep", "--frames"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    output(arguments);
  };
  state({"80", "-o", "whole.json"});
  state({"55", "-o", "half.json"});
  state({"25", "--continue", "half.json", "-o", "again.json"});
  EXPECT_EQ(read("again.json"), read("whole.json"));
  // A state of bodies that sleep is none of a run in which none does.
  expect_error({"simulate", "stack", "--objects", "8", "--continue", "half.json"}, {"half.json"});
}

#ifdef TANDEM_HAS_PNG
TEST_F(SimulateTest, DrawsEveryNthFrame) {
  const std::string text =
      output({"simulate", "pile", "--objects", "2", "--frames", "6", "--every", "3", "-o", "frames",
              "--picture-size", "32x20", "--picture-samples", "1"});
  EXPECT_NE(text.find("wrote 3 pictures"), std::string::npos) << text;
  for (const char* const name : {"000000", "000001", "000002"}) {
    EXPECT_EQ(read(std::string("frames/") + name + ".png").substr(1, 3), "PNG");
  }
  EXPECT_NE(read("frames/000000.png"), read("frames/000002.png"));
}

TEST_F(SimulateTest, SubdividedBodiesLookTheSame) {
  for (const char* const times : {"0", "2"}) {
    output({"simulate", "stack", "--objects", "8", "--subdivide", times, "--frames", "1", "-o",
            std::string("frames") + times, "--picture-size", "96x60", "--picture-samples", "2"});
  }
  EXPECT_EQ(read("frames0/000000.png"), read("frames2/000000.png"));
}
#endif

TEST_F(SimulateTest, BackEndsAreMeasuredFromOneStart) {
  const std::string text = output({"bench", "simulate", "--scenes", "stack,rockslide", "--objects",
                                   "8", "--before", "5", "--frames", "4", "--json", "rows.json"});
  const Json rows = Json::parse(read("rows.json"))["rows"];
  std::set<std::string> contenders;
  for (const Json& row : rows) {
    contenders.insert(row["contender"].get<std::string>());
    EXPECT_GT(row["frame_ms"], 0) << row;
    EXPECT_GT(row["farthest"], 0) << row;
    // A slide brings bodies back up, which gives them energy.
    EXPECT_EQ(row.contains("energy_change"), row["scene"] == "stack") << row;
    // The parts are known of Tandem alone.
    EXPECT_EQ(row.contains("solver_ms"), row["contender"] != "bullet") << row;
    if (row["contender"] == "engine" || row["contender"] == "obb") {
      EXPECT_EQ(row["false_pairs"], 0) << row;
    }
    if (row["scene"] == "stack" && row.contains("solver_ms")) {
      EXPECT_LT(row["farthest"], 0.002) << row;
      EXPECT_LT(row["deepest"], 0.002) << row;
    }
  }
  EXPECT_TRUE(contenders.contains("engine") && contenders.contains("obb"));
  for (const auto& [name, package] :
       {std::pair<std::string, std::string>("fcl", "libfcl-dev"), {"bullet", "libbullet-dev"}}) {
    EXPECT_NE(contenders.contains(name), text.find(package) != text.npos) << text;
    if (contenders.contains(name)) continue;
    expect_error({"bench", "simulate", "--contenders", "engine," + name}, {name});
  }
  expect_error({"bench", "simulate", "--scenes", "avalanche"}, {"avalanche", "rockslide"});
  expect_error({"bench", "simulate", "--contenders", "nothing"}, {"nothing"});
}

TEST_F(SimulateTest, BadSetUpsAreOneSentence) {
  expect_error({"simulate", "avalanche"}, {"avalanche", "stack, pile, rockslide"});
  expect_error({"simulate", "stack", "--frames", "0"}, {"--frames"});
  expect_error({"simulate", "stack", "--objects", "-1"}, {"--objects"});
  expect_error({"simulate", "stack", "--subdivide", "99"}, {"--subdivide"});
  expect_error({"simulate", "stack", "--backend", "nothing"}, {"--backend", "nothing"});
  expect_error({"simulate", "stack", "--backend", "obb/nothing"}, {"--backend", "nothing"});
  expect_error({"simulate", "stack", "--mesh", "missing.ply"}, {"missing.ply"});
  expect_error({"simulate", "stack", "-o", "out.txt"}, {"-o", "out.txt"});
  expect_error({"simulate", "stack", "--continue", "missing.json"}, {"missing.json"});
}

}  // namespace

}  // namespace tandem::test
