// tandem view: what the page is given; tests/web/ opens it in a browser.
#include <algorithm>
#include <string>
#include <vector>

#include "program.h"

namespace tandem::test {

namespace {

class ViewTest : public ProgramTest {
 protected:
  void SetUp() override {
#if !TANDEM_HAS_PAGE
    expect_error({"view", "shape:box", "shape:box"},
                 {"built without its page", "tools/setup view"});
    GTEST_SKIP() << "the program has no page, as npm was missing when it was built";
#endif
  }

  /// What a page shows.
  Json data_of(const std::string& page) {
    const std::string text = read(page);
    const std::string begin = R"(<script type="application/json" id="data">)";
    const std::size_t first = text.find(begin) + begin.size();
    return Json::parse(text.substr(first, text.find("</script>", first) - first));
  }

  /// How many bytes a text in base64 stands for.
  static std::size_t bytes_of(const Json& base64) {
    const auto text = base64.get<std::string>();
    return text.size() / 4 * 3 -
           static_cast<std::size_t>(std::count(text.begin(), text.end(), '='));
  }

  static std::size_t pair_count(const Json& data) {
    std::size_t count = 0;
    for (const Json& each : data["touching"]) count += bytes_of(each["pairs"]) / 8;
    return count;
  }
};

TEST_F(ViewTest, TwoMeshesAreThoseOfCollide) {
  const std::string report = output(
      {"view", "shape:knot:2000", "shape:torus:3000", "--pose-b", "0.5 0.2 0 axis z angle 30"});
  EXPECT_NE(report.find("wrote view.html: "), std::string::npos) << report;
  const Json found = json_output({"collide", "shape:knot:2000", "shape:torus:3000", "--pose-b",
                                  "0.5 0.2 0 axis z angle 30", "--json"});
  const Json data = data_of("view.html");
  EXPECT_GT(pair_count(data), 0u);
  EXPECT_EQ(pair_count(data), found["pair_count"]);
  ASSERT_EQ(data["meshes"].size(), 2u);
  EXPECT_EQ(bytes_of(data["meshes"][0]["indices"]) / 12, found["a"]["triangles"]);
  EXPECT_EQ(bytes_of(data["meshes"][1]["indices"]) / 12, found["b"]["triangles"]);
  EXPECT_EQ(data["pair"]["pose_b"], "0.5 0.2 0 axis z angle 30");
}

TEST_F(ViewTest, OneMeshThatIsShownTwiceIsThereOnce) {
  output({"view", "shape:rock:500", "shape:rock:500", "--pose-b", "1,0,0", "-o", "rocks.html"});
  const Json data = data_of("rocks.html");
  EXPECT_EQ(data["meshes"].size(), 1u);
  EXPECT_EQ(data["objects"].size(), 2u);
}

TEST_F(ViewTest, PartsAreThoseOfClash) {
  write("parts.obj",
        "g one\nv 0 0 0\nv 2 0 0\nv 0 2 0\nf 1 2 3\ng two\nv 1 1 -1\nv 0 0 1\nv 1 0 1\nf 4 5 6\n"
        "g far\nv 9 9 9\nv 9 9 8\nv 9 8 9\nf 7 8 9\n");
  output({"view", "parts.obj"});
  const Json clashes = json_output({"clash", "parts.obj", "--json", "-"});
  EXPECT_EQ(data_of("view.html")["touching"].size(), 1u);
  EXPECT_EQ(clashes["clashes"].size(), 1u);
  output({"view", "parts.obj", "--components"});
  EXPECT_EQ(data_of("view.html")["objects"][2]["name"], "far/1");
}

TEST_F(ViewTest, EmptyMeshesAreShown) {
  write("empty.obj", "# nothing\n");
  output({"view", "empty.obj", "shape:box"});
  EXPECT_EQ(pair_count(data_of("view.html")), 0u);
  output({"view", "empty.obj"});
  EXPECT_EQ(data_of("view.html")["objects"].size(), 0u);
}

TEST_F(ViewTest, NamesAreNoMarkup) {
  write("a.obj", "g </script><b>\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  output({"view", "a.obj"});
  EXPECT_EQ(read("view.html").find("</script><b>"), std::string::npos);
  EXPECT_EQ(data_of("view.html")["objects"][0]["name"], "</script><b>");
}

TEST_F(ViewTest, MovesAreFrames) {
  write("scene.json", R"({"meshes": {"b": "shape:box"},
    "objects": [{"name": "one", "mesh": "b"}, {"name": "two", "mesh": "b", "pose": "5 0 0"}],
    "allowed": [["one", "two"]]})");
  write("moves.txt", "{\"two\": \"1 0 0\"}\n{\"one\": \"0 0 9\"}\n");
  output({"view", "scene.json", "--moves", "moves.txt"});
  const Json data = data_of("view.html");
  EXPECT_EQ(data["frames"]["count"], 3);
  EXPECT_EQ(bytes_of(data["frames"]["poses"]), 3u * 2 * 12 * 8);
  // The page begins where the scene does.
  EXPECT_EQ(data["objects"][1]["pose"][9], 5);
  EXPECT_EQ(data["allowed"], Json::parse(R"([["one", "two"]])"));
}

TEST_F(ViewTest, MistakesAreNamed) {
  write("scene.json", R"({"meshes": {}, "objects": []})");
  expect_error({"view", "shape:box", "shape:box", "shape:box"}, {"two meshes"});
  expect_error({"view", "shape:box", "--pose-b", "1,0,0"}, {"--pose-a and --pose-b"});
  expect_error({"view", "shape:box", "shape:box", "--components"}, {"--components"});
  expect_error({"view", "shape:box", "--moves", "scene.json"}, {"--moves"});
  expect_error({"view", "shape:box", "shape:nothing"}, {"nothing"});
  expect_error({"view", "shape:box", "shape:box", "-o", "none/view.html"}, {"--output"});
  expect_error({"view", "scene.json", "-o", "scene.json"}, {"scene.json"});
}

}  // namespace
}  // namespace tandem::test
