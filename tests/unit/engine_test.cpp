// The registry of engines: what is listed runs, what is there is listed, and what does not go
// together is said in a sentence. A toy traversal and a toy volume show what it takes to add one.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "engine/registry.h"
#include "engine/stored.h"
#include "engine/structure_entry.h"
#include "engine/tandem_traversals.h"
#include "support/fitting.h"
#include "support/mesh_files.h"
#include "volume/aabb_overlap.h"

namespace tandem {
namespace {

using detail::Registry;
using detail::TypeList;

/// A traversal in one struct: every pair of leaves, without a look at a volume.
struct ToyTraversal {
  static constexpr std::string_view k_name = "toy";
  static constexpr std::string_view k_description = "every pair of leaves";
  static constexpr detail::Offer k_needs = detail::Offer::lean;

  template <class Trees, class LeafPair, class Observer>
  static Flow run(const Trees& trees, LeafPair& leaf_pair, Observer& observer) {
    const auto a = trees.lean_a();
    const auto b = trees.lean_b();
    for (std::uint32_t i = 0; i < a.node_count(); ++i) {
      for (std::uint32_t j = 0; j < b.node_count(); ++j) {
        if (!a.is_leaf(i) || !b.is_leaf(j)) continue;
        observer.iteration(i, j);
        if (leaf_pair(a.triangle(i), b.triangle(j)) == Flow::stop) return Flow::stop;
      }
    }
    return Flow::go_on;
  }
};

/// A volume in one struct with its overlap test: it encloses everything.
struct Everything {
  static constexpr std::string_view k_name = "everything";
  static constexpr std::string_view k_description = "encloses all points";
  static constexpr bool k_merges_tightly = true;

  static Everything fit(std::span<const Vec3f>) { return {}; }
  static Everything merge(const Everything&, const Everything&) { return {}; }
  bool encloses(const Vec3f&) const { return true; }
  double size() const { return 1; }
};
struct AlwaysOverlap {
  static constexpr std::string_view k_name = "always";
  static constexpr std::string_view k_description = "all volumes overlap";
  static constexpr bool k_tumbles = false;
  static constexpr bool k_tests_leaves = true;
  using Tumbled = Everything;

