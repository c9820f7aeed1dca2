// Standard output that cannot be written, and progress bars on standard error.
#include <pty.h>
#include <unistd.h>

#include "program.h"

namespace tandem::test {

namespace {

class StreamsTest : public ProgramTest {};

/// Containers may come without pseudo-terminals.
bool has_terminals() {
  int ends[2];
  if (openpty(&ends[0], &ends[1], nullptr, nullptr, nullptr) != 0) return false;
  for (const int end : ends) close(end);
  return true;
}

TEST_F(StreamsTest, FullDiskIsNoticed) {
  for (const char* command :
       {"list", "list --json", "demo", "--help", "--version", "info shape:box",
        "collide shape:box shape:box --pairs -", "collide shape:box shape:box"}) {
    const Outcome outcome = shell(std::string("tandem ") + command + " > /dev/full");
    EXPECT_EQ(outcome.status, 2) << command;
    EXPECT_EQ(outcome.err, "tandem: standard output cannot be written: No space left on device\n")
        << command;
  }
}

TEST_F(StreamsTest, ReaderThatGoesAwayIsNoticed) {
  const Outcome outcome = shell("{ sleep 0.3; tandem list; echo $? > status; } | true");
  EXPECT_EQ(read("status"), "2\n");
  EXPECT_EQ(outcome.err, "tandem: standard output cannot be written: Broken pipe\n");
}

TEST_F(StreamsTest, ClosedStandardOutputIsNoticed) {
  const Outcome outcome = shell("tandem collide shape:box shape:box --pairs pairs.txt >&-");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(outcome.err.starts_with("tandem: standard output cannot be written")) << outcome.err;
  // What was complete stays, and nothing else was written into it.
  EXPECT_EQ(read("pairs.txt").find_first_not_of("0123456789 \n"), std::string::npos);
  EXPECT_EQ(shell("tandem list 2>&- >&- <&-").status, 2);
}

TEST_F(StreamsTest, PairsMayGoIntoAPipe) {
  const Outcome outcome = shell(
      "mkfifo pipe || exit 3\n"
      "tandem collide shape:box:12 shape:box:12 --pairs pipe > report &\n"
      "cat pipe > got && wait $! && tandem collide shape:box:12 shape:box:12 --pairs - > expected");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(read("got"), "");
  EXPECT_EQ(read("got"), read("expected"));
}

TEST_F(StreamsTest, LongWorkShowsABarOnATerminal) {
  if (!has_terminals()) GTEST_SKIP() << "no pseudo-terminals here (is /dev/pts mounted?)";
  // Brute force on knots that grow until it takes one second; a bar appears after half a second.
  std::vector<std::string> arguments;
  Outcome outcome;
  const auto seconds = [&] { return Json::parse(outcome.out)["time_ms"].get<double>() / 1000; };
  for (int triangle_count = 4000; outcome.status < 0 || seconds() < 1; triangle_count += 2000) {
    const std::string knot = "shape:knot:" + std::to_string(triangle_count);
    arguments = {"collide", knot, knot, "--count", "--json", "--traversal", "brute-force"};
    outcome = tandem_on_terminal(arguments);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
  }
  EXPECT_NE(outcome.err.find("searching ["), std::string::npos) << outcome.err;
  EXPECT_TRUE(outcome.err.ends_with("\r\x1b[K")) << outcome.err;
  EXPECT_EQ(tandem(arguments).err, "");
  arguments.push_back("--quiet");
  EXPECT_EQ(tandem_on_terminal(arguments).err, "");
}

TEST_F(StreamsTest, ShortWorkShowsNoBar) {
  if (!has_terminals()) GTEST_SKIP() << "no pseudo-terminals here (is /dev/pts mounted?)";
  EXPECT_EQ(tandem_on_terminal({"collide", "shape:box", "shape:box", "--first"}).err, "");
}

}  // namespace
}  // namespace tandem::test
