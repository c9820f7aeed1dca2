#include "structure/wide.h"

#include <cassert>

#include "build/wide/builders.h"
#include "tree/wide/validate.h"

namespace tandem::detail {

WideStructure Recipe<WideStructure>::make(const Structures& structures, const Progress& progress) {
  const Mesh& mesh = structures.mesh();
  const bool fast = structures.plan_for(WideTree::k_name).builder == WideFast::k_name;
  WideTree tree = fast ? WideFast::build(mesh, progress) : WideBest::build(mesh, progress);
  assert(validate_wide(mesh, tree).empty());
  return WideStructure(std::move(tree));
}

}  // namespace tandem::detail
