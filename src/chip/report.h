// What a query on the chip tells: its results, where its cycles went, and what each unit did.
#pragma once

#include <tandem/query.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "chip/sdram.h"

namespace tandem::chip {

/// What works at its own pace. `loader` is the path from the memory interface into the DOP register
/// file.
enum class Unit { sdram, loader, dot_add, comparators, stack, triangle };
inline constexpr std::size_t k_unit_count = 6;
std::string_view name_of(Unit unit);

/// What the chip waits for or does, cycle by cycle: each cycle of a query belongs to one of them.
enum class Phase {
  fetch,        ///< tumbled nodes come from memory
  fill,         ///< the first of their numbers are written, until rows follow without a pause
  transform,    ///< rows are issued
  drain,        ///< the last results come out of the pipeline
  compare,      ///< aligned nodes pass the comparators at their own pace
  memory_wait,  ///< they come too late from memory
  stack_wait,   ///< they wait for the SRAM
  leaf_lists,   ///< a tumbled leaf meets the subtrees below the aligned nodes that it met
  triangles,    ///< triangles are tested
  control,      ///< the master controller decides what comes next
};
inline constexpr std::size_t k_phase_count = 10;
std::string_view name_of(Phase phase);

struct Counts {
  /// Lists that one or two tumbled nodes were compared with, and the pairs and single leaves on
  /// them; nodes of A read for them.
  std::uint64_t lists = 0;
  std::uint64_t list_entries = 0;
  std::uint64_t aligned_nodes = 0;
  /// Nodes of B, each transformed once.
  std::uint64_t tumbled_nodes = 0;
  /// The same for lists of a tumbled leaf, which needs no further transform.
  std::uint64_t leaf_lists = 0;
  std::uint64_t leaf_list_entries = 0;
  /// Pairs of nodes, those that overlapped, and pairs of leaves: as `Statistics` has them.
  std::uint64_t iterations = 0;
  std::uint64_t overlaps = 0;
  std::uint64_t leaf_overlaps = 0;
  std::uint64_t triangle_tests = 0;
  std::uint64_t triangle_overlaps = 0;
};

struct Report {
  /// In the order in which the chip finds them.
  std::vector<TrianglePair> pairs;
  Cycle cycles = 0;
  std::array<Cycle, k_phase_count> phases{};
  std::array<Cycle, k_unit_count> busy{};
  Counts counts;
  SdramCounts memory;
  std::uint64_t stack_accesses = 0;
  std::size_t stack_peak_words = 0;

  Cycle of(Phase phase) const { return phases[static_cast<std::size_t>(phase)]; }
  Cycle of(Unit unit) const { return busy[static_cast<std::size_t>(unit)]; }
  double utilisation(Unit unit) const {
    return cycles == 0 ? 0 : static_cast<double>(of(unit)) / static_cast<double>(cycles);
  }
};

/// Two nodes that met at the comparators, by their places in the images. Pairs of leaves are
/// compared only where the configuration says so, and count as overlapping where not.
struct Visit {
  Cycle cycle = 0;
  std::uint32_t aligned = 0;
  std::uint32_t tumbled = 0;
  bool compared = false;
  bool overlap = false;
};

/// The two triangles that were tested; the corners as the triangle unit saw them are those of the
/// last direction.
struct TriangleVisit {
  Cycle begin = 0;
  Cycle end = 0;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  bool overlap = false;
};

/// Is told everything in the order in which it happens: for traces, and for whoever compares
/// another implementation with this one.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void visit(const Visit&) {}
  virtual void triangle(const TriangleVisit&) {}
  /// The volume of a tumbled node as the comparators will see it.
  virtual void transformed(std::uint32_t /*tumbled*/, const Bounds& /*results*/) {}
  /// A unit was busy from `begin` to before `end`.
  virtual void span(Unit, Cycle /*begin*/, Cycle /*end*/, std::string_view /*what*/) {}
};

}  // namespace tandem::chip
