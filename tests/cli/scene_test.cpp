// tandem scene: scene files, and scenes that move.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "program.h"

namespace tandem::test {

namespace {

/// A block that stands on a table, a ball in the block, a lamp above, and a ball far away.
constexpr const char* k_scene = R"({
  "meshes": {
    "block": "block.obj",
    "ball": {"file": "shape:sphere:500"},
    "table": {"file": "table.obj", "scale": 2}
  },
  "objects": [
    {"name": "table", "mesh": "table", "pose": "0 0 -2"},
    {"name": "block", "mesh": "block"},
    {"mesh": "ball", "pose": {"translation": [0.25, 0.5, 0.125]}, "group": "balls"},
    {"name": "hook", "pose": "0 0 9"},
    {"mesh": "ball", "parent": "hook", "pose": "0 0 1 axis z angle 90", "group": "balls"}
  ],
  "allowed": [["balls", "balls"]]
})";

class SceneTest : public ProgramTest {
 protected:
  SceneTest() {
    write_mesh(make_box(1, {2, 2, 2}), folder_ / "block.obj");
    write_mesh(make_box(1, {3, 3, 1}), folder_ / "table.obj");
  }

  /// Expects an error that names the line of scene.json that the text has `%` on.
  void expect_error_at_mark(std::string text, const std::vector<std::string>& parts) {
    const std::size_t mark = text.find('%');
    ASSERT_NE(mark, std::string::npos) << text;
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(mark), '\n');
    text.erase(mark, 1);
    write("scene.json", text);
    std::vector<std::string> all = {"scene.json, line " + std::to_string(line) + ": "};
    all.insert(all.end(), parts.begin(), parts.end());
    SCOPED_TRACE(text);
    expect_error({"scene", "scene.json"}, all);
  }

  static std::string with_objects(const std::string& objects) {
    return "{\n\"meshes\": {\"block\": \"block.obj\"},\n\"objects\": [\n" + objects + "\n]}";
  }
};

TEST_F(SceneTest, ReportsWhatTouchesAndCrosses) {
  write("scene.json", k_scene);
  const std::string report = output({"scene", "scene.json"});
  EXPECT_NE(report.find("4 objects, 1,"), std::string::npos) << report;
  EXPECT_NE(report.find("2 pairs of objects meet: 1 cross, 1 touch"), std::string::npos) << report;
  output({"scene", "scene.json", "--table", "rows.csv", "--json", "rows.json"});
  EXPECT_EQ(read("rows.csv").find("object_a,object_b,meeting,"), 0U) << read("rows.csv");
  const Json json = Json::parse(read("rows.json"));
  EXPECT_EQ(json["objects"], 4);
  ASSERT_EQ(json["clashes"].size(), 2U);
  EXPECT_EQ(json["clashes"][0]["a"], "table");
  EXPECT_EQ(json["clashes"][0]["b"], "block");
  EXPECT_EQ(json["clashes"][0]["meeting"], "touching");
  EXPECT_EQ(json["clashes"][1]["a"], "block");
  EXPECT_EQ(json["clashes"][1]["b"], "ball");
  EXPECT_EQ(json["clashes"][1]["meeting"], "crossing");
}

TEST_F(SceneTest, IsWhatTheLibrarySays) {
  write("scene.json", k_scene);
  const Json json = json_output({"scene", "scene.json", "--json", "-"});
  const Model block(read_mesh(folder_ / "block.obj"));
  const Model ball(make_shape("sphere", 500));
  const auto pairs = collide(block, ball, Pose::from_translation({0.25, 0.5, 0.125})).pairs;
  ASSERT_FALSE(pairs.empty());
  const Json& found = json["clashes"][1]["pairs"];
  ASSERT_EQ(found.size(), pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_EQ(found[i], (Json{pairs[i].a, pairs[i].b}));
  }
}

