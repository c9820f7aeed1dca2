// The DOTADD unit: a pipeline for dot products with an offset (section 4.1).
#pragma once

#include <cstdint>

#include "chip/config.h"
#include "chip/float32.h"
#include "chip/set_up.h"

namespace tandem::chip {

/// Cycles since the query began.
using Cycle = std::uint64_t;

class DotAdd {
 public:
  explicit DotAdd(const Config& config)
      : units_(static_cast<Cycle>(config.dotadd_units)),
        stages_(static_cast<Cycle>(config.dotadd_stages)) {}

  /// ((d0 c0 + d1 c1) + d2 c2) + c, each operation rounded by itself.
  static float evaluate(const MatrixLine& line, float d0, float d1, float d2) {
    const float first = multiply(d0, line.coefficient[0]);
    const float second = multiply(d1, line.coefficient[1]);
    const float third = multiply(d2, line.coefficient[2]);
    return add(add(add(first, second), third), line.offset);
  }

  /// The cycle after the last of so many rows is issued, one behind the other from `start`.
  Cycle issue(Cycle start, Cycle rows) {
    busy_ += cycles(rows);
    return start + cycles(rows);
  }
  /// The cycles that it takes to issue so many.
  Cycle cycles(Cycle rows) const { return (rows + units_ - 1) / units_; }
  /// From the cycle after a row's issue to its result in a register.
  Cycle stages() const { return stages_; }

  Cycle busy() const { return busy_; }

 private:
  Cycle units_;
  Cycle stages_;
  Cycle busy_ = 0;
};

}  // namespace tandem::chip
