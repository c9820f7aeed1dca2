// Whether the pairs that a peer found are right.
#pragma once

#include <tandem/mesh.h>
#include <tandem/pose.h>
#include <tandem/query.h>

#include <cstdint>
#include <span>
#include <vector>

namespace tandem::cli {

/// How a peer's pairs differ from the exact ones. Differences within a millionth of the objects'
/// size are `close` and count neither as missed nor as false.
struct Judgement {
  std::uint64_t pairs = 0;
  std::uint64_t missed = 0;
  std::uint64_t false_ones = 0;
  std::uint64_t close = 0;

  void add(const Judgement& other);
};

/// Sorts the pairs found, drops repeated ones, and compares them with the expected ones, which are
/// sorted. `size` is that of the objects; with a negative size nothing is close.
Judgement judge_pairs(const Mesh& a, const Mesh& b, const Pose& b_in_a,
                      std::span<const TrianglePair> expected, std::vector<TrianglePair>& found,
                      double size);

}  // namespace tandem::cli
