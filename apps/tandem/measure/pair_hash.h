// A hash of sets of pairs: it shows when two queries found different pairs.
#pragma once

#include <tandem/query.h>

#include <cstdint>
#include <span>
#include <string>

namespace tandem::cli {

/// FNV-1a over the ids of sorted pairs, byte by byte. Several sets can be added one after the
/// other.
class PairHash {
 public:
  void add(std::span<const TrianglePair> pairs);

  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

/// Sixteen hexadecimal digits.
std::string hexadecimal(std::uint64_t value);

}  // namespace tandem::cli
