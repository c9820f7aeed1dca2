#include "options/line_reader.h"

#include <tandem/error.h>

#include <cerrno>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "text/strings.h"

namespace tandem::cli {

namespace {

constexpr std::size_t k_piece = 1 << 16;

}  // namespace

LineReader::LineReader(const std::string& path, const std::string& option, std::size_t max_length)
    : name_(path == "-" ? "standard input" : one_line(path)),
      stream_(&std::cin),
      max_length_(max_length),
      piece_(k_piece) {
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
  while (read_line()) {
    std::string_view line = line_;
    const std::size_t first = line.find_first_not_of(" \t\r\v\f");
    if (first == line.npos || line[first] == '#') continue;
    line.remove_prefix(first);
    return line;
  }
  return std::nullopt;
}

bool LineReader::read_line() {
  line_.clear();
  bool is_whole = false;
  while (!is_whole) {
    stream_->getline(piece_.data(), static_cast<std::streamsize>(piece_.size()));
    const auto length = static_cast<std::size_t>(stream_->gcount());
    bytes_done_ += length;
    if (stream_->bad()) throw Error(name_ + " cannot be read to its end");
    if (stream_->eof()) {
      line_.append(piece_.data(), length);
      if (line_.empty()) return false;
      is_whole = true;
    } else if (stream_->fail()) {
      // The line goes on.
      line_.append(piece_.data(), length);
      stream_->clear();
    } else {
      line_.append(piece_.data(), length - 1);
      is_whole = true;
    }
    if (line_.size() > max_length_) {
      ++line_number_;
      fail("it is longer than " + std::to_string(max_length_) + " bytes");
    }
  }
  ++line_number_;
  return true;
}

void LineReader::fail(const std::string& what) const {
  throw Error(name_ + ", line " + std::to_string(line_number_) + ": " + what);
}

std::optional<double> LineReader::share_done() const {
  if (size_ == 0) return std::nullopt;
  return static_cast<double>(bytes_done_) / static_cast<double>(size_);
}

}  // namespace tandem::cli
