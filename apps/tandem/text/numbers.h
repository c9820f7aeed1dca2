// This room turns results into what people and other programs read: numbers, tables, JSON, charts
// and progress bars, and the files and streams that they go to. It uses the public API and no other
// room of the program.
//
// In this file: numbers and times as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tandem::cli {

/// 1234567 as "1,234,567".
std::string grouped(std::uint64_t count);

/// The nearest whole number, grouped.
std::string rounded(double value);

/// "1 triangle", "2,000 triangles".
std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural);

/// A time with three digits and a suitable unit: "12.3 ms".
std::string duration(double seconds);

/// The shortest decimal number that reads back as the same value.
std::string shortest(double value);
std::string shortest(float value);

/// With that many decimal places.
std::string fixed(double value, int places);

/// With three digits, and a power of ten where that is shorter: "0.0123", "1.23e-12".
std::string three_digits(double value);

/// A ratio with two decimal places, or fewer where it is large.
std::string ratio_text(double ratio);

}  // namespace tandem::cli
