// Every triangle: the reference for all traversals of rays.
#pragma once

#include <tandem/mesh.h>
#include <tandem/sink.h>

#include <cstdint>
#include <string_view>

namespace tandem::detail {

struct RayBruteForce {
  static constexpr std::string_view k_name = "brute-force";
  static constexpr std::string_view k_description = "every triangle: the reference";

  template <class Query, class Observer>
  static Flow trace(const Mesh& mesh, Query& query, Observer& observer) {
    for (std::uint32_t id = 0; id < mesh.triangle_count(); ++id) {
      observer.triangle_test(id);
      if (query.test(id, mesh.triangle(id)) == Flow::stop) return Flow::stop;
    }
    return Flow::go_on;
  }
};

}  // namespace tandem::detail
