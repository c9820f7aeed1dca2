// The stack engine against the model's, on random node lists: each level gets lists for both sides,
// which are read back while others grow, as the controller does.
#include <Vstack_engine.h>
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "chip/rtl/simulated.h"
#include "chip/stack_engine.h"
#include "math/random.h"

namespace tandem::chip {
namespace {

using Vword = std::uint64_t;

Vword word_of(const ListEntry& entry) {
  return (entry.leaf ? Vword{1} << 32 : 0) | entry.pointer;
}

/// The module with its SRAM.
class RtlStack {
 public:
  explicit RtlStack(std::size_t words) : sram_(words) {
    module().reset = 1;
    module().words = static_cast<std::uint32_t>(words);
    cycle();
    module().reset = 0;
  }

  Vstack_engine& module() { return stack_.module; }

  /// One cycle with the inputs that are set, which are then taken back.
  void cycle() {
    stack_.settle();
    std::optional<Vword> read;
    if (module().sram_enable) {
      ++accesses;
      if (module().sram_address >= sram_.size()) {
        ADD_FAILURE() << "address " << module().sram_address;
      } else if (module().sram_write) {
        sram_[module().sram_address] = module().sram_write_data;
      } else {
        read = sram_[module().sram_address];
      }
    }
    stack_.tick();
    if (read) module().sram_read_data = *read;
    module().start = 0;
    module().open = 0;
    module().close = 0;
    module().flip = 0;
    module().push = 0;
    module().begin_list = 0;
    module().clear = 0;
    module().read_list = 0;
    module().remove = 0;
    stack_.settle();
  }
  void wait(int cycles) {
    for (int i = 0; i < cycles; ++i) cycle();
  }

  std::uint64_t accesses = 0;

 private:
  Simulated<Vstack_engine> stack_{"stack_engine"};
  std::vector<Vword> sram_;
};

/// What the model's list holds must be what the module's reader gives; entries are pushed
/// meanwhile, to both.
class Comparison {
 public:
  Comparison(std::uint64_t seed) : seed_(seed), random_(seed), model_(Config()), rtl_(262144) {}

  void run() {
    // The driver's list.
    const ListEntry root{7, true};
    model_.open({0, 0});
    model_.push(0, root);
    rtl_.module().start = 1;
    rtl_.module().start_entry = word_of(root);
    rtl_.cycle();
    descend(0);
    for (int step = 0; step < 12 && !model_.at_bottom() && !testing::Test::HasFatalFailure();
         ++step) {
      // As the controller goes on: into the first list, or back.
      if (model_.list(0).count > 0) {
        descend(0);
      } else {
        go_back();
      }
    }
  }

 private:
  std::string where() const { return "seed " + std::to_string(seed_); }

  /// Reads a list, pushes new ones, and sometimes reads those of a side again, as below a leaf.
  void descend(int side) {
    const StackEngine::List list = model_.list(side);
    const std::array<std::uint32_t, 2> children = {static_cast<std::uint32_t>(random_.next()),
                                                   static_cast<std::uint32_t>(random_.next())};
    rtl_.module().read_list = 1;
    rtl_.module().read_side = static_cast<std::uint8_t>(side);
    rtl_.module().read_to_leaf = 0;
    rtl_.cycle();
    rtl_.wait(static_cast<int>(random_.below(12)));
    model_.open(children);
    rtl_.module().open = 1;
    rtl_.module().children_0 = children[0];
    rtl_.module().children_1 = children[1];
    rtl_.cycle();
    rtl_.wait(8);
    read(list, 3, {true, true});
    for (const int leaf : {0, 1}) {
      if (random_.below(3) == 0) finish_leaf(leaf);
    }
  }

