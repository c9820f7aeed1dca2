// tandem batch: many poses, line by line.
#include <tandem/tandem.h>

#include <sstream>

#include "program.h"

namespace tandem::test {

namespace {

/// Four poses, the same in each form.
constexpr const char* k_text =
    "# B in A's frame\n"
    "0 0 0\n"
    "\n"
    "  0.4 0.2 0.1 axis 0 0 1 angle 90\n"
    "0.4,0.2,0.1,quat,1,0,0,1\r\n"
    "9 0 0";
constexpr const char* k_json_lines =
    "{\"translation\": [0, 0, 0]}\n"
    "{\"translation\": [0.4, 0.2, 0.1], \"axis\": [0, 0, 2], \"angle\": 90}\n"
    "{\"translation\": [0.4, 0.2, 0.1], \"quaternion\": [1, 0, 0, 1]}\n"
    "{\"matrix\": [1, 0, 0, 9, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}\n";

class BatchTest : public ProgramTest {
 protected:
  /// `tandem batch` of two knots with more arguments.
  static std::vector<std::string> knots(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"batch", "shape:knot:1500", "shape:knot:1200", "--poses",
                                          "poses.txt"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  Json rows(const std::string& name) const { return Json::parse(read(name)); }
};

TEST_F(BatchTest, AnswersEachPoseInItsOrder) {
  write("poses.txt", k_text);
  const std::string report = output(knots({"--json", "rows.json", "--pairs", "pairs.txt"}));
  EXPECT_NE(report.find("4 poses, of which 3 touch"), std::string::npos) << report;
  EXPECT_NE(report.find("wrote rows.json"), std::string::npos) << report;

  const Model a(make_shape("knot", 1500));
  const Model b(make_shape("knot", 1200));
  const std::vector<Pose> poses = {Pose(), Pose::from_quaternion(1, 0, 0, 1, {0.4, 0.2, 0.1}),
                                   Pose::from_quaternion(1, 0, 0, 1, {0.4, 0.2, 0.1}),
                                   Pose::from_translation({9, 0, 0})};
  const std::size_t lines[] = {2, 4, 5, 6};
  const Json found = rows("rows.json");
  ASSERT_EQ(found.size(), 4U);
  std::ostringstream pairs;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto expected = collide(a, b, poses[i]).pairs;
    EXPECT_EQ(found[i]["pose"], i);
    EXPECT_EQ(found[i]["line"], lines[i]);
    EXPECT_EQ(found[i]["touching"], !expected.empty());
    EXPECT_EQ(found[i]["pairs"], expected.size());
    for (const TrianglePair& pair : expected) {
      pairs << i << " " << pair.a << " " << pair.b << "\n";
    }
  }
  EXPECT_EQ(read("pairs.txt"), pairs.str());
}

TEST_F(BatchTest, PosesMayBeJsonOrComeFromStandardInput) {
  write("poses.txt", k_text);
  const auto without_lines = [](Json rows) {
    for (Json& row : rows) row.erase("line");
    return rows;
  };
  const Json expected = without_lines(Json::parse(output(knots({"--json", "-"}))));
  write("poses.txt", k_json_lines);
  EXPECT_EQ(without_lines(Json::parse(output(knots({"--json", "-"})))), expected);
  const Outcome piped =
      shell("tandem batch shape:knot:1500 shape:knot:1200 --poses - --json - < poses.txt");
  EXPECT_EQ(piped.status, 0) << piped.err;
  EXPECT_EQ(without_lines(Json::parse(piped.out)), expected);
}

TEST_F(BatchTest, FirstOnlyTellsWhetherTheyTouch) {
  write("poses.txt", k_text);
  const Json found = Json::parse(output(knots({"--first", "--json", "-"})));
  ASSERT_EQ(found.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(found[i]["touching"], i < 3);
    EXPECT_FALSE(found[i].contains("pairs"));
  }
  EXPECT_EQ(tandem(knots({"--first", "--exit-code"})).status, 1);
  write("poses.txt", "9 0 0\n");
  EXPECT_EQ(tandem(knots({"--first", "--exit-code"})).status, 0);
}

TEST_F(BatchTest, NoPosesAreNoRows) {
  write("poses.txt", "# nothing\n\n");
  EXPECT_EQ(Json::parse(output(knots({"--json", "-"}))), Json::array());
  EXPECT_NE(output(knots({})).find("0 poses"), std::string::npos);
}

TEST_F(BatchTest, FilesDoNotDependOnTheNumberOfThreads) {
  std::ostringstream poses;
  for (int i = 0; i < 300; ++i) poses << i * 0.01 << " 0 0 axis 1 2 3 angle " << i << "\n";
  write("poses.txt", poses.str());
  output(knots({"--json", "1.json", "--pairs", "1.txt", "--threads", "1"}));
  for (const std::string threads : {"2", "4", "16", "0"}) {
    output(knots({"--json", "n.json", "--pairs", "n.txt", "--threads", threads}));
    EXPECT_EQ(read("n.json"), read("1.json")) << threads;
    EXPECT_EQ(read("n.txt"), read("1.txt")) << threads;
  }
}

TEST_F(BatchTest, ABadLineIsNamedAndWhatCameBeforeIsKept) {
  std::string poses;
  for (int i = 1; i < 31'415; ++i) poses += "9 0 0\n";
  poses += "nan 0 0\n";
  for (int i = 0; i < 5'000; ++i) poses += "9 0 0\n";
  write("poses.txt", poses);
  const Outcome outcome = tandem({"batch", "shape:box", "shape:box", "--poses", "poses.txt",
                                  "--json", "rows.json", "--quiet"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("poses.txt, line 31415: "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("nan"), std::string::npos) << outcome.err;
  const Json found = rows("rows.json");
  ASSERT_EQ(found.size(), 31'414U);
  EXPECT_EQ(found.back()["line"], 31'414);
}

TEST_F(BatchTest, WhatIsNoPoseIsOneSentence) {
  const std::pair<std::string, std::string> cases[] = {
      {"0 0", "three numbers X Y Z"},
      {"0 0 0 1", "16 numbers"},
      {"1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 5", "16 numbers"},
      {"2 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1", "not rigid"},
      {"0 0 0 turn 90", "not understood"},
      {"0 0 1e400", "1e400"},
      {"somewhere", "is not a pose"},
      {"{\"translation\": [0, 0]}", "3 numbers"},
      {"{\"translation\": [0, 0, \"a\"]}", "3 numbers"},
      {"{\"quaternion\": [0, 0, 0, 0]}", "quaternion"},
      {"{\"quaternion\": [1, 0, 0, 0], \"axis\": [0, 0, 1], \"angle\": 3}", "not both"},
      {"{\"axis\": [0, 0, 1]}", "go together"},
      {"{\"position\": [0, 0, 1]}", "position"},
      {"{\"matrix\": [1]}", "16 numbers"},
      {"{\"translation\": [0, 0, 1e60], \"matrix\": []}", "alone"},
      {"{\"translation\": [0, 0, 0]", "JSON"},
      {std::string(70'000, '1'), "longer"},
  };
  for (const auto& [line, part] : cases) {
    write("poses.txt", "0 0 0\n" + line + "\n");
    const Outcome outcome = tandem(knots({"--json", "rows.json", "--quiet"}));
    EXPECT_EQ(outcome.status, 2) << line.substr(0, 80);
    EXPECT_NE(outcome.err.find("line 2: "), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
    EXPECT_EQ(rows("rows.json").size(), 1U);
  }
}

TEST_F(BatchTest, ALineThatIsTooLongIsNamed) {
  for (const std::size_t length : {65'537, 65'600, 200'000}) {
    write("poses.txt", "0 0 0\n" + std::string(length, '1') + "\n0 0 0\n");
    const Outcome outcome = tandem(knots({"--json", "rows.json"}));
    EXPECT_EQ(outcome.status, 2) << length;
    EXPECT_NE(outcome.err.find("poses.txt, line 2: it is longer than 65536 bytes"),
              std::string::npos)
        << outcome.err;
    EXPECT_EQ(rows("rows.json").size(), 1U) << length;
  }
  // Blanks are no pose, and a comment is none, but a line may have many of them.
  write("poses.txt", std::string(65'536, ' ') + "\n0 0 0" + std::string(65'000, ' '));
  EXPECT_EQ(json_output(knots({"--json", "-"})).size(), 1U);
}

TEST_F(BatchTest, OptionsThatDoNotGoTogetherAreErrors) {
  write("poses.txt", k_text);
  expect_error(knots({"--first", "--pairs", "p.txt"}), {"--first and --pairs"});
  expect_error(knots({"--json", "-", "--pairs", "-"}), {"standard output"});
  expect_error(knots({"--json", "poses.txt"}), {"--json", "--poses"});
  expect_error(knots({"--threads", "-1"}), {"--threads"});
  expect_error(knots({"--threads", "many"}), {"--threads"});
  expect_error({"batch", "shape:box", "shape:box"}, {"--poses"});
  expect_error({"batch", "shape:box", "shape:box", "--poses", "missing.txt"},
               {"--poses", "missing.txt"});
  expect_error({"batch", "shape:box", "shape:box", "--poses", "."}, {"directory"});
}

#ifndef TANDEM_SANITIZED  // sanitizers need memory of their own
TEST_F(BatchTest, MemoryDoesNotGrowWithThePoses) {
  const auto peak = [&](int count) {
    std::string poses;
    for (int i = 0; i < count; ++i) poses += "0.5 0 0\n";
    write("poses.txt", poses);
    const Outcome outcome = tandem({"batch", "shape:box:12", "shape:box:12", "--poses", "poses.txt",
                                    "--json", "rows.json", "--threads", "2"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.peak_kilobytes;
  };
  const long few = peak(20'000);
  EXPECT_LT(peak(400'000), few + 8'000);
}
#endif

}  // namespace

}  // namespace tandem::test
