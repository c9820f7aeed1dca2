#include "chip/rtl/rtl_chip.h"

#include <Vcollision_chip.h>
#include <tandem/error.h>

#include <array>
#include <bit>
#include <string>

#include "chip/rtl/board.h"
#include "chip/rtl/driver.h"
#include "chip/rtl/simulated.h"

namespace tandem::chip {
namespace {

/// A chip that neither asks for anything nor finds anything for so long is not waited for.
constexpr Cycle k_longest_wait = 10'000;

/// One query, cycle by cycle.
class RtlQuery {
 public:
  RtlQuery(const Config& config, const ObjectImage& a, const ObjectImage& b,
           std::span<const std::uint32_t> memory, Observer* observer,
           const RtlChip::RunOptions& options)
      : config_(config),
        a_(a),
        b_(b),
        observer_(observer),
        driver_pause_(options.driver_pause),
        chip_("collision_chip", options.waves),
        bus_(config, memory),
        sram_(config.stack_words) {}

  Report run(std::span<const RegisterWrite> writes) {
    chip().reset = 1;
    cycle();
    chip().reset = 0;
    for (const RegisterWrite& write : writes) write_register(write.address, write.value);
    while (true) {
      const std::uint32_t status =
          chip().attention ? read_register(Register::status) : k_status_busy;
      if ((status & k_status_result) != 0) {
        take_result();
      } else if ((status & k_status_busy) != 0) {
        cycle();
      } else if ((status & k_status_overflow) != 0) {
        throw Error("the lists of this query need more than the " +
                    std::to_string(config_.stack_words) +
                    " words of SRAM that the chip has (stack_words)");
      } else {
        break;
      }
      if (chip_.cycle() - last_progress_ > k_longest_wait + driver_pause_) {
        throw Error("the chip in SystemVerilog does nothing any more");
      }
    }
    report_.cycles = read_register(Register::cycles);
    report_.memory = bus_.counts();
    report_.stack_accesses = sram_.accesses();
    return report_;
  }

 private:
  Vcollision_chip& chip() { return chip_.module; }

  std::uint32_t read_register(Register which) {
    chip().register_address = static_cast<std::uint16_t>(which);
    chip_.settle();
    return chip().register_read_value;
  }
  void write_register(std::uint32_t address, std::uint32_t value) {
    chip().register_write = 1;
    chip().register_address = static_cast<std::uint16_t>(address);
    chip().register_write_value = value;
    cycle();
    chip().register_write = 0;
  }

  void take_result() {
    for (Cycle i = 0; i < driver_pause_; ++i) cycle();
    report_.pairs.push_back({read_register(Register::result_a), read_register(Register::result_b)});
    write_register(static_cast<std::uint32_t>(Register::result_b), 0);
  }

  /// One cycle with the memories; what the chip shows is observed.
  void cycle() {
    // What is told of room depends on registers alone, which are settled.
    const std::uint32_t* const beat = bus_.beat(chip_.cycle(), [&](std::uint32_t beats) {
      return beats > 4 ? chip().room_pair != 0 : chip().room_single != 0;
    });
    chip().bus_valid = beat != nullptr ? 1 : 0;
    for (std::size_t i = 0; beat != nullptr && i < 8; ++i) chip().bus_data[i] = beat[i];
    chip_.settle();

    if (chip().request) {
      if (!began_) began_ = chip_.cycle();
      bus_.ask(chip_.cycle(), std::uint64_t{chip().request_address} * 128, chip().request_beats);
    }
    const auto read = sram_.access(chip().sram_enable != 0, chip().sram_write != 0,
                                   chip().sram_address, chip().sram_write_data);
    observe();
    if (chip().request || chip().seen_sides || chip().seen_result) last_progress_ = chip_.cycle();
    chip_.tick();
    if (read) chip().sram_read_data = *read;
  }

  // ---- What the chip shows ----

