// What the restricted boxtree paper found, compared with measurements, and the results of the
// comparisons beyond it.
#include <algorithm>

#include "measure/findings.h"
#include "options/named_choices.h"
#include "papers/restricted_boxtree/restricted_boxtree.h"
#include "text/numbers.h"

namespace tandem::cli::restricted_boxtree {

namespace {

// Differences of 3 % count as equal: they are the noise of a machine that is not quiet.
constexpr double k_tie = 1.03;

std::string operations_and_bytes(const Measurements& measurements) {
  Tally bytes;
  Tally operations;
  Range one_level_up;
  for (const NodeCost& cost : measurements.costs) {
    const std::string name = std::string(cost.title).append(", ").append(cost.test);
    if (cost.paper_bytes) {
      bytes.add(name, cost.bytes_per_node <= static_cast<std::size_t>(*cost.paper_bytes));
    }
    if (cost.paper_operations) operations.add(name, cost.operations() <= *cost.paper_operations);
    if (cost.structure == Structure("boxtree")) {
      one_level_up.add(cost.operations_one_level_up() / static_cast<double>(cost.operations()));
    }
  }
  return "Table 1: no more bytes per node than in the paper " + bytes.where("row") +
         ", no more operations " + operations.where("row") + ". With one level up, boxtrees need " +
         one_level_up.text() +
         " of the operations; by the paper's own numbers, axis alignment needs 8.5 of 12, 0.71.";
}

std::string empty_space(const Measurements& measurements) {
  Tally tally;
  Range medians;
  Range sides;
  for (const EmptySpace& space : measurements.empty_spaces) {
    tally.add(space.name + " " + name_of(space.builder), space.nodes_within(0.1) >= 0.5);
    medians.add(space.median());
    sides.add(space.touching_sides);
  }
  return "Figure 1: half of the nodes leave at most a tenth of their parent's box empty " +
         tally.where("tree") + ". The medians are " + medians.text() +
         "; nodes touch their parents on " + sides.text() +
         " sides of six (the paper: at least three).";
}

std::string builds(const Measurements& measurements) {
  std::string text = "Figure 6:";
  for (const Builder builder : {"volume", "volume-longest"}) {
    Range exponents;
    Range speeds;
    for (const BuildCurve& curve : measurements.builds) {
      if (curve.builder != builder) continue;
      if (curve.points.size() > 1) exponents.add(curve.exponent());
      speeds.add(curve.triangles_per_second() / 1e6);
    }
    text += std::string(builder == Builder("volume") ? " " : ", ")
                .append(name_of(builder))
                .append(" builds ") +
            speeds.text() +
            " million triangles per second at the largest sizes, in a time that grows as n to the "
            "power of " +
            exponents.text();
  }
  return text + ". From 10,000 to 1,000,000 triangles, n log n would appear as 1.09.";
}

std::string tests(const Measurements& measurements) {
  const Comparison& comparison = measurements.tests;
  Tally best;
  Range to_others[4];
  Range lookups;
  const std::size_t realigned = comparison.variant("realigned");
  const std::size_t lookup = comparison.variant("lookup");
  for (const tumble_bench::Measurement& measurement : comparison.measurements) {
    bool fastest = true;
    for (std::size_t i = 1; i < measurement.rows.size(); ++i) {
      const double ratio = median_ratio(measurement.rows[i].timing, measurement.rows[0].timing);
      to_others[i].add(ratio);
      fastest &= ratio * k_tie > 1;
    }
    lookups.add(median_ratio(measurement.rows[lookup].timing, measurement.rows[realigned].timing));
    best.add(measurement.name + " at " + shortest(measurement.distance), fastest);
  }
  std::string text = "Figure 9: SAT lite (six-axes) is fastest " + best.where() + ".";
  for (std::size_t i = 1; i < comparison.variants.size(); ++i) {
    text += (i == 1 ? " Relative to it " : ", ") + comparison.variants[i].name + " takes " +
            to_others[i].text();
  }
  return text + " of the time. Lookup tables take " + lookups.text() +
         " of the time of axis alignment without; the paper: 0.92 at best, and more for small "
         "objects.";
}

std::string against_dops(const Measurements& measurements, const std::string& traversal) {
  const Comparison& comparison = measurements.dops;
  const std::size_t dop = comparison.variant("dop24, " + traversal);
  std::string text = "Figure 10, " + traversal + ":";
  for (const char* name : {"boxtree", "boxtree-packed"}) {
    const std::size_t boxtree = comparison.variant(std::string(name).append(", ") + traversal);
    Tally tally;
    Range times;
    Range iterations;
    for (const std::string& object : comparison.objects()) {
      const double ratio = comparison.time_ratio(object, boxtree, dop);
      tally.add(object, ratio < k_tie);
      times.add(ratio);
      iterations.add(comparison.count_ratio(object, &Statistics::iterations, boxtree, dop));
    }
    text += std::string(" ").append(name) + " is no slower than the 24-DOP tree " + tally.where() +
            ": " + times.text() + " of its time with " + iterations.text() +
            " times its pairs of nodes.";
  }
  return text;
}

// Times and iterations of a variant divided by another's, on all objects.
struct Ratios {
  Range times;
  Range iterations;

