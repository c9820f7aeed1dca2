// The structures of a model: each is made once, whichever thread asks, and counted.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "structure/structures.h"

namespace tandem {
namespace {

std::atomic<int> made_count = 0;
std::atomic<bool> fails = false;

/// Something that is slow to make, and made of something else.
struct Inner {
  std::size_t bytes() const { return 10; }
};
struct Outer {
  const Inner* inner;
  std::size_t bytes() const { return 100; }
};

}  // namespace

template <>
struct detail::Recipe<Inner> {
  static Inner make(const detail::Structures&, const Progress&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ++made_count;
    if (fails) throw std::runtime_error("not today");
    return {};
  }
};
template <>
struct detail::Recipe<Outer> {
  static Outer make(const detail::Structures& structures, const Progress&) {
    ++made_count;
    return {&structures.get<Inner>()};
  }
};

namespace {

TEST(Structures, AreMadeOnceWhicheverThreadAsks) {
  made_count = 0;
  const detail::Structures structures(Mesh(), {});
  EXPECT_EQ(structures.bytes(), 0U);
  std::vector<std::thread> threads;
  std::vector<const Outer*> seen(8);
  for (const Outer*& outer : seen) {
    threads.emplace_back([&] {
      structures.get<Inner>();
      outer = &structures.get<Outer>();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made_count, 2);
  for (const Outer* outer : seen) {
    EXPECT_EQ(outer, seen[0]);
    EXPECT_EQ(outer->inner, &structures.get<Inner>());
  }
  EXPECT_EQ(structures.bytes(), 110U);
}

TEST(Structures, AFailureIsTriedAgain) {
  const detail::Structures structures(Mesh(), {});
  fails = true;
  EXPECT_THROW(structures.get<Outer>(), std::runtime_error);
  EXPECT_EQ(structures.bytes(), 0U);
  fails = false;
  EXPECT_EQ(structures.get<Outer>().inner, &structures.get<Inner>());
  EXPECT_EQ(structures.bytes(), 110U);
}

TEST(Structures, AModelMakesWhatIsAskedForAndCountsIt) {
  const Model model(make_icosphere(8), {.structure = "aabb"});
  const std::size_t lean = model.structure_bytes();
  EXPECT_EQ(lean, 28 * (2 * model.mesh().triangle_count() - 1));
  model.prepare();
  EXPECT_EQ(model.structure_bytes(), lean);
  model.prepare({.traversal = "stackless"});
  const std::size_t with_fields = model.structure_bytes();
  EXPECT_GE(with_fields, lean + 12 * (2 * model.mesh().triangle_count() - 1));
  // What is there is not made again.
  model.prepare({.traversal = "trail"});
  count(model, model, Pose(), {.engine = {.traversal = "scheduled"}});
  EXPECT_EQ(model.structure_bytes(), with_fields);
  model.prepare({.structure = "dop24"});
  EXPECT_EQ(model.structure_bytes(), with_fields + 100 * (2 * model.mesh().triangle_count() - 1));
  model.prepare_rays();
  EXPECT_GT(model.structure_bytes(), with_fields);
  EXPECT_THROW(model.prepare({.traversal = "blocks"}), Error);
}

TEST(Structures, ARayModelNeedsNoStructureForPairs) {
  const Model model(make_icosphere(8), {.structure = "ray-wide"});
  const std::size_t bytes = model.structure_bytes();
  EXPECT_GT(bytes, 0U);
  EXPECT_TRUE(any_hit(model, {{0, 0, 0}, {1, 0, 0}}));
  EXPECT_EQ(model.structure_bytes(), bytes);
  // Without any structure there is brute force.
  const Model bare(make_icosphere(2), {.structure = "triangles"});
  EXPECT_EQ(bare.structure_bytes(), 0U);
  EXPECT_TRUE(intersects(bare, bare, Pose()));
}

}  // namespace
}  // namespace tandem
