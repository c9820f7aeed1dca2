// The registry's entry of each structure, by its position in the list. Each is compiled in a source
// of its own, which src/CMakeLists.txt makes of engine/structure_entry.cpp.in.
#pragma once

#include <cstddef>

#include "engine/registry.h"

namespace tandem::detail {

template <std::size_t position>
StructureEntry structure_entry();

}  // namespace tandem::detail
