// The public lists of engines: the registry by name.
#include <tandem/engine.h>
#include <tandem/error.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/registry.h"
#include "engine/triangle_tests.h"

namespace tandem {
namespace {

using detail::NameInfo;
using detail::registry;
using detail::StructureEntry;

/// What the kinds are called in messages, and their names.
template <class Kind>
struct NamesOf;
template <>
struct NamesOf<StructureKind> {
  static constexpr const char* k_kind = "structure";
  static std::span<const NameInfo> all() { return registry().structure_names(); }
};
template <>
struct NamesOf<TraversalKind> {
  static constexpr const char* k_kind = "traversal";
  static std::span<const NameInfo> all() { return registry().traversals(); }
};
template <>
struct NamesOf<OverlapTestKind> {
  static constexpr const char* k_kind = "overlap test";
  static std::span<const NameInfo> all() { return registry().overlap_tests(); }
};
template <>
struct NamesOf<TriangleTestKind> {
  static constexpr const char* k_kind = "triangle test";
  static std::span<const NameInfo> all() { return detail::k_triangle_tests; }
};
template <>
struct NamesOf<RayTraversalKind> {
  static constexpr const char* k_kind = "traversal of rays";
  static std::span<const NameInfo> all() { return registry().ray_traversals(); }
};
template <>
struct NamesOf<BuilderKind> {
  static constexpr const char* k_kind = "builder";
  static std::span<const NameInfo> all() { return registry().builders(); }
};

constexpr std::string_view k_automatic = "automatic";

const StructureEntry& entry_of(Structure structure) {
  return registry().structures()[std::max<std::size_t>(structure.index(), 1) - 1];
}

}  // namespace

template <class Kind>
std::uint8_t Named<Kind>::index_of(std::string_view name) {
  if (name == k_automatic) return 0;
  const std::span<const NameInfo> names = NamesOf<Kind>::all();
  std::string known;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].name == name) return static_cast<std::uint8_t>(i + 1);
    known.append(i == 0 ? "" : ", ").append(names[i].name);
  }
  throw Error("there is no " + std::string(NamesOf<Kind>::k_kind) + " called '" +
              std::string(name) + "'; choose one of " + known);
}

template <class Kind>
std::string_view Named<Kind>::name() const {
  return is_automatic() ? k_automatic : NamesOf<Kind>::all()[index_ - 1].name;
}

template <class Kind>
std::string_view Named<Kind>::description() const {
  return is_automatic() ? "what suits the rest best" : NamesOf<Kind>::all()[index_ - 1].description;
}

template <class Kind>
std::span<const Named<Kind>> Named<Kind>::all() {
  static const std::vector<Named> k_all = [] {
    std::vector<Named> all;
    for (const NameInfo& info : NamesOf<Kind>::all()) all.emplace_back(info.name);
    return all;
  }();
  return k_all;
}

template class Named<StructureKind>;
template class Named<TraversalKind>;
template class Named<OverlapTestKind>;
template class Named<TriangleTestKind>;
template class Named<RayTraversalKind>;
template class Named<BuilderKind>;

std::span<const Engine> engines() {
  static const std::vector<Engine> k_engines = [] {
    std::vector<Engine> engines;
    for (const StructureEntry& structure : registry().structures()) {
      for (const detail::TandemEngine& engine : structure.engines) {
        for (const TriangleTest test : TriangleTest::all()) {
          engines.push_back(
              {structure.info.name, engine.traversal.name, engine.overlap.name, test});
        }
      }
    }
    return engines;
  }();
  return k_engines;
}

bool exists(const Engine& engine) {
  return registry().has(engine.structure.index(), engine.traversal.index(), engine.overlap.index());
}

std::span<const RayEngine> ray_engines() {
  static const std::vector<RayEngine> k_engines = [] {
    std::vector<RayEngine> engines;
    for (const StructureEntry& structure : registry().structures()) {
      for (const detail::RayEngineEntry& engine : structure.ray_engines) {
        engines.push_back({structure.info.name, engine.traversal.name});
      }
    }
    return engines;
  }();
  return k_engines;
}

bool exists(const RayEngine& engine) {
  const std::span<const RayEngine> all = ray_engines();
  return std::any_of(all.begin(), all.end(), [&](const RayEngine& one) {
    return (engine.structure.is_automatic() || one.structure == engine.structure) &&
           (engine.traversal.is_automatic() || one.traversal == engine.traversal);
  });
}

bool builds(Builder builder, Structure structure) {
  if (builder.is_automatic()) return true;
  const std::vector<NameInfo>& builders = entry_of(structure).builders;
  return std::any_of(builders.begin(), builders.end(),
                     [&](const NameInfo& info) { return info.name == builder.name(); });
}

std::size_t bytes_per_node(Structure structure) {
  return entry_of(structure).bytes_per_node;
}

CursorKind cursor_kind(Traversal traversal) {
  for (const StructureEntry& structure : registry().structures()) {
    for (const detail::TandemEngine& engine : structure.engines) {
      if (engine.traversal.name == traversal.name()) return engine.cursor;
    }
  }
  return CursorKind::none;
}

std::size_t state_bytes(RayTraversal traversal) {
  for (const StructureEntry& structure : registry().structures()) {
    for (const detail::RayEngineEntry& engine : structure.ray_engines) {
      if (engine.traversal.name == traversal.name()) return engine.state_bytes;
    }
  }
  return 0;
}

}  // namespace tandem
