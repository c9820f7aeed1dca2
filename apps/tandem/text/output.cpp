#include "text/output.h"

#include <sys/stat.h>
#include <tandem/error.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "file/file_target.h"
#include "file/output_file.h"
#include "text/strings.h"

namespace tandem::cli {

void print(std::string_view text) {
  errno = 0;
  const std::size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
  if (written != text.size() || std::fflush(stdout) != 0) {
    throw Error("standard output cannot be written: " + std::generic_category().message(errno));
  }
}

std::string file_ending(const std::filesystem::path& path) {
  std::string text = path.extension().string();
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

void check_writable(const std::filesystem::path& path, std::string_view option) {
  namespace fs = std::filesystem;
  const std::string begin = std::string(option) + ": ";
  if (path.empty()) throw Error(begin + "the file name is empty");
  // The reader of a pipe would take one that is opened and closed again for an empty output.
  if (detail::open_descriptor(path)) return;
  std::error_code ignored;
  const fs::file_type type = fs::status(path, ignored).type();
  if (type == fs::file_type::fifo || type == fs::file_type::character) return;
  try {
    detail::OutputFile probe(path);
  } catch (const Error& error) {
    throw Error(begin + error.what());
  }
}

void check_files(const std::vector<NamedFile>& outputs, const std::vector<NamedFile>& inputs) {
  struct Seen {
    std::string what;
    detail::FileIdentity identity;
  };
  std::vector<Seen> seen;
  // Standard output may be a file too, and what is printed would be lost with the older one.
  struct stat standard_output {};
  if (fstat(STDOUT_FILENO, &standard_output) == 0 && S_ISREG(standard_output.st_mode)) {
    seen.push_back({"standard output", {standard_output.st_dev, standard_output.st_ino}});
  }
  const auto what_is = [&](const detail::FileIdentity& identity) {
    const auto found = std::find_if(seen.begin(), seen.end(),
                                    [&](const Seen& one) { return one.identity == identity; });
    return found == seen.end() ? std::string() : found->what;
  };
  for (const NamedFile& input : inputs) {
    const auto identity = detail::file_identity(input.path);
    if (identity && what_is(*identity).empty()) seen.push_back({input.what, *identity});
  }
  for (const NamedFile& output : outputs) {
    // An open file is one that the caller chose to share.
    if (detail::open_descriptor(output.path)) continue;
    const auto identity = detail::file_identity(output.path);
    if (!identity) continue;
    const std::string other = what_is(*identity);
    if (!other.empty()) {
      throw Error(other + " and " + output.what + " are the same file " + in_quotes(output.path));
    }
    seen.push_back({output.what, *identity});
  }
  for (const NamedFile& output : outputs) check_writable(output.path, output.what);
}

void prepare_folder(const std::string& folder, std::string_view option) {
  namespace fs = std::filesystem;
  const std::string begin = std::string(option) + ": ";
  if (folder.empty()) throw Error(begin + "the folder's name is empty");
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder)) {
    throw Error(begin + "the folder " + in_quotes(folder) + " cannot be made: " +
                (error ? error : std::make_error_code(std::errc::not_a_directory)).message());
  }
  check_writable(fs::path(folder) / "figure.svg", option);
}

void write_file(const std::filesystem::path& path,
                const std::function<void(const Write&)>& content) {
  detail::OutputFile file(path);
  content([&](std::string_view bytes) { file.write(bytes); });
  file.commit();
}

void write_file(const std::filesystem::path& path, std::string_view content) {
  write_file(path, [&](const Write& write) { write(content); });
}

void with_text_file(const std::optional<std::string>& file,
                    const std::function<void(TextBuffer*)>& body) {
  if (!file) return body(nullptr);
  const auto fill = [&](const Write& write) {
    TextBuffer text(write);
    body(&text);
    text.flush();
  };
  if (*file == "-") return fill(print);
  write_file(*file, fill);
}

}  // namespace tandem::cli
