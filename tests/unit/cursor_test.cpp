// Cursors: any sequence of budgets, copies and threads shows the pairs of one run, each once.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

#include "math/random.h"
#include "support/collide_cases.h"

namespace tandem {
namespace {

const BuildOptions k_boxes{.structure = "aabb"};

static_assert(sizeof(StacklessState) <= 16);
static_assert(sizeof(TrailState) <= 32);
static_assert(std::is_trivially_copyable_v<StacklessState>);
static_assert(std::is_trivially_copyable_v<TrailState>);

/// Calls `use` with a default state of the kind that the traversal keeps.
template <class Use>
void with_state(Traversal traversal, Use use) {
  if (cursor_kind(traversal) == CursorKind::stackless) use(StacklessState());
  if (cursor_kind(traversal) == CursorKind::trail) use(TrailState());
}

/// Runs in slices of random budgets; between slices the state goes through bytes into a new cursor,
/// now and then on another thread.
template <class State>
std::vector<TrianglePair> in_slices(const Model& a, const Model& b, const Pose& pose,
                                    Traversal traversal, detail::Random& random) {
  std::vector<TrianglePair> pairs;
  const auto append = [&](TrianglePair pair) {
    pairs.push_back(pair);
    // Sometimes the sink stops the slice too.
    return random.below(7) == 0 ? Flow::stop : Flow::go_on;
  };
  unsigned char bytes[sizeof(State)];
  State state;
  std::memcpy(bytes, &state, sizeof state);
  while (!state.finished()) {
    const auto slice = [&] {
      std::memcpy(&state, bytes, sizeof state);
      BasicCursor<State> cursor(a, b, pose, traversal, state);
      const std::uint64_t budget = random.below(30);
      const AdvanceResult result = cursor.advance(budget, append);
      EXPECT_LE(result.iterations, budget);
      EXPECT_EQ(result.finished, cursor.finished());
      state = cursor.state();
      std::memcpy(bytes, &state, sizeof state);
    };
    if (random.below(20) == 0) {
      std::thread(slice).join();
    } else {
      slice();
    }
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

TEST(Cursor, AnySequenceOfBudgetsCopiesAndThreadsShowsTheSamePairs) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const test::CollideCase c = test::CollideCases(seed).next();
    const Model a(c.a, k_boxes);
    const Model b(c.b, k_boxes);
    const auto expected = collide(a, b, c.b_in_a).pairs;
    detail::Random random(seed);
    for (const Traversal traversal : Traversal::all()) {
      with_state(traversal, [&](auto state) {
        ASSERT_EQ(in_slices<decltype(state)>(a, b, c.b_in_a, traversal, random), expected)
            << traversal.name() << ", " << c.name;
      });
    }
  }
}

TEST(Cursor, ACopyGoesOnByItself) {
  const Model a(make_knot(60, 6), k_boxes);
  const Pose pose = Pose::from_axis_angle({1, 2, 3}, 0.4, {0.3, 0, 0});
  const auto expected = collide(a, a, pose).pairs;
  std::vector<TrianglePair> before;
  TrailCursor cursor(a, a, pose, "trail");
  cursor.advance(500, [&](TrianglePair pair) {
    before.push_back(pair);
    return Flow::go_on;
  });
  EXPECT_FALSE(cursor.finished());
  for (TrailCursor copy : {cursor, cursor}) {
    std::vector<TrianglePair> all = before;
    while (!copy.finished()) {
      copy.advance(100, [&](TrianglePair pair) {
        all.push_back(pair);
        return Flow::go_on;
      });
    }
    std::sort(all.begin(), all.end());
    EXPECT_EQ(all, expected);
  }
}

TEST(Cursor, IterationsAddUpToThoseOfTheQuery) {
  const Model a(make_knot(60, 6), k_boxes);
  const Model b(make_icosphere(6), k_boxes);
  const Pose pose = Pose::from_axis_angle({1, 2, 3}, 0.4, {0.9, 0, 0});
  for (const Traversal traversal : Traversal::all()) {
    with_state(traversal, [&](auto state) {
      const auto whole =
          count(a, b, pose, {.engine = {.traversal = traversal}, .statistics = true});
      BasicCursor<decltype(state)> cursor(a, b, pose, traversal);
      std::uint64_t iterations = 0;
      while (!cursor.finished()) {
        iterations += cursor.advance(17, [](TrianglePair) { return Flow::go_on; }).iterations;
      }
      EXPECT_EQ(iterations, whole.statistics.iterations) << traversal.name();
      EXPECT_GT(iterations, 1'000U) << traversal.name();
    });
  }
}

TEST(Cursor, EmptyModelsAreFinishedAtOnce) {
  const Model empty(Mesh(), k_boxes);
  const Model full(make_icosphere(1), k_boxes);
  StacklessCursor cursor(empty, full, Pose(), "stackless");
  EXPECT_TRUE(cursor.finished());
  EXPECT_TRUE(cursor.advance(10, [](TrianglePair) { return Flow::go_on; }).finished);
  EXPECT_TRUE(TrailCursor(full, empty, Pose(), "trail").finished());
}

TEST(Cursor, RefusesOtherTraversalsAndForeignStates) {
  const Model a(make_icosphere(1), k_boxes);
  EXPECT_THROW(StacklessCursor(a, a, Pose(), "trail"), Error);
  EXPECT_THROW(TrailCursor(a, a, Pose(), "stackless"), Error);
  EXPECT_THROW(TrailCursor(a, a, Pose(), "recursive"), Error);
  EXPECT_THROW(TrailCursor(a, a, Pose(), "trail", {.a = 39}), Error);
  EXPECT_THROW(StacklessCursor(a, a, Pose(), "stackless", {.b = 39}), Error);
  EXPECT_THROW(
      StacklessCursor(a, a, Pose(), "stackless", {.anchor = 39, .phase = StacklessPhase::below_a}),
      Error);
  EXPECT_THROW(
      StacklessCursor(a, a, Pose(), "stackless", {.phase = static_cast<StacklessPhase>(9)}), Error);
}

TEST(Cursor, AnyStateIsEitherRefusedOrSafeToResume) {
  const Model a(make_knot(20, 4), k_boxes);
  const Model b(make_icosphere(2), {.structure = "aabb", .arity = 3});
  const std::uint64_t seed = 12;
  detail::Random random(seed);
  int accepted_count = 0;
  for (int i = 0; i < 20'000; ++i) {
    for (const Traversal traversal : Traversal::all()) {
      with_state(traversal, [&](auto state) {
        state.a = static_cast<std::uint32_t>(random.below(330));
        state.b = static_cast<std::uint32_t>(random.below(170));
        if constexpr (std::is_same_v<decltype(state), StacklessState>) {
          state.anchor = static_cast<std::uint32_t>(random.below(330));
          state.phase = static_cast<StacklessPhase>(random.below(4));
        } else {
          state.trail[0] = random.next();
        }
        try {
          BasicCursor<decltype(state)> cursor(a, b, Pose(), traversal, state);
          ++accepted_count;
          while (!cursor.finished()) {
            cursor.advance(1'000, [](TrianglePair) { return Flow::go_on; });
          }
        } catch (const Error&) {  // refused
        }
      });
    }
  }
  EXPECT_GT(accepted_count, 1'000);
}

}  // namespace
}  // namespace tandem
