// What the shapes are made of: checks of their arguments, squares and fans of triangles.
#pragma once

#include <tandem/error.h>
#include <tandem/mesh.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace tandem::detail {

inline void check_parts(int parts, int minimum, const char* what) {
  if (parts < minimum) {
    throw Error(std::string(what) + " must be at least " + std::to_string(minimum) + ", not " +
                std::to_string(parts));
  }
}

inline void check_length(double length, const char* what) {
  if (!std::isfinite(length) || length <= 0) {
    throw Error(std::string(what) + " must be positive and finite, not " + std::to_string(length));
  }
}

/// `per_square` triangles for each of a × b squares, checked before anything is allocated.
inline void check_size(std::uint64_t per_square, int a, int b) {
  const std::uint64_t squares = static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b);
  if (squares > Mesh::k_max_elements / per_square) {
    throw Error("the shape would have more than " + std::to_string(Mesh::k_max_elements) +
                " triangles");
  }
}

/// Two triangles for the square with the corners a, b, c, d in order.
inline void add_square(std::vector<TriangleIndices>& triangles, std::uint32_t a, std::uint32_t b,
                       std::uint32_t c, std::uint32_t d) {
  triangles.push_back({a, b, c});
  triangles.push_back({a, c, d});
}

}  // namespace tandem::detail
