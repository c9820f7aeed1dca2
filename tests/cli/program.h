// Runs the real program in a temporary folder and catches what it prints.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace tandem::test {

using Json = nlohmann::json;

/// The result of a run of the program.
struct Outcome {
  /// The exit status, or 128 plus the signal that ended it.
  int status = -1;
  std::string out;
  std::string err;
  /// The most memory that it had at once.
  long peak_kilobytes = 0;
};

/// A test with an empty folder of its own, in which the program runs.
class ProgramTest : public testing::Test {
 protected:
  ProgramTest();
  ~ProgramTest() override;

  /// Runs `tandem` with these arguments.
  Outcome tandem(const std::vector<std::string>& arguments);

  /// Runs it and calls `meanwhile` with its process id and a function that tells whether it is
  /// still running.
  using Meanwhile = std::function<void(int process, const std::function<bool()>& is_running)>;
  Outcome tandem_while_running(const std::vector<std::string>& arguments,
                               const Meanwhile& meanwhile);

  /// Runs it with standard error on a terminal.
  Outcome tandem_on_terminal(const std::vector<std::string>& arguments);

  /// Runs a shell script in which `tandem` is the program.
  Outcome shell(const std::string& script);

  /// Runs it, expects success and silence on standard error, and gives standard output.
  std::string output(const std::vector<std::string>& arguments);
  Json json_output(const std::vector<std::string>& arguments);

  /// Expects exit status 2, nothing on standard output, one line on standard error that begins with
  /// "tandem: " and contains each of `parts`, and the folder as it was.
  void expect_error(const std::vector<std::string>& arguments,
                    const std::vector<std::string>& parts);

  void write(const std::string& name, std::string_view content);
  std::string read(const std::string& name) const;
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }

  /// The folder's files with their contents.
  std::vector<std::pair<std::string, std::string>> snapshot() const;

  std::filesystem::path folder_;

 private:
  enum class ErrorStream { file, terminal };
  Outcome run(const std::vector<std::string>& command, ErrorStream error_stream,
              const Meanwhile& meanwhile = nullptr);

  // Standard output and standard error are caught here, outside the folder.
  std::filesystem::path catch_folder_;
};

}  // namespace tandem::test
