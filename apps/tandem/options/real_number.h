// Numbers with decimals on the command line.
#pragma once

#include <string_view>

namespace tandem::cli {

/// A word as a number.
struct RealNumber {
  double value = 0;
  /// What is wrong with it, as in "'x' " + fault; null when nothing is.
  const char* fault = nullptr;
  /// It is written like a number, right or wrong.
  bool is_written_like_one = false;
};

/// Decimal, with or without a sign and an exponent. "nan" and "inf", and numbers beyond the range
/// of double, are written like numbers and have a fault.
RealNumber parse_real(std::string_view word);

}  // namespace tandem::cli
