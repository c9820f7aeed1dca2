// A picture of how busy the chip's units were over the time of a query.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "chip/report.h"

namespace tandem::cli::hardware {

/// From `begin` to before `end`.
struct BusySpan {
  chip::Cycle begin;
  chip::Cycle end;
};

/// For each of `count` equal parts of the time, the share of it in which a unit was busy.
std::vector<double> busy_shares(std::span<const BusySpan> spans, chip::Cycle cycles,
                                std::size_t count);

/// An SVG document with a row for each unit. A column is one cycle, or as many as the width asks
/// for, and as high as the share of it in which the unit was busy.
std::string busy_picture(const std::array<std::vector<BusySpan>, chip::k_unit_count>& spans,
                         chip::Cycle cycles, double cycle_ns);

}  // namespace tandem::cli::hardware
