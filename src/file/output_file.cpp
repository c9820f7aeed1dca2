#include "file/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <tandem/error.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <random>
#include <system_error>

#include "file/file_target.h"
#include "file/text.h"

namespace tandem::detail {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t k_buffer_bytes = std::size_t{1} << 18;
constexpr int k_name_attempts = 100;
constexpr mode_t k_new_file = 0666;  // less what the user's mask takes away
constexpr mode_t k_write_bits = 0222;
constexpr mode_t k_permission_bits = 07777;
constexpr mode_t k_identity_bits = 06000;  // the program runs as the file's owner or group

// A temporary file is known by its folder, as an open descriptor, and a number. Both fit into one
// word, which the handler of a signal can read while other threads write; it then needs no memory
// that could be gone.
constexpr int k_number_bits = 40;
constexpr std::uint64_t k_number_mask = (std::uint64_t{1} << k_number_bits) - 1;
std::array<std::atomic<std::uint64_t>, 64> temporaries{};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

std::uint64_t word_of(int folder, std::uint64_t number) {
  return static_cast<std::uint64_t>(folder) << k_number_bits | number;
}

/// Its length does not depend on that of the output's name, which may be the longest there is.
class TemporaryName {
 public:
  explicit TemporaryName(std::uint64_t number) {
    constexpr char k_digits[] = "0123456789abcdef";
    for (int i = k_digit_count - 1; i >= 0; --i, number /= 16) {
      text_[k_first_digit + i] = k_digits[number % 16];
    }
  }
  const char* c_str() const { return text_; }

 private:
  static constexpr int k_first_digit = 8;
  static constexpr int k_digit_count = k_number_bits / 4;
  char text_[k_first_digit + k_digit_count + 5] = ".tandem-0000000000.tmp";
};

/// The handler of a signal may now remove it.
void register_temporary(std::uint64_t word) {
  for (std::atomic<std::uint64_t>& slot : temporaries) {
    std::uint64_t empty = 0;
    if (slot.compare_exchange_strong(empty, word)) return;
  }
}

void unregister_temporary(std::uint64_t word) {
  for (std::atomic<std::uint64_t>& slot : temporaries) {
    std::uint64_t expected = word;
    if (slot.compare_exchange_strong(expected, 0)) return;
  }
}

/// From 1 to 2^40 - 1. Random, so that a name is registered before there is a file with it, and no
/// signal that comes in between removes a file of another process.
std::uint64_t new_number() {
  std::random_device device;
  const std::uint64_t high = device();
  return std::max<std::uint64_t>(1, (high << 32 | device()) & k_number_mask);
}

int open_folder(const fs::path& target) {
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  const int opened = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
#ifdef O_PATH
  // A folder that may be written and not read.
  if (opened < 0 && errno == EACCES) {
    return open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  }
#endif
  return opened;
}

/// Waits until the disk has it; some file systems and folders cannot do that, which is no error.
bool sync(int descriptor) {
  if (fsync(descriptor) == 0) return true;
  return errno == EINVAL || errno == ENOTSUP || errno == ENOSYS || errno == EBADF;
}

/// Gives a new file the permissions and the owner of the one that it is to replace.
void copy_rights(int file, const struct stat& older) {
  const bool same_owner = fchown(file, older.st_uid, older.st_gid) == 0;
  const mode_t permissions = older.st_mode & k_permission_bits;
  // Without them nothing is lost but comfort, and the new file is no less protected.
  [[maybe_unused]] const int result =
      fchmod(file, same_owner ? permissions : permissions & ~k_identity_bits);
}

}  // namespace

OutputFile::OutputFile(fs::path path) : path_(std::move(path)) {
  if (!path_.has_filename()) fail(ENOENT);
  if (const std::optional<int> descriptor = open_descriptor(path_)) {
    file_ = fcntl(*descriptor, F_DUPFD_CLOEXEC, 0);
    if (file_ < 0) fail(errno);
    return;
  }
  fs::path target;
  try {
    target = behind_links(path_);
  } catch (const fs::filesystem_error& error) {
    fail(error.code().value());
  }
  struct stat older {};
  const bool exists = stat(target.c_str(), &older) == 0;
  if (!exists && errno != ENOENT) fail(errno);
  if (exists && S_ISDIR(older.st_mode)) fail(EISDIR);
  // Renaming over a device or pipe would replace it.
  if (exists && !S_ISREG(older.st_mode)) {
    open_directly(target);
    return;
  }
  // Renaming asks for no right to write the file that it replaces, so that is asked here. The
  // superuser may write every file, so what nobody may write is looked at too.
  if (exists && (older.st_mode & k_write_bits) == 0) fail("the file is read-only");
  if (exists && faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0) fail(errno);
  open_beside(target);
  if (exists) copy_rights(file_, older);
}

OutputFile::~OutputFile() {
  discard();
}

void OutputFile::open_directly(const fs::path& target) {
  file_ = open(target.c_str(), O_WRONLY | O_CLOEXEC);
  if (file_ < 0) fail(errno);
}

void OutputFile::open_beside(const fs::path& target) {
  folder_ = open_folder(target);
  if (folder_ < 0) fail(errno);
  name_ = target.filename();
  for (int attempt = 0; file_ < 0; ++attempt) {
    temporary_ = new_number();
    register_temporary(word_of(folder_, temporary_));
    file_ = openat(folder_, TemporaryName(temporary_).c_str(),
                   O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, k_new_file);
    if (file_ >= 0) return;
    const int error_number = errno;
    forget_temporary();
    if (error_number != EEXIST || attempt == k_name_attempts) fail(error_number);
  }
}

void OutputFile::write(std::string_view bytes) {
  assert(file_ >= 0);
  buffer_.append(bytes);
  if (buffer_.size() >= k_buffer_bytes) write_buffer();
}

void OutputFile::write_buffer() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t written = ::write(file_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

void OutputFile::commit() {
  assert(file_ >= 0);
  write_buffer();
  const bool direct = folder_ < 0;
  // All bytes must be on the disk before the file gets its final name.
  if (!direct && !sync(file_)) fail(errno);
  const int closing = file_;
  file_ = -1;
  if (close(closing) != 0 && errno != EINTR) fail(errno);
  if (direct) return;
  if (renameat(folder_, TemporaryName(temporary_).c_str(), folder_, name_.c_str()) != 0) {
    fail(errno);
  }
  forget_temporary();
  const bool kept = sync(folder_);
  const int error_number = errno;
  discard();
  if (!kept) fail(error_number);
}

void OutputFile::fail(int error_number) {
  fail(std::generic_category().message(error_number));
}

void OutputFile::fail(const std::string& reason) {
  discard();
  throw Error("cannot write " + printable(path_.string()) + ": " + reason);
}

void OutputFile::forget_temporary() {
  unregister_temporary(word_of(folder_, temporary_));
  temporary_ = 0;
}

void OutputFile::discard() {
  if (file_ >= 0) close(file_);
  file_ = -1;
  if (temporary_ != 0) {
    unlinkat(folder_, TemporaryName(temporary_).c_str(), 0);
    forget_temporary();
  }
  if (folder_ >= 0) close(folder_);
  folder_ = -1;
}

void remove_temporary_files() {
  const int kept_errno = errno;
  for (const std::atomic<std::uint64_t>& slot : temporaries) {
    const std::uint64_t word = slot.load();
    if (word == 0) continue;
    unlinkat(static_cast<int>(word >> k_number_bits), TemporaryName(word & k_number_mask).c_str(),
             0);
  }
  errno = kept_errno;
}

}  // namespace tandem::detail
