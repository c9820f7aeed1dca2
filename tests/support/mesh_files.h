// Helpers for tests of meshes and their files.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <tandem/mesh_io.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "math/random.h"
#include "support/error_of.h"

namespace tandem::test {

/// One to four edits of a file that is not empty: a byte becomes any other or one of `characters`,
/// or fewer than `longest` bytes are repeated or left out.
inline void mutate(std::string& content, std::string_view characters, std::size_t longest,
                   detail::Random& random) {
  for (std::uint64_t edits = 1 + random.below(4); edits > 0; --edits) {
    const std::size_t place = random.below(content.size());
    const std::size_t length = random.below(longest);
    switch (random.below(4)) {
      case 0:
        content[place] = static_cast<char>(random.next());
        break;
      case 1:
        content[place] = characters[random.below(characters.size())];
        break;
      case 2:
        content.insert(place, content.substr(random.below(content.size()), length));
        break;
      default:
        content.erase(place, std::min(length, content.size() - 1));
        break;
    }
  }
}

inline std::string repeated(std::string_view text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

/// A new empty folder, removed at the end with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tandem_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  std::filesystem::path write(const std::string& name, std::string_view content) const {
    std::ofstream file(path_ / name, std::ios::binary);
    file.write(content.data(), static_cast<std::streamsize>(content.size()));
    return path_ / name;
  }

  std::string read(const std::string& name) const {
    std::ifstream file(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  /// The names in the folder, sorted and joined by blanks.
  std::string listing() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    std::string joined;
    for (const std::string& name : names) joined += (joined.empty() ? "" : " ") + name;
    return joined;
  }

 private:
  std::filesystem::path path_;
};

/// Reads from memory under the name "m".
inline Mesh read_text(MeshFormat format, std::string_view content) {
  return read_mesh(std::as_bytes(std::span(content)), format, "m");
}

/// Equal to the bit: -0 is not 0.
inline bool same_mesh(const Mesh& a, const Mesh& b) {
  const auto equal = [](const auto& x, const auto& y) {
    return x.size() == y.size() &&
           (x.empty() || std::memcmp(x.data(), y.data(), x.size_bytes()) == 0);
  };
  return equal(a.vertices(), b.vertices()) && equal(a.triangles(), b.triangles());
}

/// FNV-1a over the values of vertices and indices, the same on every platform.
inline std::uint64_t hash(const Mesh& mesh) {
  std::uint64_t state = 0xcbf29ce484222325;
  const auto add = [&](std::uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) {
      state = (state ^ (value >> shift & 0xff)) * 0x100000001b3;
    }
  };
  for (const Vec3f& v : mesh.vertices()) {
    for (int axis = 0; axis < 3; ++axis) add(std::bit_cast<std::uint32_t>(v[axis]));
  }
  for (const TriangleIndices& t : mesh.triangles()) {
    for (const std::uint32_t vertex : t) add(vertex);
  }
  return state;
}

/// Collects the bytes of a binary file.
class Bytes {
 public:
  explicit Bytes(std::endian order = std::endian::little) : order_(order) {}

  template <class T>
  Bytes& add(T value) {
    std::array<char, sizeof(T)> bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
    if (order_ != std::endian::native) std::reverse(bytes.begin(), bytes.end());
    text_.append(bytes.data(), bytes.size());
    return *this;
  }
  Bytes& add_text(std::string_view text) {
    text_.append(text);
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::endian order_;
  std::string text_;
};

/// A binary STL file: 80 header bytes that start with `header`, then the triangles.
inline std::string binary_stl(std::string_view header, const std::vector<TriangleF>& triangles) {
  Bytes bytes;
  bytes.add_text(header).add_text(std::string(80 - header.size(), '\0'));
  bytes.add(static_cast<std::uint32_t>(triangles.size()));
  for (const TriangleF& triangle : triangles) {
    for (int i = 0; i < 3; ++i) bytes.add(0.0f);
    for (const Vec3f& corner : triangle.corner) bytes.add(corner.x).add(corner.y).add(corner.z);
    bytes.add(std::uint16_t{7});
  }
  return bytes.text();
}

}  // namespace tandem::test
