// The collision chip in SystemVerilog (chip/rtl), run cycle by cycle by what Verilator made of it,
// with the memories of the board around it and a driver that writes and reads its registers.
//
// Built where Verilator is installed, as the library tandem::chip_rtl.
#pragma once

#include <tandem/pose.h>

#include <cstdint>
#include <string>
#include <vector>

#include "chip/chip.h"

namespace tandem::chip {

/// The configuration that the SystemVerilog is written for: the paper's, with a cycle for each
/// decision of its controller.
Config rtl_config();

class RtlChip {
 public:
  /// The images are those of 24-DOPs and outlive the chip. Throws `tandem::Error` for a
  /// configuration that is not that of `rtl_config`, but for the memory's times and banks (a read
  /// takes at least a cycle), the words of the SRAM and `compare_leaves`.
  RtlChip(const Config& config, const ObjectImage& a, const ObjectImage& b);

  struct RunOptions {
    /// How many cycles the driver lets pass before it takes a result. The chip goes on until it has
    /// found the next one.
    Cycle driver_pause = 0;
    /// A VCD file for the waveforms of everything; empty for none.
    std::string waves = {};
  };

  /// As `CollisionChip::run`. The report has no phases and no time of units, but that of the memory
  /// and the SRAM; spans are not observed, and visits of triangles have no begin. Throws
  /// `tandem::Error` also when the chip does not come to an end, or the waveforms cannot be
  /// written.
  Report run(const Pose& b_in_a, Observer* observer, const RunOptions& options) const;
  Report run(const Pose& b_in_a, Observer* observer = nullptr) const {
    return run(b_in_a, observer, RunOptions());
  }

 private:
  Config config_;
  const ObjectImage& a_;
  const ObjectImage& b_;
  MemoryLayout layout_;
  std::vector<std::uint32_t> memory_;
};

}  // namespace tandem::chip
