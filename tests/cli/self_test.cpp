// tandem self: answers, files and exit status.
#include <tandem/tandem.h>

#include <algorithm>
#include <sstream>

#include "program.h"

namespace tandem::test {

namespace {

class SelfTest : public ProgramTest {
 protected:
  /// The pairs that the library finds, as the program writes them.
  static std::string expected_pairs() {
    std::ostringstream lines;
    for (const TrianglePair& pair : self_collide(Model(make_shape("soup", 2000))).pairs) {
      lines << pair.a << " " << pair.b << "\n";
    }
    return lines.str();
  }
};

TEST_F(SelfTest, PairsAreThoseOfTheLibrary) {
  const std::string expected = expected_pairs();
  ASSERT_FALSE(expected.empty());
  EXPECT_EQ(output({"self", "shape:soup:2000", "--pairs", "-"}), expected);
  EXPECT_NE(output({"self", "shape:soup:2000", "--pairs", "pairs.txt"}).find("wrote pairs.txt"),
            std::string::npos);
  EXPECT_EQ(read("pairs.txt"), expected);
  output({"self", "shape:soup:2000", "--pairs", "pairs.json"});
  const auto lines = std::count(expected.begin(), expected.end(), '\n');
  EXPECT_EQ(Json::parse(read("pairs.json"))["pairs"].size(), static_cast<std::size_t>(lines));
}

TEST_F(SelfTest, ReportsAgree) {
  const std::string expected = expected_pairs();
  const auto pair_count = std::count(expected.begin(), expected.end(), '\n');
  const Json report = json_output({"self", "shape:soup:2000", "--json", "--statistics"});
  EXPECT_EQ(report["pair_count"], pair_count);
  EXPECT_EQ(report["touching"], true);
  EXPECT_EQ(report["triangles"], 2000);
  EXPECT_EQ(report["statistics"]["triangle_overlaps"], pair_count);
  const std::string text = output({"self", "shape:soup:2000"});
  EXPECT_NE(text.find(std::to_string(pair_count) + " pairs of its triangles meet"),
            std::string::npos)
      << text;
  // The first pairs, in their order.
  std::string first_line = expected.substr(0, expected.find('\n'));
  EXPECT_NE(text.find(first_line.substr(0, first_line.find(' '))), std::string::npos) << text;
  EXPECT_EQ(output({"self", "shape:soup:2000", "--count"}).find("meets"), std::string::npos);
  const Json first = json_output({"self", "shape:soup:2000", "--first", "--json"});
  EXPECT_LT(first["first_pair"][0], first["first_pair"][1]);
}

TEST_F(SelfTest, ExitCodeSaysWhetherItMeetsItself) {
  EXPECT_EQ(tandem({"self", "shape:soup:2000", "--exit-code"}).status, 1);
  EXPECT_EQ(tandem({"self", "shape:soup:2000", "--first", "--exit-code"}).status, 1);
  EXPECT_EQ(tandem({"self", "shape:soup:2000"}).status, 0);
  EXPECT_EQ(tandem({"self", "shape:knot:2000", "--exit-code"}).status, 0);
  EXPECT_NE(output({"self", "shape:knot:2000"}).find("it does not meet itself"), std::string::npos);
  EXPECT_EQ(output({"self", "shape:knot:2000", "--pairs", "-"}), "");
}

TEST_F(SelfTest, WhatIsWrongIsOneSentence) {
  expect_error({"self"}, {"needs MESH"});
  expect_error({"self", "nothing.ply"}, {"nothing.ply"});
  expect_error({"self", "shape:box", "--first", "--count"}, {"exclude each other"});
  expect_error({"self", "shape:box", "--pairs", "-", "--json"}, {"standard output"});
  write("box.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
  expect_error({"self", "box.off", "--pairs", "./box.off"}, {"MESH and --pairs"});
}

}  // namespace

}  // namespace tandem::test
