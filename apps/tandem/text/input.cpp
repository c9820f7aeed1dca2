#include "text/input.h"

#include <tandem/error.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "text/numbers.h"

namespace tandem::cli {

std::string read_input(const std::string& path, std::size_t max_bytes) {
  constexpr std::size_t k_piece = std::size_t{1} << 20;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw Error("it is a directory, not a file");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string content;
  // Piece by piece, as devices and pipes do not tell how long they are.
  while (file && content.size() <= max_bytes) {
    const std::size_t before = content.size();
    const std::size_t wanted = std::min(k_piece, max_bytes + 1 - before);
    content.resize(before + wanted);
    file.read(content.data() + before, static_cast<std::streamsize>(wanted));
    content.resize(before + static_cast<std::size_t>(file.gcount()));
  }
  if (!file.is_open() || file.bad()) {
    throw Error("it cannot be read: " + std::generic_category().message(errno));
  }
  if (content.size() > max_bytes) {
    throw Error("it has more than " + grouped(max_bytes) + " bytes");
  }
  return content;
}

}  // namespace tandem::cli
