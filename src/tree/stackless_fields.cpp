#include "tree/stackless_fields.h"

namespace tandem::detail {
std::vector<StacklessFields> stackless_fields(const TreeShape& shape) {
  std::vector<StacklessFields> fields(shape.size());
  if (shape.empty()) return fields;
  fields[0] = {static_cast<std::uint32_t>(shape.size()), 0, 0, 0};
  for (std::uint32_t node = 0; node < shape.size(); ++node) {
    fields[node].escape_index = escape_index(shape, node);
    if (shape[node].is_leaf()) continue;
    // Parents come before their children: this node's own fields are complete.
    const std::uint32_t end = escape_index(shape, node);
    for (std::uint32_t child = node + 1; child != end; child = escape_index(shape, child)) {
      const bool is_right = escape_index(shape, child) == end;
      fields[child].parent = node;
      fields[child].level = static_cast<std::uint8_t>(fields[node].level + 1);
      fields[child].right_child_level =
          is_right ? static_cast<std::uint8_t>(fields[node].right_child_level + 1) : 0;
    }
  }
  return fields;
}

std::vector<std::uint32_t> post_indexed_order(const TreeShape& shape) {
  std::vector<std::uint32_t> order;
  order.reserve(shape.size());
  std::vector<std::uint32_t> waiting;
  if (!shape.empty()) waiting.push_back(0);
  while (!waiting.empty()) {
    const std::uint32_t node = waiting.back();
    waiting.pop_back();
    order.push_back(node);
    if (shape[node].is_leaf()) continue;
    // Pushed from left to right: the right child is the next to be placed.
    const std::uint32_t end = escape_index(shape, node);
    for (std::uint32_t child = node + 1; child != end; child = escape_index(shape, child)) {
      waiting.push_back(child);
    }
  }
  return order;
}

}  // namespace tandem::detail
