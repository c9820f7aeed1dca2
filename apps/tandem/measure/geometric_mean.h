// The mean of ratios.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

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

/// Ratios over several measurements: their mean, the extremes, and where the least one is.
struct RatioRange {
  GeometricMean mean;
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  std::string least_at;

  void add(double ratio, const std::string& where) {
    mean.add(ratio);
    most = std::max(most, ratio);
    if (ratio < least) {
      least = ratio;
      least_at = where;
    }
  }
};

}  // namespace tandem::cli
