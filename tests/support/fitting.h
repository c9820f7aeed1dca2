// Build options that fit a structure, and engines for tests to draw.
#pragma once

#include <tandem/model.h>

#include <string>
#include <string_view>
#include <vector>

#include "math/random.h"

namespace tandem::test {

/// "aabb, stackless, fifteen-axes, exact".
inline std::string name_of(const Engine& engine) {
  std::string text;
  for (const std::string_view name : {engine.structure.name(), engine.traversal.name(),
                                      engine.overlap.name(), engine.triangle_test.name()}) {
    text.append(text.empty() ? "" : ", ").append(name);
  }
  return text;
}

/// A name that GoogleTest accepts as part of a test's.
inline std::string test_name(std::string_view name) {
  std::string text(name);
  for (char& c : text) {
    if (c == '-') c = '_';
  }
  return text;
}

/// All engines with the exact triangle test: those that return the brute-force set.
inline std::vector<Engine> exact_engines() {
  std::vector<Engine> result;
  for (const Engine& engine : engines()) {
    if (engine.triangle_test == TriangleTest("exact")) result.push_back(engine);
  }
  return result;
}

/// The structures that pairs of models can be queried with.
inline std::vector<Structure> tandem_structures() {
  std::vector<Structure> result;
  for (const Structure structure : Structure::all()) {
    if (exists(Engine{.structure = structure})) result.push_back(structure);
  }
  return result;
}

/// The first structure that has the traversal.
inline Structure structure_for(Traversal traversal) {
  for (const Structure structure : Structure::all()) {
    if (exists(Engine{.structure = structure, .traversal = traversal})) return structure;
  }
  return {};
}

/// The builders of binary trees.
inline std::vector<std::string_view> binary_builder_names() {
  std::vector<std::string_view> names;
  for (const Builder builder : Builder::all()) {
    if (builds(builder, "aabb")) names.push_back(builder.name());
  }
  return names;
}

/// A builder of that structure, an arity of at most `most` and whatever else it has, at random.
inline BuildOptions draw_options(Structure structure, int most, detail::Random& random) {
  std::vector<Builder> fitting = {Builder()};
  for (const Builder builder : Builder::all()) {
    if (builds(builder, structure)) fitting.push_back(builder);
  }
  BuildOptions options{.structure = structure, .builder = fitting[random.below(fitting.size())]};
  const std::string_view name = structure.name();
  if (name == "boxtree-two-planes" || name == "boxtree-packed") {
    options.boxtree.leaf_size = static_cast<int>(random.below(10));
    options.boxtree.trim = random.below(2) == 0 ? options.boxtree.trim : random.uniform(0, 1);
  } else if (fitting.size() > 1 && name != "wide" && !name.starts_with("ray-")) {
    options.arity = 2 + static_cast<int>(random.below(most - 1));
  }
  if (name.starts_with("boxtree")) options.boxtree.parallel_planes = random.below(2) == 0;
  return options;
}

}  // namespace tandem::test
