// The SDRAM and its interface: banks with rows, bursts on one data bus, and what a page miss costs.
//
// Commands are given in order. With closed pages, as the paper assumes, a bank closes its row by
// itself after a burst: every read opens a row, and a read from the bank before waits for it. With
// open pages a row stays open: a read from it needs no opening, and one from another row of the
// bank first closes it.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "chip/config.h"
#include "chip/dot_add.h"

namespace tandem::chip {

struct SdramCounts {
  std::uint64_t reads = 0;
  std::uint64_t bytes = 0;
  /// Reads from a row that was open, and of those that were not, reads that waited for their bank.
  std::uint64_t page_hits = 0;
  std::uint64_t bank_waits = 0;
  /// Cycles that data came later for the latter, and cycles of the bus.
  Cycle bank_wait_cycles = 0;
  Cycle bus_cycles = 0;
};

class Sdram {
 public:
  explicit Sdram(const Config& config)
      : config_(config), banks_(static_cast<std::size_t>(config.banks)) {}

  /// The first cycle of the data of a read that is asked for at `request`, when none may arrive
  /// before `earliest`. The data take `config.transfer_cycles(bytes)`.
  Cycle read(Cycle request, Cycle earliest, std::uint64_t address, int bytes);

  const SdramCounts& counts() const { return counts_; }

 private:
  static constexpr std::uint64_t k_no_row = std::numeric_limits<std::uint64_t>::max();

  struct Bank {
    /// When a row may be opened, or with open pages be closed.
    Cycle ready = 0;
    std::uint64_t open_row = k_no_row;
  };

  /// When the data could come, as far as the bank and the commands before are concerned.
  Cycle after_opening(Cycle request, const Bank& bank, std::uint64_t row, Cycle* opened) const;

  Config config_;
  std::vector<Bank> banks_;
  Cycle last_opening_ = 0;
  bool opened_any_ = false;
  Cycle bus_free_ = 0;
  SdramCounts counts_;
};

}  // namespace tandem::chip
