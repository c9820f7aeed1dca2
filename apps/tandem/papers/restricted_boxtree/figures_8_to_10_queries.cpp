// Figures 8 to 10 of the restricted boxtree paper and what goes beyond it: variants of hierarchies
// and overlap tests on the tumble protocol.
#include <algorithm>

#include "options/named_choices.h"
#include "papers/restricted_boxtree/restricted_boxtree.h"
#include "text/numbers.h"

namespace tandem::cli::restricted_boxtree {

namespace {

using tumble_bench::Combination;

// At larger distances most objects of side 2 do not touch.
const std::vector<double> k_distances = {0.4, 0.7, 1, 1.3, 1.6, 1.9, 2.2};
const std::vector<double> k_quick_distances = {0.6, 1.4};
// As they occur in practice: the objects touch, but are not inside each other.
const std::vector<double> k_practical_distances = {0.8, 1.2, 1.6};
// Much contact and little.
const std::vector<double> k_choice_distances = {0.6, 1.2};
const std::vector<double> k_little_contact = {1.2};

// The paper's traversal descends both trees at once and does the work for one node at its parent.
// The list traversal with siblings of B is faster in most cases.
const Traversal k_as_in_the_paper = "one-level-up";
const Traversal k_fastest = "list-pairs";

Combination combination(const BuildOptions& build, Traversal traversal, OverlapTest test = {}) {
  return {traversal, test, build};
}

void measure(Comparison& comparison, const TumblingObject& object,
             const std::vector<double>& distances, const ReproduceOptions& options) {
  tumble_bench::Plan plan{
      .combinations = {},
      .distances = distances,
      .steps = options.quick() ? 4 : 10,
      .timing = {.round_s = 0.002, .max_rounds = options.quick() ? 1 : 3, .max_task_s = 2},
      .reporting = options.reporting};
  for (const Variant& variant : comparison.variants) {
    plan.combinations.push_back(variant.combination);
  }
  tumble_bench::measure(object, plan, [&](tumble_bench::Measurement measurement) {
    comparison.measurements.push_back(std::move(measurement));
  });
}

Comparison layouts() {
  Comparison result{"layouts", "Layouts, trims and leaf sizes", {}, {}};
  const auto add = [&](const std::string& name, const BuildOptions& build) {
    result.variants.push_back({name, combination(build, k_fastest)});
  };
  add("boxtree, 9 bytes per node", {.structure = "boxtree"});
  for (const double trim : {1.0, 0.1}) {
    const std::string trimmed = trim < 1 ? ", trimmed" : "";
    add("two planes" + trimmed, {.structure = "boxtree-two-planes", .boxtree = {.trim = trim}});
  }
  for (const double trim : {1.0, 0.1}) {
    const std::string trimmed = trim < 1 ? ", trimmed" : "";
    for (const int size : {1, 2, 4, 8, 16}) {
      add("packed, " + counted(static_cast<std::uint64_t>(size), "triangle", "triangles") +
              " per leaf" + trimmed,
          {.structure = "boxtree-packed", .boxtree = {.leaf_size = size, .trim = trim}});
    }
  }
  return result;
}

Comparison planes() {
  Comparison result{"planes", "Siblings' planes along any axes, and along the same one", {}, {}};
  for (const Builder builder : {"sah", "volume"}) {
    for (const bool parallel : {false, true}) {
      result.variants.push_back({(parallel ? "parallel, " : "free, ") + name_of(builder),
                                 combination({.structure = "boxtree",
                                              .builder = builder,
                                              .boxtree = {.parallel_planes = parallel}},
                                             k_fastest)});
    }
  }
  return result;
}

Comparison arities() {
  Comparison result{"arities", "Children of a node, with little contact", {}, {}};
  for (const int arity : {2, 3, 4, 8}) {
    result.variants.push_back({"up to " + std::to_string(arity),
                               combination({.structure = "boxtree", .arity = arity}, k_fastest)});
  }
  return result;
}

Comparison builders_of(Structure structure) {
  const std::string name = name_of(structure);
  Comparison result{"builders of " + name, "Builders of " + name, {}, {}};
  const auto add = [&](Builder builder) {
    result.variants.push_back(
        {name_of(builder), combination({.structure = structure, .builder = builder}, k_fastest)});
  };
  for (const Builder builder : Builder::all()) {
    if (builds(builder, structure)) add(builder);
  }
  return result;
}

}  // namespace

Comparison compare_tests(std::span<const TumblingObject> objects, const ReproduceOptions& options) {
  Comparison result{"figure 9", "The overlap tests of boxtrees", {}, {}};
  const BuildOptions build{.structure = "boxtree", .builder = "volume"};
  for (const OverlapTest test : {"six-axes", "realigned", "lookup", "fifteen-axes"}) {
    result.variants.push_back({name_of(test), combination(build, k_as_in_the_paper, test)});
  }
  for (const TumblingObject& object : objects) {
    measure(result, object, options.quick() ? k_quick_distances : k_distances, options);
  }
  return result;
}

Comparison compare_with_dops(std::span<const Family> families, const ReproduceOptions& options) {
  Comparison result{"figure 10", "Boxtrees and 24-DOP trees", {}, {}};
  for (const Traversal traversal : {k_as_in_the_paper, k_fastest}) {
    for (const Structure structure : {"dop24", "boxtree", "boxtree-packed"}) {
      result.variants.push_back({name_of(structure) + ", " + name_of(traversal),
                                 combination({.structure = structure}, traversal)});
    }
  }
  for (const Family& family : families) {
    for (const TumblingObject& object : family.sizes) {
      measure(result, object, options.quick() ? k_little_contact : k_practical_distances, options);
    }
  }
  return result;
}

void compare_choices(std::span<const TumblingObject> objects, const ReproduceOptions& options,
                     const std::function<void(Comparison)>& done) {
  std::vector<Comparison> choices = {layouts(), planes(), arities()};
  for (const Structure structure : {"boxtree", "aabb", "obb", "dop24"}) {
    choices.push_back(builders_of(structure));
  }
  for (Comparison& comparison : choices) {
    // Nodes with many children cull so little that more contact would take minutes.
    const bool little = options.quick() || comparison.key == "arities";
    for (const TumblingObject& object : objects) {
      measure(comparison, object, little ? k_little_contact : k_choice_distances, options);
    }
    done(std::move(comparison));
  }
}

}  // namespace tandem::cli::restricted_boxtree
