// Tables of the chip: the paper's, those of measured objects, and where cycles go.
#include <cmath>
#include <cstddef>

#include "hardware/config_file.h"
#include "hardware/measure.h"
#include "text/numbers.h"
#include "text/table.h"

namespace tandem::cli::hardware {

namespace {

/// Table 1 of the paper, without the times of the chip: those follow from equation 5.
struct PaperRow {
  const char* object;
  int triangles;
  struct Numbers {
    int aligned;
    int tumbled;
    int software_us;
  } average, worst;
};
constexpr PaperRow k_paper_rows[] = {
    {"Filter", 19326, {12474, 240, 14936}, {542888, 3553, 717164}},
    {"Frontlight", 30075, {389, 73, 524}, {7065, 937, 9226}},
    {"Lock", 62023, {279, 81, 401}, {4854, 877, 6804}},
    {"Car body", 60755, {259, 66, 383}, {3076, 538, 5390}},
    {"Buddha", 125000, {159, 50, 240}, {3345, 301, 4074}},
};

/// One figure of a step, and how it is written.
struct Column {
  const char* title;
  std::string (*text)(double value);
  double (*of)(const Measurement& measurement, const Step& step);
};

/// Where a list has one pair, equation 5 takes off what it adds for each further one.
std::string signed_count(double value) {
  return std::string(value <= -0.5 ? "-" : "") + rounded(std::abs(value));
}

std::string us_text(double us) {
  return duration(1e-6 * us);
}

const Column k_columns[] = {
    {"aligned", rounded,
     [](const Measurement&, const Step& s) {
       return static_cast<double>(s.library.aligned_visits);
     }},
    {"tumbled", rounded,
     [](const Measurement&, const Step& s) {
       return static_cast<double>(s.library.tumbled_visits);
     }},
    {"triangle tests", rounded,
     [](const Measurement&, const Step& s) {
       return static_cast<double>(s.library.triangle_tests);
     }},
    {"equation 5", us_text,
     [](const Measurement& m, const Step& s) { return m.closed_form_us(s); }},
    {"cycle model", us_text, [](const Measurement& m, const Step& s) { return m.chip_us(s); }},
    {"same here", us_text, [](const Measurement&, const Step& s) { return 1e6 * s.list_pairs_s; }},
    {"default here", us_text, [](const Measurement&, const Step& s) { return 1e6 * s.default_s; }},
};

}  // namespace

std::string paper_table_text() {
  Table table;
  table.add_row({"", "triangles", "aligned", "tumbled", "chip", "software", "aligned", "tumbled",
                 "chip", "software"});
  for (const PaperRow& row : k_paper_rows) {
    std::vector<std::string> cells = {row.object, rounded(row.triangles)};
    for (const PaperRow::Numbers& numbers : {row.average, row.worst}) {
      const double cycles =
          chip::equation_5(chip::list_counts(numbers.aligned, numbers.tumbled, 2));
      cells.push_back(rounded(numbers.aligned));
      cells.push_back(rounded(numbers.tumbled));
      cells.push_back(rounded(1e-3 * chip::k_paper_cycle_ns * cycles) + " µs");
      cells.push_back(rounded(numbers.software_us) + " µs");
    }
    table.add_row(std::move(cells));
  }
  return table.text("  ");
}

std::string table_text(const Measurement& measurement) {
  Table table;
  std::vector<std::string> head = {""};
  for (const Column& column : k_columns) head.emplace_back(column.title);
  table.add_row(std::move(head));
  for (const bool worst : {false, true}) {
    std::vector<std::string> cells = {worst ? "worst case" : "average"};
    for (const Column& column : k_columns) {
      const auto of = [&](const Step& step) { return column.of(measurement, step); };
      const double value = worst ? measurement.worst(of) : measurement.mean(of);
      cells.push_back(column.text(value));
    }
    table.add_row(std::move(cells));
  }
  return table.text("  ");
}

std::string accounting_text(const Measurement& measurement) {
  const double total =
      measurement.mean([](const Step& step) { return chip::equation_5(step.list_counts()); });
  Table table;
  table.add_row({"cycles of an average query", "equation 5", "cycle model", "difference"});
  const auto add = [&](std::string name, double closed, double model) {
    const double difference = 100 * (model - closed) / total;
    table.add_row({std::move(name), signed_count(closed), rounded(model),
                   std::string(difference > 0 ? "+" : "") + fixed(difference, 1) + " %"});
  };
  for (std::size_t i = 0; i < chip::k_phase_count; ++i) {
    const auto phase = static_cast<chip::Phase>(i);
    add(std::string(name_of(phase)), measurement.mean([&](const Step& step) {
      return chip::equation_5(step.list_counts(), phase);
    }),
        measurement.mean(
            [&](const Step& step) { return static_cast<double>(step.chip.of(phase)); }));
  }
  add("all", total,
      measurement.mean([](const Step& step) { return static_cast<double>(step.chip.cycles); }));
  return table.text("  ");
}

Json to_json(const Measurement& measurement) {
  Json object = measurement.json_head();
  object["steps"] = measurement.steps_of_turn.size();
  object["config"] = to_json(measurement.config);
  for (const bool worst : {false, true}) {
    const auto value = [&](const std::function<double(const Step&)>& of) {
      return worst ? measurement.worst(of) : measurement.mean(of);
    };
    Json& row = object[worst ? "worst" : "mean"];
    row["aligned_visits"] =
        value([](const Step& s) { return static_cast<double>(s.library.aligned_visits); });
    row["tumbled_visits"] =
        value([](const Step& s) { return static_cast<double>(s.library.tumbled_visits); });
    row["triangle_tests"] =
        value([](const Step& s) { return static_cast<double>(s.chip.counts.triangle_tests); });
    row["overlaps_library"] =
        value([](const Step& s) { return static_cast<double>(s.library.overlaps); });
    row["overlaps_chip"] =
        value([](const Step& s) { return static_cast<double>(s.chip.counts.overlaps); });
    row["cycles"] = value([](const Step& s) { return static_cast<double>(s.chip.cycles); });
    row["bytes"] = value([](const Step& s) { return static_cast<double>(s.chip.memory.bytes); });
    row["closed_form_us"] = value([&](const Step& s) { return measurement.closed_form_us(s); });
    row["chip_us"] = value([&](const Step& s) { return measurement.chip_us(s); });
    row["list_pairs_us"] = value([](const Step& s) { return 1e6 * s.list_pairs_s; });
    row["default_us"] = value([](const Step& s) { return 1e6 * s.default_s; });
  }
  for (std::size_t i = 0; i < chip::k_phase_count; ++i) {
    const auto phase = static_cast<chip::Phase>(i);
    object["mean_phases"][std::string(name_of(phase))] =
        measurement.mean([&](const Step& s) { return static_cast<double>(s.chip.of(phase)); });
  }
  return object;
}

}  // namespace tandem::cli::hardware
