// The registry: which structures there are, and which engines each of them has. Names, lists, error
// messages and what goes together all follow from it.
#pragma once

#include <tandem/engine.h>
#include <tandem/pose.h>

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "engine/build_choices.h"
#include "engine/name_info.h"
#include "engine/ray_engine.h"
#include "engine/tandem_engine.h"

namespace tandem::detail {

/// A structure and its engines, types erased.
struct StructureEntry {
  NameInfo info;
  std::size_t bytes_per_node;
  BuildChoices choices;
  std::vector<NameInfo> builders = {};
  std::string_view default_traversal = {};
  std::vector<TandemEngine> engines = {};
  std::vector<RayEngineEntry> ray_engines = {};
};

/// The entry of each structure of engine/structure_list.h, by its position. They are compiled in
/// sources that src/CMakeLists.txt makes of engine/structure_entries.cpp.in.
template <std::size_t position>
StructureEntry structure_entry();

/// Positions of names, counted from 1; 0 leaves the choice to the registry.
struct EngineIndices {
  std::size_t structure = 0;
  std::size_t traversal = 0;
  std::size_t overlap = 0;
};

class Registry {
 public:
  explicit Registry(std::vector<StructureEntry> structures);
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  std::span<const StructureEntry> structures() const { return structures_; }
  std::span<const NameInfo> structure_names() const { return structure_names_; }
  std::span<const NameInfo> traversals() const { return traversals_; }
  std::span<const NameInfo> overlap_tests() const { return overlap_tests_; }
  std::span<const NameInfo> builders() const { return builders_; }
  std::span<const NameInfo> ray_traversals() const { return ray_traversals_; }

  /// The engine with these names, the first that fits the pose where a name is left open; the
  /// structure must be given. Throws `tandem::Error` that says what there is instead.
  const TandemEngine& find(const EngineIndices& names, const Pose& b_in_a) const;

  /// What `find` gives for a structure and no other name, whatever the pose; null where it depends
  /// on the pose, or where the structure has no engines.
  const TandemEngine* usual(std::size_t structure) const {
    const std::span<const TandemEngine> engines = engines_of(structure, 0);
    return engines.empty() || engines.front().fits_pose != nullptr ? nullptr : &engines.front();
  }

  /// The first engine with these names. Throws like `find`.
  const RayEngineEntry& find_ray(std::size_t structure, std::size_t traversal) const;

  /// Whether the structure has the traversal; 0 stands for any.
  bool has(std::size_t structure, std::size_t traversal, std::size_t overlap) const;

 private:
  /// Says what there is instead of an engine that does not exist.
  [[noreturn]] void refuse(const EngineIndices& names) const;

  /// The engines of a structure by traversal: overlap tests of one traversal are next to each
  /// other.
  std::span<const TandemEngine> engines_of(std::size_t structure, std::size_t traversal) const {
    return engines_[(structure - 1) * (traversals_.size() + 1) + traversal];
  }

  std::vector<StructureEntry> structures_;
  std::vector<NameInfo> structure_names_;
  std::vector<NameInfo> traversals_;
  std::vector<NameInfo> overlap_tests_;
  std::vector<NameInfo> builders_;
  std::vector<NameInfo> ray_traversals_;
  /// The engines of each structure and traversal, structure by structure; those of the default
  /// traversal first.
  std::vector<std::span<const TandemEngine>> engines_;
};

/// The library's own.
const Registry& registry();

}  // namespace tandem::detail
