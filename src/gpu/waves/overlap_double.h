// Overlap tests of waves in double precision: those of traverse/wide/in_double.h.
#pragma once

#include <tandem/host_device.h>

#include <cmath>
#include <cstdint>

#include "geometry/triangle_filter.h"
#include "gpu/waves/models.h"
#include "gpu/waves/query.h"
#include "traverse/wide/double_boxes.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// Boxes alone; triangles are left to exact tests.
struct DoubleTests {
  using Frame = DoubleFrame;
  static constexpr int k_node_blocks = 1;
  static constexpr int k_leaf_blocks = 1;
  static constexpr int k_warp_blocks = 1;
  static constexpr bool k_for_few = false;

  template <int k_of_a, int k_groups>
  TANDEM_HD static std::uint32_t children(const DoubleFrame& frame, const HalfBlock& a,
                                          const HalfBlock& b, int first_a, int first_group) {
    std::uint32_t mask = 0;
    for (int j = 2 * first_group; j < 2 * (first_group + k_groups); ++j) {
      const CentredBox in_a = moved_box(frame, child_of(b, j));
      for (int i = first_a; i < first_a + k_of_a; ++i) {
        mask |= (boxes_overlap(child_of(a, i), in_a) ? 1U : 0U) << (k_block * i + j);
      }
    }
    return mask;
  }

  TANDEM_HD static std::uint32_t leaves(const DoubleFrame& frame, const WaveModels& models,
                                        std::uint32_t a, std::uint32_t b) {
    std::uint32_t mask = 0;
    for (std::uint32_t j = 0; j < models.leaves[b].triangle_count; ++j) {
      const CentredBox in_a = moved_box(frame, box_of(models.triangles[k_block * b + j]));
      for (std::uint32_t i = 0; i < models.leaves[a].triangle_count; ++i) {
        const CentredBox box = box_of(models.triangles[k_block * a + i]);
        mask |= (boxes_overlap(box, in_a) ? 1U : 0U) << (k_block * i + j);
      }
    }
    return mask;
  }

  TANDEM_HD static Verdict triangles(const DoubleFrame&, const WaveTriangle&, const WaveTriangle&) {
    return Verdict::unsure;
  }

 private:
  TANDEM_HD static CentredBox child_of(const HalfBlock& block, int child) {
    const auto number = [&](Half2 pair) {
      const TwoFloats both = widened(pair);
      return double{child % 2 == 0 ? both.first : both.second};
    };
    CentredBox box;
    for (int k = 0; k < 3; ++k) {
      box.centre[k] = block.origin[k] + block.scale * number(block.centre[k][child / 2]);
      box.half[k] = block.scale * number(block.half[k][child / 2]);
      // What the sum is rounded by.
      box.half[k] += 0x1p-50 * std::fabs(box.centre[k]);
    }
    return box;
  }
  TANDEM_HD static CentredBox box_of(const WaveTriangle& triangle) {
    CentredBox box;
    for (int k = 0; k < 3; ++k) {
      const double x[3] = {triangle.value[k], triangle.value[3 + k], triangle.value[6 + k]};
      const double lower = std::fmin(x[0], std::fmin(x[1], x[2]));
      const double upper = std::fmax(x[0], std::fmax(x[1], x[2]));
      box.centre[k] = 0.5 * (lower + upper);
      box.half[k] = 0.5 * (upper - lower) + 0x1p-40 * (std::fabs(lower) + std::fabs(upper));
    }
    return box;
  }
};

}  // namespace tandem::detail
