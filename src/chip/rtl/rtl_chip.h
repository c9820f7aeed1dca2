// The collision chip in SystemVerilog (chip/rtl), run cycle by cycle by what Verilator made of it,
// with the memories of the board around it and a driver that writes and reads its registers.
//
// Built where Verilator is installed, as the library tandem::chip_rtl.
#pragma once

#include <tandem/pose.h>

#include "chip/chip.h"

namespace tandem::chip {

/// The configuration that the SystemVerilog is written for: the paper's, with a cycle for each
/// decision of its controller.
Config rtl_config();

class RtlChip {
 public:
  /// The images are those of 24-DOPs and outlive the chip. Throws `tandem::Error` for a configuration
  /// that is not that of `rtl_config`, but for the memory's times and banks, the words of the SRAM
  /// and `compare_leaves`.
  RtlChip(const Config& config, const ObjectImage& a, const ObjectImage& b);

  /// As `CollisionChip::run`. The report has no phases and no time of units, but of the memory and
  /// the SRAM; spans are not observed, and visits of triangles have no begin.
  Report run(const Pose& b_in_a, Observer* observer = nullptr) const;

 private:
  Config config_;
  const ObjectImage& a_;
  const ObjectImage& b_;
  MemoryLayout layout_;
  std::vector<std::uint32_t> memory_;
};

}  // namespace tandem::chip
