// Poses on the command line: each way to write one, and what is wrong with the others.
#include <tandem/tandem.h>

#include <cmath>
#include <sstream>

#include "program.h"

namespace tandem::test {

namespace {

class PoseTest : public ProgramTest {
 protected:
  // The touching pairs with B at this pose; they show whether two poses are the same.
  std::string pairs_at(const std::string& pose_b) {
    return output(
        {"collide", "shape:knot:1500", "shape:rock:800", "--pose-b", pose_b, "--pairs", "-"});
  }

  void expect_bad(const std::string& pose, const std::vector<std::string>& parts) {
    expect_error({"collide", "shape:box", "shape:box", "--pose-b", pose, "--pairs", "p.txt"},
                 parts);
  }

  // The matrix of a pose, row by row, with enough digits for every bit.
  static std::string matrix_text(const Pose& pose) {
    std::ostringstream text;
    text.precision(17);
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 3; ++column) text << pose.rotation(row, column) << ' ';
      text << pose.translation()[row] << '\n';
    }
    text << "0 0 0 1\n";
    return text.str();
  }
};

TEST_F(PoseTest, MatrixFileEqualsInlinePose) {
  const double radians = std::acos(-1.0) * 33 / 180;
  write("pose.txt", matrix_text(Pose::from_axis_angle({1, -2, 3}, radians, {0.5, -0.25, 0.125})));
  const std::string expected = pairs_at("pose.txt");
  ASSERT_NE(expected, "");
  EXPECT_EQ(pairs_at("0.5 -0.25 0.125 axis 1 -2 3 angle 33"), expected);
  EXPECT_EQ(pairs_at("0.5,-0.25,0.125,axis,1,-2,3,angle,33deg"), expected);
  EXPECT_EQ(pairs_at("+0.5 -2.5e-1 .125  axis 1 -2 3  angle 33 deg"), expected);
  std::ostringstream in_radians;
  in_radians.precision(17);
  in_radians << "0.5 -0.25 0.125 axis 1 -2 3 angle " << radians;
  EXPECT_EQ(pairs_at(in_radians.str() + "rad"), expected);
  EXPECT_EQ(pairs_at(in_radians.str() + " rad"), expected);

  write("quaternion.txt", matrix_text(Pose::from_quaternion(4, 1, 2, 3, {0.5, 0, 0})));
  EXPECT_EQ(pairs_at("0.5 0 0 quat 4 1 2 3"), pairs_at("quaternion.txt"));
}

TEST_F(PoseTest, FilesMayHaveCommentsCommasAndAnyLines) {
  write("pose.txt", "# B beside A\r\n1, 0, 0, 0.5\r\n0 1 0 0.25  # y\n\n0\t0\t1\n0.125, 0 0 0 1.0");
  EXPECT_EQ(pairs_at("pose.txt"), pairs_at("0.5 0.25 0.125"));
  EXPECT_EQ(pairs_at("-.5 0 0"), pairs_at("-0.5,0,0"));
}

TEST_F(PoseTest, QuarterTurnsAreExact) {
  write("x.txt", "1 0 0 0.5\n0 0 -1 0\n0 1 0 0\n0 0 0 1\n");
  write("y.txt", "-1 0 0 0.5\n0 1 0 0\n0 0 -1 0\n0 0 0 1\n");
  write("z.txt", "0 1 0 0.5\n-1 0 0 0\n0 0 1 0\n0 0 0 1\n");
  EXPECT_EQ(pairs_at("0.5 0 0 axis x angle 90"), pairs_at("x.txt"));
  EXPECT_EQ(pairs_at("0.5 0 0 axis 2 0 0 angle -270"), pairs_at("x.txt"));
  EXPECT_EQ(pairs_at("0.5 0 0 axis y angle 180"), pairs_at("y.txt"));
  EXPECT_EQ(pairs_at("0.5 0 0 axis 0 0 -1 angle 90"), pairs_at("z.txt"));
  // Boxes of side 2 face to face, one of them turned: they touch only when the turn is exact.
  for (const char* axis : {"x", "y", "z"}) {
    const std::string turn = std::string(" axis ") + axis + " angle 90";
    const Json report =
        json_output({"collide", "shape:box", "shape:box", "--json", "--pose-b", "2 0 0" + turn});
    EXPECT_EQ(report["touching"], true) << axis;
    const Json apart = json_output({"collide", "shape:box", "shape:box", "--json", "--pose-b",
                                    "2.0000000000000004 0 0" + turn});
    EXPECT_EQ(apart["touching"], false) << axis;
  }
}

TEST_F(PoseTest, TranslationMayBeLeftOut) {
  EXPECT_EQ(pairs_at("axis 1 2 3 angle 20"), pairs_at("0 0 0 axis 1 2 3 angle 20"));
  EXPECT_EQ(pairs_at("quat 1 0.1 0 0"), pairs_at("0 0 0 quat 1 0.1 0 0"));
}

