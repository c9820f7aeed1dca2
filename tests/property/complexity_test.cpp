// Meshes that make hierarchies do too much: the default engine does no more work on them than four
// times what a plain tree of boxes does, and finds the same.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include "support/complexity_cases.h"

namespace tandem::test {
namespace {

TEST(Complexity, TheDefaultEngineWorksAtMostFourTimesAsMuchAsATreeOfBoxes) {
  for (const ComplexityCase& c : complexity_cases(800)) {
    const Structure boxes = "aabb";
    const QueryOptions options{.statistics = true};
    const auto plain = collide(Model(c.a, {.structure = boxes}), Model(c.b, {.structure = boxes}),
                               c.b_in_a, options);
    const Model a(c.a);
    const Model b(c.b);
    const auto wide = collide(a, b, c.b_in_a, options);
    EXPECT_EQ(wide.pairs, plain.pairs) << c.name;
    EXPECT_EQ(intersects(a, b, c.b_in_a).pair.has_value(), !plain.pairs.empty()) << c.name;
    // One step of the wide tree looks at sixteen pairs, wanted or not.
    constexpr std::uint64_t k_few = 4'000;
    EXPECT_LE(wide.statistics.iterations, 4 * plain.statistics.iterations + k_few) << c.name;
    EXPECT_LE(wide.statistics.triangle_tests, 4 * plain.statistics.triangle_tests + k_few)
        << c.name;
  }
}

}  // namespace
}  // namespace tandem::test
