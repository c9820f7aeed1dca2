// The registry's entry of each structure, by its position in the list. They are compiled in sources
// that src/CMakeLists.txt makes of engine/structure_entries.cpp.in.
#pragma once

#include <cstddef>

#include "engine/registry.h"

namespace tandem::detail {

template <std::size_t position>
StructureEntry structure_entry();

}  // namespace tandem::detail
