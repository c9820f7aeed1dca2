// Line charts as SVG documents.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tandem::cli {

enum class Scale { linear, log };
enum class LineStyle { solid, dashed };

struct PlotPoint {
  double x;
  double y;
};

/// A line with a marker at each point, from left to right.
struct Series {
  std::string name;
  std::vector<PlotPoint> points;
  LineStyle style = LineStyle::solid;
  /// Which colour and marker; by default the series' place among the others.
  std::optional<std::size_t> look = std::nullopt;
};

struct Axis {
  std::string title;
  Scale scale = Scale::linear;
  /// Where the ticks are; chosen automatically when empty.
  std::vector<double> ticks = {};
};

struct Chart {
  std::string title;
  std::string subtitle;
  Axis x;
  Axis y;
  /// Up to eight can be told apart.
  std::vector<Series> series;
};

/// The chart as an SVG document on white, with grid, ticks and a legend in the order of the lines'
/// right ends. Points that are not finite, and on a log axis those that are not positive, are left
/// out.
std::string to_svg(const Chart& chart);

}  // namespace tandem::cli
