// Output files: complete or not at all, never over an input or each other, whatever the names; and
// names that a terminal would obey.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "program.h"

namespace tandem::test {

namespace {

namespace fs = std::filesystem;

class OutputFilesTest : public ProgramTest {
 protected:
  void link(const char* target, const char* name) { fs::create_symlink(target, folder_ / name); }

  // Whether an output is half written. The check that comes before the work makes an empty file.
  bool has_half_a_file() const {
    std::error_code ignored;  // it may be renamed just now
    for (const auto& entry : fs::directory_iterator(folder_)) {
      if (!entry.path().filename().string().starts_with(".tandem-")) continue;
      const std::uintmax_t size = fs::file_size(entry.path(), ignored);
      if (!ignored && size > 0) return true;
    }
    return false;
  }

  // Sends the signal while a file is written that is so large that there is time for it.
  Outcome interrupted_by(int signal) {
    Outcome outcome;
    for (int triangle_count = 500'000; triangle_count <= 8'000'000; triangle_count *= 2) {
      const std::vector<std::string> arguments = {
          "make", "plane", "--triangles", std::to_string(triangle_count), "-o", "old.ply"};
      write("old.ply", "old");
      outcome = tandem_while_running(arguments, [&](int process, const auto& is_running) {
        while (is_running() && !has_half_a_file()) {
          std::this_thread::sleep_for(std::chrono::microseconds(200));
        }
        kill(process, signal);
      });
      if (outcome.status != 0) break;
    }
    return outcome;
  }
};

TEST_F(OutputFilesTest, AnInputIsNeverTheOutput) {
  output({"make", "rock", "--triangles", "300", "-o", "rock.obj"});
  write("pose.obj", "1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 1\n");
  link("rock.obj", "link.obj");
  fs::create_hard_link(folder_ / "rock.obj", folder_ / "hard.obj");
  link("rock.obj", "link.png");
  const std::vector<std::string> collide = {"collide", "rock.obj", "shape:plane"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), collide.begin(), collide.end());
    return more;
  };
  for (const char* name : {"rock.obj", "./rock.obj", "link.obj", "hard.obj"}) {
    expect_error(with({"--segments", name}), {"A and --segments are the same file", name});
    expect_error(with({"--pairs", name}), {"A and --pairs are the same file", name});
  }
  expect_error({"collide", "shape:box", "link.obj", "--pairs", "hard.obj"}, {"B and --pairs"});
  expect_error(with({"--picture", "link.png"}), {"A and --picture are the same file"});
  expect_error(with({"--pose-b", "pose.obj", "--segments", "pose.obj"}),
               {"--pose-b and --segments"});
  expect_error({"render", "rock.obj", "-o", "link.png"}, {"SCENE and -o are the same file"});
  expect_error({"bench", "tumble", "--meshes", "shape:box,rock.obj", "--json", "hard.obj"},
               {"an object and --json are the same file"});
  expect_error({"reproduce", "restricted-boxtree", "--meshes", "rock.obj", "--json", "link.obj"},
               {"an object and --json are the same file"});
}

TEST_F(OutputFilesTest, TwoOutputsAreNeverTheSameFile) {
  write("old.txt", "old");
  link("old.txt", "old.obj");
  link("new.txt", "new.obj");  // leads to nothing yet
  const auto collide = [](const char* pairs, const char* segments) {
    return std::vector<std::string>{"collide", "shape:box",  "shape:box", "--pairs",
                                    pairs,     "--segments", segments};
  };
  expect_error(collide("x.obj", "./x.obj"), {"--pairs and --segments are the same file"});
  expect_error(collide("old.txt", "old.obj"), {"--pairs and --segments are the same file"});
  expect_error(collide("new.txt", "new.obj"), {"--pairs and --segments are the same file"});
  expect_error({"collide", "shape:box", "shape:box", "--pairs", "p.png", "--picture", "p.png"},
               {"--pairs and --picture are the same file"});
  expect_error({"collide", "shape:box", "shape:box", "--pairs", "p.json", "--contacts", "p.json"},
               {"--pairs and --contacts are the same file"});
  expect_error({"bench", "tumble", "--json", "f.svg", "--plot", "."}, {"--json", "--plot"});
  // Standard output may be a file too.
  const Outcome outcome = shell("tandem collide shape:box shape:box --pairs out.txt > out.txt");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("standard output and --pairs are the same file"), std::string::npos)
      << outcome.err;
  // What keeps nothing can be named twice.
  output(collide("/dev/null", "c.obj"));
  link("/dev/null", "null.obj");
  output(collide("/dev/null", "null.obj"));
}

TEST_F(OutputFilesTest, AReadOnlyFileStays) {
  write("old.txt", "old");
  fs::permissions(folder_ / "old.txt", fs::perms::owner_read | fs::perms::group_read);
  link("old.txt", "link.txt");
  for (const char* name : {"old.txt", "link.txt"}) {
    expect_error({"collide", "shape:box", "shape:box", "--pairs", name}, {name, "read-only"});
  }
  if (geteuid() == 0) return;  // who may do everything
  fs::create_directory(folder_ / "locked");
  fs::permissions(folder_ / "locked", fs::perms::owner_read | fs::perms::owner_exec);
  expect_error({"collide", "shape:box", "shape:box", "--pairs", "locked/p.txt"}, {"Permission"});
}

