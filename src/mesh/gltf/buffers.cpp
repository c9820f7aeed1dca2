#include "mesh/gltf/buffers.h"

#include <tandem/error.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace tandem::detail {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view k_data_scheme = "data:";

/// The six bits that a character of base64 stands for, or -1.
int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  if (c == '/') return 63;
  return -1;
}

/// Nothing when it is not base64. The signs at the end that fill up the last group may be missing.
std::optional<std::string> decode_base64(std::string_view text) {
  if (text.size() % 4 == 0) {
    for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  }
  if (text.size() % 4 == 1) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t group = 0;
  int bits = 0;
  for (const char c : text) {
    const int digit = base64_digit(c);
    if (digit < 0) return std::nullopt;
    group = group << 6 | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(group >> bits & 0xff);
  }
  return bytes;
}

std::optional<int> hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

/// Nothing when a percent sign is not followed by two digits.
std::optional<std::string> decode_percent(std::string_view uri) {
  std::string text;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] != '%') {
      text += uri[i];
      continue;
    }
    if (i + 2 >= uri.size()) return std::nullopt;
    const std::optional<int> high = hex_digit(uri[i + 1]);
    const std::optional<int> low = hex_digit(uri[i + 2]);
    if (!high || !low) return std::nullopt;
    text += static_cast<char>(16 * *high + *low);
    i += 2;
  }
  return text;
}

/// True for "http:" and its like; a colon after a slash belongs to a file's name.
bool has_scheme(std::string_view uri) {
  const std::size_t end = uri.find_first_of(":/");
  return end != std::string_view::npos && uri[end] == ':';
}

/// True when the path is inside of the folder; both are without links, dots and double dots.
bool is_inside(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

}  // namespace

GltfBuffers::GltfBuffers(const Source& source, const GltfDocument& document,
                         std::optional<std::string_view> binary)
    : source_(source),
      document_(document),
      binary_(binary),
      buffers_(document.buffers.size()),
      bytes_left_(source.options.max_bytes - source.content.size()) {}

std::string_view GltfBuffers::view(std::uint32_t index) {
  const std::string place = "buffer view " + std::to_string(index);
  if (index >= document_.views.size()) {
    source_.fail(place + " is used, but there are only " + std::to_string(document_.views.size()));
  }
  const GltfView& view = document_.views[index];
  if (view.buffer >= document_.buffers.size()) {
    source_.fail(place + ": it is in buffer " + std::to_string(view.buffer) +
                 ", but there are only " + std::to_string(document_.buffers.size()));
  }
  const std::uint64_t size = document_.buffers[view.buffer].byte_length;
  if (view.byte_offset + view.byte_length > size) {
    source_.fail(place + ": it ends at byte " +
                 std::to_string(view.byte_offset + view.byte_length) +
                 " of a buffer that has only " + std::to_string(size));
  }
  return buffer(view.buffer).substr(view.byte_offset, view.byte_length);
}

std::string_view GltfBuffers::buffer(std::uint32_t index) {
  std::optional<std::string_view>& bytes = buffers_[index];
  if (!bytes) {
    bytes = fetch(index);
    const std::uint64_t promised = document_.buffers[index].byte_length;
    if (bytes->size() < promised) {
      source_.fail("buffer " + std::to_string(index) + ": it should have " +
                   std::to_string(promised) + " bytes, but has only " +
                   std::to_string(bytes->size()));
    }
  }
  return *bytes;
}

std::string_view GltfBuffers::fetch(std::uint32_t index) {
  const std::string place = "buffer " + std::to_string(index) + ": ";
  const std::optional<std::string>& uri = document_.buffers[index].uri;
  if (!uri) {
    if (index != 0 || !binary_) source_.fail(place + "nothing says where its data is");
    return *binary_;
  }
  if (!uri->starts_with(k_data_scheme)) return fetch_file(index, *uri);

  const std::size_t comma = uri->find(',');
  if (comma == std::string::npos || !std::string_view(*uri).substr(0, comma).ends_with(";base64")) {
    source_.fail(place + "its data URI is not of base64");
  }
  std::optional<std::string> bytes = decode_base64(std::string_view(*uri).substr(comma + 1));
  if (!bytes) source_.fail(place + "its data is not base64");
  return storage_.emplace_back(std::move(*bytes));
}

std::string_view GltfBuffers::fetch_file(std::uint32_t index, std::string_view uri) {
  const auto known = files_.find(uri);
  if (known != files_.end()) return known->second;

  const std::string place = "buffer " + std::to_string(index) + ": ";
  const std::optional<std::string> name = decode_percent(uri);
  if (!name || name->empty() || name->find('\0') != std::string::npos) {
    source_.fail(place + quoted(uri) + " is not the name of a file");
  }
  const auto fail_outside = [&] {
    source_.fail(place + quoted(uri) + " is outside of the file's folder, so it is not read");
  };
  const fs::path path(*name);
  if (has_scheme(uri) || path.is_absolute() || *path.lexically_normal().begin() == "..") {
    fail_outside();
  }
  if (source_.folder == nullptr) {
    source_.fail(place + "it is in the file " + quoted(uri) +
                 ", but content in memory has no files beside it");
  }
  // Links may lead elsewhere. Where a file is missing, reading it says so.
  std::error_code error;
  const fs::path folder = fs::canonical(source_.folder->empty() ? "." : *source_.folder, error);
  const fs::path target = error ? fs::path() : fs::weakly_canonical(folder / path, error);
  if (error) source_.fail(place + quoted(uri) + " cannot be read: " + error.message());
  if (!is_inside(target, folder)) fail_outside();
  try {
    storage_.push_back(read_file(target, bytes_left_));
  } catch (const Error& problem) {
    source_.fail(place + problem.what());
  }
  bytes_left_ -= storage_.back().size();
  files_.emplace(uri, storage_.back());
  return storage_.back();
}

}  // namespace tandem::detail
