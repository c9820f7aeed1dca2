#include "options/line_reader.h"

#include <tandem/error.h>

#include <cerrno>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "text/strings.h"

namespace tandem::cli {

LineReader::LineReader(const std::string& path, const std::string& option, std::size_t max_length)
    : name_(path == "-" ? "standard input" : one_line(path)),
      stream_(&std::cin),
      line_(max_length + 1) {
  if (path == "-") return;
  const auto refuse = [&](const std::string& why) {
    throw Error(option + ": " + in_quotes(path) + " cannot be read: " + why);
  };
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) refuse("it is a directory");
  errno = 0;
  file_.open(path, std::ios::binary);
  if (!file_) refuse(std::generic_category().message(errno));
  stream_ = &file_;
  const auto size = std::filesystem::file_size(path, error);
  if (!error) size_ = size;
}

std::optional<std::string_view> LineReader::next() {
  while (true) {
    stream_->getline(line_.data(), static_cast<std::streamsize>(line_.size()));
    const auto length = static_cast<std::size_t>(stream_->gcount());
    if (stream_->bad()) throw Error(name_ + " cannot be read to its end");
    if (stream_->eof() && length == 0) return std::nullopt;
    ++line_number_;
    bytes_done_ += length;
    if (stream_->fail()) {
      fail("it is longer than " + std::to_string(line_.size() - 1) + " bytes");
    }
    std::string_view line(line_.data(), stream_->eof() ? length : length - 1);
    const std::size_t first = line.find_first_not_of(" \t\r\v\f");
    if (first == line.npos || line[first] == '#') continue;
    line.remove_prefix(first);
    return line;
  }
}

void LineReader::fail(const std::string& what) const {
  throw Error(name_ + ", line " + std::to_string(line_number_) + ": " + what);
}

std::optional<double> LineReader::share_done() const {
  if (size_ == 0) return std::nullopt;
  return static_cast<double>(bytes_done_) / static_cast<double>(size_);
}

}  // namespace tandem::cli
