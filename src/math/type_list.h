// A list of types: what the library can choose from at run time (overlap tests, builders), named
// once.
#pragma once

#include <cstddef>

namespace tandem::detail {

template <class... T>
struct TypeList {
  static constexpr std::size_t k_size = sizeof...(T);
};

}  // namespace tandem::detail
