// Arrays of flags: one for each two nodes of a pair of blocks, or for each two triangles, and how
// what is flagged gets consecutive places. The paper has a byte for each, and suggests bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/kernel.h"
#include "math/bits.h"

namespace tandem::detail {

/// What a flag word counts for in the prefix sums.
struct FlagCount {
  TANDEM_HD std::uint32_t operator()(std::uint8_t flag) const { return flag; }
  TANDEM_HD std::uint32_t operator()(std::uint32_t bits) const { return count_bits(bits); }
};

/// A byte for each flag. In both kinds a word behind the last one is zero, so that its sum is that
/// of all.
struct ByteFlags {
  using Word = std::uint8_t;

  Word* words;
  std::uint32_t* sums;

  /// How many words so many flags have, without the last.
  TANDEM_HD static std::uint32_t word_count(std::uint32_t flag_count) { return flag_count; }

  /// Thread i writes flag i of `flag_count`. All threads of a warp call it, and so that the last
  /// word is written, 32 threads more than there are flags.
  template <class Threads>
  TANDEM_KERNEL void write(const Threads& threads, std::uint32_t flag_count, bool flag) const {
    const std::uint32_t i = threads.index();
    if (i <= flag_count) words[i] = flag ? 1 : 0;
  }
  TANDEM_HD bool is_set(std::uint32_t flag) const { return words[flag] != 0; }
  /// How many flags before it are set.
  TANDEM_HD std::uint32_t place(std::uint32_t flag) const { return sums[flag]; }
};

/// A bit for each flag.
struct BitFlags {
  using Word = std::uint32_t;

  Word* words;
  std::uint32_t* sums;

  TANDEM_HD static std::uint32_t word_count(std::uint32_t flag_count) {
    return (flag_count + k_warp_size - 1) / k_warp_size;
  }

  template <class Threads>
  TANDEM_KERNEL void write(const Threads& threads, std::uint32_t flag_count, bool flag) const {
    const std::uint32_t i = threads.index();
    const std::uint32_t bits = threads.ballot(flag && i < flag_count);
    const std::uint32_t word = i / k_warp_size;
    if (threads.lane() == 0 && word <= word_count(flag_count)) words[word] = bits;
  }
  TANDEM_HD bool is_set(std::uint32_t flag) const {
    return (words[flag / k_warp_size] >> flag % k_warp_size & 1) != 0;
  }
  TANDEM_HD std::uint32_t place(std::uint32_t flag) const {
    const std::uint32_t before = words[flag / k_warp_size] & ((1U << flag % k_warp_size) - 1);
    return sums[flag / k_warp_size] + count_bits(before);
  }
};

}  // namespace tandem::detail
