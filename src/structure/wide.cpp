#include "structure/wide.h"

#include <cassert>

#include "build/wide/builders.h"
#include "build/wide/refit.h"
#include "tree/wide/validate.h"

namespace tandem::detail {

WideStructure Recipe<WideStructure>::make(const Structures& structures, const Progress& progress) {
  const Mesh& mesh = structures.mesh();
  const BuildPlan plan = structures.plan_for(WideTree::k_name);
  const auto build = plan.builder == WideFast::k_name ? WideFast::build : WideBest::build;
  WideTree tree = build(mesh, plan.threads, progress);
  assert(validate_wide(mesh, tree).empty());
  return WideStructure(std::move(tree));
}

WideStructure Refit<WideStructure>::refit(const WideStructure& older, const Structures& now) {
  WideTree tree = refit_wide(older.tree(), now.mesh());
  assert(validate_wide(now.mesh(), tree).empty());
  return WideStructure(std::move(tree));
}

double Refit<WideStructure>::cost(const WideStructure& structure, const Mesh&) {
  return wide_cost(structure.tree());
}

}  // namespace tandem::detail
