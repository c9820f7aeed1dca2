// What a caller can choose when a structure is built.
#pragma once

namespace tandem::detail {

struct BuildChoices {
  /// The most children per node: from 2 to 16, one number, or none where both are 0.
  int least_arity = 0;
  int most_arity = 0;
  /// Whether it has the options of boxtrees, and the number of triangles per leaf among them.
  bool boxtree = false;
  bool leaf_size = false;
};

inline constexpr BuildChoices k_any_arity{.least_arity = 2, .most_arity = 16};

}  // namespace tandem::detail
