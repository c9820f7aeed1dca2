// In which order the solver goes through pairs of bodies, and which of them side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/solver/solver.h"

namespace tandem::sim {

/// Groups of pairs of which no two share a body that moves, in the order in which they are solved.
/// Depends on the pairs alone. In a group those with many points come first, so that neighbours
/// have about as many.
class Groups {
 public:
  Groups(std::span<const SolverBody> bodies, std::span<const SolverPair> pairs);

  std::size_t size() const { return ends_.size() - 1; }
  std::span<const std::uint32_t> operator[](std::size_t group) const {
    return std::span(pairs_).subspan(ends_[group], ends_[group + 1] - ends_[group]);
  }

 private:
  void add(std::span<const std::uint32_t> group);

  std::vector<std::uint32_t> pairs_;
  std::vector<std::size_t> ends_{0};
};

}  // namespace tandem::sim
