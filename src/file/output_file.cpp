#include "file/output_file.h"

#include <tandem/error.h>

#include <cassert>
#include <cerrno>
#include <system_error>

#include "file/text.h"

namespace tandem::detail {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t k_buffer_bytes = std::size_t{1} << 18;
constexpr int k_name_attempts = 1000;

}  // namespace

OutputFile::OutputFile(fs::path path) : path_(std::move(path)), target_(path_) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path_, ignored);
  if (fs::is_directory(status)) fail(EISDIR);
  if (!path_.has_filename()) fail(ENOENT);

  // Renaming over a device would replace it, so devices and pipes are opened directly.
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    file_ = std::fopen(path_.c_str(), "wb");
    if (file_ == nullptr) fail(errno);
    return;
  }
  if (fs::is_regular_file(status)) {
    target_ = fs::canonical(path_, ignored);
    if (ignored) target_ = path_;
  }

  // The first name that is not in use; "x" makes the check and the creation one step.
  for (int attempt = 0; file_ == nullptr; ++attempt) {
    temporary_ = target_;
    temporary_ += ".tmp" + std::to_string(attempt);
    file_ = std::fopen(temporary_.c_str(), "wbx");
    if (file_ == nullptr && (errno != EEXIST || attempt == k_name_attempts)) {
      const int error_number = errno;
      temporary_.clear();
      fail(error_number);
    }
  }
  if (fs::is_regular_file(status)) fs::permissions(temporary_, status.permissions(), ignored);
}

OutputFile::~OutputFile() {
  discard();
}

void OutputFile::write(std::string_view bytes) {
  assert(file_ != nullptr);
  buffer_.append(bytes);
  if (buffer_.size() < k_buffer_bytes) return;
  errno = 0;
  if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_) != buffer_.size()) fail(errno);
  buffer_.clear();
}

void OutputFile::commit() {
  assert(file_ != nullptr);
  // All bytes must be handed to the system before the file gets its final name.
  errno = 0;
  if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_) != buffer_.size()) fail(errno);
  buffer_.clear();
  if (std::fflush(file_) != 0) fail(errno);
  std::FILE* const closing = file_;
  file_ = nullptr;
  if (std::fclose(closing) != 0) fail(errno);

  if (temporary_.empty()) return;
  std::error_code error;
  fs::rename(temporary_, target_, error);
  if (error) fail(error.value());
  temporary_.clear();
}

void OutputFile::fail(int error_number) {
  discard();
  throw Error("cannot write " + printable(path_.string()) + ": " +
              std::generic_category().message(error_number));
}

void OutputFile::discard() {
  if (file_ != nullptr) std::fclose(file_);
  file_ = nullptr;
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove(temporary_, ignored);
  temporary_.clear();
}

}  // namespace tandem::detail
