// tandem distance, --clearance and --distance of other commands, from end to end.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <string>

#include "program.h"

namespace tandem::test {

namespace {

class DistanceTest : public ProgramTest {};

TEST_F(DistanceTest, OfTwoShapes) {
  const std::vector<std::string> boxes = {"distance", "shape:box", "shape:box",
                                          "--pose-b", "0,0,2.5",   "--json"};
  const Json apart = json_output(boxes);
  EXPECT_EQ(apart["distance"], 0.5);
  EXPECT_EQ(apart["touching"], false);
  EXPECT_EQ(apart["points"][0][2], 1);
  EXPECT_EQ(apart["points"][1][2], 1.5);
  EXPECT_EQ(apart["pair"].size(), 2U);
  const Json moved = json_output({"distance", "shape:box", "shape:box", "--pose-a", "0,0,10",
                                  "--pose-b", "0,0,12.5", "--json"});
  EXPECT_EQ(moved["distance"], 0.5);
  EXPECT_EQ(moved["points"][0][2], 11);
  EXPECT_EQ(json_output({"distance", "shape:box", "shape:box", "--json"})["touching"], true);
  const std::string text = output({"distance", "shape:box", "shape:box", "--pose-b", "0,0,2.5"});
  EXPECT_NE(text.find("distance 0.5, found in"), std::string::npos) << text;
  EXPECT_NE(output({"distance", "shape:box", "shape:box"}).find("they touch"), std::string::npos);
}

TEST_F(DistanceTest, WithALimit) {
  const std::string text =
      output({"distance", "shape:box", "shape:box", "--pose-b", "0,0,2.5", "--limit", "50cm"});
  EXPECT_NE(text.find("nothing is closer than 50cm"), std::string::npos) << text;
  const Json none = json_output(
      {"distance", "shape:box", "shape:box", "--pose-b", "0,0,2.5", "--limit", "0.5", "--json"});
  EXPECT_TRUE(none["distance"].is_null());
  EXPECT_FALSE(none.contains("pair"));
  const auto status = [&](const std::string& limit) {
    return tandem({"distance", "shape:box", "shape:box", "--pose-b", "0,0,2.5", "--limit", limit,
                   "--exit-code"})
        .status;
  };
  EXPECT_EQ(status("0.4"), 0);
  EXPECT_EQ(status("501mm"), 1);
  for (const char* limit : {"-1", "2 mm", "x", "2km", "nan", "inf", ""}) {
    expect_error({"distance", "shape:box", "shape:box", "--limit", limit},
                 {"--limit must be a number of 0 or more"});
  }
}

TEST_F(DistanceTest, OfAMeshWithoutTriangles) {
  write("empty.obj", "v 0 0 0\n");
  const std::string text = output({"distance", "empty.obj", "shape:box"});
  EXPECT_NE(text.find("one of them has no triangles"), std::string::npos) << text;
  EXPECT_TRUE(json_output({"distance", "empty.obj", "shape:box", "--json"})["distance"].is_null());
}

#ifdef TANDEM_HAS_PNG
TEST_F(DistanceTest, DrawsTheShortestSegment) {
  const std::vector<std::string> boxes = {
      "distance",       "shape:box", "shape:rock",        "--pose-b", "0,0,3",
      "--picture-size", "64x48",     "--picture-samples", "1"};
  std::vector<std::string> with_picture = boxes;
  with_picture.insert(with_picture.end(), {"--picture", "gap.png"});
  const std::string text = output(with_picture);
  EXPECT_NE(text.find("wrote gap.png"), std::string::npos) << text;
  EXPECT_TRUE(read("gap.png").starts_with("\x89PNG"));
  expect_error(boxes, {"go with --picture"});
}
#endif

/// Three blocks: one on another, and the third a quarter above them.
class ClearanceTest : public ProgramTest {
 protected:
  void write_scene() {
    write("scene.json",
          R"({"meshes": {"m": "shape:box"}, "objects": [{"mesh": "m", "name": "base"},
             {"mesh": "m", "name": "on it", "pose": "0 0 2"},
             {"mesh": "m", "name": "above", "pose": "0 0 4.25"},
             {"mesh": "m", "name": "far", "pose": "9 9 9"}]})");
  }
};

