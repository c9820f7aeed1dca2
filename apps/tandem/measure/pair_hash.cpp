#include "measure/pair_hash.h"

#include <cstdio>

namespace tandem::cli {

void PairHash::add(std::span<const TrianglePair> pairs) {
  for (const TrianglePair& pair : pairs) {
    for (const std::uint32_t id : {pair.a, pair.b}) {
      for (int shift = 0; shift < 32; shift += 8) {
        value_ = (value_ ^ (id >> shift & 0xff)) * 0x100000001b3;
      }
    }
  }
}

std::string hexadecimal(std::uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

}  // namespace tandem::cli
