// OutputFile: a file that appears under its name only when it is complete.
//
// The file room is about files, whatever is in them. It uses no other room.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace tandem::detail {

/// Collects bytes in a temporary file beside `path`; `commit` moves it over `path` in one step, so
/// that nobody ever sees a part of it. Without `commit` nothing is left behind and an older file
/// stays as it was.
///
/// A symbolic link is followed, also to a file that does not exist yet: the link stays. The new
/// file has the permissions of the older one and, where the system allows it, its owner; other hard
/// links to the older one keep its content. What is no regular file (a device, a pipe, or an open
/// file such as /dev/stdout) is written to directly.
class OutputFile {
 public:
  /// Throws `tandem::Error` when the folder does not exist or cannot be written to, when `path` is
  /// a directory, or when it is a file that must not be written: one that the user has no right to
  /// write, or that nobody has (for the superuser, who has every right, that is what counts).
  explicit OutputFile(std::filesystem::path path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Appends. Buffered: a full disk may show only in `commit`. Throws `tandem::Error`.
  void write(std::string_view bytes);

  /// Flushes, waits until the bytes are on the disk, renames, and waits until the name is too.
  /// Throws `tandem::Error` when a byte did not reach the file; then `path` is unchanged. (When the
  /// disk fails with the name alone, the file is there, but a power failure may take it back.)
  /// Nothing may be written afterwards.
  void commit();

 private:
  void open_directly(const std::filesystem::path& target);
  void open_beside(const std::filesystem::path& target);
  void write_buffer();
  void forget_temporary();
  [[noreturn]] void fail(int error_number);
  [[noreturn]] void fail(const std::string& reason);
  void discard();

  std::filesystem::path path_;
  std::filesystem::path name_;  // of the file behind all links, in its folder
  int file_ = -1;
  int folder_ = -1;              // -1 when the file is written to directly
  std::uint64_t temporary_ = 0;  // the number in the temporary's name; 0 when there is none
  std::string buffer_;
};

/// Removes the temporary files of all outputs that are not complete (of the first 64 if there are
/// more at once). Does only what a handler of a signal may do: it is for programs that are about to
/// end.
void remove_temporary_files();

}  // namespace tandem::detail
