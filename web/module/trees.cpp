// What is inside, for those who want to see it: the boxes of a level of a tree, and the steps of a
// traversal of two.
#include <tandem/model.h>

#include <algorithm>

#include "exports.h"
#include "geometry/triangle_test.h"
#include "math/transform.h"
#include "query/model_access.h"
#include "structure/stored.h"
#include "traverse/observer.h"
#include "traverse/tandem/descent.h"
#include "traverse/tandem/recursive.h"
#include "volume/aabb_overlap.h"

namespace {

using namespace tandem;
using namespace tandem::detail;
using js::results;

TreeView<Aabb> tree_of(const Model& model) {
  return structures_of(model).get<Tree<Aabb>>().view();
}

void put(const Aabb& box) {
  results.add(Vec3d(box.lower));
  results.add(Vec3d(box.upper));
}

/// The nodes of that level, and the leaves above it.
void put_boxes(const TreeView<Aabb>& tree, std::uint32_t node, int levels) {
  if (levels == 0 || tree.is_leaf(node)) {
    put(tree.volume(node));
    return;
  }
  for_each_child(tree, node, [&](std::uint32_t child) {
    put_boxes(tree, child, levels - 1);
    return Flow::go_on;
  });
}

/// What came of a pair of nodes.
enum class Outcome : std::uint32_t { apart, overlap, leaves_apart, triangles_touch };

/// Writes down the pairs of nodes in the order in which a traversal visits them.
class Recorder : public NullObserver {
 public:
  explicit Recorder(std::size_t most) : most_(most) {}

  void iteration(std::uint32_t a, std::uint32_t b) {
    ++count_;
    if (!has_room()) return;
    results.numbers.insert(results.numbers.end(),
                           {a, b, static_cast<std::uint32_t>(Outcome::apart)});
  }
  void overlap() { set(Outcome::overlap); }
  void leaves(bool touch) { set(touch ? Outcome::triangles_touch : Outcome::leaves_apart); }
  bool has_room() const { return count_ <= most_; }

 private:
  void set(Outcome outcome) {
    if (has_room()) results.numbers.back() = static_cast<std::uint32_t>(outcome);
  }

  std::size_t most_;
  std::size_t count_ = 0;
};

}  // namespace

/// Leaves six numbers for each box.
TANDEM_JS(boxes) void js_boxes(const Model* model, int level) {
  results.clear();
  const TreeView<Aabb> tree = tree_of(*model);
  if (!tree.empty()) put_boxes(tree, 0, level);
}

namespace tandem::js {

void put_trace(const Model& a, const Model& b, const Pose& pose, std::size_t most) {
  results.clear();
  const TreeView<Aabb> tree_a = tree_of(a);
  const TreeView<Aabb> tree_b = tree_of(b);
  if (tree_a.empty() || tree_b.empty()) return;
  const FifteenAxisAabbOverlap overlap(pose, tree_a.volume(0), tree_b.volume(0));
  Recorder recorder(most);
  const auto leaf_pair = [&](std::uint32_t of_a, std::uint32_t of_b) {
    const bool touch = test_triangles(widen(a.mesh().triangle(of_a)),
                                      transform_triangle(pose, b.mesh().triangle(of_b)))
                           .intersects;
    recorder.leaves(touch);
    return recorder.has_room() ? Flow::go_on : Flow::stop;
  };
  traverse_recursive(PairDescent(tree_a, tree_b, overlap, recorder), leaf_pair, recorder);
  for (std::size_t i = 0; i < results.numbers.size(); i += 3) {
    put(tree_a.volume(results.numbers[i]));
    put(tree_b.volume(results.numbers[i + 1]));
  }
}

}  // namespace tandem::js

/// Leaves node of A, node of B and outcome of the first pairs that the recursive traversal of two
/// trees of boxes visits, at most as many as asked for, and the boxes of both nodes.
TANDEM_JS(trace)
void js_trace(const Model* a, const Model* b, const double* b_in_a, std::size_t most) {
  js::put_trace(*a, *b, js::pose_at(b_in_a), most);
}
