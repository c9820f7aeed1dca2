#include "file/file_target.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <string>
#include <system_error>

namespace tandem::detail {

namespace fs = std::filesystem;

namespace {

// As many as Linux follows.
constexpr int k_most_links = 40;

/// The next path of a chain of links; nothing at its end.
std::optional<fs::path> next_link(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_symlink(fs::symlink_status(path, ignored))) return std::nullopt;
  const fs::path link = fs::read_symlink(path, ignored);
  if (ignored) return std::nullopt;
  return path.parent_path() / link;
}

/// The folders in which the system lists the open files of this process.
bool lists_open_files(const fs::path& folder) {
  return folder == "/dev/fd" || folder == "/proc/self/fd" ||
         folder == "/proc/" + std::to_string(getpid()) + "/fd";
}

}  // namespace

fs::path behind_links(fs::path path) {
  for (int i = 0; i <= k_most_links; ++i) {
    const std::optional<fs::path> next = next_link(path);
    if (!next) return path;
    path = *next;
  }
  throw fs::filesystem_error("links", path,
                             std::make_error_code(std::errc::too_many_symbolic_link_levels));
}

std::optional<int> open_descriptor(const fs::path& path) {
  fs::path at = path;
  for (int i = 0; i <= k_most_links; ++i) {
    if (lists_open_files(at.lexically_normal().parent_path())) {
      const std::string name = at.filename().string();
      const char* const end = name.data() + name.size();
      int descriptor = -1;
      const auto [stop, error] = std::from_chars(name.data(), end, descriptor);
      if (error == std::errc() && stop == end && descriptor >= 0) return descriptor;
      return std::nullopt;
    }
    const std::optional<fs::path> next = next_link(at);
    if (!next) return std::nullopt;
    at = *next;
  }
  return std::nullopt;
}

std::optional<FileIdentity> file_identity(const fs::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) == 0) {
    if (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode)) return std::nullopt;
    return FileIdentity{status.st_dev, status.st_ino};
  }
  if (errno != ENOENT) return std::nullopt;
  const fs::path target = behind_links(path);
  if (!target.has_filename()) return std::nullopt;
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (stat(folder.c_str(), &status) != 0) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino, target.filename()};
}

}  // namespace tandem::detail