TEST_F(SceneTest, ParentsCarryTheirChildren) {
  write("scene.json", k_scene);
  // A quarter turn of the hook around y leads the ball from z = 10 to x = 1.
  write("moves.txt",
        "# the hook comes down, then turns\n"
        "{}\n"
        "{\"hook\": \"0 0 0.5\"}\n"
        "{\"hook\": \"0 0 -1 axis y angle 90\"}\n"
        "{\"ball 2\": {\"translation\": [0, 0, 50]}}\n");
  const std::string report =
      output({"scene", "scene.json", "--moves", "moves.txt", "--json", "rows.json"});
  EXPECT_NE(report.find("4 frames, in 4 of which objects meet"), std::string::npos) << report;
  const Json rows = Json::parse(read("rows.json"));
  ASSERT_EQ(rows.size(), 4U);
  const std::size_t touching[] = {2, 3, 4, 2};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(rows[i]["frame"], i);
    EXPECT_EQ(rows[i]["line"], i + 2);
    EXPECT_EQ(rows[i]["touching"].size(), touching[i]) << rows[i];
    for (const Json& pair : rows[i]["touching"]) EXPECT_GT(pair["triangle_pairs"], 0);
  }
  EXPECT_EQ(rows[1]["touching"][2]["a"], "block");
  EXPECT_EQ(rows[1]["touching"][2]["b"], "ball 2");
}

TEST_F(SceneTest, FramesDoNotDependOnThreads) {
  write("scene.json", k_scene);
  std::ostringstream moves;
  for (int i = 0; i < 50; ++i) moves << "{\"ball\": \"" << 0.05 * i << " 0 0\"}\n";
  write("moves.txt", moves.str());
  const std::vector<std::string> command = {"scene",  "scene.json", "--moves",  "moves.txt",
                                            "--json", "-",          "--threads"};
  const auto with_threads = [&](const char* count) {
    std::vector<std::string> all = command;
    all.emplace_back(count);
    return output(all);
  };
  const std::string expected = with_threads("1");
  EXPECT_EQ(Json::parse(expected).size(), 50U);
  for (const char* count : {"2", "4", "16", "0"}) EXPECT_EQ(with_threads(count), expected) << count;
}

TEST_F(SceneTest, GoodFramesBeforeABadOneAreKept) {
  write("scene.json", k_scene);
  const std::pair<const char*, const char*> bad[] = {
      {"{\"block\": \"NaN 0 0\"}", "NaN"},
      {"{\"block\": \"1 2\"}", "three numbers"},
      {"{\"cube\": \"1 2 3\"}", "there is no object 'cube'"},
      {"{\"block\": [1, 2, 3]}", "'block': a pose is"},
      {"{\"block\": \"1 2 3\"", "not a JSON object"},
      {"{\"hook\": \"1e60 0 0\", \"ball 2\": \"1e60 0 0\"}", "1e60"},
      {"[]", "not a JSON object"},
  };
  std::size_t good = 31414;
  for (const auto& [line, what] : bad) {
    std::string text;
    for (std::size_t i = 0; i < good; ++i) text += "{}\n";
    write("moves.txt", text + line + "\n{}\n");
    const Outcome outcome = tandem(
        {"scene", "scene.json", "--moves", "moves.txt", "--json", "rows.json", "--threads", "1"});
    EXPECT_EQ(outcome.status, 2) << line;
    const std::string place = "moves.txt, line " + std::to_string(good + 1) + ": ";
    EXPECT_NE(outcome.err.find(place), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find(what), std::string::npos) << outcome.err;
    const Json rows = Json::parse(read("rows.json"));
    ASSERT_EQ(rows.size(), good) << line;
    EXPECT_EQ(rows.back()["line"], good);
    EXPECT_EQ(rows.back()["touching"].size(), 2U);
    good = 5;
  }
}

TEST_F(SceneTest, FramesMayBeLong) {
  write("scene.json", k_scene);
  const std::string blanks(200'000, ' ');
  write("moves.txt", "{}\n{\"ball\":" + blanks + "\"50 0 0\"}\n" + blanks + "\n{" + blanks + "}");
  const Json rows = json_output({"scene", "scene.json", "--moves", "moves.txt", "--json", "-"});
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0]["touching"].size(), 2U);
  EXPECT_EQ(rows[1]["touching"].size(), 1U);
  EXPECT_EQ(rows[2]["line"], 4);
}

