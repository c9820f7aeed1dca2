// How warps share the queries of a search for distances.
#pragma once

#include <cstdint>

namespace tandem::detail {

/// Which queries a search by warps takes, and how.
enum class WarpShare : std::uint8_t {
  /// A warp for each query.
  whole,
  /// A warp for each pair of blocks that a query starts with, or that another warp has handed over.
  /// They tell each other how far apart the models are at most.
  split,
  given,
  /// A warp for each query that is known to touch. Warps that share a query would find any of the
  /// touching pairs; one warp alone finds the same one each time.
  touching
};

/// A pair of blocks or leaves that a warp has handed over to others.
struct GivenPair {
  std::uint32_t query;
  std::uint32_t a;
  std::uint32_t b;
  std::uint32_t steps;
  float bound;
};
/// Many of them. The counter goes on where there is no more room.
struct GivenPairs {
  GivenPair* pairs = nullptr;
  std::uint32_t* count = nullptr;
  std::uint32_t room = 0;
};

}  // namespace tandem::detail
