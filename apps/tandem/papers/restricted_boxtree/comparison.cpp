// What the comparisons of variants are asked for.
#include <algorithm>

#include "measure/geometric_mean.h"
#include "papers/restricted_boxtree/restricted_boxtree.h"

namespace tandem::cli::restricted_boxtree {

namespace {

// Over the measurements, of what `ratio` says of each.
template <class Ratio>
double mean_ratio(const std::vector<const tumble_bench::Measurement*>& measurements, Ratio ratio) {
  GeometricMean mean;
  for (const tumble_bench::Measurement* measurement : measurements) mean.add(ratio(*measurement));
  return mean.value();
}

}  // namespace

std::vector<const tumble_bench::Measurement*> Comparison::of(std::string_view object) const {
  std::vector<const tumble_bench::Measurement*> result;
  for (const tumble_bench::Measurement& measurement : measurements) {
    if (measurement.name == object) result.push_back(&measurement);
  }
  return result;
}

std::vector<std::string> Comparison::objects() const {
  std::vector<std::string> names;
  for (const tumble_bench::Measurement& measurement : measurements) {
    if (names.empty() || names.back() != measurement.name) names.push_back(measurement.name);
  }
  return names;
}

std::size_t Comparison::variant(std::string_view name) const {
  const auto found = std::find_if(variants.begin(), variants.end(),
                                  [&](const Variant& variant) { return variant.name == name; });
  return static_cast<std::size_t>(found - variants.begin());
}

double Comparison::time_ratio(std::string_view object, std::size_t variant,
                              std::size_t other) const {
  return mean_ratio(of(object), [&](const tumble_bench::Measurement& measurement) {
    return median_ratio(measurement.rows[variant].timing, measurement.rows[other].timing);
  });
}

double Comparison::count_ratio(std::string_view object, std::uint64_t Statistics::*counter,
                               std::size_t variant, std::size_t other) const {
  return mean_ratio(of(object), [&](const tumble_bench::Measurement& measurement) {
    return static_cast<double>(measurement.rows[variant].statistics.*counter) /
           static_cast<double>(measurement.rows[other].statistics.*counter);
  });
}

double Comparison::mean_query_s(std::string_view object, std::size_t variant) const {
  const auto chosen = of(object);
  double sum = 0;
  for (const tumble_bench::Measurement* measurement : chosen) {
    sum += measurement->query_s(measurement->rows[variant]);
  }
  return sum / static_cast<double>(chosen.size());
}

double bytes_per_triangle(const tumble_bench::Measurement& measurement, std::size_t variant) {
  return static_cast<double>(measurement.rows[variant].structure_bytes) /
         static_cast<double>(measurement.triangle_count);
}

}  // namespace tandem::cli::restricted_boxtree