  void finish_leaf(int side) {
    const auto mask = static_cast<std::uint8_t>(1 << side);
    for (int lists = 0; lists < 3 && model_.list(side).count > 0; ++lists) {
      const StackEngine::List list = model_.list(side);
      model_.begin_list(side);
      rtl_.module().begin_list = mask;
      rtl_.module().read_list = 1;
      rtl_.module().read_side = static_cast<std::uint8_t>(side);
      rtl_.module().read_to_leaf = 1;
      rtl_.cycle();
      read(list, 1, {side == 0, side == 1});
      if (testing::Test::HasFatalFailure()) return;
    }
    model_.clear(side);
    rtl_.module().clear = mask;
    rtl_.cycle();
  }

  void go_back() {
    while (!model_.at_bottom()) {
      ASSERT_EQ(rtl_.module().flipped != 0, model_.flipped()) << where();
      if (model_.flipped()) {
        model_.close();
        rtl_.module().close = 1;
        rtl_.cycle();
        continue;
      }
      model_.flip();
      rtl_.module().flip = 1;
      rtl_.cycle();
      ASSERT_EQ(rtl_.module().word & 0xffffffffU, model_.children(1)) << where();
      check_counts();
      if (model_.list(1).count > 0) return descend(1);
    }
  }

  void read(const StackEngine::List& list, std::uint64_t most_pushes, std::array<bool, 2> sides) {
    for (std::size_t i = 0; i < list.count; ++i) {
      int waited = 0;
      while (!rtl_.module().head_valid) {
        ASSERT_LT(++waited, 10) << where() << ", entry " << i << " of " << list.count;
        rtl_.cycle();
      }
      const ListEntry expected = model_.read(list, i);
      ASSERT_EQ(rtl_.module().head, word_of(expected)) << where() << ", entry " << i;
      // What is compared with it pushes its children.
      const std::uint64_t pushes = random_.below(most_pushes + 1);
      for (std::uint64_t p = 0; p < pushes; ++p) {
        std::uint8_t push = 0;
        for (int side = 0; side < 2; ++side) {
          if (!sides[static_cast<std::size_t>(side)] || random_.below(2) == 0) continue;
          const ListEntry entry{static_cast<std::uint32_t>(random_.next()), random_.below(3) == 0};
          model_.push(side, entry);
          (side == 0 ? rtl_.module().entry_0 : rtl_.module().entry_1) = word_of(entry);
          push |= static_cast<std::uint8_t>(1 << side);
        }
        rtl_.module().push = push;
        rtl_.cycle();
        rtl_.wait(3);
      }
      // The reader is up to four entries ahead, and in the end has nothing left.
      rtl_.wait(6);
      ASSERT_EQ(rtl_.module().head_last != 0, i + 1 == list.count) << where() << ", entry " << i;
      rtl_.module().remove = 1;
      rtl_.cycle();
    }
    ASSERT_EQ(rtl_.module().head_valid, 0) << where();
    check_counts();
  }

  void check_counts() {
    for (int side = 0; side < 2; ++side) {
      ASSERT_EQ((rtl_.module().not_empty >> side & 1) != 0, model_.list(side).count > 0) << where();
    }
    ASSERT_EQ(rtl_.module().overflow, 0) << where();
  }

  std::uint64_t seed_;
  detail::Random random_;
  StackEngine model_;
  RtlStack rtl_;
};

TEST(RtlStackEngine, KeepsAThousandRandomNodeLists) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Comparison(seed).run();
    if (HasFatalFailure()) return;
  }
}

TEST(RtlStackEngine, SaysWhenItIsFull) {
  RtlStack rtl(64);
  rtl.module().start = 1;
  rtl.cycle();
  // Three words are taken; then an entry for each side until one is left.
  for (int i = 0; i < 30; ++i) {
    rtl.module().push = 3;
    rtl.cycle();
    rtl.wait(1);
    ASSERT_EQ(rtl.module().overflow, 0) << i;
  }
  rtl.module().push = 1;
  rtl.cycle();
  EXPECT_EQ(rtl.module().overflow, 0);
  rtl.module().push = 2;
  rtl.cycle();
  EXPECT_EQ(rtl.module().overflow, 1);
}

}  // namespace
}  // namespace tandem::chip
