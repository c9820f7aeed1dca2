#include "chip/config.h"

#include <tandem/error.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

namespace tandem::chip {
namespace {

constexpr NodesInfo k_formats[] = {
    {Nodes::dop6, "dop6", 6},    {Nodes::dop14, "dop14", 14}, {Nodes::dop18, "dop18", 18},
    {Nodes::dop24, "dop24", 24}, {Nodes::dop26, "dop26", 26}, {Nodes::boxtree, "boxtree", 6},
};

constexpr int k_longest = 1000;

constexpr ConfigNumber k_numbers[] = {
    {"dotadd_units", &Config::dotadd_units, 1, 64, "rows of C that are evaluated at once"},
    {"dotadd_stages", &Config::dotadd_stages, 1, k_longest, "pipeline stages of a DOTADD unit"},
    {"register_writes", &Config::register_writes, 1, 64,
     "numbers written to the DOP register file per cycle"},
    {"multiply_stages", &Config::multiply_stages, 1, k_longest,
     "stages of the triangle unit's multiplier"},
    {"add_stages", &Config::add_stages, 1, k_longest, "stages of its adder"},
    {"bus_bits", &Config::bus_bits, 32, 65536, "width of the memory bus, a multiple of 32"},
    {"beat_cycles", &Config::beat_cycles, 1, k_longest, "cycles per transfer on that bus"},
    {"banks", &Config::banks, 1, 65536, "internal banks of the memory"},
    {"precharge_cycles", &Config::precharge_cycles, 0, k_longest, "to close a row"},
    {"ras_to_cas_cycles", &Config::ras_to_cas_cycles, 0, k_longest, "to open one"},
    {"cas_cycles", &Config::cas_cycles, 0, k_longest, "from a read command to its data"},
    {"activate_gap_cycles", &Config::activate_gap_cycles, 0, k_longest,
     "between openings of rows in two banks"},
    {"row_bytes", &Config::row_bytes, 1024, 1 << 24, "of a row of a bank"},
    {"interface_cycles", &Config::interface_cycles, 0, k_longest,
     "from the bus to the register files"},
    {"buffer_pairs", &Config::buffer_pairs, 1, 1024, "node pairs that the memory interface holds"},
    {"stack_words", &Config::stack_words, 64, 1 << 30, "words of 36 bits of the SRAM"},
    {"control_cycles", &Config::control_cycles, 0, k_longest,
     "for each decision of the master controller"},
};

constexpr ConfigSwitch k_switches[] = {
    {"open_pages", &Config::open_pages, "rows of the memory stay open after a read"},
    {"compare_leaves", &Config::compare_leaves,
     "two leaves are compared before their triangles are tested"},
};

int rounded_up(int bytes, int unit) {
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace

std::span<const NodesInfo> node_formats() {
  return k_formats;
}

const NodesInfo& info_of(Nodes nodes) {
  return k_formats[static_cast<std::size_t>(nodes)];
}

std::span<const ConfigNumber> config_numbers() {
  return k_numbers;
}

std::span<const ConfigSwitch> config_switches() {
  return k_switches;
}

int Config::node_bytes() const {
  if (nodes == Nodes::boxtree) return 16;
  constexpr int k_link_bytes = 8;
  return rounded_up(4 * k() + k_link_bytes, 32);
}

int Config::pair_stride() const {
  return static_cast<int>(std::bit_ceil(2 * static_cast<unsigned>(node_bytes())));
}

void Config::check() const {
  if (!(cycle_ns >= 1e-3 && cycle_ns <= 1e6)) {
    throw Error("cycle_ns must be a number from 0.001 to 1000000");
  }
  for (const ConfigNumber& number : k_numbers) {
    const int value = this->*number.value;
    if (value < number.least || value > number.most) {
      throw Error(std::string(number.name) + " must be a whole number from " +
                  std::to_string(number.least) + " to " + std::to_string(number.most) + ", not " +
                  std::to_string(value));
    }
  }
  if (bus_bits % 32 != 0) {
    throw Error("bus_bits must be a multiple of 32, not " + std::to_string(bus_bits));
  }
}

}  // namespace tandem::chip
