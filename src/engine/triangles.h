// No structure at all: the triangles themselves, for brute force.
#pragma once

#include <cstddef>
#include <string_view>

#include "engine/build_choices.h"
#include "engine/tandem_engine.h"
#include "math/type_list.h"
#include "structure/structures.h"
#include "traverse/ray/brute_force.h"
#include "traverse/tandem/brute_force.h"
#include "traverse/tandem/offer.h"

namespace tandem::detail {

/// Pairs of triangles are not told apart by anything but the triangle test.
struct NoOverlapTest {
  static constexpr std::string_view k_name = "none";
  static constexpr std::string_view k_description = "no test of nodes";
};

struct Triangles {
  static constexpr std::string_view k_name = "triangles";
  static constexpr std::string_view k_description = "no structure: the triangles themselves";
  static constexpr std::size_t k_bytes_per_node = 0;
  using Builders = TypeList<>;
  static constexpr BuildChoices k_choices{};
  static constexpr Offer k_offers = Offer::triangles;
  static constexpr std::string_view k_default_traversal = BruteForce::k_name;
  using OverlapTests = TypeList<NoOverlapTest>;

  template <class Test>
  class Trees {
   public:
    explicit Trees(const TandemQuery& query) : a_(query.a.mesh()), b_(query.b.mesh()) {}

    int arity() const { return 1; }
    const Mesh& mesh_a() const { return a_; }
    const Mesh& mesh_b() const { return b_; }

   private:
    const Mesh& a_;
    const Mesh& b_;
  };

  static void prepare(const Structures&, Offer, const Progress&) {}

  using RayTraversals = TypeList<RayBruteForce>;

  struct Tracer {
    const Mesh& mesh;

    template <class Observer>
    Flow operator()(RayQuery& query, Observer& observer) const {
      return RayBruteForce::trace(mesh, query, observer);
    }
  };

  template <class>
  static Tracer tracer(const Structures& structures, const Progress&) {
    return {structures.mesh()};
  }
};

}  // namespace tandem::detail
