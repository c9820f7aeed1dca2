// tandem info --parts and --components, --scale, and STL files.
#include <tandem/tandem.h>

#include "program.h"

namespace tandem::test {

namespace {

class PartsTest : public ProgramTest {
 protected:
  /// Two triangles in group "left", one in "right".
  void write_groups() {
    write("groups.obj",
          "v 0 0 0\nv 2 0 0\nv 0 1 0\nv 5 0 0\nv 6 0 0\nv 5 1 0\n"
          "g left\nf 1 2 3\ng right\nf 1 2 4\ng left\nf 4 5 6\n");
  }
};

TEST_F(PartsTest, InfoListsParts) {
  write_groups();
  const std::string text = output({"info", "groups.obj", "--parts"});
  EXPECT_TRUE(text.starts_with("groups.obj: 2 parts of 2 meshes, 3 triangles\n")) << text;
  EXPECT_NE(text.find("\n  left      0          2         6  6 x 1 x 0\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("\n  right     1          1         3  5 x 0 x 0\n"), std::string::npos)
      << text;

  const Json json = json_output({"info", "groups.obj", "--parts", "--json"});
  EXPECT_EQ(json["source"], "groups.obj");
  EXPECT_EQ(json["triangles"], 3);
  EXPECT_EQ(json["meshes"], 2);
  ASSERT_EQ(json["parts"].size(), 2u);
  EXPECT_EQ(json["parts"][1],
            Json::parse(R"({"name": "right", "mesh": 1, "triangles": 1, "vertices": 3,
                "bounds": {"lower": [0, 0, 0], "upper": [5, 0, 0]},
                "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]})"));
}

TEST_F(PartsTest, InfoListsComponents) {
  write_groups();
  const Json json = json_output({"info", "groups.obj", "--components", "--json"});
  ASSERT_EQ(json["parts"].size(), 3u);
  EXPECT_EQ(json["parts"][0]["name"], "left/1");
  EXPECT_EQ(json["parts"][1]["name"], "left/2");
  EXPECT_EQ(json["parts"][2]["name"], "right/1");
  const Json soup = json_output({"info", "shape:soup:100", "--components", "--json"});
  EXPECT_EQ(soup["parts"].size(), soup["triangles"]);
  EXPECT_EQ(soup["parts"][0]["name"], "shape:soup:100/1");
  const Json whole = json_output({"info", "shape:knot", "--parts", "--json"});
  EXPECT_EQ(whole["parts"].size(), 1u);
  EXPECT_EQ(whole["parts"][0]["name"], "shape:knot");
  write("empty.off", "OFF\n0 0 0\n");
  EXPECT_EQ(output({"info", "empty.off", "--parts"}),
            "empty.off: 0 parts of 0 meshes, 0 triangles\n");
}

TEST_F(PartsTest, NamesOfPartsAreHarmless) {
  write("names.obj", "v 0 0 0\ng \x1b[31mred\nf 1 1 1\ng caf\xe9\nf 1 1 1\n");
  const std::string text = output({"info", "names.obj", "--parts"});
  EXPECT_NE(text.find("\\x1b[31mred"), std::string::npos) << text;
  EXPECT_NE(text.find("caf\\xe9"), std::string::npos) << text;
  const Json json = json_output({"info", "names.obj", "--parts", "--json"});
  EXPECT_EQ(json["parts"][1]["name"], "caf\xEF\xBF\xBD");
}

TEST_F(PartsTest, ScaleOfFiles) {
  write_groups();
  for (const auto& [scale, width] :
       std::initializer_list<std::pair<std::string, float>>{{"2", 12.0f},
                                                            {"1e-3", 0.006f},
                                                            {"mm", 0.006f},
                                                            {"cm", 0.06f},
                                                            {"m", 6.0f},
                                                            {"in", 6 * 0.0254f},
                                                            {"ft", 6 * 0.3048f}}) {
    const Json info = json_output({"info", "groups.obj", "--scale", scale, "--json"});
    EXPECT_FLOAT_EQ(info["bounds"]["upper"][0].get<float>(), width) << scale;
    const Json parts = json_output({"info", "groups.obj", "--parts", "--scale", scale, "--json"});
    EXPECT_FLOAT_EQ(parts["parts"][0]["bounds"]["upper"][0].get<float>(), width) << scale;
  }
  for (const char* scale : {"0", "-1", "nan", "inf", "1e999", "km", "", "1 mm", "MM"}) {
    expect_error({"info", "groups.obj", "--scale", scale}, {"--scale", "mm, cm, m, in and ft"});
  }
  expect_error({"info", "groups.obj", "--scale", "1e300"}, {"groups.obj", "vertex 1", "float32"});
}

TEST_F(PartsTest, ScaleOfCollideAndBatch) {
  // A box of two metres in millimetres, beside a built-in one in metres: they touch when the file
  // is read as what it is.
  output({"make", "box", "-o", "box.ply"});
  write_mesh(read_mesh(folder_ / "box.ply", {.scale = 1000}), folder_ / "box_mm.stl");
  const std::vector<std::string> collide = {"collide", "box_mm.stl", "shape:box", "--count",
                                            "--json"};
  const Json plain = json_output({"collide", "box.ply", "shape:box", "--count", "--json"});
  EXPECT_EQ(json_output(collide)["pair_count"], 0);
  std::vector<std::string> scaled = collide;
  scaled.insert(scaled.end(), {"--scale", "mm"});
  EXPECT_EQ(json_output(scaled)["pair_count"], plain["pair_count"]);

  write("poses.txt", "0 0 0\n");
  EXPECT_NE(output({"batch", "box_mm.stl", "shape:box", "--poses", "poses.txt"}).find("0 touch"),
            std::string::npos);
  EXPECT_NE(output({"batch", "box_mm.stl", "shape:box", "--poses", "poses.txt", "--scale", "mm"})
                .find("1 touches"),
            std::string::npos);
}

TEST_F(PartsTest, MakeWritesStl) {
  output({"make", "knot", "--triangles", "500", "-o", "knot.stl"});
  output({"make", "knot", "--triangles", "500", "-o", "knot.ply"});
  const Json stl = json_output({"info", "knot.stl", "--json"});
  const Json ply = json_output({"info", "knot.ply", "--json"});
  for (const char* key : {"triangles", "distinct_positions", "closed", "components", "bounds"}) {
    EXPECT_EQ(stl[key], ply[key]) << key;
  }
  EXPECT_EQ(stl["vertices"], 3 * stl["triangles"].get<int>());
  const Json parts = json_output({"info", "knot.stl", "--parts", "--json"});
  EXPECT_EQ(parts["parts"][0]["name"], "knot");
}

}  // namespace
}  // namespace tandem::test
