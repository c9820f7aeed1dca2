// Traversals on a CUDA device: walks over two trees and rays through one, by the code and the views
// that the host uses, visit the same nodes and find the same things.
#include <tandem/pose.h>
#include <tandem/shapes.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "build/builders.h"
#include "build/fit.h"
#include "cuda/device.h"
#include "math/random.h"
#include "traverse/observer.h"
#include "traverse/ray/automaton.h"
#include "traverse/ray/skip.h"
#include "traverse/tandem/scheduled.h"
#include "traverse/tandem/stackless.h"
#include "traverse/tandem/trail.h"
#include "traverse/tandem/walk.h"
#include "tree/ray_tree.h"
#include "tree/stackless_fields.h"
#include "volume/aabb_overlap.h"

namespace {

using tandem::Flow;
using tandem::Mesh;
using tandem::Pose;
using tandem::Ray;
using tandem::TriangleF;
using tandem::Vec3f;
using namespace tandem::detail;
using tandem::test::DeviceArray;

/// What a traversal did: how often, and a number that depends on every step in order.
struct Trace {
  std::uint64_t visits = 0;
  std::uint64_t leaves = 0;
  std::uint64_t order = 0;

  TANDEM_HD void add(std::uint64_t step) { order = (order ^ step) * 0x9e3779b97f4a7c15 + visits++; }
};

/// Writes down the pairs of nodes that a walk visits.
struct TracingObserver : NullObserver {
  Trace* trace;
  TANDEM_HD explicit TracingObserver(Trace* to) : trace(to) {}
  TANDEM_HD void iteration(std::uint32_t a, std::uint32_t b) {
    trace->add(std::uint64_t{a} << 32 | b);
  }
};

using Tree = PreIndexedView<Aabb>;

/// The walk number i % 3 of the query under pose i.
struct WalkTwoTrees {
  Tree a;
  Tree b;
  const Pose* poses;
  ScheduledOrder schedule;

  TANDEM_HD Trace operator()(int i) const {
    const FifteenAxisAabbOverlap<> overlap(poses[i], a.volume(0), b.volume(0));
    switch (i % 3) {
      case 0:
        return walk(StacklessWalk<Tree, AlternatingOrder>{a, b, {}, {}}, overlap);
      case 1:
        return walk(StacklessWalk<Tree, ScheduledOrder>{a, b, schedule, {}}, overlap);
      default:
        return walk(TrailWalk<Tree>(a, b, {}), overlap);
    }
  }

  template <class Walk, class Overlap>
  TANDEM_HD static Trace walk(Walk walk, const Overlap& overlap) {
    Trace trace;
    TracingObserver observer(&trace);
    const auto count_leaves = [&](std::uint32_t, std::uint32_t) {
      ++trace.leaves;
      return Flow::go_on;
    };
    std::uint64_t budget = std::numeric_limits<std::uint64_t>::max();
    advance(walk, overlap, count_leaves, observer, budget);
    return trace;
  }
};

/// The corners of triangles by id.
struct Triangles {
  const TriangleF* corners;
  TANDEM_HD const TriangleF& triangle(std::uint32_t id) const { return corners[id]; }
};

/// The closest hit of a ray, without a sink.
struct ClosestHit {
  ValidRay valid;
  float nearest;
  std::uint32_t triangle = 0xffffffff;

  TANDEM_HD const ValidRay& ray() const { return valid; }
  TANDEM_HD float limit() const { return nearest; }
  TANDEM_HD Flow test(std::uint32_t id, const TriangleF& corners, std::uint32_t) {
    tandem::Hit hit;
    if (intersect(valid, corners, nearest, &hit) && (hit.distance < nearest || id < triangle)) {
      nearest = hit.distance;
      triangle = id;
    }
    return Flow::go_on;
  }
};

struct RayTracer : NullRayObserver {
  Trace* trace;
  TANDEM_HD explicit RayTracer(Trace* to) : trace(to) {}
  TANDEM_HD void node_visit(std::uint32_t node) { trace->add(node); }
  TANDEM_HD void leaf_visit(std::uint32_t) { ++trace->leaves; }
};

/// The traversal number i % 3 of ray i; the order also depends on what is hit.
struct TraceRay {
  RayTreeView tree;
  Triangles triangles;
  const Ray* rays;

