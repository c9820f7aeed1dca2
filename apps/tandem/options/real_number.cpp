#include "options/real_number.h"

#include <charconv>
#include <cmath>
#include <system_error>

namespace tandem::cli {

RealNumber parse_real(std::string_view word) {
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  RealNumber number;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, number.value);
  if (error == std::errc::invalid_argument || stop != end) return {0, "is not a number", false};
  number.is_written_like_one = true;
  if (error == std::errc::result_out_of_range) {
    number.fault = "is beyond the range of double precision (about 1e-308 to 1e308)";
  } else if (!std::isfinite(number.value)) {
    number.fault = "is not finite";
  }
  return number;
}

}  // namespace tandem::cli
