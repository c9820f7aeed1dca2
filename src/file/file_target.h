// What a path leads to, behind its links.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>

namespace tandem::detail {

/// The path behind all symbolic links of its last part; unlike std::filesystem::canonical also
/// where the last one leads to nothing yet. Throws `std::filesystem::filesystem_error` for links
/// that lead in a circle.
std::filesystem::path behind_links(std::filesystem::path path);

/// The file descriptor that a path such as /dev/stdout or /dev/fd/3 stands for in this process.
std::optional<int> open_descriptor(const std::filesystem::path& path);

/// Which file a path leads to, so that two paths can be compared: by device and number where there
/// is such a file, by its folder and name where there is none yet.
struct FileIdentity {
  dev_t device = 0;
  ino_t number = 0;
  /// Empty when the file exists.
  std::filesystem::path name = {};

  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

/// Nothing for a path that leads nowhere, and for devices, which are no place where anything is
/// kept: two outputs may go to /dev/null.
std::optional<FileIdentity> file_identity(const std::filesystem::path& path);

}  // namespace tandem::detail
