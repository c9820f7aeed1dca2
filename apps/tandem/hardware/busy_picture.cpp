#include "hardware/busy_picture.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "text/numbers.h"

namespace tandem::cli::hardware {

namespace {

// Sizes in pixels.
constexpr double k_left = 130;
constexpr double k_top = 50;
constexpr double k_width = 1000;
constexpr double k_row = 46;
constexpr double k_height = 34;
constexpr double k_right = 80;
constexpr double k_bottom = 46;

std::string pixels(double value) {
  return fixed(value, 2);
}

std::string text(double x, double y, const char* anchor, const std::string& what) {
  return std::string("  <text x=\"") + pixels(x) + "\" y=\"" + pixels(y) + "\" text-anchor=\"" +
         anchor + "\">" + what + "</text>\n";
}

/// The outline of the shares, from the left to the right.
std::string outline(const std::vector<double>& shares, double base) {
  std::string path = std::string("M") + pixels(k_left) + " " + pixels(base);
  const double step = k_width / static_cast<double>(shares.size());
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const double y = base - k_height * shares[i];
    if (i == 0 || shares[i] != shares[i - 1]) path.append("V").append(pixels(y));
    path.append("H").append(pixels(k_left + step * static_cast<double>(i + 1)));
  }
  return path + "V" + pixels(base) + "z";
}

}  // namespace

std::vector<double> busy_shares(std::span<const BusySpan> spans, chip::Cycle cycles,
                                std::size_t count) {
  std::vector<double> shares(count, 0);
  if (cycles == 0) return shares;
  const double per_cycle = static_cast<double>(count) / static_cast<double>(cycles);
  for (const BusySpan& span : spans) {
    const double begin = static_cast<double>(span.begin) * per_cycle;
    const double end =
        std::min(static_cast<double>(span.end) * per_cycle, static_cast<double>(count));
    for (auto part = static_cast<std::size_t>(begin);
         part < count && static_cast<double>(part) < end; ++part) {
      const auto at = static_cast<double>(part);
      shares[part] += std::min(end, at + 1) - std::max(begin, at);
    }
  }
  for (double& share : shares) share = std::min(share, 1.0);
  return shares;
}

std::string busy_picture(const std::array<std::vector<BusySpan>, chip::k_unit_count>& spans,
                         chip::Cycle cycles, double cycle_ns) {
  const double width = k_left + k_width + k_right;
  const double height = k_top + k_row * static_cast<double>(chip::k_unit_count) + k_bottom;
  const std::string size = pixels(width) + " " + pixels(height);
  std::string svg = std::string("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ") + size +
                    "\" width=\"" + pixels(width) + "\" height=\"" + pixels(height) +
                    "\" font-family=\"sans-serif\" font-size=\"13\">\n"
                    "  <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  const double us = 1e-3 * cycle_ns * static_cast<double>(cycles);
  svg += text(k_left, 28, "start",
              "A query on the chip: " + grouped(cycles) + " cycles, " + duration(1e-6 * us) +
                  ", and how busy its units were");
  const auto columns =
      static_cast<std::size_t>(std::clamp(static_cast<double>(cycles), 1.0, k_width));
  for (std::size_t unit = 0; unit < chip::k_unit_count; ++unit) {
    const double base = k_top + k_row * static_cast<double>(unit + 1) - (k_row - k_height) / 2;
    const std::vector<double> shares = busy_shares(spans[unit], cycles, columns);
    double sum = 0;
    for (const double share : shares) sum += share;
    svg += text(k_left - 10, base - 12, "end", std::string(name_of(static_cast<chip::Unit>(unit))));
    svg += std::string("  <rect x=\"") + pixels(k_left) + "\" y=\"" + pixels(base - k_height) +
           "\" width=\"" + pixels(k_width) + "\" height=\"" + pixels(k_height) +
           "\" fill=\"#eef2f6\"/>\n";
    svg += "  <path d=\"" + outline(shares, base) + "\" fill=\"#0072b2\"/>\n";
    svg += text(k_left + k_width + 10, base - 12, "start",
                fixed(100 * sum / static_cast<double>(columns), 1) + " %");
  }
  const double axis = k_top + k_row * static_cast<double>(chip::k_unit_count) + 20;
  constexpr int k_ticks = 5;
  for (int tick = 0; tick <= k_ticks; ++tick) {
    const double share = static_cast<double>(tick) / k_ticks;
    svg += text(k_left + share * k_width, axis, "middle",
                rounded(share * static_cast<double>(cycles)));
  }
  svg += text(k_left + k_width / 2, axis + 20, "middle", "cycle");
  return svg + "</svg>\n";
}

}  // namespace tandem::cli::hardware
