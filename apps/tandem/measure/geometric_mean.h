// The mean of ratios.
#pragma once

#include <cmath>

namespace tandem::cli {

/// The geometric mean of positive values: ratios of 2 and 1/2 have the mean 1.
class GeometricMean {
 public:
  void add(double value) {
    log_sum_ += std::log(value);
    ++count_;
  }

  /// NaN when there are no values.
  double value() const { return std::exp(log_sum_ / count_); }

 private:
  double log_sum_ = 0;
  double count_ = 0;
};

}  // namespace tandem::cli
