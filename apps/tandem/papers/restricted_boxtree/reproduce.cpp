// tandem reproduce restricted-boxtree: measures, and prints table 1, figures 1, 6, 8, 9 and 10, and
// comparisons beyond the paper.
#include <tandem/error.h>

#include <algorithm>

#include "measure/findings.h"
#include "papers/restricted_boxtree/restricted_boxtree.h"
#include "text/strings.h"

namespace tandem::cli::restricted_boxtree {

namespace {

constexpr const char* k_objects = "shape:knot:10000,shape:rock:10000,shape:torus:10000";
constexpr const char* k_quick_objects = "shape:knot:1000,shape:rock:1000,shape:torus:1000";
// Figures 6 and 10 always show these too.
constexpr const char* k_always[] = {"sphere", "torus"};
constexpr std::size_t k_query_sizes[] = {2500, 5000, 10'000, 20'000};
constexpr std::size_t k_quick_query_sizes[] = {500, 1000};
constexpr std::size_t k_build_sizes[] = {10'000, 30'000, 100'000, 300'000, 1'000'000};
constexpr std::size_t k_quick_build_sizes[] = {1000, 3000, 10'000};
// Figures 8 and 9 and the comparisons show at most this many objects.
constexpr std::size_t k_most_objects = 2;

constexpr const char* k_introduction =
    R"(Operations are counted by a number type that the overlap tests run on: each addition,
subtraction, multiplication and comparison counts one. Queries: two copies of an object, centred,
the longest side 2; the second turns in 10 steps (4 with --quick) at some distance of the centres.
Times are processor time; those that are compared were measured alternately, and all variants found
the same pairs. Figures 8 and 9: trees by the paper's builder, traversed as in the paper with one
level up. Figure 10 and the comparisons: trees by the surface area heuristic unless the builder is
named, and the traversal list-pairs unless it is named. The paper's own objects are not available,
so others are measured here.
)";

// The first `count` items, or all of them when there are fewer.
template <class Item>
std::span<const Item> first(const std::vector<Item>& items, std::size_t count) {
  return std::span(items).first(std::min(count, items.size()));
}

void check_objects(std::span<const TumblingObject> objects) {
  for (const TumblingObject& object : objects) {
    if (object.mesh.triangle_count() < 2) {
      throw Error("--meshes: " + in_quotes(object.source) +
                  " has a single triangle, so there is no hierarchy to measure");
    }
  }
}

struct FamilySource {
  std::string name;
  std::string source;
};

// The objects, and the sphere and the torus unless they are among them. A built-in shape is called
// by its name without the number of triangles, as a family has several sizes.
std::vector<FamilySource> family_sources(std::span<const TumblingObject> objects) {
  std::vector<FamilySource> sources;
  const auto is_taken = [&](const std::string& name) {
    return std::any_of(sources.begin(), sources.end(),
                       [&](const FamilySource& known) { return known.name == name; });
  };
  const std::string prefix = "shape:";
  for (const TumblingObject& object : objects) {
    std::string name = object.name;
    if (object.source.starts_with(prefix)) {
      const std::string shape = object.source.substr(prefix.size());
      const std::string shape_name = shape.substr(0, shape.find(':'));
      if (!is_taken(shape_name)) name = shape_name;
    }
    sources.push_back({name, object.source});
  }
  for (const std::string name : k_always) {
    if (!is_taken(name)) sources.push_back({name, prefix + name});
  }
  return sources;
}

}  // namespace

void reproduce(const ReproduceOptions& options) {
  const bool quick = options.quick();
  const std::vector<TumblingObject> objects = load_tumbling_objects(
      options.meshes.value_or(quick ? k_quick_objects : k_objects), options.reporting);
  check_objects(objects);
  const std::span<const std::size_t> build_sizes =
      quick ? std::span<const std::size_t>(k_quick_build_sizes) : k_build_sizes;
  const std::span<const std::size_t> query_sizes =
      quick ? std::span<const std::size_t>(k_quick_query_sizes) : k_query_sizes;

  options.report.say(k_introduction);
  Measurements all;
  all.costs = count_operations();
  options.report.say(costs_text(all.costs));

  for (const TumblingObject& object : objects) {
    for (const Builder builder : {"median", "sah", "volume"}) {
      all.empty_spaces.push_back(measure_empty_space(object, builder));
    }
  }
  options.report.say(empty_space_text(all.empty_spaces));

  for (const auto& [name, source] : family_sources(objects)) {
    const std::vector<BuildCurve> curves =
        measure_builds(make_family(name, source, build_sizes, options.reporting), options);
    all.builds.insert(all.builds.end(), curves.begin(), curves.end());
  }
  options.report.say(builds_text(all.builds));

  all.tests = compare_tests(first(objects, k_most_objects), options);
  options.report.say(distances_text(all.tests));

  for (const auto& [name, source] : family_sources(objects)) {
    all.families.push_back(make_family(name, source, query_sizes, options.reporting));
  }
  all.dops = compare_with_dops(all.families, options);
  options.report.say(families_text(all.families, all.dops));

  compare_choices(first(objects, k_most_objects), options, [&](Comparison comparison) {
    options.report.say(choices_text(comparison));
    all.choices.push_back(std::move(comparison));
  });

  const std::vector<std::string> sentences = findings(all);
  options.report.say("\nWhat the paper found, and what holds here\n" + findings_text(sentences) +
                     "\n");
  options.report.plot([&](const WriteChart& write) { draw_charts(all, write); });
  write_paper_json(options, "restricted-boxtree", to_json(all), sentences);
}

}  // namespace tandem::cli::restricted_boxtree
