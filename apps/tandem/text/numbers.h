// Numbers, times and tables as people read them.
#pragma once

#include <tandem/query.h>
#include <tandem/ray.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tandem::cli {

/// 1234567 as "1,234,567".
std::string grouped(std::uint64_t count);

/// "1 triangle", "2,000 triangles".
std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural);

/// A time with three digits and a unit that suits it: "12.3 ms".
std::string duration(double seconds);

/// The shortest decimal that reads back as the same number.
std::string shortest(double value);
std::string shortest(float value);

/// `text` on one line, control characters replaced and a long text cut: fit for a message.
std::string one_line(std::string_view text);

/// `text` in single quotes, on one line.
std::string in_quotes(std::string_view text);

/// `text` broken at blanks into lines of at most `width` columns, the first after `first_indent`,
/// the others after `indent`; ends with a newline.
std::string wrapped(std::string_view text, std::size_t width, std::string_view first_indent,
                    std::string_view indent);

/// The whole number that `text` is; throws `tandem::Error` that begins with `what` when it is none.
std::uint64_t whole_number(std::string_view text, std::string_view what);

/// Rows of cells in aligned columns: the first column to the left, the others to the right.
class Table {
 public:
  void add_row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  /// Each line begins with `indent`.
  std::string text(std::string_view indent) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// A counter's name in text: that in JSON with spaces for underscores.
std::string counter_title(std::string_view key);

/// A counter of some statistics under its name in JSON.
template <class Counts>
struct CounterOf {
  std::string_view key;
  std::uint64_t Counts::*value;

  std::string title() const { return counter_title(key); }
};
using Counter = CounterOf<Statistics>;
using RayCounter = CounterOf<RayStatistics>;

inline constexpr RayCounter k_ray_counters[] = {
    {"rays", &RayStatistics::rays},
    {"box_tests", &RayStatistics::box_tests},
    {"node_visits", &RayStatistics::node_visits},
    {"leaf_visits", &RayStatistics::leaf_visits},
    {"triangle_tests", &RayStatistics::triangle_tests},
};
inline constexpr Counter k_counters[] = {
    {"iterations", &Statistics::iterations},
    {"overlaps", &Statistics::overlaps},
    {"leaf_overlaps", &Statistics::leaf_overlaps},
    {"node_transforms", &Statistics::node_transforms},
    {"aligned_visits", &Statistics::aligned_visits},
    {"tumbled_visits", &Statistics::tumbled_visits},
    {"triangle_tests", &Statistics::triangle_tests},
    {"triangle_overlaps", &Statistics::triangle_overlaps},
};

/// Measures wall-clock time from its construction.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace tandem::cli
