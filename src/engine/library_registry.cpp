// The library's own registry.
#include <utility>

#include "engine/registry.h"
#include "engine/structure_entry.h"
#include "engine/structure_list.h"

namespace tandem::detail {

const Registry& registry() {
  static const Registry k_registry = []<std::size_t... i>(std::index_sequence<i...>) {
    return Registry({structure_entry<i>()...});
  }
  (std::make_index_sequence<StructureList::k_size>());
  return k_registry;
}

}  // namespace tandem::detail
