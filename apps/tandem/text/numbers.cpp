#include "text/numbers.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace tandem::cli {

namespace {

template <class T>
std::string shortest_text(T value) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

// Decimal places that show about three digits.
int places_for(double value) {
  return value < 10 ? 2 : value < 100 ? 1 : 0;
}

}  // namespace

std::string grouped(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t place = text.size(); place > 3;) text.insert(place -= 3, 1, ',');
  return text;
}

std::string rounded(double value) {
  return grouped(static_cast<std::uint64_t>(std::llround(value)));
}

std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural) {
  return grouped(count).append(" ").append(count == 1 ? singular : plural);
}

std::string duration(double seconds) {
  if (seconds >= 60) {
    const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
    return grouped(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  }
  struct Unit {
    const char* name;
    double per_second;
  };
  const Unit unit = seconds < 1e-6   ? Unit{"ns", 1e9}
                    : seconds < 1e-3 ? Unit{"µs", 1e6}
                    : seconds < 1    ? Unit{"ms", 1e3}
                                     : Unit{"s", 1};
  const double value = seconds * unit.per_second;
  return fixed(value, places_for(value)) + " " + unit.name;
}

std::string shortest(double value) {
  return shortest_text(value);
}
std::string shortest(float value) {
  return shortest_text(value);
}

std::string fixed(double value, int places) {
  char text[400];  // the largest double has 309 digits before the point
  std::snprintf(text, sizeof text, "%.*f", places, value);
  return text;
}

std::string three_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

std::string ratio_text(double ratio) {
  return fixed(ratio, places_for(ratio));
}

}  // namespace tandem::cli
