// Files that are read line by line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tandem::cli {

/// The lines of a file, or of standard input for "-", one after another. Holds one at a time.
class LineReader {
 public:
  /// Throws `tandem::Error` that begins with `option` when the file cannot be read. A line of more
  /// than `max_length` bytes is an error.
  LineReader(const std::string& path, const std::string& option, std::size_t max_length);

  /// The next line without the blanks at its beginning, or nothing at the end. Empty lines and
  /// those that begin with # are skipped. Valid until the next call.
  std::optional<std::string_view> next();

  /// The number of the last line, counted from 1.
  std::uint64_t line_number() const { return line_number_; }
  /// Throws `tandem::Error` that names the file and the last line.
  [[noreturn]] void fail(const std::string& what) const;
  /// The share of the file that has been read; nothing where its length is not known.
  std::optional<double> share_done() const;

 private:
  /// False at the end.
  bool read_line();

  std::string name_;
  std::ifstream file_;
  std::istream* stream_;
  std::uint64_t size_ = 0;
  std::uint64_t bytes_done_ = 0;
  std::uint64_t line_number_ = 0;
  std::size_t max_length_;
  std::vector<char> piece_;
  std::string line_;
};

}  // namespace tandem::cli