TEST_F(SceneTest, PartsBecomeObjects) {
  write("machine.obj",
        "o base\nv 0 0 0\nv 4 0 0\nv 0 4 0\nf 1 2 3\n"
        "o rod\nv 1 1 -1\nv 1 1 1\nv 1.5 1 1\nf 4 5 6\n"
        "o lid\nv 9 9 9\nv 9 8 9\nv 8 9 9\nf 7 8 9\n");
  const auto scene = [&](const std::string& mesh, const std::string& allowed) {
    write("scene.json", "{\"meshes\": {\"machine\": " + mesh +
                            "},\n\"objects\": [{\"name\": \"m\", \"mesh\": \"machine\"}],\n" +
                            "\"allowed\": [" + allowed + "]}");
    return json_output({"scene", "scene.json", "--json", "-"});
  };
  const Json whole = scene("\"machine.obj\"", "");
  EXPECT_EQ(whole["objects"], 1);
  const Json parts = scene("{\"file\": \"machine.obj\", \"parts\": true}", "");
  EXPECT_EQ(parts["objects"], 3);
  ASSERT_EQ(parts["clashes"].size(), 1U);
  EXPECT_EQ(parts["clashes"][0]["a"], "m/base");
  EXPECT_EQ(parts["clashes"][0]["b"], "m/rod");
  const Json components = scene("{\"file\": \"machine.obj\", \"components\": true}", "");
  EXPECT_EQ(components["objects"], 3);
  EXPECT_EQ(components["clashes"].size(), 1U);
  for (const char* allowed : {"[\"m/rod\", \"m/base\"]", "[\"m\", \"m\"]", "[\"m/rod\", \"m\"]"}) {
    const Json quiet = scene("{\"file\": \"machine.obj\", \"parts\": true}", allowed);
    EXPECT_TRUE(quiet["clashes"].empty()) << allowed;
  }
  const Json one = scene("{\"file\": \"machine.obj\", \"part\": \"rod\"}", "");
  EXPECT_EQ(one["objects"], 1);
  EXPECT_EQ(one["triangles"], 1);
}

TEST_F(SceneTest, FilesAreSeenFromTheFolderOfTheScene) {
  std::filesystem::create_directory(folder_ / "inner");
  write("inner/scene.json", with_objects("{\"mesh\": \"block\"}"));
  expect_error({"scene", "inner/scene.json"}, {"inner/scene.json, line 2: ", "block.obj"});
  std::filesystem::rename(folder_ / "block.obj", folder_ / "inner" / "block.obj");
  EXPECT_EQ(json_output({"scene", "inner/scene.json", "--json", "-"})["objects"], 1);
}

TEST_F(SceneTest, MayComeFromStandardInput) {
  write("scene.json", k_scene);
  const Outcome outcome = shell("tandem scene - --json - < scene.json");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, output({"scene", "scene.json", "--json", "-"}));
  EXPECT_NE(shell("echo '[]' | tandem scene -").err.find("standard input, line 1: "),
            std::string::npos);
  expect_error({"scene", "-", "--moves", "-"}, {"both want standard input"});
}

