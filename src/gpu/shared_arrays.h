// Arrays on their way to the memory of a device: the threads of a warp collect them in memory that
// they share, and write them at once, so that no part of a line of the cache is written twice.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/kernel.h"

namespace tandem::detail {

/// Copies an array that a warp shares, by all its threads.
template <class Word, class Threads, class T>
TANDEM_KERNEL void copy_words(const Threads& threads, const T* from, T* to, std::uint32_t count) {
  static_assert(sizeof(T) % sizeof(Word) == 0);
  const auto* const words = reinterpret_cast<const Word*>(from);
  auto* const to_words = reinterpret_cast<Word*>(to);
  const std::uint32_t word_count = count * static_cast<std::uint32_t>(sizeof(T) / sizeof(Word));
  for (std::uint32_t i = threads.lane(); i < word_count; i += k_warp_size) {
    to_words[i] = words[i];
  }
}

/// What a device reads or writes at once.
struct alignas(16) Bytes16 {
  std::byte bytes[16];
};
struct alignas(4) Bytes4 {
  std::byte bytes[4];
};

}  // namespace tandem::detail
