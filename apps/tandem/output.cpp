#include "output.h"

#include <tandem/error.h>

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <system_error>

namespace tandem::cli {

void print(std::string_view text) {
  errno = 0;
  const std::size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
  if (written != text.size() || std::fflush(stdout) != 0) {
    throw Error("standard output cannot be written: " + std::generic_category().message(errno));
  }
}

void print_json(const Json& object) {
  print(object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::string ending(const std::filesystem::path& path) {
  std::string text = path.extension().string();
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

void check_writable(const std::filesystem::path& path, std::string_view option) {
  namespace fs = std::filesystem;
  const std::string begin = std::string(option) + ": ";
  if (path.empty()) throw Error(begin + "the file name is empty");
  // A pipe that is opened and closed again would look like an empty output to its reader.
  std::error_code ignored;
  const fs::file_type type = fs::status(path, ignored).type();
  if (type == fs::file_type::fifo || type == fs::file_type::character) return;
  try {
    OutputFile probe(path);
  } catch (const Error& error) {
    throw Error(begin + error.what());
  }
}

}  // namespace tandem::cli
