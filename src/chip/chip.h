// The master controller: a query on the chip, from the roots to the triangles that intersect
// (section 4.1).
//
// The tumbled nodes (of B) are visited depth first in pairs of siblings; each pair meets the list
// of aligned nodes (of A) that its parent left over. What the paper leaves out are mixed cases.
// Here
//
//   - an aligned leaf that meets an inner tumbled node stays on the list for its children;
//   - a tumbled leaf keeps its transformed volume and meets list after list of what is below the
//     aligned nodes that it met, before the chip goes down below its sibling;
//   - two leaves are not compared: their triangles are tested.
//
// Times are kept per unit: each operation begins when its operands and its unit are there, and
// takes what the configuration says. docs/chip.md tells the rules.
#pragma once

#include <array>
#include <cstdint>

#include "chip/config.h"
#include "chip/memory_image.h"
#include "chip/register_files.h"
#include "chip/report.h"
#include "chip/sdram.h"
#include "chip/set_up.h"
#include "chip/stack_engine.h"
#include "chip/triangle_unit.h"

namespace tandem::chip {

class CollisionChip {
 public:
  /// The images are of the configuration's node format and outlive the chip. Throws `tandem::Error`
  /// for a configuration that is out of its range.
  CollisionChip(const Config& config, const ObjectImage& a, const ObjectImage& b);

  /// All triangles of A and B that intersect, by the chip's arithmetic, with B at a pose. Throws
  /// `tandem::Error` when the lists do not fit into the SRAM. `observer` may be null.
  Report run(const Pose& b_in_a, Observer* observer = nullptr) const;

  const Config& config() const { return config_; }
  std::uint64_t memory_bytes() const { return layout_.bytes(); }

 private:
  Config config_;
  const ObjectImage& a_;
  const ObjectImage& b_;
  MemoryLayout layout_;
};

}  // namespace tandem::chip
