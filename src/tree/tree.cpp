#include "tree/tree.h"

#include <algorithm>

namespace tandem::detail {
namespace {

/// Calls `visit(node, child_count)` for each inner node, parents first.
template <class Visit>
void for_each_inner_node(const TreeShape& shape, Visit visit) {
  for (std::uint32_t node = 0; node < shape.size(); ++node) {
    if (shape[node].is_leaf()) continue;
    std::uint32_t child_count = 0;
    for (std::uint32_t child = node + 1; child != shape[node].index();
         child = escape_index(shape, child)) {
      ++child_count;
    }
    visit(node, child_count);
  }
}

}  // namespace

std::uint32_t sibling_bound(const TreeShape& shape) {
  // To the right of a node wait its later siblings and whatever waits to the right of its parent.
  std::vector<std::uint32_t> waiting(shape.size(), 0);
  std::uint32_t most = 0;
  for_each_inner_node(shape, [&](std::uint32_t node, std::uint32_t child_count) {
    for (std::uint32_t child = node + 1; child != shape[node].index();
         child = escape_index(shape, child)) {
      waiting[child] = waiting[node] + --child_count;
      most = std::max(most, waiting[child]);
    }
  });
  return most;
}

int arity(const TreeShape& shape) {
  std::uint32_t most = 1;
  for_each_inner_node(
      shape, [&](std::uint32_t, std::uint32_t child_count) { most = std::max(most, child_count); });
  return static_cast<int>(most);
}

}  // namespace tandem::detail
