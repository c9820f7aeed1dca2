// ByteReader and `load`: numbers of either byte order in a binary file.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "mesh/readers.h"

namespace tandem::detail {

/// The number whose bytes stand there in that order.
template <class T>
T load(const char* bytes, std::endian order) {
  std::array<char, sizeof(T)> copy;
  std::memcpy(copy.data(), bytes, sizeof(T));
  if (order != std::endian::native) std::reverse(copy.begin(), copy.end());
  return std::bit_cast<T>(copy);
}

/// Reads binary content from beginning to end. Reading past the end is an error that names the
/// byte.
class ByteReader {
 public:
  /// The source must outlive the reader.
  ByteReader(const Source& source, std::size_t offset, std::endian order)
      : source_(source), position_(offset), order_(order) {}

  std::size_t position() const { return position_; }
  std::size_t bytes_left() const { return source_.content.size() - position_; }

  template <class T>
  T read() {
    return load<T>(take(sizeof(T)), order_);
  }

  void skip(std::size_t byte_count) { take(byte_count); }

 private:
  const char* take(std::size_t byte_count) {
    if (byte_count > bytes_left()) {
      source_.fail_at_byte(source_.content.size(), "the file ends in the middle of its data");
    }
    const char* const here = source_.content.data() + position_;
    position_ += byte_count;
    return here;
  }

  const Source& source_;
  std::size_t position_;
  std::endian order_;
};

}  // namespace tandem::detail
