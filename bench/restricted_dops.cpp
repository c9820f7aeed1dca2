// Would restricted k-DOPs pay (restricted boxtree paper, end of section 3.1)? In these trees a
// node's volume is its parent's with only the best n sides moved to where they are in the tight
// tree. The tables show how many more pairs of nodes that costs, and what it could save in
// operations and bytes.
//
//   bench_restricted_dops [MESH...]
//
// Queries are those of the tumble protocol at two distances, by recursion with the ordinary overlap
// tests. There is no overlap test for restricted volumes, so its operations are estimated. A side
// of B that moves changes three of B's bounds along A's directions on average (each of the k bounds
// is a sum over three sides): a difference, three products and sums, three comparisons. A's side is
// compared once. That makes 11 operations for each side that moves, against 7k for a whole pair.
#include <tandem/tandem.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "build/builders.h"
#include "build/fit.h"
#include "geometry/triangle_test.h"
#include "math/transform.h"
#include "support/normalised.h"
#include "traverse/observer.h"
#include "traverse/tandem/descent.h"
#include "traverse/tandem/recursive.h"
#include "volume/aabb_overlap.h"
#include "volume/kdop.h"

namespace {

using tandem::Mesh;
using tandem::Pose;
using tandem::detail::Aabb;
using tandem::detail::Kdop;
using tandem::detail::Tree;
using tandem::detail::TreeView;

constexpr int k_steps = 10;
constexpr double k_distances[] = {0.6, 1.2};

template <class V>
struct Dop;

/// A box is a 6-DOP, and is tested like one.
template <>
struct Dop<Aabb> {
  static constexpr int k_slab_count = 3;
  using Overlap = tandem::detail::RealignedAabbOverlap<>;
};

template <int K>
struct Dop<Kdop<K>> {
  static constexpr int k_slab_count = K / 2;
  using Overlap = tandem::detail::KdopOverlap<K>;
};

/// Moves one side to where it is in the tight volume: the side that shortens its slab by the
/// largest share.
template <class V>
void move_best_side(V& volume, const V& tight) {
  int best = 0;
  bool best_is_upper = false;
  double most = 0;
  for (int s = 0; s < Dop<V>::k_slab_count; ++s) {
    const double width = double{volume.upper[s]} - volume.lower[s];
    const double below = double{tight.lower[s]} - volume.lower[s];
    const double above = double{volume.upper[s]} - tight.upper[s];
    if (below > most * width) {
      most = below / width;
      best = s;
      best_is_upper = false;
    }
    if (above > most * width) {
      most = above / width;
      best = s;
      best_is_upper = true;
    }
  }
  if (most == 0) return;
  (best_is_upper ? volume.upper : volume.lower)[best] =
      (best_is_upper ? tight.upper : tight.lower)[best];
}

/// Each node's volume is its parent's with `sides` sides moved.
template <class V>
Tree<V> restrict(const TreeView<V>& tight, int sides) {
  const tandem::detail::TreeShape shape = shape_of(tight);
  std::vector<typename Tree<V>::Node> nodes;
  nodes.reserve(shape.size());
  for (std::uint32_t i = 0; i < shape.size(); ++i) nodes.push_back({tight.volume(i), shape[i]});
  // In pre-order parents come before their children.
  for (std::uint32_t parent = 0; parent < shape.size(); ++parent) {
    if (tight.is_leaf(parent)) continue;
    tandem::detail::for_each_child(tight, parent, [&](std::uint32_t child) {
      V volume = nodes[parent].volume;
      for (int n = 0; n < sides; ++n) move_best_side(volume, tight.volume(child));
      nodes[child].volume = volume;
      return tandem::Flow::go_on;
    });
  }
  return Tree<V>(std::move(nodes), shape);
}

/// The share of sides on which children touch their parents.
template <class V>
double touching_share(const TreeView<V>& tree) {
  long touching = 0;
  long sides = 0;
  for (std::uint32_t parent = 0; parent < tree.node_count(); ++parent) {
    if (tree.is_leaf(parent)) continue;
    tandem::detail::for_each_child(tree, parent, [&](std::uint32_t child) {
      for (int s = 0; s < Dop<V>::k_slab_count; ++s) {
        touching += tree.volume(child).lower[s] == tree.volume(parent).lower[s] ? 1 : 0;
        touching += tree.volume(child).upper[s] == tree.volume(parent).upper[s] ? 1 : 0;
        sides += 2;
      }
      return tandem::Flow::go_on;
    });
  }
  return static_cast<double>(touching) / static_cast<double>(sides);
}

/// The poses of the tumble protocol: rotated by Rz(θ)·Rx(θ) and moved along x.
std::vector<Pose> tumble_poses() {
  std::vector<Pose> poses;
  for (const double distance : k_distances) {
    for (int i = 0; i < k_steps; ++i) {
      const double theta = 2 * std::numbers::pi * (i + 0.5) / k_steps;
      poses.push_back(Pose::from_axis_angle({0, 0, 1}, theta, {distance, 0, 0}) *
                      Pose::from_axis_angle({1, 0, 0}, theta));
    }
  }
  return poses;
}

struct Counts {
  double iterations = 0;
  double triangle_tests = 0;
  long touching = 0;
};

/// Means over all queries; the touching pairs are their sum.
template <class V>
Counts count_queries(const Mesh& mesh, const TreeView<V>& tree) {
  Counts counts;
  const std::vector<Pose> poses = tumble_poses();
  const tandem::Progress no_progress;
  for (const Pose& b_in_a : poses) {
    const typename Dop<V>::Overlap overlap(b_in_a, tree.volume(0), tree.volume(0));
    long tests = 0;
    const auto leaf_pair = [&](std::uint32_t a, std::uint32_t b) {
      ++tests;
      const auto in_a = tandem::detail::widen(mesh.triangle(a));
      const auto moved = tandem::detail::transform_triangle(b_in_a, mesh.triangle(b));
      counts.touching += tandem::detail::test_triangles(in_a, moved).intersects ? 1 : 0;
      return tandem::Flow::go_on;
    };
    tandem::detail::CountingObserver observer(no_progress);
    traverse_recursive(tandem::detail::PairDescent(tree, tree, overlap, observer), leaf_pair,
                       observer);
    const auto count = static_cast<double>(poses.size());
    counts.iterations += static_cast<double>(observer.statistics().iterations) / count;
    counts.triangle_tests += static_cast<double>(tests) / count;
  }
  return counts;
}

template <class V>
void print_volume(const Mesh& mesh, const tandem::detail::TreeShape& shape) {
  const Tree<V> tight = tandem::detail::fit_tree<V>(mesh, shape);
  const Counts all = count_queries(mesh, tight.view());
  constexpr int k_sides = 2 * Dop<V>::k_slab_count;
  const auto print = [&](const std::string& sides, const Counts& counts, int bytes,
                         int operations) {
    const double ratio = counts.iterations / all.iterations;
    std::printf("  %-6s %6s %12.0f %8.2f %15.0f %7d %11d %11.2f%s\n", V::k_name.data(),
                sides.c_str(), counts.iterations, ratio, counts.triangle_tests, bytes, operations,
                ratio * operations / (7 * k_sides),
                counts.touching == all.touching ? "" : "  DIFFERENT PAIRS");
  };
  for (const int sides : {1, 2, 3, 6}) {
    if (sides == k_sides) break;
    // A float and a byte that names the side for each side, and a link.
    print(std::to_string(sides), count_queries(mesh, restrict(tight.view(), sides).view()),
          5 * sides + 4, 11 * sides);
  }
  print("all", all, 4 * k_sides + 4, 7 * k_sides);
  std::printf("  %-6s children touch their parents on %.0f %% of the sides; %ld touching pairs\n",
              V::k_name.data(), 100 * touching_share(tight.view()), all.touching);
}

void print_mesh(const std::string& name, const Mesh& mesh) {
  std::printf("%s: %zu triangles, means per query\n", name.c_str(), mesh.triangle_count());
  std::printf("  %-6s %6s %12s %8s %15s %7s %11s %11s\n", "", "sides", "iterations", "to all",
              "triangle tests", "bytes", "operations", "ops to all");
  const tandem::detail::TreeShape shape = tandem::detail::SahBuilder::build(mesh, nullptr);
  print_volume<Aabb>(mesh, shape);
  print_volume<Kdop<14>>(mesh, shape);
  print_volume<Kdop<18>>(mesh, shape);
  print_volume<Kdop<24>>(mesh, shape);
}

}  // namespace

int main(int argc, char** argv) try {
  std::printf(
      "Restricted k-DOPs: each node's volume is its parent's with so many sides moved\n"
      "operations: of a pair of nodes, estimated for restricted volumes; ops to all: iterations "
      "times\n"
      "operations, relative to the tree with all sides\n");
  if (argc == 1) {
    for (const char* name : {"knot", "rock", "torus"}) {
      print_mesh(name, tandem::test::normalised(tandem::make_shape(name, 2'000)));
    }
  }
  for (int i = 1; i < argc; ++i) {
    const std::filesystem::path file = argv[i];
    print_mesh(file.stem().string(), tandem::test::normalised(tandem::read_mesh(file)));
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "bench_restricted_dops: %s\n", error.what());
  return 1;
}
