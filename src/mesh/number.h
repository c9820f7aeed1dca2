// Numbers in text files, read without a locale and rounded once.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace tandem::detail {

/// The token without a leading plus sign, which std::from_chars does not know; empty when another
/// sign follows it.
inline std::string_view without_plus(std::string_view token) {
  if (!token.starts_with('+')) return token;
  token.remove_prefix(1);
  return token.starts_with('-') ? std::string_view() : token;
}

/// A whole number, when the token is one and fits.
inline std::optional<std::int64_t> parse_integer(std::string_view token) {
  token = without_plus(token);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (error != std::errc() || end != token.data() + token.size()) return std::nullopt;
  return value;
}

/// True when a decimal number is 1 or more in magnitude, whatever its exponent.
inline bool is_large(std::string_view decimal) {
  // The power of ten of the first digit that is not zero, as written before the exponent.
  const std::size_t exponent_mark = std::min(decimal.find_first_of("eE"), decimal.size());
  const std::string_view digits = decimal.substr(0, exponent_mark);
  const std::size_t first = digits.find_first_of("123456789");
  if (first == std::string_view::npos) return false;
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::int64_t power = first < point ? static_cast<std::int64_t>(point - first) - 1
                                           : -static_cast<std::int64_t>(first - point);

  // Plus the exponent; an exponent that does not fit into an int decides by its sign.
  if (exponent_mark == decimal.size()) return power >= 0;
  const std::string_view exponent = decimal.substr(exponent_mark + 1);
  const std::optional<std::int64_t> value = parse_integer(exponent);
  return value ? *value >= -power : !exponent.starts_with('-');
}

/// The nearest float32 of a decimal number, when the token is one: infinite when it is too large, a
/// zero of its sign when it is too small. Accepts "inf" and "nan" as std::from_chars does.
inline std::optional<float> parse_float(std::string_view token) {
  token = without_plus(token);
  float value = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (end != token.data() + token.size()) return std::nullopt;
  if (error == std::errc()) return value;
  if (error != std::errc::result_out_of_range) return std::nullopt;
  const float magnitude = is_large(token) ? std::numeric_limits<float>::infinity() : 0.0f;
  return token.starts_with('-') ? -magnitude : magnitude;
}

}  // namespace tandem::detail