  AlwaysOverlap(const Pose&, const Everything&, const Everything&) {}
  Everything tumble(const Everything& b) const { return b; }
  bool operator()(const Everything&, const Everything&) const { return true; }
};

}  // namespace

template <>
struct detail::OverlapTestsOf<Everything> {
  using Types = detail::TypeList<AlwaysOverlap>;
};

namespace {

std::vector<TrianglePair> pairs_by(const detail::TandemEngine& engine, const Mesh& a, const Mesh& b,
                                   const Pose& pose, std::string_view structure) {
  const detail::Structures in_a(a, {.structure = structure});
  const detail::Structures in_b(b, {.structure = structure});
  std::vector<TrianglePair> pairs;
  const auto append = [&](TrianglePair pair) {
    pairs.push_back(pair);
    return Flow::go_on;
  };
  Statistics statistics;
  run_engine(engine, {.a = in_a, .b = in_b, .b_in_a = pose, .statistics = &statistics}, append);
  EXPECT_GT(statistics.iterations, 0U);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

TEST(Registry, AToyTraversalIsAStructAndALine) {
  const Registry registry(
      {detail::make_structure_entry<detail::Stored<detail::Aabb>,
                                    TypeList<detail::Recursive, ToyTraversal>>()});
  ASSERT_EQ(registry.traversals().size(), 2U);
  EXPECT_EQ(registry.traversals()[1].name, "toy");
  const Mesh knot = make_knot(30, 5);
  const Pose pose = Pose::from_axis_angle({1, 2, 3}, 0.5, {0.3, 0, 0});
  const detail::TandemEngine& toy = registry.find({.structure = 1, .traversal = 2}, pose);
  EXPECT_EQ(toy.overlap.name, "fifteen-axes");
  EXPECT_EQ(pairs_by(toy, knot, knot, pose, "aabb"), collide(Model(knot), Model(knot), pose).pairs);
}

TEST(Registry, AToyVolumeIsAStructAndALine) {
  const Registry registry(
      {detail::make_structure_entry<detail::Stored<Everything>, detail::TandemTraversals>()});
  const Mesh soup = make_soup(40, 3, 0.5);
  const Pose pose = Pose::from_translation({0.1, 0, 0});
  const auto expected = collide(Model(soup), Model(soup), pose).pairs;
  // Every traversal that walks stored volumes walks these.
  EXPECT_EQ(registry.traversals().size(), 12U);
  for (std::size_t traversal = 1; traversal <= registry.traversals().size(); ++traversal) {
    const detail::TandemEngine& engine =
        registry.find({.structure = 1, .traversal = traversal}, pose);
    EXPECT_EQ(pairs_by(engine, soup, soup, pose, "everything"), expected) << engine.traversal.name;
  }
}

/// The names that sources of a folder give with `k_name = "..."`.
std::set<std::string> names_in(const char* folder) {
  std::set<std::string> names;
  const std::regex name("k_name = \"([a-z0-9-]+)\"");
  const std::filesystem::path root = std::filesystem::path(TANDEM_SOURCE_DIR) / "src" / folder;
  for (const auto& file : std::filesystem::recursive_directory_iterator(root)) {
    if (!file.is_regular_file()) continue;
    std::ifstream stream(file.path());
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    for (std::sregex_iterator i(text.begin(), text.end(), name); i != std::sregex_iterator(); ++i) {
      names.insert((*i)[1]);
    }
  }
  return names;
}

template <class Choice>
std::set<std::string> listed_names() {
  std::set<std::string> names;
  for (const Choice choice : Choice::all()) names.emplace(choice.name());
  return names;
}

TEST(Registry, WhatIsWrittenIsListed) {
  std::set<std::string> tandem = names_in("traverse/tandem");
  tandem.merge(names_in("traverse/wide"));
  EXPECT_EQ(tandem, listed_names<Traversal>());
  EXPECT_EQ(names_in("traverse/ray"), listed_names<RayTraversal>());
  EXPECT_EQ(names_in("build"), listed_names<Builder>());
  // Volumes and their overlap tests share a room; k-DOPs are named by their number.
  std::set<std::string> known = listed_names<Structure>();
  known.merge(listed_names<OverlapTest>());
  for (const std::string& name : names_in("volume")) EXPECT_TRUE(known.contains(name)) << name;
  for (const std::string& name : names_in("tree")) EXPECT_TRUE(known.contains(name)) << name;
}

TEST(Registry, EveryNameIsOfItsOwnAndLeadsBack) {
  const auto check = []<class Choice>(Choice) {
    std::set<std::string_view> names;
    for (const Choice choice : Choice::all()) {
      EXPECT_TRUE(names.insert(choice.name()).second) << choice.name();
      EXPECT_EQ(Choice(choice.name()), choice);
      EXPECT_FALSE(choice.description().empty()) << choice.name();
      EXPECT_FALSE(choice.is_automatic());
    }
    EXPECT_EQ(Choice("automatic"), Choice());
    EXPECT_TRUE(Choice().is_automatic());
    EXPECT_EQ(Choice().name(), "automatic");
    EXPECT_THROW(Choice("no such thing"), Error);
  };
  check(Structure());
  check(Traversal());
  check(OverlapTest());
  check(TriangleTest());
  check(RayTraversal());
  check(Builder());
}

TEST(Registry, EveryStructureHasItsDefaultTraversal) {
  for (const detail::StructureEntry& structure : detail::registry().structures()) {
    EXPECT_FALSE(structure.engines.empty() && structure.ray_engines.empty());
    if (structure.engines.empty()) continue;
    EXPECT_TRUE(
        exists(Engine{.structure = structure.info.name, .traversal = structure.default_traversal}))
        << structure.info.name;
  }
}

TEST(Registry, SomeEnginesExistAndSomeDoNot) {
  EXPECT_TRUE(exists(Engine{}));
  EXPECT_TRUE(exists(Engine{.structure = "dop24", .traversal = "stackless"}));
  EXPECT_TRUE(exists(Engine{.structure = "boxtree", .overlap = "lookup"}));
  EXPECT_FALSE(exists(Engine{.structure = "boxtree", .traversal = "stackless"}));
  EXPECT_FALSE(exists(Engine{.structure = "obb-relative", .traversal = "list"}));
  EXPECT_FALSE(exists(Engine{.structure = "aabb", .overlap = "lookup"}));
  EXPECT_FALSE(exists(Engine{.structure = "wide", .traversal = "recursive"}));
  EXPECT_TRUE(exists(RayEngine{.traversal = "compact"}));
  EXPECT_FALSE(exists(RayEngine{.structure = "ray-wide", .traversal = "compact"}));
  EXPECT_TRUE(builds("fast", "wide"));
  EXPECT_FALSE(builds("fast", "aabb"));
  EXPECT_TRUE(builds("median", "dop18"));
}

TEST(Registry, WhatDoesNotGoTogetherIsASentence) {
  const Mesh ball = make_icosphere(1);
  const Model wide(ball);
  const Model boxes(ball, {.structure = "aabb"});
  const Model spheres(ball, {.structure = "sphere"});
  const Model boxtree(ball, {.structure = "boxtree"});
  const Model for_rays(ball, {.structure = "ray-wide"});
  const Pose turned = Pose::from_axis_angle({0, 0, 1}, 0.5);
  const auto error = [&](const Model& a, const Model& b, const Engine& engine) {
    return test::error_of([&] { collide(a, b, turned, {.engine = engine}); });
  };
  EXPECT_EQ(error(boxes, spheres, {}),
            "the models were made for different structures, aabb and sphere; make both for the "
            "same, or name one in the query's engine");
  EXPECT_EQ(error(wide, wide, {.traversal = "stackless"}),
            "the structure wide does not have the traversal stackless, which is for aabb, sphere, "
            "obb, dop6, dop14, dop18, dop24 and dop26; it has blocks");
  EXPECT_EQ(error(spheres, spheres, {.overlap = "six-axes"}),
            "the structure sphere does not have the overlap test six-axes; it has spheres");
  EXPECT_EQ(error(boxes, boxes, {.overlap = "aligned"}),
            "the overlap test aligned is not for this pose: plain intervals, for poses that only "
            "move");
  EXPECT_EQ(error(for_rays, for_rays, {}),
            "the structure ray-wide is not for pairs of models; choose another, such as wide");
  EXPECT_NE(error(boxtree, boxtree, {.traversal = "leaf"}), "");
  EXPECT_THROW(TrailCursor(boxes, spheres, Pose(), "trail"), Error);
  // Any structure that the query names is made for it.
  const auto expected = collide(wide, wide, turned).pairs;
  EXPECT_EQ(collide(boxes, spheres, turned, {.engine = {.structure = "dop14"}}).pairs, expected);
  EXPECT_EQ(collide(boxes, spheres, turned, {.engine = {.traversal = "brute-force"}}).pairs,
            expected);
}

}  // namespace
}  // namespace tandem
