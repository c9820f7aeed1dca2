// tandem make, info, list, demo, --help and --version.
#include <tandem/tandem.h>

#include <sstream>

#include "program.h"

namespace tandem::test {

namespace {

class CommandsTest : public ProgramTest {
 protected:
  // The indented lines under "Examples" of a help text: a shell script.
  static std::string examples(const std::string& help) {
    std::istringstream lines(help.substr(std::min(help.find("\nExamples"), help.size())));
    std::string script;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("  ")) script += line + "\n";
    }
    return script;
  }
};

TEST_F(CommandsTest, MakeWritesWhatTheLibraryMakes) {
  const std::string report = output({"make", "knot", "--triangles", "80000", "-o", "knot.ply"});
  const Mesh mesh = read_mesh(folder_ / "knot.ply");
  const Mesh expected = make_shape("knot", 80000);
  EXPECT_EQ(mesh.triangle_count(), expected.triangle_count());
  EXPECT_TRUE(std::equal(mesh.vertices().begin(), mesh.vertices().end(),
                         expected.vertices().begin(), expected.vertices().end()));
  EXPECT_TRUE(report.starts_with("wrote knot.ply: knot, ")) << report;
  EXPECT_NE(report.find(",000 triangles"), std::string::npos) << report;
  EXPECT_EQ(snapshot().size(), 1u);
}

TEST_F(CommandsTest, MakeKnowsSeedsAndSubdivision) {
  output({"make", "rock", "--triangles", "300", "--seed", "1", "-o", "one.obj"});
  output({"make", "rock", "--triangles", "300", "-o", "default.obj"});
  output({"make", "rock", "--triangles", "300", "--seed", "2", "-o", "two.obj"});
  output({"make", "rock", "--triangles", "300", "--subdivide", "2", "-o", "fine.obj"});
  EXPECT_EQ(read("one.obj"), read("default.obj"));
  EXPECT_NE(read("one.obj"), read("two.obj"));
  EXPECT_EQ(read_mesh(folder_ / "fine.obj").triangle_count(),
            16 * read_mesh(folder_ / "one.obj").triangle_count());
}

TEST_F(CommandsTest, MakeMakesEveryShapeThatIsListed) {
  const Json list = json_output({"list", "--json"});
  for (const Json& shape : list["shapes"]) {
    const std::string name = shape["name"];
    output({"make", name, "--triangles", "500", "-o", name + ".ply"});
    const Json info = json_output({"info", name + ".ply", "--json"});
    const Json direct = json_output({"info", "shape:" + name + ":500", "--json"});
    EXPECT_GT(info["triangles"], 0) << name;
    EXPECT_EQ(info["triangles"], direct["triangles"]) << name;
    EXPECT_EQ(info["bounds"], direct["bounds"]) << name;
  }
}

TEST_F(CommandsTest, InfoTellsSurfacesApart) {
  EXPECT_EQ(json_output({"info", "shape:knot", "--json"})["surface"], "closed");
  EXPECT_EQ(json_output({"info", "shape:plane", "--json"})["surface"], "open");
  EXPECT_EQ(json_output({"info", "shape:soup", "--json"})["surface"], "soup");
  EXPECT_TRUE(output({"info", "shape:knot"}).starts_with("shape:knot: closed"));
  EXPECT_TRUE(output({"info", "shape:plane"}).starts_with("shape:plane: open"));
}

