#include "structure/shape.h"

#include <algorithm>

#include "build/builders.h"
#include "math/type_list.h"

namespace tandem::detail {
namespace {

/// By the first of the builders when none is named.
template <class First, class... Others>
TreeShape build_binary(TypeList<First, Others...>, const Mesh& mesh, std::string_view name,
                       const Progress& progress) {
  TreeShape shape;
  const auto build_if_named = [&]<class B>(TypeList<B>) {
    if (B::k_name != name) return false;
    shape = B::build(mesh, progress);
    return true;
  };
  const bool named =
      (build_if_named(TypeList<First>()) || ... || build_if_named(TypeList<Others>()));
  return named ? shape : First::build(mesh, progress);
}

}  // namespace

TreeShape build_shape(const Mesh& mesh, const BuildPlan& plan, const Progress& progress) {
  return collapse(mesh, build_binary(BinaryBuilders(), mesh, plan.builder, progress),
                  std::max(2, plan.arity));
}

}  // namespace tandem::detail
