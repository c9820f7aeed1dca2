// The registry's entry of a structure, made of its type.
#pragma once

#include "engine/ray_engine_of.h"
#include "engine/registry.h"
#include "engine/tandem_engine_of.h"
#include "math/type_list.h"

namespace tandem::detail {

/// The entry of a structure with these traversals of pairs.
template <class S, class Traversals>
StructureEntry make_structure_entry() {
  StructureEntry entry{
      .info = name_info<S>(), .bytes_per_node = S::k_bytes_per_node, .choices = S::k_choices};
  const auto add_builders = [&]<class... B>(TypeList<B...>) {
    entry.builders = {name_info<B>()...};
  };
  add_builders(typename S::Builders());
  if constexpr (requires { S::k_offers; }) {
    entry.default_traversal = S::k_default_traversal;
    entry.engines = tandem_engines<S>(Traversals());
  }
  if constexpr (requires { typename S::RayTraversals; }) {
    entry.ray_engines = ray_engines<S>(typename S::RayTraversals());
  }
  return entry;
}

}  // namespace tandem::detail
