#include "engine/registry.h"

#include <tandem/error.h>

#include <algorithm>
#include <string>
#include <utility>

namespace tandem::detail {
namespace {

/// Where a name stands, counted from 1; 0 when it is not there.
std::size_t position_of(std::span<const NameInfo> names, std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].name == name) return i + 1;
  }
  return 0;
}

void add_once(std::vector<NameInfo>& names, const NameInfo& info) {
  if (position_of(names, info.name) == 0) names.push_back(info);
}

std::string_view name_of(const NameInfo& info) {
  return info.name;
}

/// "one, two and three", each once; `last` is the word before the last one.
template <class Items, class NameOf>
std::string listed(const Items& items, const std::string& last, NameOf name_of) {
  std::vector<std::string_view> names;
  for (const auto& item : items) {
    const std::string_view name = name_of(item);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " " + last + " " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace

Registry::Registry(std::vector<StructureEntry> structures) : structures_(std::move(structures)) {
  for (const StructureEntry& structure : structures_) {
    structure_names_.push_back(structure.info);
    for (const NameInfo& builder : structure.builders) add_once(builders_, builder);
    for (const TandemEngine& engine : structure.engines) {
      add_once(traversals_, engine.traversal);
      add_once(overlap_tests_, engine.overlap);
    }
    for (const RayEngineEntry& engine : structure.ray_engines) {
      add_once(ray_traversals_, engine.traversal);
    }
  }
  for (const StructureEntry& structure : structures_) {
    std::vector<std::span<const TandemEngine>> of_traversal(traversals_.size() + 1);
    for (std::size_t begin = 0, end = 0; begin < structure.engines.size(); begin = end) {
      const std::string_view traversal = structure.engines[begin].traversal.name;
      while (end < structure.engines.size() && structure.engines[end].traversal.name == traversal) {
        ++end;
      }
      of_traversal[position_of(traversals_, traversal)] =
          std::span(structure.engines).subspan(begin, end - begin);
    }
    of_traversal[0] = of_traversal[position_of(traversals_, structure.default_traversal)];
    engines_.insert(engines_.end(), of_traversal.begin(), of_traversal.end());
  }
}

const TandemEngine& Registry::find(const EngineIndices& names, const Pose& b_in_a) const {
  const std::span<const TandemEngine> engines = engines_of(names.structure, names.traversal);
  if (names.overlap == 0) {
    for (const TandemEngine& engine : engines) {
      if (engine.fits(b_in_a)) return engine;
    }
    refuse(names);
  }
  const std::string_view overlap = overlap_tests_[names.overlap - 1].name;
  for (const TandemEngine& engine : engines) {
    if (engine.overlap.name != overlap) continue;
    if (engine.fits(b_in_a)) return engine;
    throw Error("the overlap test " + std::string(overlap) +
                " is not for this pose: " + std::string(engine.overlap.description));
  }
  refuse(names);
}

void Registry::refuse(const EngineIndices& names) const {
  const std::span<const TandemEngine> engines = engines_of(names.structure, names.traversal);
  const StructureEntry& structure = structures_[names.structure - 1];
  const std::string subject = "the structure " + std::string(structure.info.name);
  if (structure.engines.empty()) {
    throw Error(subject + " is not for pairs of models; choose another, such as " +
                std::string(structure_names_[0].name));
  }
  if (engines.empty()) {
    std::vector<NameInfo> others;
    for (std::size_t i = 0; i < structures_.size(); ++i) {
      if (!engines_of(i + 1, names.traversal).empty()) others.push_back(structures_[i].info);
    }
    throw Error(
        subject + " does not have the traversal " +
        std::string(traversals_[names.traversal - 1].name) + ", which is for " +
        listed(others, "and", name_of) + "; it has " +
        listed(structure.engines, "and", [](const TandemEngine& e) { return e.traversal.name; }));
  }
  throw Error(subject + " does not have the overlap test " +
              std::string(overlap_tests_[names.overlap - 1].name) + "; it has " +
              listed(engines, "and", [](const TandemEngine& e) { return e.overlap.name; }));
}

const RayEngineEntry& Registry::find_ray(std::size_t structure, std::size_t traversal) const {
  const std::string_view name =
      traversal == 0 ? std::string_view() : ray_traversals_[traversal - 1].name;
  for (std::size_t i = 0; i < structures_.size(); ++i) {
    if (structure != 0 && i + 1 != structure) continue;
    for (const RayEngineEntry& engine : structures_[i].ray_engines) {
      if (traversal == 0 || engine.traversal.name == name) return engine;
    }
  }
  // Every traversal is one of some structure, so the structure was named.
  const StructureEntry& named = structures_[structure - 1];
  const std::string subject = "the structure " + std::string(named.info.name);
  if (named.ray_engines.empty()) {
    std::vector<NameInfo> others;
    for (const StructureEntry& other : structures_) {
      if (!other.ray_engines.empty()) others.push_back(other.info);
    }
    throw Error(subject + " is not for rays; choose " + listed(others, "or", name_of));
  }
  throw Error(
      subject + " does not have the traversal " + std::string(name) + "; it has " +
      listed(named.ray_engines, "and", [](const RayEngineEntry& e) { return e.traversal.name; }));
}

bool Registry::has(std::size_t structure, std::size_t traversal, std::size_t overlap) const {
  for (std::size_t i = 1; i <= structures_.size(); ++i) {
    if (structure != 0 && i != structure) continue;
    for (const TandemEngine& engine : structures_[i - 1].engines) {
      if (traversal != 0 && engine.traversal.name != traversals_[traversal - 1].name) continue;
      if (overlap != 0 && engine.overlap.name != overlap_tests_[overlap - 1].name) continue;
      return true;
    }
  }
  return false;
}

}  // namespace tandem::detail
