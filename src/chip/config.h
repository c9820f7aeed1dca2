// The figures of a chip: what a designer may change. The defaults are the paper's (section 5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tandem::chip {

/// What the nodes in memory are: k-DOPs, or nodes of a restricted boxtree with one plane each,
/// whose boxes the chip derives on the way down.
enum class Nodes { dop6, dop14, dop18, dop24, dop26, boxtree };

struct NodesInfo {
  Nodes nodes;
  std::string_view name;
  /// How many numbers describe a volume on the chip.
  int k;
};
std::span<const NodesInfo> node_formats();
const NodesInfo& info_of(Nodes nodes);

/// The most numbers of a volume.
inline constexpr int k_most_bounds = 26;

/// Times are in chip cycles. The paper's memory is PC133 DDR-SDRAM with the access characteristic
/// 2-2-2 in memory cycles, each of which is two chip cycles.
struct Config {
  double cycle_ns = 3.76;
  Nodes nodes = Nodes::dop24;

  int dotadd_units = 1;
  int dotadd_stages = 6;
  int register_writes = 1;
  int multiply_stages = 3;
  int add_stages = 3;

  int bus_bits = 256;
  int beat_cycles = 1;
  int banks = 4;
  int precharge_cycles = 4;
  int ras_to_cas_cycles = 4;
  int cas_cycles = 4;
  int activate_gap_cycles = 4;
  int row_bytes = 32768;
  bool open_pages = false;
  int interface_cycles = 2;
  int buffer_pairs = 1;

  int stack_words = 262144;
  /// For each decision of the master controller: what follows a list or a triangle, a step up, and
  /// a step into a second branch. The paper's takes no time.
  int control_cycles = 0;

  /// Two leaves are compared before their triangles are tested. The paper's leaves have no volumes.
  bool compare_leaves = false;

  friend bool operator==(const Config&, const Config&) = default;

  int k() const { return info_of(nodes).k; }
  int beat_bytes() const { return bus_bits / 8; }
  /// A volume, a link and its kind; a plane and a link.
  int node_bytes() const;
  /// Pairs stand at multiples of this power of two, so that each is in one row of one bank.
  int pair_stride() const;
  static int triangle_bytes() { return 96; }
  static int triangle_stride() { return 128; }
  /// Words of 36 bits for an entry of a list: a pointer; below a boxtree, also the box so far.
  int entry_words() const { return nodes == Nodes::boxtree ? 7 : 1; }
  /// Bus cycles of so many bytes.
  int transfer_cycles(int bytes) const {
    return (bytes + beat_bytes() - 1) / beat_bytes() * beat_cycles;
  }

  /// Throws `tandem::Error` for a figure that is out of its range.
  void check() const;
};

/// A whole number of the configuration: its name, its range, and what it is.
struct ConfigNumber {
  std::string_view name;
  int Config::*value;
  int least;
  int most;
  std::string_view description;
};
std::span<const ConfigNumber> config_numbers();

/// The same for what is on or off.
struct ConfigSwitch {
  std::string_view name;
  bool Config::*value;
  std::string_view description;
};
std::span<const ConfigSwitch> config_switches();

}  // namespace tandem::chip
