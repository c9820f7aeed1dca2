// tandem simulate, from end to end.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "program.h"

namespace tandem::test {

namespace {

class SimulateTest : public ProgramTest {
 protected:
  /// The rows of the frames, without the times, which differ from run to run.
  Json frames(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "simulate");
    arguments.insert(arguments.end(), {"--json", "-"});
    Json rows = json_output(arguments)["frames"];
    for (Json& row : rows) {
      for (const char* const time : {"collision_ms", "contact_ms", "solver_ms"}) row.erase(time);
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