TEST_F(OutputFilesTest, LinksAreFollowedAndPermissionsKept) {
  write("old.txt", "old");
  fs::create_directory(folder_ / "sub");
  fs::permissions(folder_ / "old.txt", fs::perms(0640));
  link("old.txt", "one.txt");
  link("../one.txt", "sub/two.txt");
  link("sub/later.txt", "dangling.txt");
  const auto pairs_to = [&](const char* name) {
    output({"collide", "shape:box", "shape:box", "--pairs", name});
  };
  pairs_to("sub/two.txt");
  pairs_to("dangling.txt");
  for (const char* name : {"one.txt", "sub/two.txt", "dangling.txt"}) {
    EXPECT_TRUE(fs::is_symlink(folder_ / name)) << name;
  }
  const std::string expected = output({"collide", "shape:box", "shape:box", "--pairs", "-"});
  EXPECT_EQ(read("old.txt"), expected);
  EXPECT_EQ(fs::status(folder_ / "old.txt").permissions(), fs::perms(0640));
  EXPECT_EQ(read("sub/later.txt"), expected);
  link("circle.txt", "circle.txt");
  expect_error({"collide", "shape:box", "shape:box", "--pairs", "circle.txt"}, {"circle.txt"});
  // A name of the greatest length leaves room for the temporary one.
  const std::string longest = std::string(251, 'n') + ".txt";
  pairs_to(longest.c_str());
  EXPECT_EQ(read(longest), expected);
}

TEST_F(OutputFilesTest, OpenFilesAreWrittenWhereTheyAre) {
  const std::string expected = output({"collide", "shape:box", "shape:box", "--pairs", "-"});
  ASSERT_EQ(shell("tandem collide shape:box shape:box --pairs /dev/stdout > out.txt").status, 0);
  const std::string text = read("out.txt");
  EXPECT_TRUE(text.starts_with(expected)) << text;
  EXPECT_NE(text.find("wrote /dev/stdout"), text.npos) << text;
  ASSERT_EQ(shell("exec 3> three; tandem collide shape:box shape:box --pairs /dev/fd/3").status, 0);
  EXPECT_EQ(read("three"), expected);
  const Outcome piped = shell("tandem collide shape:box shape:box --pairs /dev/stdout | cat");
  EXPECT_TRUE(piped.out.starts_with(expected)) << piped.out;
}

TEST_F(OutputFilesTest, AFileSizeLimitIsAnError) {
  write("knot.obj", "old");
  // In blocks of 512 bytes; the knot needs some megabytes.
  const Outcome outcome = shell("ulimit -f 64; tandem make knot --triangles 20000 -o knot.obj");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err, "tandem: cannot write knot.obj: File too large\n");
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(read("knot.obj"), "old");
  EXPECT_EQ(snapshot().size(), 1u);
}

TEST_F(OutputFilesTest, SignalsLeaveNothingBehind) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU}) {
    SCOPED_TRACE(signal);
    EXPECT_EQ(interrupted_by(signal).status, 128 + signal);
    EXPECT_EQ(read("old.ply"), "old");
    EXPECT_EQ(snapshot().size(), 1u);
  }
}

TEST_F(OutputFilesTest, SignalsThatWereIgnoredStayIgnored) {
  const Outcome outcome = shell(
      "trap '' INT; tandem make soup --triangles 200000 -o soup.ply & sleep 0.05; kill -INT $!; "
      "wait $!");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(exists("soup.ply"));
}

TEST_F(OutputFilesTest, NamesAreSafeForATerminal) {
  // A clear screen, a C1 control sequence introducer, a byte that is no UTF-8, a direction mark.
  const std::string bad = "\x1b[2J\xc2\x9b\x9b\xe2\x80\xae\x7f.ply";
  const std::string shown = "\\x1b[2J\\xc2\\x9b\\x9b\\xe2\\x80\\xae\\x7f.ply";
  const std::string good = "Grüße-形-🙂.ply";
  for (const auto& [name, in_output] : {std::pair(bad, shown), std::pair(good, good)}) {
    const std::string& printed = in_output;  // clang's lambdas cannot see names of a pair
    const auto expect_safe = [&](const std::string& text) {
      EXPECT_NE(text.find(printed), text.npos) << text;
      for (const char* part : {"\x1b", "\xc2\x9b", "\x9b\xe2", "\xe2\x80\xae", "\x7f"}) {
        EXPECT_EQ(text.find(part), text.npos) << part << " in " << text;
      }
    };
    expect_safe(output({"make", "box", "-o", name}));
    expect_safe(output({"info", name}));
    expect_safe(output({"collide", name, "shape:box"}));
    const std::string text = name + ".txt";
    expect_safe(output({"collide", name, "shape:box", "--pairs", text}));
    const std::string picture = name + ".png";
    expect_safe(output({"render", name, "-o", picture, "--size", "4x4", "--samples", "1"}));
    expect_safe(output({"bench", "rays", "--quick", "--scenes", name, "--json", name + ".json"}));
    expect_safe(tandem({"info", "missing" + name}).err);
    expect_safe(tandem({"collide", name, "shape:box", "--pairs", "no/" + name}).err);
    expect_safe(tandem({"collide", name, "shape:box", "--pose-b", name}).err);
    expect_safe(tandem({name}).err);
    expect_safe(tandem({"collide", name, "shape:box", "--structure", name}).err);
  }
  // In JSON they are escaped as JSON does it, and read back.
  const Outcome json = tandem({"info", bad, "--json"});
  for (const char* part : {"\x1b", "\xc2\x9b", "\x7f"})
    EXPECT_EQ(json.out.find(part), json.out.npos);
  EXPECT_EQ(Json::parse(json.out)["source"].get<std::string>().substr(0, 6), "\x1b[2J\xc2\x9b");
  EXPECT_EQ(json_output({"info", good, "--json"})["source"], good);
}

}  // namespace
}  // namespace tandem::test
