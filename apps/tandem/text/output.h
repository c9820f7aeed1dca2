// Where results go: standard output, and files that appear only when they are complete.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tandem::cli {

/// Writes `text` to standard output at once. Throws `tandem::Error` when that fails: a full disk, a
/// reader that went away.
void print(std::string_view text);

/// The ending of a file's name in lower case, with its dot; empty when there is none.
std::string file_ending(const std::filesystem::path& path);

/// Throws `tandem::Error` that begins with `option` when no file can be written at `path`; leaves
/// nothing behind. Called before long work, so that a wrong folder is reported at once.
void check_writable(const std::filesystem::path& path, std::string_view option);

/// A file of the command line: by which option or argument, and which.
struct NamedFile {
  std::string what;
  std::string path;
};

/// Throws `tandem::Error` when an output is the same file as an input, as another output or as
/// standard output, by whatever names and links, or cannot be written. Inputs may be anything:
/// those that are no files are no matter. Called before any work.
void check_files(const std::vector<NamedFile>& outputs, const std::vector<NamedFile>& inputs);

/// Makes the folder unless it exists, and checks that files can be written into it. Throws
/// `tandem::Error` that begins with `option`.
void prepare_folder(const std::string& folder, std::string_view option);

/// Takes the next bytes of an output.
using Write = std::function<void(std::string_view)>;

/// Writes a file that appears when `content` has written all of it. Throws `tandem::Error`.
void write_file(const std::filesystem::path& path,
                const std::function<void(const Write&)>& content);
void write_file(const std::filesystem::path& path, std::string_view content);

/// Gathers small pieces of text and passes them on in large ones.
class TextBuffer {
 public:
  explicit TextBuffer(Write write) : write_(std::move(write)) {}

  TextBuffer& operator<<(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= k_chunk_size) flush();
    return *this;
  }

  /// Must be called at the end.
  void flush() {
    write_(buffer_);
    buffer_.clear();
  }

 private:
  static constexpr std::size_t k_chunk_size = 1 << 16;
  Write write_;
  std::string buffer_;
};

/// Calls `body` with a buffer for the file, for standard output where it is "-", or with null when
/// there is nothing to write.
void with_text_file(const std::optional<std::string>& file,
                    const std::function<void(TextBuffer*)>& body);

}  // namespace tandem::cli