  TANDEM_HD Trace operator()(int i) const {
    ValidRay valid;
    if (!validate_ray(rays[i], &valid)) return {};
    switch (i % 3) {
      case 0:
        return run<AutomatonState>(valid);
      case 1:
        return run<CompactState>(valid);
      default:
        return run<SkipState>(valid);
    }
  }

  template <class State>
  TANDEM_HD Trace run(const ValidRay& valid) const {
    Trace result;
    RayTracer observer(&result);
    ClosestHit query{valid, valid.t_max};
    trace<State>(tree, triangles, query, observer);
    result.add(query.triangle);
    return result;
  }
};

std::vector<Pose> poses(int count) {
  std::vector<Pose> result;
  for (int i = 0; i < count; ++i) {
    const double angle = 0.001 * i;
    result.push_back(Pose::from_axis_angle({1, 2, 3}, angle, {1.5 * angle, 0.2, 0}));
  }
  return result;
}

std::vector<Ray> rays_at(const Mesh& mesh, int count) {
  Random random(3);
  std::vector<Ray> result;
  for (int i = 0; i < count; ++i) {
    const auto number = [&] { return static_cast<float>(random.uniform(-3, 3)); };
    const Vec3f from{number(), number(), number()};
    const Vec3f target = mesh.triangle(random.below(mesh.triangle_count())).corner[0];
    result.push_back({from, target - from});
  }
  return result;
}

/// A tree on the host and its copy on the device, each with its view.
class TwoPlaces {
 public:
  explicit TwoPlaces(const Mesh& mesh)
      : tree_(fit_tree<Aabb>(mesh, SahBuilder::build(mesh, nullptr))),
        fielded_(tree_.view()),
        rays_(tree_.view()),
        nodes_(copy(tree_.view().nodes, tree_.view().count)),
        fields_(copy(fielded_.view().fields, tree_.view().count)),
        ray_nodes_(copy(rays_.view().nodes, rays_.view().count)) {}

  Tree on_host() const { return fielded_.view(); }
  Tree on_device() {
    Tree view = fielded_.view();
    view.nodes = nodes_.data();
    view.fields = fields_.data();
    return view;
  }
  RayTreeView rays_on_host() const { return rays_.view(); }
  RayTreeView rays_on_device() { return {ray_nodes_.data(), rays_.view().count}; }

 private:
  template <class T>
  static std::vector<T> copy(const T* data, std::uint32_t count) {
    return {data, data + count};
  }

  tandem::detail::Tree<Aabb> tree_;
  PreIndexedTree<Aabb> fielded_;
  RayTree rays_;
  DeviceArray<TreeNode<Aabb>> nodes_;
  DeviceArray<StacklessFields> fields_;
  DeviceArray<RayNode> ray_nodes_;
};

}  // namespace

int main() {
  if (!tandem::test::has_device()) return tandem::test::k_skipped;
  const Mesh knot = tandem::make_shape("knot", 4'000);
  const Mesh rock = tandem::make_shape("rock", 2'000);
  TwoPlaces a(knot);
  TwoPlaces b(rock);

  const int query_count = 3'000;
  const std::vector<Pose> host_poses = poses(query_count);
  DeviceArray<Pose> device_poses(host_poses);
  const ScheduledOrder schedule(a.on_host(), b.on_host());
  bool same = tandem::test::same_answers(
      "walks over two trees", query_count,
      WalkTwoTrees{a.on_host(), b.on_host(), host_poses.data(), schedule},
      WalkTwoTrees{a.on_device(), b.on_device(), device_poses.data(), schedule});

  const int ray_count = 300'000;
  const std::vector<Ray> host_rays = rays_at(knot, ray_count);
  DeviceArray<Ray> device_rays(host_rays);
  std::vector<TriangleF> corners;
  for (std::size_t id = 0; id < knot.triangle_count(); ++id) corners.push_back(knot.triangle(id));
  DeviceArray<TriangleF> device_corners(corners);
  same &= tandem::test::same_answers(
      "rays through a tree", ray_count,
      TraceRay{a.rays_on_host(), {corners.data()}, host_rays.data()},
      TraceRay{a.rays_on_device(), {device_corners.data()}, device_rays.data()});
  return same ? 0 : 1;
}