TEST_F(PoseTest, OnlyTheRelativePoseMatters) {
  const auto pairs = [&](const std::string& pose_a, const std::string& pose_b) {
    return output({"collide", "shape:knot:1500", "shape:rock:800", "--pose-a", pose_a, "--pose-b",
                   pose_b, "--pairs", "-"});
  };
  EXPECT_EQ(pairs("4 5 6", "4.5 5 6"), pairs_at("0.5 0 0"));
}

TEST_F(PoseTest, BadInlinePosesAreExplained) {
  expect_bad("1 2", {"--pose-b '1 2'", "three numbers"});
  expect_bad("1 2 x", {"three numbers", "'x'"});
  expect_bad("1 2 3 4", {"'4'"});
  expect_bad("1 2 3 turn 4", {"'turn'"});
  expect_bad("1 2 3 axis 0 0 1", {"angle"});
  expect_bad("1 2 3 axis 0 0 1 angle", {"angle needs a number"});
  expect_bad("1 2 3 axis 0 0 1 angle 90 90", {"'90'"});
  expect_bad("1 2 3 axis 0 0 0 angle 90", {"--pose-b"});
  expect_bad("1 2 3 axis 0 0 1 angle inf", {"finite"});
  expect_bad("1 2 3 quat 0 0 0 0", {"--pose-b"});
  expect_bad("1 2 3 quat 1 0 0", {"quat"});
  expect_bad("nan 0 0", {"--pose-b", "'nan' is not finite"});
  expect_bad("1e70 0 0", {"--pose-b"});
  // NaN and infinity, wherever they stand; a quarter turn needs no sine to notice.
  for (const char* axis : {"nan 0 0", "0 nan 0", "0 0 nan", "nan nan nan", "inf 0 0", "0 0 -inf"}) {
    expect_bad(std::string("axis ") + axis + " angle 90", {"axis", "is not finite"});
    expect_bad(std::string("axis ") + axis + " angle 33", {"axis", "is not finite"});
  }
  expect_bad("quat nan 0 0 1", {"quat", "is not finite"});
  expect_bad("axis x angle nan", {"angle", "is not finite"});
  // Numbers that double precision does not have are no file names.
  for (const char* number : {"1e400", "-1e400", "1e-400"}) {
    expect_bad(std::string(number) + " 0 0", {"beyond the range", number});
    expect_bad(std::string("0 0 ") + number, {"beyond the range", number});
    expect_bad(std::string("axis 0 0 1 angle ") + number, {"beyond the range", number});
  }
  // One unit.
  expect_bad("axis z angle 90deg rad", {"'rad'"});
  expect_bad("axis z angle 1rad deg", {"'deg'"});
  expect_bad("axis z angle 90deg deg", {"'deg'"});
  expect_bad("axis z angle 90 deg rad", {"'rad'"});
  expect_bad("axis z angle deg", {"'deg'"});
  expect_bad("", {"--pose-b"});
  expect_bad(" , ", {"--pose-b"});
}

TEST_F(PoseTest, BadPoseFilesAreExplained) {
  write("not_rigid.txt", "2 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n");
  write("mirror.txt", "-1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n");
  write("last_row.txt", "1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 1 1\n");
  write("short.txt", "1 0 0 0\n0 1 0 0\n0 0 1 0\n");
  write("long.txt", "1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n7\n");
  write("word.txt", "1 0 0 0\n0 one 0 0\n0 0 1 0\n0 0 0 1\n");
  write("range.txt", "1 0 0 1e400\n0 1 0 0\n0 0 1 0\n0 0 0 1\n");
  write("nan.txt", "nan 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n");
  write("empty.txt", "");
  write("noise.txt", std::string("\x7f\x03\0\n\xff\x80", 6));
  write("huge.txt", std::string(1 << 20, '1'));
  std::filesystem::create_directory(folder_ / "folder");
  expect_bad("not_rigid.txt", {"--pose-b 'not_rigid.txt'"});
  expect_bad("mirror.txt", {"'mirror.txt'"});
  expect_bad("last_row.txt", {"'last_row.txt'"});
  expect_bad("short.txt", {"'short.txt'", "16 numbers", "12"});
  expect_bad("long.txt", {"'long.txt'", "line 5", "16"});
  expect_bad("word.txt", {"'word.txt'", "line 2", "'one'"});
  expect_bad("nan.txt", {"'nan.txt'", "line 1", "not finite"});
  expect_bad("range.txt", {"'range.txt'", "line 1", "'1e400' is beyond the range"});
  expect_bad("empty.txt", {"'empty.txt'", "16 numbers"});
  expect_bad("noise.txt", {"'noise.txt'", "not a number"});
  expect_bad("huge.txt", {"'huge.txt'", "more than 65,536 bytes"});
  expect_bad("folder", {"'folder'", "directory"});
  expect_bad("missing.txt", {"'missing.txt'", "no such file"});
}

}  // namespace
}  // namespace tandem::test
