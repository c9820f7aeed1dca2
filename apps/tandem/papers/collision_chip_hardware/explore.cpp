// Sweeps over clock, memory, parallel units and node formats.
#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "papers/collision_chip_hardware/collision_chip_hardware.h"
#include "text/numbers.h"
#include "text/table.h"

namespace tandem::cli::collision_chip_hardware {

namespace {

using chip::Config;

/// A chip that runs so many times as fast, with the memory as it is.
Config with_clock(int factor) {
  Config config;
  config.cycle_ns /= factor;
  for (int Config::*cycles :
       {&Config::beat_cycles, &Config::precharge_cycles, &Config::ras_to_cas_cycles,
        &Config::cas_cycles, &Config::activate_gap_cycles}) {
    config.*cycles *= factor;
  }
  return config;
}

/// Rows of today's memories open, are read and close in about 14 ns each. The bus stands for one
/// that moves 128 bytes per ns.
Config with_memory_of_today() {
  Config config;
  config.cycle_ns = 1;
  config.precharge_cycles = 14;
  config.ras_to_cas_cycles = 14;
  config.cas_cycles = 14;
  config.activate_gap_cycles = 4;
  config.banks = 64;
  config.bus_bits = 1024;
  return config;
}

Config with_units(Config config, int units, int writes) {
  config.dotadd_units = units;
  config.register_writes = writes;
  return config;
}

Config with_nodes(Config config, chip::Nodes nodes) {
  config.nodes = nodes;
  return config;
}

Sweep numbers_sweep(std::string key, std::string title, std::string axis,
                    std::initializer_list<int> values, const std::string& unit,
                    Config (*make)(int value)) {
  Sweep sweep{std::move(key), std::move(title), {std::move(axis), Scale::log, {}}, {}};
  for (const int value : values) {
    sweep.axis.ticks.push_back(value);
    sweep.variants.push_back(
        {grouped(static_cast<std::uint64_t>(value)) + unit, double(value), make(value)});
  }
  return sweep;
}

Config with_compared_leaves(Config config) {
  config.compare_leaves = true;
  return config;
}

Sweep leaves_sweep() {
  return {"leaves",
          "pairs of leaves",
          {"0: as in the paper, 1: compared first", Scale::linear, {0, 1}},
          {{"as in the paper", 0, {}}, {"compared first", 1, with_compared_leaves({})}}};
}

Sweep nodes_sweep() {
  Sweep sweep{
      "nodes", "nodes of other kinds, leaves compared", {"numbers per DOP", Scale::linear, {}}, {}};
  for (const chip::NodesInfo& info : chip::node_formats()) {
    const Config config = with_nodes(with_compared_leaves({}), info.nodes);
    sweep.variants.push_back(
        {std::string(info.name) + ", " + std::to_string(config.node_bytes()) + " bytes",
         double(info.k), config});
    if (info.nodes != chip::Nodes::boxtree) sweep.axis.ticks.push_back(info.k);
  }
  return sweep;
}

Sweep today_sweep() {
  const Config memory = with_memory_of_today();
  const Config parallel = with_units(memory, 8, 8);
  const Config compared = with_compared_leaves(parallel);
  return {"today",
          "with the figures of today",
          {"variant", Scale::linear, {1, 2, 3, 4, 5, 6}},
          {{"1 as in the paper", 1, {}},
           {"2 at 1 GHz, with a memory of today", 2, memory},
           {"3 and 8 DOTADD units", 3, parallel},
           {"4 and leaves compared", 4, compared},
           {"5 and 18-DOPs", 5, with_nodes(compared, chip::Nodes::dop18)},
           {"6 or boxtree nodes", 6, with_nodes(compared, chip::Nodes::boxtree)}}};
}

}  // namespace

std::vector<Sweep> sweeps() {
  return {
      numbers_sweep("clock", "a faster chip, the same memory", "clock, times 266 MHz", {1, 2, 4, 8},
                    " x 266 MHz", with_clock),
      numbers_sweep("bus", "the width of the memory bus", "bits", {64, 128, 256, 512, 1024},
                    " bits",
                    [](int value) {
                      Config config;
                      config.bus_bits = value;
                      return config;
                    }),
      numbers_sweep("banks", "banks of the memory", "banks", {1, 2, 4, 8, 16}, "",
                    [](int value) {
                      Config config;
                      config.banks = value;
                      return config;
                    }),
      numbers_sweep("units", "DOTADD units, one number written per cycle", "units",
                    {1, 2, 4, 8, 24}, "", [](int value) { return with_units({}, value, 1); }),
      numbers_sweep("lanes", "DOTADD units, as many numbers written per cycle", "units",
                    {1, 2, 4, 8, 24}, "", [](int value) { return with_units({}, value, value); }),
      leaves_sweep(),
      nodes_sweep(),
      today_sweep(),
  };
}

std::vector<Exploration> explore(std::span<const CloseObject> objects, Reporting reporting) {
  std::vector<Exploration> explorations;
  for (Sweep& sweep : sweeps()) explorations.push_back({std::move(sweep), {}, {}});
  for (const CloseObject& object : objects) {
    ProgressBar bar("other chips on " + object.name, reporting);
    const Progress progress = bar.callback();
    std::map<chip::Nodes, chip::ObjectImage> images;
    for (std::size_t i = 0; i < explorations.size(); ++i) {
      Exploration& exploration = explorations[i];
      exploration.objects.push_back(object.name);
      std::vector<VariantResult>& results = exploration.results.emplace_back();
      for (const Variant& variant : exploration.sweep.variants) {
        const Config& config = variant.config;
        if (!images.contains(config.nodes)) {
          images.emplace(config.nodes, chip::object_image(object.model, config.nodes));
        }
        const chip::ObjectImage& image = images.at(config.nodes);
        const chip::CollisionChip chip(config, image, image);
        VariantResult sum;
        for (const Pose& b_in_a : object.poses) {
          const chip::Report report = chip.run(b_in_a);
          sum.mean_cycles += static_cast<double>(report.cycles);
          sum.mean_bytes += static_cast<double>(report.memory.bytes);
        }
        const auto count = static_cast<double>(object.poses.size());
        sum.mean_cycles /= count;
        sum.mean_bytes /= count;
        sum.mean_us = 1e-3 * config.cycle_ns * sum.mean_cycles;
        results.push_back(sum);
      }
      if (progress) {
        progress(static_cast<double>(i + 1) / static_cast<double>(explorations.size()));
      }
    }
  }
  return explorations;
}

std::string table_text(const Exploration& exploration) {
  Table table;
  std::vector<std::string> head = {exploration.sweep.title};
  for (const std::string& object : exploration.objects) {
    head.push_back(object);
    head.emplace_back("bytes");
  }
  table.add_row(std::move(head));
  for (std::size_t v = 0; v < exploration.sweep.variants.size(); ++v) {
    std::vector<std::string> cells = {exploration.sweep.variants[v].name};
    for (const std::vector<VariantResult>& results : exploration.results) {
      cells.push_back(duration(1e-6 * results[v].mean_us));
      cells.push_back(rounded(results[v].mean_bytes));
    }
    table.add_row(std::move(cells));
  }
  return table.text("  ");
}

Json to_json(const Exploration& exploration) {
  Json rows = Json::array();
  for (std::size_t o = 0; o < exploration.objects.size(); ++o) {
    for (std::size_t v = 0; v < exploration.sweep.variants.size(); ++v) {
      const VariantResult& result = exploration.results[o][v];
      rows.push_back({{"sweep", exploration.sweep.key},
                      {"object", exploration.objects[o]},
                      {"variant", exploration.sweep.variants[v].name},
                      {"mean_us", result.mean_us},
                      {"mean_cycles", result.mean_cycles},
                      {"mean_bytes", result.mean_bytes}});
    }
  }
  return rows;
}

}  // namespace tandem::cli::collision_chip_hardware
