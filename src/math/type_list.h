// A list of types: what the library can choose from at run time (structures, traversals, overlap
// tests, builders), named once.
#pragma once

#include <cstddef>

namespace tandem::detail {

template <class... T>
struct TypeList {
  static constexpr std::size_t k_size = sizeof...(T);
};

namespace type_list {
template <std::size_t position, class List>
struct At;
template <class First, class... Others>
struct At<0, TypeList<First, Others...>> {
  using Type = First;
};
template <std::size_t position, class First, class... Others>
struct At<position, TypeList<First, Others...>> : At<position - 1, TypeList<Others...>> {};
}  // namespace type_list

/// The type at a position, counted from 0.
template <std::size_t position, class List>
using TypeAt = typename type_list::At<position, List>::Type;

}  // namespace tandem::detail
