// Comparators, stack engine and triangle unit against the model's.
#include <Vcomparators.h>
#include <Vstack_engine.h>
#include <Vtriangle_unit.h>
#include <gtest/gtest.h>
#include <tandem/tandem.h>
#include <verilated.h>

#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "chip/comparators.h"
#include "chip/register_files.h"
#include "chip/rtl/simulated.h"
#include "chip/set_up.h"
#include "chip/stack_engine.h"
#include "chip/triangle_unit.h"
#include "rtl/random_floats.h"

namespace tandem::chip {
namespace {

// ---- Comparators ----

template <class Wide>
void set_volume(Wide& wide, const Bounds& bounds) {
  for (std::size_t i = 0; i < 24; ++i) wide[i] = std::bit_cast<std::uint32_t>(bounds[i]);
}

TEST(RtlComparators, DecideAsTheModelDoes) {
  const std::uint64_t seed = 5;
  detail::Random random(seed);
  VerilatedContext context;
  Vcomparators bank(&context, "comparators");
  std::array<int, 2> counts{};
  for (int i = 0; i < 100'000; ++i) {
    // Volumes around the same place, so that some overlap, with equal bounds and odd ones now and
    // then.
    const auto volume = [&] {
      Bounds bounds{};
      for (std::size_t slab = 0; slab < 12; ++slab) {
        const double middle = random.uniform(-1, 1);
        const double half = random.uniform(0, 4);
        bounds[slab] = static_cast<float>(middle - half);
        bounds[12 + slab] = static_cast<float>(middle + half);
      }
      return bounds;
    };
    std::array<Bounds, 2> tumbled = {volume(), volume()};
    Bounds aligned = volume();
    for (Bounds* const bounds : {&tumbled[0], &tumbled[1]}) {
      const std::size_t slab = random.below(12);
      const std::uint64_t kind = random.below(4);
      if (kind == 0) (*bounds)[slab] = aligned[12 + slab];
      if (kind == 1) (*bounds)[slab] = std::nextafterf(aligned[12 + slab], 100);
      if (kind == 2) (*bounds)[12 + slab] = random_number(&random);
    }
    set_volume(bank.tumbled_0, tumbled[0]);
    set_volume(bank.tumbled_1, tumbled[1]);
    set_volume(bank.aligned, aligned);
    bank.eval();
    for (std::size_t side = 0; side < 2; ++side) {
      const bool expected = volumes_overlap(tumbled[side], aligned, 24);
      ASSERT_EQ((bank.overlap >> side & 1) != 0, expected)
          << "seed " << seed << ", " << i << ", side " << side;
      ++counts[expected ? 1 : 0];
    }
  }
  bank.final();
  EXPECT_GT(counts[0], 10'000);
  EXPECT_GT(counts[1], 10'000);
}

// ---- The triangle unit ----

TEST(RtlTriangleUnit, RandomAndDegenerateTrianglesAreDecidedAsInTheModel) {
  const std::uint64_t seed = 6;
  detail::Random random(seed);
  Simulated<Vtriangle_unit> unit("triangle_unit");
  auto& module = unit.module;
  module.reset = 1;
  unit.settle();
  unit.tick();
  module.reset = 0;
  const ObjectImage box = object_image(Model(make_shape("box", 12)), Nodes::dop24);
  const CorrespondenceFile correspondences(set_up(Config(), box, box, {}));
  std::array<int, 2> counts{};
  for (int i = 0; i < 20'000; ++i) {
    DopFile corners;
    const std::uint64_t kind = random.below(4);
    for (int index = 0; index < 9; ++index) {
      float number = 0;
      // In general position; on a grid, where edges touch and points coincide; odd numbers.
      if (kind < 2) number = static_cast<float>(random.uniform(-1, 1.5));
      if (kind == 2) number = 0.5F * (static_cast<float>(random.below(5)) - 2);
      if (kind == 3) number = random_number(&random);
      corners.write(index, number);
    }
    TriangleUnit model{Config()};
    const TriangleUnit::Answer expected = model.test(corners, correspondences);
    const std::string where = "seed " + std::to_string(seed) + ", " + std::to_string(i);
    const std::uint64_t begin = unit.cycle();
    for (bool done = false; !done; unit.tick()) {
      ASSERT_LT(unit.cycle(), begin + 50) << where;
      module.start = unit.cycle() == begin ? 1 : 0;
      unit.settle();
      // The line does not depend on what is read from it.
      const std::size_t edge = module.line / 5U;
      const CorrespondenceLine& line = correspondences.edge_pairs(edge)[module.line % 5U];
      const auto operand = [&](std::size_t which) {
        return std::bit_cast<std::uint32_t>(corners.read(line.from[which]));
      };
      module.first = operand(0);
      module.second = operand(1);
      unit.settle();
      done = module.done != 0;
      ASSERT_EQ(done && module.pierced != 0, done && expected.pierced) << where;
    }
    ASSERT_EQ(unit.cycle() - begin, expected.cycles) << where;
    ++counts[expected.pierced ? 1 : 0];
  }
  EXPECT_GT(counts[0], 1000);
  EXPECT_GT(counts[1], 1000);
}

}  // namespace
}  // namespace tandem::chip
