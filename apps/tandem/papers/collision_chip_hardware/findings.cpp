// What the collision chip paper says of its hardware, compared with the model.
#include "measure/findings.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "papers/collision_chip_hardware/collision_chip_hardware.h"
#include "text/numbers.h"

namespace tandem::cli::collision_chip_hardware {

namespace {

using hardware::Measurement;
using hardware::Step;

const Exploration& of_key(std::span<const Exploration> explorations, std::string_view key) {
  return *std::find_if(explorations.begin(), explorations.end(),
                       [&](const Exploration& one) { return one.sweep.key == key; });
}

/// How many times as fast variant `to` is as variant `from`, over the objects.
std::string gain(const Exploration& exploration, std::size_t from, std::size_t to) {
  Range range;
  for (const std::vector<VariantResult>& results : exploration.results) {
    range.add(results[from].mean_us / results[to].mean_us);
  }
  return range.text();
}

std::string fastest_nodes(const Exploration& exploration) {
  std::string text;
  for (std::size_t o = 0; o < exploration.objects.size(); ++o) {
    const std::vector<VariantResult>& results = exploration.results[o];
    const auto best = std::min_element(results.begin(), results.end(),
                                       [](const VariantResult& one, const VariantResult& other) {
                                         return one.mean_us < other.mean_us;
                                       });
    const Variant& variant =
        exploration.sweep.variants[static_cast<std::size_t>(best - results.begin())];
    text += (o == 0 ? "" : ", ") + exploration.objects[o] + ": " + variant.name;
  }
  return text;
}

}  // namespace

std::vector<std::string> findings(std::span<const Measurement> measurements,
                                  std::span<const Exploration> explorations) {
  Range mean_ratio;
  Range worst_ratio;
  Range ratio_without_triangles;
  Range extra_overlaps;
  Range triangle_share;
  Range leaf_share;
  Range fill;
  Range twin;
  Range usual;
  std::uint64_t query_count = 0;
  for (const Measurement& m : measurements) {
    const auto cycles = [](const Step& s) { return static_cast<double>(s.chip.cycles); };
    const auto closed = [](const Step& s) { return chip::equation_5(s.list_counts()); };
    const auto phase = [&](chip::Phase which) {
      return m.mean([&](const Step& s) { return static_cast<double>(s.chip.of(which)); });
    };
    mean_ratio.add(m.mean(cycles) / m.mean(closed));
    worst_ratio.add(m.worst(cycles) / m.worst(closed));
    ratio_without_triangles.add((m.mean(cycles) - phase(chip::Phase::triangles)) / m.mean(closed));
    extra_overlaps.add(m.mean([](const Step& s) {
      return static_cast<double>(s.chip.counts.overlaps);
    }) / m.mean([](const Step& s) { return static_cast<double>(s.library.overlaps); }));
    triangle_share.add(phase(chip::Phase::triangles) / m.mean(cycles));
    leaf_share.add(phase(chip::Phase::leaf_lists) / m.mean(cycles));
    fill.add(phase(chip::Phase::fill) / m.mean([](const Step& s) {
      return static_cast<double>(s.chip.counts.tumbled_nodes);
    }));
    const double chip_s = 1e-6 * m.mean([&](const Step& s) { return m.chip_us(s); });
    twin.add(chip_s / m.mean([](const Step& s) { return s.list_pairs_s; }));
    usual.add(chip_s / m.mean([](const Step& s) { return s.default_s; }));
    query_count += m.steps_of_turn.size();
  }
  return {
      "In " + counted(query_count, "query", "queries") + " the model took " + mean_ratio.text() +
          " times the cycles of equation 5 on average, " + worst_ratio.text() + " at worst. " +
          "Triangle tests, which equation 5 leaves out, took " + triangle_share.text() +
          " of the cycles; without them it took " + ratio_without_triangles.text() + " times.",
      "Tumbled leaves that go down A's subtrees took " + leaf_share.text() + " of the cycles.",
      "A volume's rows could follow each other " + fill.text() +
          " cycles after its first number (the paper: 12).",
      "The margin of float32 made " + extra_overlaps.text() +
          " times as many volumes overlap as double does.",
      "The chip took " + twin.text() +
          " times as long as the same traversal on one core of this machine, and " + usual.text() +
          " times as long as the default engine (the paper's chip was 26 to 98 times as fast as a "
          "Pentium III).",
      "Eight times the clock with the same memory: " + gain(of_key(explorations, "clock"), 0, 3) +
          " times as fast. Four times the bus: " + gain(of_key(explorations, "bus"), 2, 4) +
          ". Four times the banks: " + gain(of_key(explorations, "banks"), 2, 4) + ".",
      "Eight DOTADD units: " + gain(of_key(explorations, "units"), 0, 3) +
          " times as fast with one number written per cycle, " +
          gain(of_key(explorations, "lanes"), 0, 3) + " with eight.",
      "Comparing leaves before their triangles: " + gain(of_key(explorations, "leaves"), 0, 1) +
          " times as fast.",
      "The fastest nodes: " + fastest_nodes(of_key(explorations, "nodes")) + ".",
      "With the figures of today: " + gain(of_key(explorations, "today"), 0, 3) +
          " times as fast as the paper's chip, and " + gain(of_key(explorations, "today"), 0, 5) +
          " with boxtree nodes.",
  };
}

}  // namespace tandem::cli::collision_chip_hardware
