// tandem clash, from end to end.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>
#include <string>

#include "program.h"
#include "support/gltf_files.h"

namespace tandem::test {

namespace {

class ClashTest : public ProgramTest {
 protected:
  /// Three blocks in one file: one stands on another, and the third goes through both.
  void write_blocks() {
    std::ostringstream text;
    std::size_t vertex = 1;
    const auto add = [&](const char* name, const Vec3d& sides, const Vec3f& at) {
      const Mesh box = make_box(1, sides);
      text << "o " << name << "\n";
      for (const Vec3f& v : box.vertices()) {
        text << "v " << v.x + at.x << " " << v.y + at.y << " " << v.z + at.z << "\n";
      }
      for (const TriangleIndices& t : box.triangles()) {
        text << "f " << vertex + t[0] << " " << vertex + t[1] << " " << vertex + t[2] << "\n";
      }
      vertex += box.vertex_count();
    };
    add("base", {4, 4, 2}, {0, 0, 0});
    add("block", {2, 2, 2}, {0, 0, 2});
    add("rod", {0.5, 0.5, 8}, {0.125F, 0.25F, 1});
    add("far away", {1, 1, 1}, {9, 9, 9});
    write("blocks.obj", text.str());
  }

  /// Two plates, one on the other, and eight bolts through both: one mesh at eight places.
  void write_flange() {
    std::ostringstream nodes;
    nodes << R"({"name":"upper","mesh":0,"translation":[0,0,0.5]},)"
          << R"({"name":"lower","mesh":0,"translation":[0,0,-0.5]})";
    for (int i = 0; i < 8; ++i) {
      const double angle = std::numbers::pi / 4 * i;
      nodes << R"(,{"name":"bolt","mesh":1,"translation":[)" << 3 * std::cos(angle) << ","
            << 3 * std::sin(angle) << R"(,0],"rotation":[0,0,)" << std::sin(angle / 2) << ","
            << std::cos(angle / 2) << "]}";
    }
    write("flange.glb",
          glb_of_meshes({{"plate", make_box(4, {10, 10, 1})}, {"bolt", make_box(2, {0.5, 0.3, 4})}},
                        nodes.str(), 10));
  }
};

TEST_F(ClashTest, PartsTouchOrCross) {
  write_blocks();
  const std::string report = output({"clash", "blocks.obj"});
  EXPECT_NE(report.find("4 parts, 48 triangles"), std::string::npos) << report;
  EXPECT_NE(report.find("3 pairs of parts meet: 2 cross, 1 touch"), std::string::npos) << report;
  output({"clash", "blocks.obj", "--table", "rows.csv", "--json", "rows.json"});
  const std::string csv = read("rows.csv");
  EXPECT_NE(csv.find("\"base\",\"block\",touch,"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\"base\",\"rod\",cross,"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\"block\",\"rod\",cross,"), std::string::npos) << csv;
  const Json json = Json::parse(read("rows.json"));
  ASSERT_EQ(json["clashes"].size(), 3U);
  EXPECT_EQ(json["clashes"][0]["meeting"], "touching");
  // The outline of the block on the base.
  ASSERT_EQ(json["clashes"][0]["curves"].size(), 1U);
  EXPECT_EQ(json["clashes"][0]["curves"][0]["closed"], true);
  EXPECT_EQ(json["clashes"][0]["curve_length"], 8);
  // The rod goes through the base from above to below, and through the block.
  EXPECT_EQ(json["clashes"][1]["curves"].size(), 2U);
  EXPECT_EQ(json["clashes"][1]["curve_length"], 4);
  for (const auto& clash : json["clashes"]) {
    EXPECT_EQ(clash["pairs"].size(), clash["triangle_pairs"]);
  }
}

TEST_F(ClashTest, FilesAreNamedWhereThereAreSeveral) {
  write_blocks();
  const std::string report = output({"clash", "blocks.obj", "shape:rock:500"});
  EXPECT_NE(report.find("blocks.obj:base"), std::string::npos) << report;
  output({"clash", "blocks.obj", "shape:rock:500", "--table", "rows.md"});
  EXPECT_NE(read("rows.md").find("| blocks.obj:base | shape:rock:500:"), std::string::npos)
      << read("rows.md");
}

TEST_F(ClashTest, EveryInstanceInAGltfIsAPart) {
  if (!reads_gltf()) GTEST_SKIP() << "built without simdjson";
  write_flange();
  const Json json = json_output({"clash", "flange.glb", "--json", "-"});
  EXPECT_EQ(json["parts"], 10);
  ASSERT_EQ(json["clashes"].size(), 17U);
  int touching = 0;
  for (const Json& clash : json["clashes"]) {
    const bool plates = clash["a"] == "upper" && clash["b"] == "lower";
    EXPECT_EQ(clash["meeting"], plates ? "touching" : "crossing") << clash["a"] << clash["b"];
    touching += clash["meeting"] == "touching" ? 1 : 0;
    if (plates) continue;
    // In through one side of the plate, out through the other: two rectangles.
    EXPECT_EQ(clash["curves"].size(), 2U) << clash["a"] << clash["b"];
    EXPECT_NEAR(clash["curve_length"], 2 * 1.6, 1e-5) << clash["a"] << clash["b"];
  }
  EXPECT_EQ(touching, 1);
  EXPECT_EQ(json["clashes"].back()["b"], "bolt 8");
}

#ifdef TANDEM_HAS_PNG

TEST_F(ClashTest, OneCommandWritesAllThatIsKnownOfAnAssembly) {
  if (!reads_gltf()) GTEST_SKIP() << "built without simdjson";
  write_flange();
  const std::vector<std::string> command = {
      "clash",   "flange.glb", "--json",  "all.json",  "--curves", "all.obj",        "--table",
      "all.csv", "--picture",  "all.png", "--threads", "2",        "--picture-size", "64x40"};
  const std::string report = output(command);
  EXPECT_NE(report.find("10 parts"), std::string::npos) << report;
  EXPECT_EQ(Json::parse(read("all.json"))["clashes"].size(), 17U);
  const std::string table = read("all.csv");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 18) << table;
  const std::string curves = read("all.obj");
  EXPECT_NE(curves.find("g upper and bolt 8\n"), std::string::npos) << curves;
  // The signature, then the size in the first chunk.
  const std::string picture = read("all.png");
  ASSERT_GT(picture.size(), 24U);
  EXPECT_EQ(picture.substr(1, 3), "PNG");
  EXPECT_EQ(picture.substr(16, 8), std::string("\0\0\0\x40\0\0\0\x28", 8));
}

#endif

TEST_F(ClashTest, ComponentsAreParts) {
  const Json json = json_output({"clash", "shape:pipes:3000", "--components", "--json", "-"});
  EXPECT_GT(json["parts"], 1);
  const Json whole = json_output({"clash", "shape:pipes:3000", "--json", "-"});
  EXPECT_EQ(whole["parts"], 1);
  EXPECT_EQ(whole["triangles"], json["triangles"]);
  EXPECT_TRUE(whole["clashes"].empty());
}

TEST_F(ClashTest, CurvesArePolylines) {
  write_blocks();
  output({"clash", "blocks.obj", "--curves", "curves.obj"});
  const std::string curves = read("curves.obj");
  EXPECT_NE(curves.find("g base and block\n"), std::string::npos) << curves;
  EXPECT_EQ(std::count(curves.begin(), curves.end(), 'l') -
                static_cast<std::ptrdiff_t>(2),  // "block" twice in the groups' names
            5)
      << curves;
}

TEST_F(ClashTest, TheSameOnAnyNumberOfThreads) {
  write_blocks();
  EXPECT_EQ(output({"clash", "blocks.obj", "shape:knot:2000", "--json", "-", "--threads", "1"}),
            output({"clash", "blocks.obj", "shape:knot:2000", "--json", "-", "--threads", "4"}));
}

TEST_F(ClashTest, ExitCodesAndErrors) {
  write_blocks();
  EXPECT_EQ(tandem({"clash", "blocks.obj", "--exit-code"}).status, 1);
  EXPECT_EQ(tandem({"clash", "shape:box", "--exit-code"}).status, 0);
  EXPECT_EQ(tandem({"clash", "missing.obj"}).status, 2);
  EXPECT_EQ(tandem({"clash"}).status, 2);
  EXPECT_EQ(tandem({"clash", "blocks.obj", "--table", "rows.txt"}).status, 2);
  EXPECT_EQ(tandem({"clash", "blocks.obj", "--curves", "rows.txt"}).status, 2);
  EXPECT_EQ(tandem({"clash", "blocks.obj", "--curves", "blocks.obj"}).status, 2);
  EXPECT_EQ(tandem({"clash", "blocks.obj", "--picture-size", "10x10"}).status, 2);
  EXPECT_EQ(tandem({"clash", "blocks.obj", "--threads", "-1"}).status, 2);
}

}  // namespace

}  // namespace tandem::test
