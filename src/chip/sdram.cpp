#include "chip/sdram.h"

#include <algorithm>

namespace tandem::chip {

Cycle Sdram::after_opening(Cycle request, const Bank& bank, std::uint64_t row,
                           Cycle* opened) const {
  const auto cycles = [](int count) { return static_cast<Cycle>(count); };
  Cycle open = std::max(request, bank.ready);
  if (bank.open_row != k_no_row) {
    if (bank.open_row == row) return request + cycles(config_.cas_cycles);
    open += cycles(config_.precharge_cycles);
  }
  if (opened_any_) open = std::max(open, last_opening_ + cycles(config_.activate_gap_cycles));
  *opened = open;
  return open + cycles(config_.ras_to_cas_cycles) + cycles(config_.cas_cycles);
}

Cycle Sdram::read(Cycle request, Cycle earliest, std::uint64_t address, int bytes) {
  const auto stride = static_cast<std::uint64_t>(config_.pair_stride());
  const auto bank_count = static_cast<std::uint64_t>(config_.banks);
  Bank& bank = banks_[address / stride % bank_count];
  const std::uint64_t row = address / (bank_count * static_cast<std::uint64_t>(config_.row_bytes));

  const bool hit = bank.open_row == row;
  Cycle opened = last_opening_;
  const Cycle from = std::max(earliest, bus_free_);
  const Cycle start = std::max(from, after_opening(request, bank, row, &opened));
  // The same from a bank that is ready.
  Cycle unused = 0;
  const Cycle ready_start =
      hit ? start : std::max(from, after_opening(request, Bank(), row, &unused));
  if (!hit) {
    last_opening_ = opened;
    opened_any_ = true;
  }

  const Cycle transfer = static_cast<Cycle>(config_.transfer_cycles(bytes));
  bus_free_ = start + transfer;
  const Cycle command = start - static_cast<Cycle>(config_.cas_cycles);
  bank.ready = command + transfer;
  if (config_.open_pages) {
    bank.open_row = row;
  } else {
    bank.ready += static_cast<Cycle>(config_.precharge_cycles);
  }

  ++counts_.reads;
  counts_.bytes += static_cast<std::uint64_t>(bytes);
  counts_.page_hits += hit ? 1 : 0;
  counts_.bank_waits += start > ready_start ? 1 : 0;
  counts_.bank_wait_cycles += start - ready_start;
  counts_.bus_cycles += transfer;
  return start;
}

}  // namespace tandem::chip
