// The chip's units one by one: memory, stack engine, comparators, triangle unit, and what the
// driver writes for a pose.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <string>
#include <vector>

#include "chip/comparators.h"
#include "chip/equation5.h"
#include "chip/memory_image.h"
#include "chip/sdram.h"
#include "chip/set_up.h"
#include "chip/stack_engine.h"
#include "chip/triangle_unit.h"
#include "math/random.h"
#include "support/error_of.h"

namespace tandem::chip {
namespace {

// ---- The configuration ----

TEST(ChipConfig, DefaultsAreThePaperS) {
  const Config config;
  config.check();
  EXPECT_EQ(config.k(), 24);
  EXPECT_EQ(config.node_bytes(), 128);
  EXPECT_EQ(config.pair_stride(), 256);
  EXPECT_EQ(config.transfer_cycles(2 * config.node_bytes()), 8);
}

TEST(ChipConfig, RefusesWhatIsOutOfRange) {
  for (const ConfigNumber& number : config_numbers()) {
    for (const int wrong : {number.least - 1, number.most + 1}) {
      Config config;
      config.*number.value = wrong;
      const std::string error = test::error_of([&] { config.check(); });
      EXPECT_NE(error.find(std::string(number.name)), std::string::npos) << error;
    }
  }
  Config config;
  config.bus_bits = 100;
  EXPECT_NE(test::error_of([&] { config.check(); }).find("multiple of 32"), std::string::npos);
  config = {};
  config.cycle_ns = NAN;
  EXPECT_NE(test::error_of([&] { config.check(); }).find("cycle_ns"), std::string::npos);
}

// ---- Equation 5 ----

TEST(ChipEquation5, PrintsTable1FromItsCounts) {
  struct Row {
    double aligned, tumbled, us;
  };
  // The paper's five objects, on average and at worst.
  const Row k_rows[] = {{12474, 240, 153}, {389, 73, 15},        {279, 81, 15},    {259, 66, 12},
                        {159, 50, 9},      {542888, 3553, 5638}, {7065, 937, 207}, {4854, 877, 178},
                        {3076, 538, 110},  {3345, 301, 77}};
  for (const Row& row : k_rows) {
    const ListCounts counts = list_counts(row.aligned, row.tumbled, 2);
    const double us = equation_5(counts) * k_paper_cycle_ns * 1e-3;
    EXPECT_EQ(std::round(us), row.us) << row.aligned << ", " << row.tumbled;
  }
}

TEST(ChipEquation5, IsTheSumOfItsPhases) {
  for (const ListCounts counts : {ListCounts{1, 2}, ListCounts{120, 26}, ListCounts{7, 1.25}}) {
    double sum = 0;
    for (std::size_t i = 0; i < k_phase_count; ++i) {
      sum += equation_5(counts, static_cast<Phase>(i));
    }
    EXPECT_NEAR(sum, equation_5(counts), 1e-9 * sum);
  }
}

// ---- SDRAM ----

TEST(ChipSdram, ARandomPairTakesSixteenCycles) {
  Sdram sdram{Config()};
  const Cycle data = sdram.read(100, 0, 4096, 256);
  EXPECT_EQ(data, 108U);
  EXPECT_EQ(sdram.counts().bus_cycles, 8U) << "so it is complete after 16";
  EXPECT_EQ(sdram.counts().bytes, 256U);
}

TEST(ChipSdram, AnotherBankFollowsAtOnceAndTheSameOneAfterEightCycles) {
  Sdram sdram{Config()};
  const Cycle first = sdram.read(0, 0, 0, 256);
  const Cycle other = sdram.read(0, 0, 256, 256);
  EXPECT_EQ(other, first + 8) << "its row was opened meanwhile";
  const Cycle same = sdram.read(0, 0, 256 + 4 * 256, 256);
  EXPECT_EQ(same, other + 16);
  EXPECT_EQ(sdram.counts().bank_waits, 1U);
  EXPECT_EQ(sdram.counts().bank_wait_cycles, 8U);
}

TEST(ChipSdram, RandomReadsTakeTenCyclesEachAsThePaperSays) {
  const std::uint64_t seed = 4;
  detail::Random random(seed);
  Sdram sdram{Config()};
  constexpr int k_reads = 100'000;
  Cycle last = 0;
  for (int i = 0; i < k_reads; ++i) last = sdram.read(0, 0, 256 * random.below(1 << 20), 256);
  EXPECT_NEAR(static_cast<double>(last) / k_reads, 10, 0.05) << "seed " << seed;
}

TEST(ChipSdram, OpenPagesHitAndMiss) {
  Config config;
  config.open_pages = true;
  Sdram sdram(config);
  const Cycle first = sdram.read(0, 0, 0, 256);
  EXPECT_EQ(first, 8U);
  const Cycle hit = sdram.read(0, 0, 4 * 256, 256);
  EXPECT_EQ(hit, first + 8) << "the row is open";
  EXPECT_EQ(sdram.counts().page_hits, 1U);
  const Cycle idle = 1000;
  const std::uint64_t next_row = std::uint64_t{4} * static_cast<std::uint64_t>(config.row_bytes);
  EXPECT_EQ(sdram.read(idle, 0, next_row, 256), idle + 12) << "closed, opened, read";
}

TEST(ChipSdram, DataNeverOverlapAndNeverComeTooEarly) {
  const std::uint64_t seed = 9;
  detail::Random random(seed);
  for (int round = 0; round < 200; ++round) {
    Config config;
    config.open_pages = random.below(2) == 0;
    config.banks = 1 << random.below(5);
    config.beat_cycles = 1 + static_cast<int>(random.below(3));
    config.activate_gap_cycles = static_cast<int>(random.below(9));
    Sdram sdram(config);
    Cycle free = 0;
    Cycle request = 0;
    for (int i = 0; i < 100; ++i) {
      request += random.below(30);
      const Cycle earliest = request + random.below(30);
      const int bytes = 32 << random.below(4);
      const Cycle data = sdram.read(request, earliest, 256 * random.below(4096), bytes);
      ASSERT_GE(data, free) << "seed " << seed << ", " << round << ", " << i;
      ASSERT_GE(data, earliest) << "seed " << seed << ", " << round << ", " << i;
      ASSERT_GE(data, request + 4) << "seed " << seed << ", " << round << ", " << i;
      free = data + static_cast<Cycle>(config.transfer_cycles(bytes));
    }
  }
}

// ---- The stack engine ----

/// The same in containers that know no limits.
struct StackReference {
  struct Level {
    std::array<std::uint32_t, 2> children;
    bool flipped = false;
    std::array<std::deque<std::vector<ListEntry>>, 2> lists;
  };
  std::vector<Level> levels;
};

TEST(ChipStackEngine, KeepsTheListsOfRandomTraversals) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    detail::Random random(seed);
    Config config;
    config.nodes = random.below(2) == 0 ? Nodes::dop24 : Nodes::boxtree;
    StackEngine stack(config);
    StackReference reference;
    const auto check = [&](int step) {
      const std::string where = "seed " + std::to_string(seed) + ", " + std::to_string(step);
      ASSERT_EQ(stack.at_bottom(), reference.levels.empty()) << where;
      if (reference.levels.empty()) return;
      const StackReference::Level& level = reference.levels.back();
      ASSERT_EQ(stack.flipped(), level.flipped) << where;
      for (int side = 0; side < 2; ++side) {
        ASSERT_EQ(stack.children(side), level.children[static_cast<std::size_t>(side)]) << where;
        const std::vector<ListEntry>& expected = level.lists[static_cast<std::size_t>(side)].back();
        const StackEngine::List list = stack.list(side);
        ASSERT_EQ(list.count, expected.size()) << where;
        for (std::size_t i = 0; i < expected.size(); ++i) {
          ASSERT_EQ(stack.read(list, i), expected[i]) << where << ", entry " << i;
        }
      }
    };
    for (int step = 0; step < 300; ++step) {
      const int side = static_cast<int>(random.below(2));
      const auto s = static_cast<std::size_t>(side);
      const std::uint64_t action = reference.levels.empty() ? 0 : random.below(12);
      if (action == 0) {
        const std::array<std::uint32_t, 2> children = {static_cast<std::uint32_t>(random.next()),
                                                       static_cast<std::uint32_t>(random.next())};
        stack.open(children);
        reference.levels.push_back({children, false, {}});
        for (auto& lists : reference.levels.back().lists) lists.emplace_back();
      } else if (action == 1) {
        stack.close();
        reference.levels.pop_back();
      } else if (action == 2) {
        stack.flip();
        reference.levels.back().flipped = true;
        reference.levels.back().lists[0] = {{}};
      } else if (action == 3) {
        stack.begin_list(side);
        reference.levels.back().lists[s].emplace_back();
      } else if (action == 4) {
        stack.clear(side);
        reference.levels.back().lists[s] = {{}};
      } else {
        const ListEntry entry{static_cast<std::uint32_t>(random.next()), random.below(2) == 0};
        stack.push(side, entry);
        reference.levels.back().lists[s].back().push_back(entry);
      }
      check(step);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(ChipStackEngine, SaysWhenItIsFull) {
  Config config;
  config.stack_words = 64;
  StackEngine stack(config);
  stack.open({1, 2});
  for (int i = 0; i < 62; ++i) stack.push(i % 2, {7, false});
  EXPECT_EQ(stack.peak_words(), 64U);
  for (const int side : {0, 1}) {
    const std::string error = test::error_of([&] { stack.push(side, {7, false}); });
    EXPECT_NE(error.find("more than the 64 words"), std::string::npos) << error;
  }
}

TEST(ChipStackEngine, ItsPortTakesOneWordPerCycle) {
  StackEngine stack{Config()};
  EXPECT_EQ(stack.access(10, 2), 12U);
  EXPECT_EQ(stack.access(3, 1), 13U);
  EXPECT_EQ(stack.access(20, 1), 21U);
  EXPECT_EQ(stack.busy(), 4U);
}

// ---- Comparators ----

TEST(ChipComparators, TouchingOverlapsAndOneSlabKeepsApart) {
  Bounds one{};
  Bounds other{};
  for (std::size_t i = 0; i < 12; ++i) {
    one[i] = -1;
    one[12 + i] = 1;
    other[i] = 1;
    other[12 + i] = 2;
  }
  EXPECT_TRUE(volumes_overlap(one, other, 24));
  for (std::size_t i = 0; i < 12; ++i) {
    Bounds apart = other;
    apart[i] = std::nextafterf(1, 2);
    EXPECT_FALSE(volumes_overlap(one, apart, 24)) << "slab " << i;
    EXPECT_FALSE(volumes_overlap(apart, one, 24)) << "slab " << i;
    apart[i] = NAN;
    EXPECT_TRUE(volumes_overlap(one, apart, 24)) << "NaN keeps nothing apart";
  }
}

// ---- The triangle unit ----

TEST(ChipTriangleUnit, AgreesWithTheLibraryOnRandomAndDegenerateEdges) {
  // Small multiples of a power of two: nothing is rounded, so the sign of each expression is exact.
  const std::uint64_t seed = 8;
  detail::Random random(seed);
  int pierced = 0;
  for (int i = 0; i < 200'000; ++i) {
    const int reach = 1 + static_cast<int>(random.below(3));
    float p[3];
    float q[3];
    const auto number = [&] {
      const auto wide = static_cast<std::uint64_t>(4 * reach + 1);
      return 0.25F * static_cast<float>(static_cast<int>(random.below(wide)) - 2 * reach);
    };
    for (int axis = 0; axis < 3; ++axis) {
      p[axis] = number();
      q[axis] = number();
    }
    // Where the edge meets z = 0 strictly between its ends, by division of exact products.
    bool expected = false;
    if (double{p[2]} * q[2] < 0) {
      const double t = double{p[2]} / (double{p[2]} - q[2]);
      const double x = p[0] + t * (double{q[0]} - p[0]);
      const double y = p[1] + t * (double{q[1]} - p[1]);
      constexpr double k_rounding = 1e-12;
      expected = x >= -k_rounding && y >= -k_rounding && x + y <= 1 + k_rounding;
    }
    const TriangleUnit::OperandPairs pairs = {
        {{p[2], q[2]}, {p[0], q[2]}, {q[0], p[2]}, {p[1], q[2]}, {q[1], p[2]}}};
    ASSERT_EQ(TriangleUnit::pierces(pairs), expected) << "seed " << seed << ", " << i;
    pierced += expected ? 1 : 0;
  }
  EXPECT_GT(pierced, 1000);
}

TEST(ChipTriangleUnit, StopsAtTheFirstEdgeThatPierces) {
  const ObjectImage image = object_image(Model(make_shape("box", 12)), Nodes::dop24);
  const CorrespondenceFile correspondences(set_up(Config(), image, image, {}));
  EXPECT_EQ(correspondences.size(), 66U) << "as in the paper";
  TriangleUnit unit{Config()};
  const auto test = [&](const std::array<float, 9>& corners) {
    DopFile dops;
    for (int i = 0; i < 9; ++i) dops.write(i, corners[static_cast<std::size_t>(i)]);
    return unit.test(dops, correspondences);
  };
  // All above: three edges that are read and skipped.
  EXPECT_EQ(test({0, 0, 1, 1, 0, 1, 0, 1, 1}).cycles, 6U);
  const TriangleUnit::Answer hit = test({0.25F, 0.25F, -1, 0.25F, 0.25F, 1, 5, 5, 1});
  EXPECT_TRUE(hit.pierced);
  EXPECT_EQ(hit.cycles, 16U);
  EXPECT_EQ(unit.busy(), 22U);
}

// ---- What the driver writes ----

TEST(ChipImage, EveryNodeAndTriangleIsThereOnce) {
  const Model model(make_shape("rock", 500));
  for (const NodesInfo& format : node_formats()) {
    const ObjectImage image = object_image(model, format.nodes);
    std::vector<int> seen(image.triangles.size());
    std::vector<int> referred(image.pair_count());
    for (const NodeRecord& node : image.nodes) {
      if (node.kind == NodeKind::leaf) ++seen[node.link];
      if (node.kind == NodeKind::inner) ++referred[node.link];
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), 500) << format.name;
    EXPECT_EQ(referred[0], 0) << format.name;
    EXPECT_EQ(std::count(referred.begin() + 1, referred.end(), 1),
              static_cast<std::ptrdiff_t>(referred.size() - 1))
        << format.name;
  }
  EXPECT_TRUE(object_image(Model(Mesh()), Nodes::dop24).empty());
}

TEST(ChipImage, EachPairIsInOneRowOfOneBank) {
  // An odd number of triangles ends in the middle of a pair's place.
  ObjectImage a = object_image(Model(make_shape("box", 12)), Nodes::dop24);
  a.triangles.pop_back();
  const MemoryLayout layout(Config(), a, a);
  for (const int object : {0, 1}) {
    for (const std::uint32_t pair : {0U, 1U, 5U}) {
      EXPECT_EQ(layout.node_address(object, 2 * pair) % 256, 0U) << object << ", " << pair;
    }
  }
  EXPECT_GE(layout.node_address(1, 0), layout.triangle_address(0, 11));
}

TEST(ChipImage, AMatrixMapsItsTriangleOntoTheUnitTriangle) {
  const TriangleRecord record = triangle_record({{{1, 2, 3}, {3, 2, 3}, {1, 6, 3}}});
  const float expected[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  for (int corner = 0; corner < 3; ++corner) {
    for (int i = 0; i < 3; ++i) {
      const float* m = record.matrix[i];
      const float* p = record.corner[corner];
      EXPECT_EQ(m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3], expected[corner][i]);
    }
  }
}

TEST(ChipSetUp, RowsComeByEarliestAvailability) {
  const Model model(make_shape("rock", 100));
  const ObjectImage image = object_image(model, Nodes::dop24);
  const std::uint64_t seed = 3;
  detail::Random random(seed);
  for (int i = 0; i < 200; ++i) {
    Config config;
    config.dotadd_units = 1 + static_cast<int>(random.below(4));
    config.register_writes = 1 + static_cast<int>(random.below(4));
    const Pose pose = Pose::from_axis_angle({random.uniform(-1, 1), random.uniform(-1, 1), 0.5},
                                            random.uniform(-3, 3), {1, 2, 3});
    const RegisterContents registers = set_up(config, image, image, pose);
    std::vector<std::uint8_t> rows = registers.row_order;
    bool waits_for_none = true;
    int slack = 1000;
    for (std::size_t position = 0; position < rows.size(); ++position) {
      const Correspondence& needs = registers.correspondences[rows[position]];
      const int last = *std::max_element(needs.begin(), needs.end());
      const int issue = registers.fill_cycles + static_cast<int>(position) / config.dotadd_units;
      const int written = last / config.register_writes;
      waits_for_none &= issue > written;
      slack = std::min(slack, issue - written - 1);
    }
    EXPECT_TRUE(waits_for_none) << "seed " << seed << ", " << i;
    EXPECT_TRUE(slack == 0 || registers.fill_cycles == 0) << "seed " << seed << ", " << i;
    std::sort(rows.begin(), rows.end());
    for (std::size_t row = 0; row < rows.size(); ++row) ASSERT_EQ(rows[row], row);
  }
}

}  // namespace
}  // namespace tandem::chip
