#include "build/wide/support.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/float4.h"
#include "parallel/parallel_for.h"

namespace tandem::detail {
namespace {

/// The farthest corner in one direction after another.
class FarthestCorner {
 public:
  explicit FarthestCorner(const WideTree& tree)
      : tree_(tree), corner_(corner_at(tree.corners[0].value)) {}

  /// How far the mesh reaches in a direction, from the origin of the tree's coordinates.
  double operator()(const Vec3d& direction) {
    direction_ = direction;
    // The corner that was farthest in the last direction is a good start.
    reach_ = dot(direction, corner_);
    for (int k = 0; k < 3; ++k) {
      along_[k] = float4(static_cast<float>(direction[k]));
      across_[k] = float4(static_cast<float>(std::fabs(direction[k])));
    }
    visit(0, 0);
    return reach_;
  }

 private:
  static Vec3d corner_at(const float* values) { return {values[0], values[1], values[2]}; }

  void visit(int level, std::uint32_t index) {
    const NodeBlock& block = tree_.blocks[tree_.level_begin[level] + index];
    // Boxes are larger than what they enclose by more than these sums can be off: the products are
    // exact, and five additions round by at most 30 u e.
    Float4 bound = float4(0);
    for (int k = 0; k < 3; ++k) {
      bound += along_[k] * load4(block.centre[k]) + across_[k] * load4(block.half[k]);
    }
    for (std::uint32_t visits = 0; visits < block.child_count; ++visits) {
      std::uint32_t farthest = 0;
      for (std::uint32_t lane = 1; lane < block.child_count; ++lane) {
        if (bound[lane] > bound[farthest]) farthest = lane;
      }
      if (!(bound[farthest] > reach_)) return;
      bound[farthest] = -std::numeric_limits<float>::infinity();
      const std::uint32_t child = block.first_child + farthest;
      if (level + 1 < tree_.level_count) {
        visit(level + 1, child);
      } else {
        visit_leaf(child);
      }
    }
  }

  void visit_leaf(std::uint32_t leaf) {
    for (std::uint32_t slot = k_block * leaf; slot < k_block * (leaf + 1); ++slot) {
      if (tree_.ids[slot] == k_no_triangle) return;
      const float* row = tree_.corners[slot].value;
      for (int c = 0; c < 9; c += 3) {
        const Vec3d corner = corner_at(row + c);
        const double reach = dot(direction_, corner);
        if (!(reach > reach_)) continue;
        reach_ = reach;
        corner_ = corner;
      }
    }
  }

  const WideTree& tree_;
  Vec3d direction_;
  Float4 along_[3];
  Float4 across_[3];
  double reach_ = 0;
  Vec3d corner_;
};

}  // namespace

std::vector<float> find_support(const WideTree& tree, int threads) {
  const Vec3d centre = std::ldexp(1.0, -tree.exponent) * (tree.root.centre - tree.origin);
  // Directions along the edges of the cube belong to two sides, or three: each is searched once, in
  // an order in which the next is close to the last.
  constexpr int k_side = SupportMap::k_side;
  constexpr std::size_t k_grain = 16;
  constexpr int k_new = -1;
  int place[k_side][k_side][k_side];
  std::fill_n(&place[0][0][0], k_side * k_side * k_side, k_new);
  std::vector<Vec3d> directions;
  std::vector<int> places;
  for (int i = 0; i < SupportMap::k_size; ++i) {
    const Vec3d direction = SupportMap::direction(i);
    const auto step = [](double x) { return static_cast<int>((x + 1) * (0.5 * (k_side - 1))); };
    int& known = place[step(direction.x)][step(direction.y)][step(direction.z)];
    if (known == k_new) {
      known = static_cast<int>(directions.size());
      directions.push_back(direction);
    }
    places.push_back(known);
  }
  std::vector<float> reaches(directions.size());
  parallel_for(directions.size(), k_grain, threads, [&](std::size_t begin, std::size_t end) {
    FarthestCorner farthest(tree);
    for (std::size_t i = begin; i < end; ++i) {
      reaches[i] = support_value(farthest(directions[i]) - dot(directions[i], centre));
    }
  });
  std::vector<float> values;
  values.reserve(SupportMap::k_size);
  for (const int each : places) values.push_back(reaches[each]);
  return values;
}

}  // namespace tandem::detail
