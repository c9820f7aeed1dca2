// OutputFile: a file that appears under its name only when it is complete.
//
// The file room is about files, whatever is in them. It uses no other room.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace tandem::detail {

/// Collects bytes in a temporary file beside `path`; `commit` moves it over `path` in one step, so
/// that nobody ever sees a part of it. Without `commit` nothing is left behind and an older file
/// stays as it was. A symbolic link is followed; a device or pipe is written to directly.
class OutputFile {
 public:
  /// Throws `tandem::Error` when the folder does not exist or cannot be written to, or when `path`
  /// is a directory.
  explicit OutputFile(std::filesystem::path path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Appends. Buffered: a full disk may show only in `commit`. Throws `tandem::Error`.
  void write(std::string_view bytes);

  /// Flushes, closes and renames. Throws `tandem::Error` when a byte did not reach the file; then
  /// `path` is unchanged. Nothing may be written afterwards.
  void commit();

 private:
  [[noreturn]] void fail(int error_number);
  void discard();

  std::filesystem::path path_;
  std::filesystem::path target_;     // `path_` behind its links
  std::filesystem::path temporary_;  // empty when the target is written to directly
  std::FILE* file_ = nullptr;
  std::string buffer_;
};

}  // namespace tandem::detail
