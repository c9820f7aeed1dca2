#include "text/chart.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "text/numbers.h"

namespace tandem::cli {

namespace {

// Colours that colour-blind readers can tell apart too (Okabe and Ito); the pale yellow is
// replaced.
constexpr const char* k_colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                     "#555555", "#56b4e9", "#e69f00", "#000000"};
// Marker outlines around the origin, about ten pixels wide.
constexpr const char* k_markers[] = {
    "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z",
    "M-4.5 -4.5h9v9h-9z",
    "M0 -6L6 0L0 6L-6 0z",
    "M0 -6L5.5 4L-5.5 4z",
    "M-2 -6h4v4h4v4h-4v4h-4v-4h-4v-4h4z",
    "M0 6L5.5 -4L-5.5 -4z",
    "M-5 -3L0 -6L5 -3V3L0 6L-5 3z",
    "M-6 -2.5h12v5h-12z",
};
constexpr std::size_t k_look_count = std::size(k_colours);
static_assert(std::size(k_markers) == k_look_count);

// Sizes in pixels. The legend is to the right of the plot.
constexpr double k_left = 90;
constexpr double k_top = 76;
constexpr double k_plot_width = 600;
constexpr double k_plot_height = 420;
constexpr double k_bottom = 70;
constexpr double k_legend_gap = 28;
constexpr double k_legend_sample = 44;
constexpr double k_legend_line = 26;
constexpr double k_letter_width = 8.2;  // of the legend's font, a little generous

std::string pixels(double value) {
  return fixed(value, 1);
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

// Text for a tick: 20,000 or 0.05.
std::string number(double value) {
  if (std::abs(value) >= 1 && std::abs(value) < 1e15 && value == std::round(value)) {
    return std::string(value < 0 ? "-" : "")
        .append(grouped(static_cast<std::uint64_t>(std::abs(value))));
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

// Converts values to pixels along one axis, and chooses the values that are marked there.
class Ruler {
 public:
  Ruler(const Axis& axis, std::vector<double> values, double first_pixel, double last_pixel)
      : scale_(axis.scale), first_pixel_(first_pixel), last_pixel_(last_pixel) {
    values.insert(values.end(), axis.ticks.begin(), axis.ticks.end());
    std::erase_if(values, [&](double value) { return !shows(value); });
    if (values.empty()) values = {1, 10};
    if (scale_ == Scale::linear) values.push_back(0);
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    low_ = along(*least);
    high_ = along(*most);
    if (high_ - low_ < 1e-9) high_ = low_ + 1;
    const double margin = 0.04 * (high_ - low_);
    if (scale_ == Scale::log || *least < 0) low_ -= margin;
    high_ += margin;
    ticks_ = axis.ticks;
    if (ticks_.empty()) {
      scale_ == Scale::log ? choose_log_ticks() : choose_linear_ticks(low_, high_);
    }
  }

  bool shows(double value) const {
    return std::isfinite(value) && (scale_ == Scale::linear || value > 0);
  }
  double pixel(double value) const {
    return first_pixel_ + (along(value) - low_) / (high_ - low_) * (last_pixel_ - first_pixel_);
  }
  const std::vector<double>& ticks() const { return ticks_; }
  // Grid lines without a number.
  const std::vector<double>& minor_ticks() const { return minor_ticks_; }

 private:
  double along(double value) const { return scale_ == Scale::log ? std::log10(value) : value; }

  // Powers of ten get numbers; where there are few of them, so do twice and five times their value.
  void choose_log_ticks() {
    const double decades = high_ - low_;
    if (decades < 1) return choose_linear_ticks(std::pow(10.0, low_), std::pow(10.0, high_));
    for (int power = static_cast<int>(std::floor(low_)); power <= high_; ++power) {
      for (int digit = 1; digit <= 9; ++digit) {
        const double value = digit * std::pow(10.0, power);
        if (along(value) < low_ || along(value) > high_) continue;
        const bool numbered = digit == 1 || (decades < 2.5 && (digit == 2 || digit == 5));
        (numbered ? ticks_ : minor_ticks_).push_back(value);
      }
    }
  }

  // Multiples of 1, 2 or 5 times a power of ten, about six of them.
  void choose_linear_ticks(double from, double to) {
    const double rough = (to - from) / 6;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    const double digits = rough / power;
    const double step = power * (digits < 1.5 ? 1 : digits < 3.5 ? 2 : digits < 7.5 ? 5 : 10);
    for (double i = std::ceil(from / step - 1e-9); i * step <= to; ++i) {
      ticks_.push_back(i * step + 0.0);  // no -0
    }
  }

  Scale scale_;
  double first_pixel_;
  double last_pixel_;
  double low_ = 0;
  double high_ = 1;
  std::vector<double> ticks_;
  std::vector<double> minor_ticks_;
};

Ruler ruler(const Chart& chart, const Axis& axis, double PlotPoint::*coordinate, double first_pixel,
            double last_pixel) {
  std::vector<double> values;
  for (const Series& series : chart.series) {
    for (const PlotPoint& point : series.points) values.push_back(point.*coordinate);
  }
  return {axis, std::move(values), first_pixel, last_pixel};
}

std::string line(double x1, double y1, double x2, double y2, std::string_view style) {
  return "<line x1=\"" + pixels(x1) + "\" y1=\"" + pixels(y1) + "\" x2=\"" + pixels(x2) +
         "\" y2=\"" + pixels(y2) + "\" " + std::string(style) + "/>\n";
}

std::string text(double x, double y, std::string_view style, std::string_view content) {
  return "<text x=\"" + pixels(x) + "\" y=\"" + pixels(y) + "\" " + std::string(style) + ">" +
         escaped(content) + "</text>\n";
}

std::string stroke(std::size_t look, LineStyle style) {
  return std::string("fill=\"none\" stroke=\"") + k_colours[look % k_look_count] +
         "\" stroke-width=\"2.2\"" +
         (style == LineStyle::dashed ? " stroke-dasharray=\"7 5\"" : "");
}

std::string marker(double x, double y, std::size_t look) {
  return std::string("<path d=\"") + k_markers[look % k_look_count] + "\" transform=\"translate(" +
         pixels(x) + " " + pixels(y) + ")\" fill=\"" + k_colours[look % k_look_count] +
         "\" stroke=\"#ffffff\"/>\n";
}

std::string axes(const Chart& chart, const Ruler& x, const Ruler& y) {
  constexpr const char* k_faint = "stroke=\"#eeeeee\"";
  constexpr const char* k_grid = "stroke=\"#d0d0d0\"";
  const double right = k_left + k_plot_width;
  const double bottom = k_top + k_plot_height;
  std::string svg;
  for (const double at : x.minor_ticks())
    svg += line(x.pixel(at), k_top, x.pixel(at), bottom, k_faint);
  for (const double at : y.minor_ticks())
    svg += line(k_left, y.pixel(at), right, y.pixel(at), k_faint);
  for (const double at : x.ticks()) {
    svg += line(x.pixel(at), k_top, x.pixel(at), bottom + 5, k_grid);
    svg += text(x.pixel(at), bottom + 22, "text-anchor=\"middle\"", number(at));
  }
  for (const double at : y.ticks()) {
    svg += line(k_left - 5, y.pixel(at), right, y.pixel(at), k_grid);
    svg += text(k_left - 10, y.pixel(at) + 5, "text-anchor=\"end\"", number(at));
  }
  svg += "<rect x=\"" + pixels(k_left) + "\" y=\"" + pixels(k_top) + "\" width=\"" +
         pixels(k_plot_width) + "\" height=\"" + pixels(k_plot_height) +
         "\" fill=\"none\" stroke=\"#333333\"/>\n";
  svg += text(k_left + k_plot_width / 2, bottom + 52, "text-anchor=\"middle\" font-size=\"15\"",
              chart.x.title);
  svg += text(k_left, k_top - 12, "font-size=\"15\"", chart.y.title);
  return svg;
}

// The lines first, then all markers, so that no line hides a marker; the first series on top.
std::string lines_and_markers(const Chart& chart, const Ruler& x, const Ruler& y) {
  std::string lines;
  std::string markers;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const std::size_t look = chart.series[i].look.value_or(i);
    std::string points;
    std::string series_markers;
    for (const PlotPoint& point : chart.series[i].points) {
      if (!x.shows(point.x) || !y.shows(point.y)) continue;
      points += pixels(x.pixel(point.x)) + "," + pixels(y.pixel(point.y)) + " ";
      series_markers += marker(x.pixel(point.x), y.pixel(point.y), look);
    }
    markers.insert(0, series_markers);
    lines += "<polyline points=\"" + points + "\" " + stroke(look, chart.series[i].style) + "/>\n";
  }
  return lines + markers;
}

// The line with the highest right end first: the legend has the order of the lines.
std::string legend(const Chart& chart) {
  std::vector<std::size_t> order(chart.series.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto right_end = [&](std::size_t i) {
    const auto& points = chart.series[i].points;
    return points.empty() ? -std::numeric_limits<double>::infinity() : points.back().y;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return right_end(i) > right_end(j); });
  std::string svg;
  const double x = k_left + k_plot_width + k_legend_gap;
  double y = k_top + 14;
  for (const std::size_t i : order) {
    const std::size_t look = chart.series[i].look.value_or(i);
    svg += line(x, y, x + k_legend_sample, y, stroke(look, chart.series[i].style));
    svg += marker(x + k_legend_sample / 2, y, look);
    svg += text(x + k_legend_sample + 10, y + 5, "", chart.series[i].name);
    y += k_legend_line;
  }
  return svg;
}

}  // namespace

std::string to_svg(const Chart& chart) {
  std::size_t longest_name = 0;
  for (const Series& series : chart.series) {
    longest_name = std::max(longest_name, series.name.size());
  }
  const double width = k_left + k_plot_width + k_legend_gap + k_legend_sample + 20 +
                       k_letter_width * static_cast<double>(longest_name);
  const double height = k_top + k_plot_height + k_bottom;
  const Ruler x = ruler(chart, chart.x, &PlotPoint::x, k_left, k_left + k_plot_width);
  const Ruler y = ruler(chart, chart.y, &PlotPoint::y, k_top + k_plot_height, k_top);

  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + pixels(width) +
                    "\" height=\"" + pixels(height) + "\" viewBox=\"0 0 " + pixels(width) + " " +
                    pixels(height) +
                    "\" font-family=\"DejaVu Sans, Verdana, Helvetica, Arial, sans-serif\" "
                    "font-size=\"14\" fill=\"#222222\">\n";
  svg += "<title>" + escaped(chart.title) + "</title>\n";
  svg += "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  svg += text(k_left, 28, "font-size=\"18\" font-weight=\"bold\"", chart.title);
  svg += text(k_left + k_plot_width, k_top - 12, "text-anchor=\"end\" fill=\"#666666\"",
              chart.subtitle);
  return svg + axes(chart, x, y) + lines_and_markers(chart, x, y) + legend(chart) + "</svg>\n";
}

}  // namespace tandem::cli