  void observe() {
    if (chip().seen_result) observe_result();
    for (std::uint32_t side = 0; side < 2; ++side) {
      if ((chip().seen_sides >> side & 1) != 0) observe_visit(side);
    }
    if (chip().seen_triangles) {
      const bool pierced = chip().seen_pierced != 0;
      ++report_.counts.triangle_tests;
      report_.counts.triangle_overlaps += pierced ? 1 : 0;
      if (observer_ != nullptr) {
        observer_->triangle({.end = now(),
                             .a = chip().seen_triangle_a,
                             .b = chip().seen_triangle_b,
                             .overlap = pierced});
      }
    }
  }

  void observe_visit(std::uint32_t side) {
    const Visit seen{.cycle = now(),
                     .aligned = chip().seen_aligned,
                     .tumbled = chip().seen_tumbled + side,
                     .overlap = (chip().seen_overlap >> side & 1) != 0};
    Visit visit = seen;
    const bool leaves = a_.nodes[seen.aligned].kind == NodeKind::leaf &&
                        b_.nodes[seen.tumbled].kind == NodeKind::leaf;
    visit.compared = !leaves || config_.compare_leaves;
    ++report_.counts.iterations;
    report_.counts.overlaps += visit.overlap ? 1 : 0;
    report_.counts.leaf_overlaps += leaves && visit.overlap ? 1 : 0;
    if (observer_ != nullptr) observer_->visit(visit);
  }

  /// The volume of a tumbled node is told when its last row is there.
  void observe_result() {
    const std::uint32_t bank = chip().seen_target;
    if (bank > 1) return;
    results_[bank][chip().seen_index] = std::bit_cast<float>(std::uint32_t{chip().seen_value});
    if (++rows_[bank] < 24) return;
    rows_[bank] = 0;
    ++report_.counts.tumbled_nodes;
    if (observer_ != nullptr) observer_->transformed(chip().seen_tumbled + bank, results_[bank]);
  }

  Cycle now() const { return chip_.cycle() - began_.value_or(0); }

  const Config& config_;
  const ObjectImage& a_;
  const ObjectImage& b_;
  Observer* observer_;
  Cycle driver_pause_;
  Simulated<Vcollision_chip> chip_;
  BusModel bus_;
  StackSram sram_;
  /// The cycle of the first request is cycle 0 of the query.
  std::optional<Cycle> began_;
  Cycle last_progress_ = 0;
  std::array<Bounds, 2> results_{};
  std::array<int, 2> rows_{};
  Report report_;
};

}  // namespace

Config rtl_config() {
  Config config;
  config.control_cycles = 1;
  return config;
}

RtlChip::RtlChip(const Config& config, const ObjectImage& a, const ObjectImage& b)
    : config_(config), a_(a), b_(b), layout_(config, a, b) {
  config_.check();
  // What the SystemVerilog does not fix: the memory behind the bus, the SRAM, and a switch.
  Config fixed = rtl_config();
  fixed.cycle_ns = config.cycle_ns;
  fixed.banks = config.banks;
  fixed.precharge_cycles = config.precharge_cycles;
  fixed.ras_to_cas_cycles = config.ras_to_cas_cycles;
  fixed.cas_cycles = config.cas_cycles;
  fixed.activate_gap_cycles = config.activate_gap_cycles;
  fixed.row_bytes = config.row_bytes;
  fixed.open_pages = config.open_pages;
  fixed.stack_words = config.stack_words;
  fixed.compare_leaves = config.compare_leaves;
  constexpr int k_most_stack_words = 1 << 18;
  if (config != fixed || config.stack_words > k_most_stack_words || config.cas_cycles < 1) {
    throw Error(
        "the chip in SystemVerilog has 24-DOPs and the paper's units and widths; only the memory's "
        "rows, banks and times (cas_cycles from 1), stack_words up to 262144 and compare_leaves "
        "may "
        "be others");
  }
  memory_ = memory_words(layout_, a, b);
}

Report RtlChip::run(const Pose& b_in_a, Observer* observer, const RunOptions& options) const {
  if (a_.empty() || b_.empty()) return {};
  const RegisterContents registers = set_up(config_, a_, b_, b_in_a);
  return RtlQuery(config_, a_, b_, memory_, observer, options)
      .run(register_writes(config_, registers, layout_));
}

}  // namespace tandem::chip
