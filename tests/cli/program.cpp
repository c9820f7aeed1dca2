#include "program.h"

#include <fcntl.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>

namespace tandem::test {

namespace fs = std::filesystem;

namespace {

fs::path make_temporary_folder() {
  std::string name = (fs::temp_directory_path() / "tandem_cli_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category());
  return name;
}

std::string file_content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

// In the child: standard streams to their places, then the program. Does not return.
[[noreturn]] void become(const std::vector<std::string>& command, const fs::path& folder, int in,
                         int out, int err) {
  std::vector<char*> arguments;
  for (const std::string& argument : command)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  if (chdir(folder.c_str()) == 0 && dup2(in, 0) == 0 && dup2(out, 1) == 1 && dup2(err, 2) == 2) {
    // The rest is closed on exec.
    execv(arguments[0], arguments.data());
  }
  _exit(127);
}

// What is written to a terminal until its last writer closes it; reading then fails with EIO.
std::string read_terminal(int terminal) {
  std::string content;
  char bytes[4096];
  for (ssize_t size; (size = ::read(terminal, bytes, sizeof bytes)) > 0;)
    content.append(bytes, size);
  return content;
}

}  // namespace

ProgramTest::ProgramTest()
    : folder_(make_temporary_folder()), catch_folder_(make_temporary_folder()) {}

ProgramTest::~ProgramTest() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
  fs::remove_all(catch_folder_, ignored);
}

Outcome ProgramTest::run(const std::vector<std::string>& command, ErrorStream error_stream,
                         const Meanwhile& meanwhile) {
  const fs::path out_path = catch_folder_ / "out";
  const fs::path err_path = catch_folder_ / "err";
  const int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int out = open(out_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  int terminal = -1;
  int err = -1;
  if (error_stream == ErrorStream::terminal) {
    if (openpty(&terminal, &err, nullptr, nullptr, nullptr) != 0) {
      throw std::system_error(errno, std::generic_category(), "openpty");
    }
    fcntl(terminal, F_SETFD, FD_CLOEXEC);
    fcntl(err, F_SETFD, FD_CLOEXEC);
  } else {
    err = open(err_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  }
  if (in < 0 || out < 0 || err < 0) throw std::system_error(errno, std::generic_category());

  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) become(command, folder_, in, out, err);
  close(in);
  close(out);
  close(err);
  Outcome outcome;
  if (error_stream == ErrorStream::terminal) {
    outcome.err = read_terminal(terminal);
    close(terminal);
  }
  int status = 0;
  rusage usage{};
  bool ended = false;
  if (meanwhile) {
    meanwhile(child, [&] {
      ended = ended || wait4(child, &status, WNOHANG, &usage) == child;
      return !ended;
    });
  }
  while (!ended && wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  outcome.peak_kilobytes = usage.ru_maxrss;
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.out = file_content(out_path);
  if (error_stream == ErrorStream::file) outcome.err = file_content(err_path);
  return outcome;
}

Outcome ProgramTest::tandem(const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {TANDEM_PROGRAM};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run(command, ErrorStream::file);
}

Outcome ProgramTest::tandem_while_running(const std::vector<std::string>& arguments,
                                          const Meanwhile& meanwhile) {
  std::vector<std::string> command = {TANDEM_PROGRAM};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run(command, ErrorStream::file, meanwhile);
}

Outcome ProgramTest::tandem_on_terminal(const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {"/usr/bin/env", "TERM=xterm", TANDEM_PROGRAM};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run(command, ErrorStream::terminal);
}

Outcome ProgramTest::shell(const std::string& script) {
  const std::string folder = fs::path(TANDEM_PROGRAM).parent_path().string();
  return run({"/bin/sh", "-c", "PATH='" + folder + "':$PATH\n" + script}, ErrorStream::file);
}

std::string ProgramTest::output(const std::vector<std::string>& arguments) {
  const Outcome outcome = tandem(arguments);
  EXPECT_EQ(outcome.status, 0) << testing::PrintToString(arguments);
  EXPECT_EQ(outcome.err, "") << testing::PrintToString(arguments);
  return outcome.out;
}

Json ProgramTest::json_output(const std::vector<std::string>& arguments) {
  return Json::parse(output(arguments));
}

void ProgramTest::expect_error(const std::vector<std::string>& arguments,
                               const std::vector<std::string>& parts) {
  SCOPED_TRACE(testing::PrintToString(arguments));
  const auto before = snapshot();
  const Outcome outcome = tandem(arguments);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(outcome.err.starts_with("tandem: ")) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_TRUE(outcome.err.ends_with("\n")) << outcome.err;
  for (const std::string& part : parts) {
    EXPECT_NE(outcome.err.find(part), std::string::npos) << part << " in " << outcome.err;
  }
  EXPECT_EQ(snapshot(), before);
}

void ProgramTest::write(const std::string& name, std::string_view content) {
  std::ofstream(folder_ / name, std::ios::binary) << content;
}

std::string ProgramTest::read(const std::string& name) const {
  EXPECT_TRUE(exists(name)) << name;
  return file_content(folder_ / name);
}

std::vector<std::pair<std::string, std::string>> ProgramTest::snapshot() const {
  std::vector<std::pair<std::string, std::string>> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
    std::error_code ignored;  // links may lead nowhere
    files.emplace_back(entry.path().string(),
                       entry.is_regular_file(ignored) ? file_content(entry.path()) : "");
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace tandem::test