  Ratios(const Comparison& comparison, std::size_t variant, std::size_t other) {
    for (const std::string& object : comparison.objects()) {
      times.add(comparison.time_ratio(object, variant, other));
      iterations.add(comparison.count_ratio(object, &Statistics::iterations, variant, other));
    }
  }
  std::string text() const {
    return times.text() + " of the time, " + iterations.text() + " of the iterations";
  }
};

std::string layouts(const Comparison& comparison) {
  const Ratios trims(comparison, comparison.variant("two planes, trimmed"),
                     comparison.variant("two planes"));
  const Ratios two(comparison, comparison.variant("two planes, trimmed"), 0);
  const Ratios packed(comparison, comparison.variant("packed, 8 triangles per leaf, trimmed"), 0);
  // The fastest layout with at most 8 bytes per triangle, on the first object.
  const tumble_bench::Measurement& first = comparison.measurements[0];
  std::string best;
  double best_time = 0;
  for (std::size_t i = 0; i < comparison.variants.size(); ++i) {
    const double bytes = bytes_per_triangle(first, i);
    const double time = comparison.time_ratio(first.name, i, 0);
    if (bytes > 8 || (!best.empty() && time >= best_time)) continue;
    best = comparison.variants[i].name;
    best_time = time;
  }
  return "Layouts: with two planes per node, trimming takes " + trims.text() +
         " of no trimming. Relative to the boxtree of 9 bytes per node, two planes trimmed take " +
         two.text() + "; packed with 8 triangles per leaf, trimmed, " + packed.text() +
         ". The fastest with at most 8 bytes per triangle: " + (best.empty() ? "none" : best) + ".";
}

std::string planes(const Comparison& comparison) {
  const Ratios sah(comparison, comparison.variant("parallel, sah"),
                   comparison.variant("free, sah"));
  const Ratios volume(comparison, comparison.variant("parallel, volume"),
                      comparison.variant("free, volume"));
  return "Planes of siblings along the same axis, as in the paper, take " + sah.text() +
         " of free ones in trees by sah, and " + volume.text() + " in trees by volume.";
}

std::string arities(const Comparison& comparison) {
  std::string text = "Arities, relative to binary trees:";
  for (std::size_t i = 1; i < comparison.variants.size(); ++i) {
    text += (i == 1 ? " " : "; ") + comparison.variants[i].name + " children " +
            Ratios(comparison, i, 0).text();
  }
  return text + ".";
}

std::string builder_choice(std::span<const Comparison> choices) {
  std::string text = "Section 4.2, builders, relative to sah:";
  for (const Comparison& comparison : choices) {
    if (!comparison.key.starts_with("builders of ")) continue;
    text += (text.ends_with(':') ? " " : "; ") + comparison.key.substr(12) + ":";
    const std::size_t sah = comparison.variant("sah");
    for (const char* name : {"median", "volume", "volume-longest", "volume-ahead"}) {
      const Ratios ratios(comparison, comparison.variant(name), sah);
      text +=
          std::string(text.ends_with(':') ? " " : ", ").append(name) + " " + ratios.times.text();
    }
  }
  return text + " of the time.";
}

const Comparison& choice(const Measurements& measurements, std::string_view key) {
  return *std::find_if(measurements.choices.begin(), measurements.choices.end(),
                       [&](const Comparison& comparison) { return comparison.key == key; });
}

}  // namespace

std::vector<std::string> findings(const Measurements& measurements) {
  return {
      operations_and_bytes(measurements),
      empty_space(measurements),
      builds(measurements),
      tests(measurements),
      against_dops(measurements, "one-level-up"),
      against_dops(measurements, "list-pairs"),
      layouts(choice(measurements, "layouts")),
      planes(choice(measurements, "planes")),
      arities(choice(measurements, "arities")),
      builder_choice(measurements.choices),
  };
}

}  // namespace tandem::cli::restricted_boxtree
