// tandem reproduce stackless-tandem: tables 2 to 8 and figure 33 of the paper, and what of its
// findings holds here.
#include "papers/stackless_tandem/stackless_tandem.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "measure/pair_hash.h"
#include "text/numbers.h"
#include "text/output.h"

namespace tandem::cli::stackless_tandem {

namespace {

// A unit in which the times of a setup are neither tiny nor huge.
struct TimeUnit {
  const char* name;
  double seconds;
};
TimeUnit unit_for(const Measurement& measurement) {
  const double mean_s = measurement.row(Algorithm::dynamic_stack).timing.mean_s();
  return mean_s < 1e-6   ? TimeUnit{"ns", 1e-9}
         : mean_s < 1e-3 ? TimeUnit{"µs", 1e-6}
                         : TimeUnit{"ms", 1e-3};
}

// "100 rounds", or "37 to 100 rounds" where some algorithms ran out of time.
std::string rounds_text(const Measurement& measurement) {
  const auto [least, most] = std::minmax_element(
      measurement.rows.begin(), measurement.rows.end(), [](const Row& one, const Row& other) {
        return one.timing.rounds_s.size() < other.timing.rounds_s.size();
      });
  const std::size_t least_rounds = least->timing.rounds_s.size();
  const std::size_t most_rounds = most->timing.rounds_s.size();
  return (least_rounds == most_rounds ? "" : std::to_string(least_rounds) + " to ") +
         counted(most_rounds, "round", "rounds");
}

// Four digits, or all those before the point.
std::string four_digits(double value) {
  if (value >= 1000) return grouped(static_cast<std::uint64_t>(std::llround(value)));
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", value < 10 ? 3 : value < 100 ? 2 : 1, value);
  return text;
}

std::string two_places(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

std::vector<std::string> cells(const Measurement& measurement, const Row& row) {
  const double unit_s = unit_for(measurement).seconds;
  const Timing& timing = row.timing;
  const Statistics& statistics = row.statistics;
  return {std::string(name_of(row.algorithm)),
          four_digits(timing.min_s() / unit_s),
          four_digits(timing.max_s() / unit_s),
          four_digits(timing.mean_s() / unit_s),
          four_digits(timing.stddev_s() / unit_s),
          grouped(statistics.iterations),
          grouped(statistics.overlaps),
          grouped(statistics.leaf_overlaps),
          grouped(statistics.triangle_overlaps),
          row.twin ? two_places(row.mean_ratio) : "",
          row.twin ? two_places(row.median_ratio) : "",
          grouped(timing.repetitions),
          hexadecimal(measurement.pairs_hash).substr(0, 8)};
}

Json to_json(const Measurement& measurement, const Row& row) {
  Json object;
  object["table"] = measurement.table;
  object["setup"] = measurement.setup;
  object["algorithm"] = name_of(row.algorithm);
  object["triangles_a"] = measurement.triangles_a;
  object["triangles_b"] = measurement.triangles_b;
  for (const Counter& counter : k_counters) {
    object[std::string(counter.key)] = row.statistics.*counter.value;
  }
  object["rounds"] = row.timing.rounds_s.size();
  object["repetitions"] = row.timing.repetitions;
  object["min_s"] = row.timing.min_s();
  object["max_s"] = row.timing.max_s();
  object["mean_s"] = row.timing.mean_s();
  object["median_s"] = row.timing.median_s();
  object["stddev_s"] = row.timing.stddev_s();
  object["twin"] = nullptr;
  object["ratio_to_twin"] = nullptr;
  if (row.twin) {
    object["twin"] = name_of(*row.twin);
    object["ratio_to_twin"] = row.mean_ratio;
    object["min_ratio_to_twin"] = row.min_ratio;
    object["median_ratio_to_twin"] = row.median_ratio;
  }
  object["pairs_hash"] = hexadecimal(measurement.pairs_hash);
  return object;
}

Json to_json(std::span<const Measurement> measurements, const ReproduceOptions& options) {
  Json object;
  object["paper"] = "stackless-tandem";
  object["version"] = TANDEM_VERSION;
  object["quick"] = options.extent == Extent::quick;
  object["rows"] = rows_of(measurements, [](const Measurement& measurement, const Row& row) {
    return to_json(measurement, row);
  });
  object["findings"] = findings(measurements);
  return object;
}

// The setups of a table, measured one after the other.
std::vector<Measurement> measure_table(int table, const ReproduceOptions& options) {
  const bool quick = options.extent == Extent::quick;
  const TimingOptions timing = quick ? TimingOptions{.round_s = 0.004, .max_rounds = 5}
                                     : TimingOptions{.round_s = 0.01, .max_rounds = 100};
  ProgressBar bar("table " + std::to_string(table), options.reporting);
  const Progress progress = bar.callback();
  const std::vector<Setup> setups = make_setups(table, options.extent);
  std::vector<Measurement> measurements;
  for (const Setup& setup : setups) {
    const auto done = static_cast<double>(measurements.size());
    const Progress share_of_table = [&](double share) {
      if (progress) progress((done + share) / static_cast<double>(setups.size()));
    };
    measurements.push_back(measure(setup, timing, share_of_table));
  }
  return measurements;
}

constexpr const char* k_introduction =
    R"(Two torus knots, boxes halved at the median along their longest side, one triangle a leaf.
Times are processor time of one query. A round repeats it as often as the table says, and the rounds
of all algorithms take turns. Ratios are to the time of the stack twin, of the means and the median
over the rounds: stackless, stackless-post and scheduled to alternating-stack, trail and recursive
to dynamic-stack. The hash is that of the sorted pairs.
)";

}  // namespace

std::string table_text(int table, std::span<const Measurement> measurements) {
  // All rows in one table, so that columns line up; then a title before those of each setup.
  Table rows;
  rows.add_row(
      {"", "", "", "", "standard", "", "", "leaf", "geometry", "mean", "median", "", "pairs"});
  rows.add_row({"", "min", "max", "mean", "deviation", "iterations", "overlaps", "overlaps",
                "overlaps", "ratio", "ratio", "repetitions", "hash"});
  for (const Measurement& measurement : measurements) {
    for (const Row& row : measurement.rows) rows.add_row(cells(measurement, row));
  }
  const std::string lines = rows.text("  ");
  std::size_t position = 0;
  const auto take_line = [&] {
    const std::size_t begin = position;
    position = lines.find('\n', begin) + 1;
    return lines.substr(begin, position - begin);
  };
  std::string text =
      "\nTable " + std::to_string(table) + ". " + std::string(table_title(table)) + "\n";
  text += take_line();
  text += take_line();
  for (const Measurement& measurement : measurements) {
    text += measurement.setup + ": " + grouped(measurement.triangles_a) + " against " +
            counted(measurement.triangles_b, "triangle", "triangles") + ", " +
            rounds_text(measurement) + ", times in " + unit_for(measurement).name + "\n";
    for (std::size_t i = 0; i < measurement.rows.size(); ++i) text += take_line();
  }
  return text;
}

void reproduce(const ReproduceOptions& options) {
  options.report.say(k_introduction);
  std::vector<Measurement> all;
  for (int table = k_first_table; table <= k_last_table; ++table) {
    const std::vector<Measurement> measurements = measure_table(table, options);
    options.report.say(table_text(table, measurements));
    all.insert(all.end(), measurements.begin(), measurements.end());
  }

  options.report.say("\nWhat the paper found, and what holds here\n");
  for (const std::string& sentence : findings(all))
    options.report.say(wrapped(sentence, 98, "- ", "  "));

  options.report.say("\n");
  options.report.plot([&](const std::string& folder) { return write_charts(folder, all); });
  options.report.write([&] { return to_json(all, options); });
}

}  // namespace tandem::cli::stackless_tandem
