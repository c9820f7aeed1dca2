// What the user reads of a structure, a traversal, a test or a builder.
#pragma once

#include <string_view>

namespace tandem::detail {

struct NameInfo {
  std::string_view name;
  std::string_view description;
};

template <class T>
constexpr NameInfo name_info() {
  return {T::k_name, T::k_description};
}

}  // namespace tandem::detail