TEST_F(ClearanceTest, OfAScene) {
  write_scene();
  const std::string text =
      output({"scene", "scene.json", "--clearance", "0.25", "--table", "rows.csv"});
  EXPECT_NE(text.find("1 pair of objects meets"), std::string::npos) << text;
  EXPECT_NE(text.find("1 other pair comes as close as 0.25"), std::string::npos) << text;
  const std::string csv = read("rows.csv");
  EXPECT_NE(csv.find("curve_length,distance\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\"on it\",\"above\",close,0,0,0,0.25\n"), std::string::npos) << csv;
  output(
      {"scene", "scene.json", "--clearance", "25cm", "--json", "rows.json", "--table", "rows.md"});
  const Json json = Json::parse(read("rows.json"));
  EXPECT_EQ(json["clearance"], 0.25);
  EXPECT_EQ(json["clashes"].size(), 1U);
  ASSERT_EQ(json["close"].size(), 1U);
  EXPECT_EQ(json["close"][0]["a"], "on it");
  EXPECT_EQ(json["close"][0]["b"], "above");
  EXPECT_EQ(json["close"][0]["distance"], 0.25);
  EXPECT_EQ(json["close"][0]["points"][0][2], 3);
  EXPECT_EQ(json["close"][0]["points"][1][2], 3.25);
  EXPECT_NE(read("rows.md").find("| close | 0 | 0 | 0 | 0.25 |"), std::string::npos);
  const std::string less = output({"scene", "scene.json", "--clearance", "0.2"});
  EXPECT_NE(less.find("no others come as close as 0.2"), std::string::npos) << less;
  expect_error({"scene", "scene.json", "--clearance", "-1"}, {"--clearance must be a number"});
}

TEST_F(ClearanceTest, OfFrames) {
  write_scene();
  write("moves.txt", "{\"on it\": \"0 0 9\"}\n{\"above\": \"0 0 2.1\"}\n");
  output(
      {"scene", "scene.json", "--moves", "moves.txt", "--clearance", "0.5", "--json", "rows.json"});
  const Json rows = Json::parse(read("rows.json"));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_TRUE(rows[0]["close"].empty());
  ASSERT_EQ(rows[1]["close"].size(), 1U);
  EXPECT_NEAR(rows[1]["close"][0]["distance"].get<double>(), 0.1, 1e-12);
  EXPECT_EQ(
      tandem({"scene", "scene.json", "--moves", "moves.txt", "--clearance", "0.5", "--exit-code"})
          .status,
      1);
}

TEST_F(ClearanceTest, OfParts) {
  const std::string text = output({"clash", "shape:box", "shape:knot:500", "--clearance", "50"});
  EXPECT_NE(text.find("as close as 50"), std::string::npos) << text;
#ifdef TANDEM_HAS_PNG
  write_scene();
  output({"scene", "scene.json", "--clearance", "1", "--picture", "close.png", "--picture-size",
          "64x48", "--picture-samples", "1"});
  EXPECT_TRUE(exists("close.png"));
#endif
}

TEST_F(DistanceTest, OfManyPoses) {
  write("poses.txt", "0 0 0\n0 0 2.5\n0 0 4\n");
  const std::string text = output({"batch", "shape:box", "shape:box", "--poses", "poses.txt",
                                   "--distance", "--json", "rows.json"});
  EXPECT_NE(text.find("3 poses, of which 1 touches; the least distance is 0"), std::string::npos)
      << text;
  const Json rows = Json::parse(read("rows.json"));
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0]["distance"], 0);
  EXPECT_EQ(rows[1]["distance"], 0.5);
  EXPECT_EQ(rows[1]["points"][1][2], 1.5);
  EXPECT_EQ(rows[2]["distance"], 2);
  expect_error({"batch", "shape:box", "shape:box", "--poses", "poses.txt", "--distance", "--first"},
               {"--distance excludes --first"});
}

TEST_F(DistanceTest, Benchmarks) {
  output({"bench", "peers", "--distance", "--meshes", "shape:rock:300", "--steps", "4", "--rounds",
          "1", "--apart", "1.05,2", "--json", "rows.json", "--quiet"});
  const Json peers = Json::parse(read("rows.json"));
  std::size_t witness_count = 0;
  for (const Json& row : peers["rows"]) {
    EXPECT_GT(row["ns_per_query"], 0) << row;
    EXPECT_EQ(row["queries"], 4) << row;
    EXPECT_EQ(row["differ"], 0) << row;
    witness_count += row["peer"] == "tandem-witness" ? 1 : 0;
  }
  EXPECT_EQ(witness_count, 2U);
  output({"bench", "arm", "--distance", "--configurations", "20", "--hits", "0,50", "--rounds", "1",
          "--peers", "tandem", "--json", "rows.json", "--quiet"});
  const Json arm = Json::parse(read("rows.json"));
  // Three sets, three questions.
  EXPECT_EQ(arm["rows"].size(), 9U);
  output({"bench", "closest", "--meshes", "shape:box:12,shape:plane:8", "--points", "100",
          "--rounds", "1", "--json", "rows.json", "--quiet"});
  for (const Json& row : Json::parse(read("rows.json"))["rows"]) {
    EXPECT_GT(row["ns_per_point"], 0) << row;
    EXPECT_FALSE(row["mesh"] == "plane" && row["way"] == "signed") << row;
    if (row["way"] == "embree") {
      EXPECT_LT(row["largest_difference"], 1e-6) << row;
    }
  }
  expect_error({"bench", "peers", "--distance", "--peers", "bullet"}, {"there is none called"});
  expect_error({"bench", "peers", "--distance", "--apart", ""}, {"--apart"});
}

}  // namespace

}  // namespace tandem::test
