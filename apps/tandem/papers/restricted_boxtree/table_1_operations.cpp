// Table 1 of the restricted boxtree paper. It runs the library's overlap tests on numbers that
// count their operations, so this file includes internal headers of the library.
#include <tandem/error.h>

#include <algorithm>

#include "math/counted.h"
#include "options/named_choices.h"
#include "papers/restricted_boxtree/restricted_boxtree.h"
#include "volume/aabb_overlap.h"
#include "volume/kdop.h"
#include "volume/obb.h"
#include "volume/relative_obb_overlap.h"
#include "volume/restricted_overlap.h"
#include "volume/sphere.h"

namespace tandem::cli::restricted_boxtree {

namespace {

using detail::Aabb;
using detail::Counted;
using detail::Cut;

// A pose that does not turn around an axis of the boxes.
Pose pose() {
  return Pose::from_axis_angle({1, 2, 3}, 0.5, {0.1, 0, 0});
}

// Does the work and returns the number of operations.
template <class Work>
long operations_of(Work work) {
  const long before = Counted::operation_count;
  work();
  return Counted::operation_count - before;
}

void expect_overlap(bool overlap) {
  if (!overlap) throw Error("a pair that overlaps was not found: this is a bug in Tandem");
}

// Two boxes that overlap, each of which has just been cut at one of its sides: the most operations
// over all cuts.
template <class Test>
NodeCost restricted(std::string_view test_name, OverlapTest overlap, std::optional<int> paper) {
  const Aabb root{{-1, -1, -1}, {1, 1, 1}};
  const Test test(pose(), root, root);
  NodeCost most{"restricted boxtree", test_name, "boxtree", overlap, 0, 0, 0, 0, 9, paper};
  most.bytes_per_node = bytes_per_node(most.structure);
  for (int i = 0; i < 36; ++i) {
    const Cut cut_a{i % 3, i / 3 % 2, -0.75};
    const Cut cut_b{i / 6 % 3, i / 18, -0.75};
    typename Test::BoxA a = test.root_a();
    typename Test::BoxB b = test.root_b();
    NodeCost cost = most;
    cost.node_a = operations_of([&] { test.cut_a(a, cut_a); });
    cost.node_b = operations_of([&] { test.cut_b(b, cut_b); });
    cost.pair = operations_of([&] { expect_overlap(test.meets(a, b)); });
    if (cost.operations() > most.operations()) most = cost;
  }
  return most;
}

template <class Test, class V>
NodeCost stored(std::string_view title, std::string_view test_name, Structure structure,
                OverlapTest overlap, int paper_bytes, int paper_operations) {
  const std::vector<Vec3f> points = {{0, 0, 0}, {1, 0.5F, 0.25F}, {0.25F, 1, 0.5F}};
  const V enclosing = V::fit(points);
  const Test test(pose(), enclosing, enclosing);
  typename Test::Tumbled tumbled{};
  const long node_b = operations_of([&] { tumbled = test.tumble(enclosing); });
  const long pair = operations_of([&] { expect_overlap(test(enclosing, tumbled)); });
  return {title, test_name, structure, overlap,     bytes_per_node(structure),
          0,     node_b,    pair,      paper_bytes, paper_operations};
}

// Oriented boxes whose relative place is passed down: all operations depend on the pair.
NodeCost relative() {
  const std::vector<Vec3f> points = {{0, 0, 0}, {1, 0.5F, 0.25F}, {0.25F, 1, 0.5F}};
  const detail::Obb box = detail::Obb::fit(points);
  const detail::Obb child{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}, box.half};
  const detail::RelativePlace<Counted> place(pose(), box, box);
  const auto pair = [&](const auto& step_down) {
    return operations_of([&] { expect_overlap(step_down().overlap(box, child)); });
  };
  const long most = std::max(pair([&] { return place.down_a(child); }),
                             pair([&] { return place.down_b(child); }));
  const Structure structure = "obb-relative";
  return {"OBB tree",
          "separating axes, relative boxes",
          structure,
          {},
          bytes_per_node(structure),
          0,
          0,
          most,
          64,
          243};
}

}  // namespace

std::vector<NodeCost> count_operations() {
  using namespace detail;
  return {
      restricted<RestrictedAlignment<Counted>>("axis alignment", "realigned", 12),
      restricted<RestrictedLookup<Counted>>("lookup tables", "lookup", std::nullopt),
      restricted<RestrictedSatLite<Counted>>("SAT lite", "six-axes", 24),
      restricted<RestrictedSat<Counted>>("separating axes", "fifteen-axes", 82),
      stored<SphereOverlap<Counted>, Sphere>("sphere tree", "distance", "sphere", {}, 16, 29),
      stored<SixAxisAabbOverlap<Counted>, Aabb>("AABB tree", "six axes", "aabb", "six-axes", 28,
                                                90),
      stored<ObbOverlap<Counted>, Obb>("OBB tree", "separating axes", "obb", {}, 64, 243),
      relative(),
      stored<KdopOverlap<24, Counted>, Kdop<24>>("24-DOP tree", "intervals", "dop24", {}, 100, 168),
  };
}

}  // namespace tandem::cli::restricted_boxtree
