// Multipliers, adders, comparisons and the DOTADD pipeline against the model's arithmetic, bit by
// bit.
#include <Vdot_add.h>
#include <Vfloat_units.h>
#include <gtest/gtest.h>

#include <bit>
#include <deque>
#include <string>

#include "chip/dot_add.h"
#include "chip/float32.h"
#include "chip/rtl/simulated.h"
#include "rtl/random_floats.h"

namespace tandem::chip {
namespace {

std::uint32_t bits_of(float x) {
  return std::bit_cast<std::uint32_t>(x);
}
float float_of(std::uint32_t bits) {
  return std::bit_cast<float>(bits);
}

/// Feeds operands, one pair in each cycle, and compares what comes out when it is due.
class FloatUnits {
 public:
  void feed(std::uint32_t a, std::uint32_t b, bool minus, const std::string& where) {
    units_.module.a = a;
    units_.module.b = b;
    units_.module.subtract = minus ? 1 : 0;
    units_.settle();
    ASSERT_EQ(units_.module.greater != 0, greater(float_of(a), float_of(b)))
        << where << ": " << a << " > " << b;
    units_.tick();
    expected_.push_back({a, b, minus, where});
    compare(0, 1, [&](const Fed& fed) {
      ASSERT_EQ(units_.module.sum_at_once, bits_of(fed.sum())) << fed.name(" at once +- ");
    });
    compare(2, 3, [&](const Fed& fed) {
      ASSERT_EQ(units_.module.sum, bits_of(fed.sum())) << fed.name(" +- ");
      ASSERT_EQ(units_.module.product, bits_of(multiply(float_of(fed.a), float_of(fed.b))))
          << fed.name(" * ");
    });
    if (expected_.size() > 3) expected_.pop_front();
  }

 private:
  struct Fed {
    std::uint32_t a;
    std::uint32_t b;
    bool minus;
    std::string where;

    float sum() const {
      return minus ? subtract(float_of(a), float_of(b)) : add(float_of(a), float_of(b));
    }
    std::string name(const char* operation) const {
      return where + ": " + std::to_string(a) + operation + std::to_string(b) +
             (minus ? " subtracted" : "");
    }
  };
  template <class Check>
  void compare(std::size_t back, std::size_t latency, Check check) {
    if (expected_.size() >= latency) check(expected_[expected_.size() - 1 - back]);
  }

  Simulated<Vfloat_units> units_{"float_units"};
  std::deque<Fed> expected_;
};

TEST(RtlFloat, CornersAreThoseOfTheModel) {
  FloatUnits units;
  const std::vector<std::uint32_t> all = corner_floats();
  for (const bool minus : {false, true}) {
    for (const std::uint32_t a : all) {
      for (const std::uint32_t b : all) {
        units.feed(a, b, minus, "corners");
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(RtlFloat, AMillionRandomOperandsAreThoseOfTheModel) {
  const std::uint64_t seed = 24;
  detail::Random random(seed);
  FloatUnits units;
  const std::string where = "seed " + std::to_string(seed);
  for (int i = 0; i < 1'000'000; ++i) {
    const auto [a, b] = random_operands(&random);
    units.feed(a, b, random.below(2) == 0, where);
    if (HasFatalFailure()) {
      ADD_FAILURE() << "at operands " << i;
      return;
    }
  }
}

TEST(RtlDotAdd, RowsComeOutAfterTheirLatencyAsInTheModel) {
  constexpr std::uint64_t k_latency = 6;
  struct Row {
    std::uint64_t cycle;
    std::uint32_t tag;
    MatrixLine line;
    float d[3];
  };
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    detail::Random random(seed);
    Simulated<Vdot_add> unit("dot_add");
    unit.module.reset = 1;
    unit.settle();
    unit.tick();
    unit.module.reset = 0;
    std::deque<Row> rows;
    for (int i = 0; i < 20'000; ++i) {
      const std::string where = "seed " + std::to_string(seed) + ", " + std::to_string(i);
      const bool some = random.below(4) != 0;
      unit.module.in_valid = some ? 1 : 0;
      if (some) {
        Row row{unit.cycle(), static_cast<std::uint32_t>(random.below(64)), {}, {}};
        for (std::size_t j = 0; j < 3; ++j) {
          row.line.coefficient[j] = random_number(&random);
          row.d[j] = random_number(&random);
        }
        row.line.offset = random_number(&random);
        unit.module.in_tag = row.tag;
        unit.module.d0 = bits_of(row.d[0]);
        unit.module.d1 = bits_of(row.d[1]);
        unit.module.d2 = bits_of(row.d[2]);
        unit.module.c0 = bits_of(row.line.coefficient[0]);
        unit.module.c1 = bits_of(row.line.coefficient[1]);
        unit.module.c2 = bits_of(row.line.coefficient[2]);
        unit.module.offset = bits_of(row.line.offset);
        rows.push_back(row);
      }
      unit.settle();
      const bool due = !rows.empty() && rows.front().cycle + k_latency == unit.cycle();
      ASSERT_EQ(unit.module.out_valid != 0, due) << where;
      if (due) {
        const Row& row = rows.front();
        ASSERT_EQ(unit.module.out_tag, row.tag) << where;
        ASSERT_EQ(unit.module.result,
                  bits_of(DotAdd::evaluate(row.line, row.d[0], row.d[1], row.d[2])))
            << where;
        rows.pop_front();
      }
      unit.tick();
    }
  }
}

}  // namespace
}  // namespace tandem::chip