TEST_F(SceneTest, ErrorsNameTheLine) {
  expect_error({"scene", "missing.json"}, {"missing.json", "No such file"});
  expect_error({"scene", "."}, {"it is a directory"});
  expect_error_at_mark("%", {"no JSON"});
  expect_error_at_mark("{\n  \"meshes\": {%,\n", {"no JSON"});
  expect_error_at_mark("{\"objects\": [\n1e999%\n]}", {"1e999"});
  expect_error_at_mark("%[]", {"a scene must be an object"});
  expect_error_at_mark("%{}", {"needs a list of \"objects\""});
  expect_error_at_mark("{\n\"objects\": [],\n\"object\": %[]}", {"no member 'object'", "allowed"});
  expect_error_at_mark("{\n\"objects\": [],\n%\"objects\": []}", {"two members 'objects'"});
  expect_error_at_mark("{\n\"objects\": %7}", {"must be a list"});
  expect_error_at_mark(std::string(100, '[') + "%", {"nested"});
  // Meshes.
  const auto mesh = [](const std::string& text) {
    return "{\"meshes\": {\n\"m\":\n" + text + "},\n\"objects\": []}";
  };
  expect_error_at_mark(mesh("%3"), {"a mesh must be an object"});
  expect_error_at_mark(mesh("%{}"), {"needs a \"file\""});
  expect_error_at_mark(mesh("{\n\"file\": %3}"), {"must be a text"});
  expect_error_at_mark(mesh("%\"missing.stl\""), {"missing.stl"});
  expect_error_at_mark(mesh("%\"shape:cube\""), {"shape:cube"});
  expect_error_at_mark(mesh("{\"file\": \"block.obj\",\n\"scale\": %-1}"), {"the scale"});
  expect_error_at_mark(mesh("{\"file\": \"block.obj\",\n\"scale\": %\"mile\"}"), {"mile"});
  expect_error_at_mark(mesh("{\"file\": \"block.obj\",\n\"parts\": %1}"), {"true or false"});
  expect_error_at_mark(mesh("%{\"file\": \"block.obj\",\n\"part\": \"lid\"}"), {"no part 'lid'"});
  expect_error_at_mark(mesh("{\"file\": \"block.obj\", \"parts\": true,\n\"part\": %\"lid\"}"),
                       {"not both"});
  // Objects.
  expect_error_at_mark(with_objects("%3"), {"an object must be an object in braces"});
  expect_error_at_mark(with_objects("{\n\"mesh\": %\"cube\"}"), {"no mesh 'cube'"});
  expect_error_at_mark(with_objects("%{\"pose\": \"0 0 0\"}"), {"needs a name"});
  expect_error_at_mark(with_objects("{\"name\": \"a\"},\n{\n\"name\": %\"a\"}"), {"already"});
  expect_error_at_mark(with_objects("{\"name\": \"a\",\n\"pose\": %\"1 2\"}"), {"three numbers"});
  expect_error_at_mark(with_objects("{\"name\": \"a\",\n\"pose\": %{\"matrix\": [1]}}"),
                       {"16 numbers"});
  expect_error_at_mark(with_objects("{\"name\": \"a\",\n\"parent\": %\"b\"}"), {"no object 'b'"});
  expect_error_at_mark(with_objects("%{\"name\": \"a\", \"parent\": \"a\"}"), {"its own parent"});
  expect_error_at_mark(with_objects("{\"name\": \"z\", \"parent\": \"a\"},\n"
                                    "%{\"name\": \"a\", \"parent\": \"b\"},\n"
                                    "{\"name\": \"b\", \"parent\": \"c\"},\n"
                                    "{\"name\": \"c\", \"parent\": \"a\"}"),
                       {"'a' is its own parent, directly or through others"});
  // What may touch.
  const auto allowed = [](const std::string& text) {
    return "{\"objects\": [{\"name\": \"a\", \"group\": \"g\"}],\n\"allowed\": [\n" + text + "]}";
  };
  expect_error_at_mark(allowed("[\"a\", \"g\"],\n%[\"a\", \"b\"]"), {"called 'b'"});
  expect_error_at_mark(allowed("%[\"a\"]"), {"two names"});
  expect_error_at_mark(allowed("%[\"a\", \"a\", \"a\"]"), {"two names"});
  expect_error_at_mark(allowed("%\"a\""), {"must be a list"});
}

TEST_F(SceneTest, OptionsThatDoNotGoTogether) {
  write("scene.json", k_scene);
  write("moves.txt", "{}\n");
  expect_error({"scene", "scene.json", "--moves", "moves.txt", "--table", "rows.csv"}, {"--moves"});
  expect_error({"scene", "scene.json", "--json", "scene.json"}, {"--json"});
  expect_error({"scene", "scene.json", "--curves", "block.obj"}, {"--curves", "a mesh"});
  expect_error({"scene", "scene.json", "--moves", "none.txt"}, {"--moves", "none.txt"});
  EXPECT_EQ(tandem({"scene", "scene.json", "--exit-code"}).status, 1);
  EXPECT_EQ(tandem({"scene", "scene.json", "--moves", "moves.txt", "--exit-code"}).status, 1);
}

}  // namespace

}  // namespace tandem::test
