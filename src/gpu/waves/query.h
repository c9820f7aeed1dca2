// What waves compute once for each query.
#pragma once

#include <tandem/batch.h>
#include <tandem/host_device.h>

#include <cstdint>

#include "gpu/waves/models.h"
#include "math/float_steps.h"
#include "traverse/wide/frame.h"
#include "traverse/wide/pair.h"

namespace tandem::detail {

/// How many levels both trees have. Where r steps are left before the leaves, a tree of fewer
/// levels than r waits at its root.
struct WaveLevels {
  std::uint16_t a;
  std::uint16_t b;

  WaveLevels() = default;
  TANDEM_HD WaveLevels(const WideTreeView& of_a, const WideTreeView& of_b)
      : a(static_cast<std::uint16_t>(of_a.level_count)),
        b(static_cast<std::uint16_t>(of_b.level_count)) {}

  TANDEM_HD int steps() const { return a > b ? a : b; }
  TANDEM_HD Descent descent(int steps_left) const {
    if (steps_left > a) return Descent::b_alone;
    return steps_left > b ? Descent::a_alone : Descent::both;
  }
};

/// The blocks of a tree, counted from its root, where so many steps are left before the leaves.
struct LevelBlocks {
  std::uint32_t first;
  std::uint32_t count;

  TANDEM_HD LevelBlocks(const WideTreeView& tree, int steps_left) {
    const int level = tree.level_count > steps_left ? tree.level_count - steps_left : 0;
    first = tree.level_begin[level];
    count = tree.level_begin[level + 1] - first;
  }
};

/// With how many steps before the leaves a query starts, if it may start with so many pairs of
/// blocks: all those of one level.
TANDEM_HD inline int steps_at_start(const WideTreeView& a, const WideTreeView& b,
                                    std::uint32_t most_pairs) {
  int steps_left = WaveLevels(a, b).steps();
  const auto pairs = [&](int steps) {
    return std::uint64_t{LevelBlocks(a, steps).count} * LevelBlocks(b, steps).count;
  };
  while (steps_left > 1 && pairs(steps_left - 1) <= most_pairs) --steps_left;
  return steps_left;
}

/// What waves must know of all models beforehand.
struct WaveShape {
  /// As many as the highest tree has levels.
  int wave_count = 0;
  /// The most blocks of a tree where so many steps are left.
  std::uint32_t most_blocks[k_max_wide_height + 2] = {};

  /// Adds a tree that is not empty.
  void add(const WideTreeView& tree) {
    wave_count = tree.level_count > wave_count ? tree.level_count : wave_count;
    for (int steps_left = 1; steps_left <= k_max_wide_height + 1; ++steps_left) {
      const std::uint32_t count = LevelBlocks(tree, steps_left).count;
      if (count > most_blocks[steps_left]) most_blocks[steps_left] = count;
    }
  }
  /// No query starts with an earlier wave.
  int first_wave(std::uint32_t pairs_per_start) const {
    int steps_left = wave_count;
    while (steps_left > 1 && fits(steps_left - 1, pairs_per_start)) --steps_left;
    return wave_count - steps_left;
  }

 private:
  bool fits(int steps_left, std::uint32_t pairs_per_start) const {
    const std::uint64_t count = most_blocks[steps_left];
    return count * count <= pairs_per_start;
  }
};

/// The parts of a `WideFrame` that tests in half and single precision need.
struct alignas(16) HalfFrame {
  float matrix[3][3];
  float translation[3];
  /// B's unit in A's.
  float scale;
  /// By how much M b + t - a may be off in float32, for any points a and b of the models.
  float margin;
  /// The same for corners of triangles.
  float corner_error;
  WaveLevels levels;

  /// Most queries; the others are for `DoubleFrame`.
  TANDEM_HD static bool suits(const WideFrame& frame) { return frame.in_range && !frame.spread; }

  TANDEM_HD void set(const WideFrame& frame, const WaveLevels& heights) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) matrix[i][j] = frame.matrix[i][j];
      translation[i] = frame.translation[i];
    }
    scale = static_cast<float>(frame.scale);
    margin = frame.leaf_margin;
    corner_error = fused_steps() ? frame.corner_error : frame.corner_error_unfused;
    levels = heights;
  }

 private:
  /// Whether `multiply_add` rounds once.
  TANDEM_HD static constexpr bool fused_steps() {
#if defined(__CUDA_ARCH__)
    return true;
#else
    return false;
#endif
  }
};
static_assert(sizeof(HalfFrame) == 64);

/// For models that float32 cannot hold together, or of which much is far smaller than the whole.
struct DoubleFrame : FrameInDouble {
  WaveLevels levels;

  TANDEM_HD static bool suits(const WideFrame& frame) { return !HalfFrame::suits(frame); }

  TANDEM_HD void set(const WideFrame& frame, const WaveLevels& heights) {
    static_cast<FrameInDouble&>(*this) = frame;
    levels = heights;
  }
};

}  // namespace tandem::detail