TEST_F(CommandsTest, InfoCountsFaults) {
  // A unit square of two triangles, one of them twice, a degenerate one, and an unused vertex.
  write("faults.obj",
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 5 5 5\nf 1 2 3\nf 1 3 4\nf 3 1 2\nf 1 1 2\n");
  const Json info = json_output({"info", "faults.obj", "--json"});
  EXPECT_EQ(info["source"], "faults.obj");
  EXPECT_EQ(info["triangles"], 4);
  EXPECT_EQ(info["vertices"], 5);
  EXPECT_EQ(info["unused_vertices"], 1);
  EXPECT_EQ(info["duplicate_triangles"], 1);
  EXPECT_EQ(info["degenerate_triangles"], 1);
  EXPECT_EQ(info["components"], 1);
  EXPECT_EQ(info["closed"], false);
  EXPECT_EQ(info["bounds"], Json::parse(R"({"lower": [0, 0, 0], "upper": [1, 1, 0]})"));
  const std::string text = output({"info", "faults.obj"});
  EXPECT_NE(text.find("(0, 0, 0) to (1, 1, 0)"), std::string::npos) << text;
}

TEST_F(CommandsTest, EmptyMeshesAreLegal) {
  write("empty.off", "OFF\n0 0 0\n");
  const Json info = json_output({"info", "empty.off", "--json"});
  EXPECT_EQ(info["surface"], "empty");
  EXPECT_TRUE(info["bounds"].is_null());
  EXPECT_TRUE(output({"info", "empty.off"}).starts_with("empty.off: empty"));
  EXPECT_EQ(json_output({"collide", "empty.off", "shape:box", "--json"})["pair_count"], 0);
}

TEST_F(CommandsTest, NamesThatAreNotUtf8AreReported) {
  output({"make", "box", "-o", "caf\xe9.ply"});
  EXPECT_EQ(json_output({"info", "caf\xe9.ply", "--json"})["source"], "caf\xEF\xBF\xBD.ply");
}

TEST_F(CommandsTest, FilesMayBeCalledLikeCommands) {
  const Outcome outcome = tandem({"collide", "info", "list"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("info"), std::string::npos) << outcome.err;
}

TEST_F(CommandsTest, ListShowsWhatTheLibraryHas) {
  const Json list = json_output({"list", "--json"});
  const std::string text = output({"list"});
  EXPECT_EQ(list["version"], TANDEM_VERSION);
  EXPECT_EQ(list["shapes"].size(), shapes().size());
  ASSERT_EQ(list["traversals"].size(), Traversal::all().size());
  int default_count = 0;
  for (const Json& traversal : list["traversals"]) {
    default_count += traversal["default"].get<bool>();
    EXPECT_NE(text.find("  " + traversal["name"].get<std::string>() + " "), std::string::npos)
        << text;
  }
  EXPECT_EQ(default_count, 1);
  for (const Json& format : list["formats"]) {
    const bool gltf = format["name"] == "glTF";
    EXPECT_EQ(format["reads"], !gltf || reads_gltf()) << format;
  }
}

TEST_F(CommandsTest, DemoComparesAllTraversals) {
  std::filesystem::create_directory(folder_ / "out");
  const std::string report =
      output({"demo", "--picture", "out/knots.png", "--picture-size", "48x30"});
  for (const Traversal traversal : Traversal::all()) {
    EXPECT_NE(report.find("\n  " + std::string(traversal.name()) + " "), std::string::npos)
        << report;
  }
  EXPECT_NE(report.find("touching pairs"), std::string::npos) << report;
  EXPECT_NE(report.find("All of them found the same pairs"), std::string::npos) << report;

  // What it suggests works.
  std::istringstream lines(report.substr(report.find("What to type next")));
  std::string script = "set -e\n";
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  ")) script += line + "\n";
  }
  const Outcome outcome = shell(script);
  EXPECT_EQ(outcome.status, 0) << script << outcome.err;
  EXPECT_EQ(outcome.err, "") << script;
  // Its files go beside the picture; nothing is left elsewhere.
  for (const char* name : {"curve.obj", "rock.ply", "pairs.txt", "touch.png", "knots.png"}) {
    EXPECT_TRUE(exists(std::string("out/") + name)) << name;
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    EXPECT_EQ(entry.path().filename(), "out");
  }
}

TEST_F(CommandsTest, HelpTeachesByExamplesThatRun) {
  for (const std::string command : {"", "collide", "self", "batch", "make", "info", "list",
                                    "render", "view", "bench", "reproduce", "demo"}) {
    SCOPED_TRACE(command);
    if (command == "view" && !TANDEM_HAS_PAGE) continue;
    const std::string help = output(command.empty() ? std::vector<std::string>{"--help"}
                                                    : std::vector<std::string>{command, "--help"});
    const std::string script = examples(help);
    ASSERT_NE(script.find("  tandem "), std::string::npos) << help;
    const Outcome outcome = shell("set -e\n" + script);
    EXPECT_EQ(outcome.status, 0) << script << outcome.err;
    EXPECT_EQ(outcome.err, "") << script;
  }
}

TEST_F(CommandsTest, HelpFitsAHundredColumns) {
  for (const char* command :
       {"collide", "self", "make", "info", "list", "view", "bench", "reproduce", "demo"}) {
    std::istringstream lines(output({command, "--help"}));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
  }
}

TEST_F(CommandsTest, NoArgumentsShowTheHelp) {
  EXPECT_EQ(output({}), output({"--help"}));
}

TEST_F(CommandsTest, Version) {
  EXPECT_EQ(output({"--version"}), "tandem " TANDEM_VERSION "\n");
}

}  // namespace
}  // namespace tandem::test
