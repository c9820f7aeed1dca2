// The whole chip on small trees: what it finds, and when.
#include "chip/chip.h"

#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "support/error_of.h"

namespace tandem::chip {
namespace {

std::vector<TrianglePair> sorted(std::vector<TrianglePair> pairs) {
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

/// A complete binary tree so many levels below its root, all of whose volumes are the same cube.
ObjectImage complete_tree(int levels) {
  ObjectImage image;
  image.k = 24;
  NodeRecord node;
  for (std::size_t i = 0; i < 12; ++i) {
    node.bounds[i] = -1;
    node.bounds[12 + i] = 1;
  }
  const std::uint32_t pairs = 1U << levels;
  image.nodes.resize(2 * std::size_t{pairs});
  for (std::uint32_t i = 0; i < 2 * pairs - 1; ++i) {
    // Node i stands in place i + 1, but the root, which has no sibling, in place 0.
    NodeRecord& at = image.nodes[i == 0 ? 0 : i + 1];
    at = node;
    at.node = i;
    const bool leaf = i >= pairs - 1;
    at.kind = leaf ? NodeKind::leaf : NodeKind::inner;
    at.link = leaf ? i - (pairs - 1) : i + 1;
  }
  image.triangles.resize(pairs);
  return image;
}

struct VisitLog : Observer {
  std::vector<Visit> visits;
  void visit(const Visit& visit) override { visits.push_back(visit); }
};

TEST(Chip, AListOfTwoPairsTakesOneHundredCyclesAsInThePaper) {
  const ObjectImage tree = complete_tree(3);
  const Config config;
  const CollisionChip chip(config, tree, tree);
  VisitLog log;
  const Report report = chip.run({}, &log);
  const int fill = set_up(config, tree, tree, {}).fill_cycles;
  // The first 100 cycles of section 5, with the fill of this pose instead of 12 for each sibling.
  const Cycle first_compare = 10 + 24 + 24 + 6 + 2 * static_cast<Cycle>(fill);
  // The root meets the root; its children the children of A's root: one pair. Their first child's
  // children meet two pairs.
  ASSERT_GE(log.visits.size(), 1U + 4U + 8U);
  const auto at = [&](std::size_t visit) { return log.visits[visit].cycle; };
  const Cycle root = 10 + 24 + 6 + static_cast<Cycle>(fill);
  EXPECT_EQ(at(0), root);
  EXPECT_EQ(at(1), root + first_compare);
  EXPECT_EQ(at(2), at(1)) << "both siblings at once";
  EXPECT_EQ(at(3), at(1) + 4);
  const Cycle begin = at(4);
  for (std::size_t node = 0; node < 4; ++node) {
    EXPECT_EQ(at(5 + 2 * node), begin + first_compare + 4 * node) << "node " << node;
  }
  EXPECT_EQ(report.cycles, std::accumulate(report.phases.begin(), report.phases.end(), Cycle{0}));
}

TEST(Chip, LongListsTakeTenCyclesPerPair) {
  // A few large triangles in a mesh of many small ones. The mean over long lists is that of a
  // memory whose banks are asked at random, as equation 5 has it.
  const Model rock(make_shape("rock", 20'000));
  const Model box(make_shape("box", 12));
  const ObjectImage image_a = object_image(rock, Nodes::dop24);
  const ObjectImage image_b = object_image(box, Nodes::dop24);
  const CollisionChip chip(Config(), image_a, image_b);
  const Report report = chip.run(Pose::from_axis_angle({1, 2, 3}, 0.3));
  const std::uint64_t pairs = report.counts.leaf_list_entries - report.counts.triangle_tests;
  ASSERT_GT(pairs, 50 * report.counts.leaf_lists);
  const double per_pair =
      static_cast<double>(report.of(Phase::leaf_lists)) / static_cast<double>(pairs);
  EXPECT_GT(per_pair, 8);
  EXPECT_LT(per_pair, 11);
}

TEST(Chip, EmptyAndSingleTriangles) {
  const Mesh one({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}});
  const Model model(one);
  const ObjectImage image = object_image(model, Nodes::dop24);
  const ObjectImage empty = object_image(Model(Mesh()), Nodes::dop24);
  for (const auto& [a, b] :
       {std::pair(&image, &empty), std::pair(&empty, &image), std::pair(&empty, &empty)}) {
    const Report report = CollisionChip(Config(), *a, *b).run({});
    EXPECT_EQ(report.cycles, 0U);
    EXPECT_TRUE(report.pairs.empty());
  }
  const CollisionChip chip(Config(), image, image);
  // Upright, through the first one's inside; and coplanar, which the unit triangle test misses.
  const Pose upright = Pose::from_axis_angle({1, 0, 0}, 1.5, {0.1, 0.2, -0.3});
  EXPECT_EQ(chip.run(upright).pairs, (std::vector<TrianglePair>{{0, 0}}));
  EXPECT_EQ(chip.run({}).pairs.size(), 0U);
  EXPECT_EQ(chip.run({}).counts.triangle_tests, 1U);
  const Report apart = chip.run(Pose::from_translation({5, 0, 0}));
  EXPECT_EQ(apart.counts.triangle_tests, 1U) << "two leaves are not compared";
  EXPECT_TRUE(apart.pairs.empty());
}

TEST(Chip, EveryNodeFormatFindsTheSameTriangles) {
  const Model a(make_shape("knot", 2000));
  const Model b(make_shape("rock", 1000));
  const Pose pose = Pose::from_axis_angle({1, 1, 0}, 0.7, {0.5, 0.2, 0});
  std::vector<TrianglePair> expected;
  for (const NodesInfo& format : node_formats()) {
    Config config;
    config.nodes = format.nodes;
    const ObjectImage image_a = object_image(a, format.nodes);
    const ObjectImage image_b = object_image(b, format.nodes);
    const Report report = CollisionChip(config, image_a, image_b).run(pose);
    if (expected.empty()) expected = sorted(report.pairs);
    EXPECT_FALSE(expected.empty());
    EXPECT_EQ(sorted(report.pairs), expected) << format.name;
  }
}

TEST(Chip, TimesDependOnTheConfigurationAndResultsDoNot) {
  const Model a(make_shape("knot", 2000));
  const ObjectImage image = object_image(a, Nodes::dop24);
  const Pose pose = Pose::from_axis_angle({1, 1, 0}, 0.7, {0.5, 0.2, 0});
  const Report usual = CollisionChip(Config(), image, image).run(pose);
  struct Change {
    const char* what;
    int Config::*value;
    int to;
    bool faster;
  };
  const Change k_changes[] = {
      {"DOTADD units", &Config::dotadd_units, 4, true},
      {"more stages", &Config::dotadd_stages, 20, false},
      {"a narrow bus", &Config::bus_bits, 64, false},
      {"slow rows", &Config::ras_to_cas_cycles, 40, false},
      {"one bank", &Config::banks, 1, false},
      {"a slow bus", &Config::beat_cycles, 4, false},
      {"a slow multiplier", &Config::multiply_stages, 50, false},
  };
  for (const Change& change : k_changes) {
    Config config;
    config.*change.value = change.to;
    const Report report = CollisionChip(config, image, image).run(pose);
    EXPECT_EQ(report.pairs, usual.pairs) << change.what;
    EXPECT_EQ(report.counts.iterations, usual.counts.iterations) << change.what;
    EXPECT_EQ(report.cycles < usual.cycles, change.faster) << change.what;
    EXPECT_NE(report.cycles, usual.cycles) << change.what;
  }
}

TEST(Chip, ComparingLeavesSavesTriangleTests) {
  const Model a(make_shape("knot", 2000));
  const ObjectImage image = object_image(a, Nodes::dop24);
  const Pose pose = Pose::from_axis_angle({1, 1, 0}, 0.7, {0.5, 0.2, 0});
  const Report usual = CollisionChip(Config(), image, image).run(pose);
  Config config;
  config.compare_leaves = true;
  const Report compared = CollisionChip(config, image, image).run(pose);
  EXPECT_EQ(compared.pairs, usual.pairs);
  EXPECT_EQ(compared.counts.iterations, usual.counts.iterations);
  EXPECT_LT(compared.counts.triangle_tests, usual.counts.triangle_tests);
  EXPECT_LT(compared.cycles, usual.cycles);
}

TEST(Chip, UnitsAreNeverBusyForTwoThingsAtOnce) {
  struct Spans : Observer {
    std::vector<std::pair<Cycle, Cycle>> of_unit[k_unit_count];
    void span(Unit unit, Cycle begin, Cycle end, std::string_view) override {
      of_unit[static_cast<std::size_t>(unit)].push_back({begin, end});
    }
  };
  const Model a(make_shape("knot", 2000));
  for (const NodesInfo& format : node_formats()) {
    Config config;
    config.nodes = format.nodes;
    const ObjectImage image = object_image(a, format.nodes);
    Spans spans;
    const Report report = CollisionChip(config, image, image)
                              .run(Pose::from_axis_angle({1, 1, 0}, 0.7, {0.5, 0.2, 0}), &spans);
    for (std::size_t unit = 0; unit < k_unit_count; ++unit) {
      Cycle busy = 0;
      Cycle free = 0;
      for (const auto& [begin, end] : spans.of_unit[unit]) {
        ASSERT_GE(begin, free) << format.name << ", " << name_of(static_cast<Unit>(unit));
        ASSERT_GE(end, begin);
        free = end;
        busy += end - begin;
      }
      EXPECT_EQ(busy, report.busy[unit]) << format.name << ", " << name_of(static_cast<Unit>(unit));
    }
  }
}

TEST(Chip, SaysWhenItsListsDoNotFit) {
  const Model a(make_shape("knot", 2000));
  const ObjectImage image = object_image(a, Nodes::dop24);
  Config config;
  config.stack_words = 64;
  const CollisionChip chip(config, image, image);
  EXPECT_NE(test::error_of([&] { chip.run({}); }).find("stack_words"), std::string::npos);
  config.stack_words = 1;
  EXPECT_NE(test::error_of([&] { CollisionChip(config, image, image); }).find("from 64"),
            std::string::npos);
}

}  // namespace
}  // namespace tandem::chip
