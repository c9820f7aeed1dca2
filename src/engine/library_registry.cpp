// The library's own registry.
#include <cstddef>
#include <utility>

#include "engine/registry.h"

namespace tandem::detail {

const Registry& registry() {
  static const Registry k_registry = []<std::size_t... i>(std::index_sequence<i...>) {
    return Registry({structure_entry<i>()...});
  }
  (std::make_index_sequence<TANDEM_STRUCTURES>());
  return k_registry;
}

}  // namespace tandem::detail
