// The file room: text that is safe to show, what paths lead to, and outputs that are complete or
// not there. (More about outputs: mesh_test.cpp, and tests/cli/output_files_test.cpp.)
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <vector>

#include "file/file_target.h"
#include "file/output_file.h"
#include "file/text.h"
#include "support/mesh_files.h"

namespace tandem {
namespace {

namespace fs = std::filesystem;

using detail::behind_links;
using detail::file_identity;
using detail::OutputFile;
using detail::printable;
using test::error_of;
using test::TemporaryFolder;

TEST(Printable, PassesTextAndUtf8) {
  for (const char* text :
       {"", "a b/c.ply", "Grüße", "形", "🙂", "\\x1b", "\u00a0", "\U0010ffff"}) {
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, EscapesWhatATerminalObeys) {
  EXPECT_EQ(printable("\x1b[2J"), "\\x1b[2J");
  EXPECT_EQ(printable(std::string_view("a\0b\n\t\r\x7f", 7)), "a\\x00b\\x0a\\x09\\x0d\\x7f");
  EXPECT_EQ(printable("\u0080\u009b\u009f"), "\\xc2\\x80\\xc2\\x9b\\xc2\\x9f");
  EXPECT_EQ(printable("\u202e\u2028\u2066\u200f"),
            "\\xe2\\x80\\xae\\xe2\\x80\\xa8\\xe2\\x81\\xa6\\xe2\\x80\\x8f");
}

TEST(Printable, EscapesWhatIsNoUtf8) {
  EXPECT_EQ(printable("caf\xe9"), "caf\\xe9");
  EXPECT_EQ(printable("\x9b"), "\\x9b");
  EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b");                    // longer than it need be
  EXPECT_EQ(printable("\xe0\x82\x9b"), "\\xe0\\x82\\x9b");           // the same in three bytes
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // half of a surrogate pair
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond Unicode
  EXPECT_EQ(printable("\xf0\x9f\x99"), "\\xf0\\x9f\\x99");           // cut off
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string text = {static_cast<char>(first), static_cast<char>(second), 'x'};
      const std::string shown = printable(text);
      EXPECT_EQ(printable(shown), shown);
      EXPECT_TRUE(shown.ends_with('x'));
    }
  }
}

TEST(FileTarget, FollowsLinksToFilesThatAreNotThereYet) {
  const TemporaryFolder folder;
  fs::create_directory(folder.path() / "sub");
  fs::create_symlink("sub/two", folder.path() / "one");
  fs::create_symlink("../three", folder.path() / "sub" / "two");
  EXPECT_EQ(behind_links(folder.path() / "one").lexically_normal(), folder.path() / "three");
  EXPECT_EQ(behind_links(folder.path() / "plain"), folder.path() / "plain");
  fs::create_symlink("circle", folder.path() / "circle");
  EXPECT_THROW(behind_links(folder.path() / "circle"), fs::filesystem_error);
  EXPECT_EQ(error_of([&] { OutputFile file(folder.path() / "circle"); }),
            "cannot write " + (folder.path() / "circle").string() +
                ": Too many levels of symbolic links");
}

TEST(FileTarget, TellsWhetherTwoPathsLeadToOneFile) {
  const TemporaryFolder folder;
  const fs::path a = folder.write("a", "");
  const fs::path b = folder.write("b", "");
  fs::create_symlink("a", folder.path() / "link");
  fs::create_hard_link(a, folder.path() / "hard");
  fs::create_symlink("new", folder.path() / "early");
  const auto same = [&](const fs::path& one, const fs::path& other) {
    const auto identity = file_identity(one);
    return identity && identity == file_identity(other);
  };
  EXPECT_TRUE(same(a, a));
  EXPECT_FALSE(same(a, b));
  EXPECT_TRUE(same(a, folder.path() / "link"));
  EXPECT_TRUE(same(a, folder.path() / "." / "hard"));
  EXPECT_TRUE(same(folder.path() / "new", folder.path() / "early"));
  EXPECT_FALSE(same(folder.path() / "new", folder.path() / "other"));
  EXPECT_FALSE(same("/dev/null", "/dev/null"));
  EXPECT_FALSE(file_identity(folder.path() / "no" / "a"));
  EXPECT_FALSE(file_identity(""));
}

TEST(FileTarget, KnowsOpenFiles) {
  EXPECT_EQ(detail::open_descriptor("/dev/stdout"), 1);
  EXPECT_EQ(detail::open_descriptor("/dev/fd/7"), 7);
  EXPECT_EQ(detail::open_descriptor("/proc/self/fd/2"), 2);
  EXPECT_EQ(detail::open_descriptor("/dev/null"), std::nullopt);
  EXPECT_EQ(detail::open_descriptor("/dev/fd/x"), std::nullopt);
  EXPECT_EQ(detail::open_descriptor(""), std::nullopt);
}

TEST(OutputFiles, AReadOnlyFileIsNotReplaced) {
  const TemporaryFolder folder;
  const fs::path old = folder.write("old", "old");
  fs::permissions(old, fs::perms(0444));
  EXPECT_EQ(error_of([&] { OutputFile file(old); }),
            "cannot write " + old.string() + ": the file is read-only");
  EXPECT_EQ(folder.read("old"), "old");
  EXPECT_EQ(folder.listing(), "old");
}

TEST(OutputFiles, ALinkToNothingYetIsFollowed) {
  const TemporaryFolder folder;
  fs::create_symlink("target", folder.path() / "link");
  OutputFile file(folder.path() / "link");
  file.write("new");
  file.commit();
  EXPECT_TRUE(fs::is_symlink(folder.path() / "link"));
  EXPECT_EQ(folder.read("target"), "new");
  EXPECT_EQ(folder.listing(), "link target");
}

TEST(OutputFiles, NewFilesHaveTheUsualPermissionsAndOldOnesTheirs) {
  const TemporaryFolder folder;
  const mode_t mask = umask(027);
  const auto write_to = [&](const char* name) {
    OutputFile file(folder.path() / name);
    file.write("x");
    file.commit();
    return fs::status(folder.path() / name).permissions();
  };
  EXPECT_EQ(write_to("new"), fs::perms(0640));
  fs::permissions(folder.path() / "new", fs::perms(0604));
  EXPECT_EQ(write_to("new"), fs::perms(0604));
  umask(mask);
}

TEST(OutputFiles, HandlersOfSignalsCanRemoveWhatIsNotComplete) {
  const TemporaryFolder folder;
  folder.write("old", "old");
  OutputFile one(folder.path() / "old");
  OutputFile two(folder.path() / "new");
  OutputFile complete(folder.path() / "complete");
  complete.commit();
  EXPECT_NE(folder.listing(), "complete old");
  detail::remove_temporary_files();
  EXPECT_EQ(folder.listing(), "complete old");
  EXPECT_EQ(folder.read("old"), "old");
  // Nothing that is gone is moved into place.
  EXPECT_NE(error_of([&] { one.commit(); }), "");
  EXPECT_EQ(folder.read("old"), "old");
}

TEST(OutputFiles, MoreThanCanBeRegisteredWork) {
  const TemporaryFolder folder;
  {
    std::vector<std::unique_ptr<OutputFile>> files;
    for (int i = 0; i < 100; ++i) {
      files.push_back(std::make_unique<OutputFile>(folder.path() / std::to_string(i)));
    }
    files[99]->commit();
  }
  EXPECT_EQ(folder.listing(), "99");
}

}  // namespace
}  // namespace tandem
