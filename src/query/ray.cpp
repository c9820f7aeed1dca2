#include <tandem/error.h>
#include <tandem/ray.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "query/hierarchy.h"
#include "traverse/ray/wide.h"
#include "traverse/ray_automaton.h"
#include "traverse/ray_backtrack.h"
#include "traverse/ray_boxtree.h"
#include "traverse/ray_query.h"
#include "traverse/ray_restart_trail.h"
#include "traverse/ray_skip.h"
#include "traverse/ray_stack.h"

namespace tandem {
namespace {

using detail::RayQuery;
using detail::Wanted;

constexpr std::array k_ray_traversals = {
    RayTraversalInfo{RayTraversal::automatic, "automatic", "the fastest: wide", 0},
    RayTraversalInfo{RayTraversal::wide, "wide",
                     "eight boxes or triangles at a time, closest first", 0},
    RayTraversalInfo{RayTraversal::brute_force, "brute-force", "every triangle: the reference", 0},
    RayTraversalInfo{RayTraversal::stack, "stack", "with a stack, near child by axis",
                     sizeof(detail::AxisStackState)},
    RayTraversalInfo{RayTraversal::stack_distance, "stack-distance",
                     "with a stack, both children tested at their parent, closer one first",
                     sizeof(detail::DistanceStackState)},
    RayTraversalInfo{RayTraversal::automaton, "automaton",
                     "without a stack: three states, near child by axis",
                     sizeof(detail::AutomatonState)},
    RayTraversalInfo{RayTraversal::compact, "compact",
                     "the same as two node indices: the paper's second listing",
                     sizeof(detail::CompactState)},
    RayTraversalInfo{RayTraversal::skip, "skip", "along escape indices, one order for all rays",
                     sizeof(detail::SkipState)},
    RayTraversalInfo{RayTraversal::restart_trail, "restart-trail",
                     "one bit a level, restarts at the root, near child by axis",
                     sizeof(detail::RestartTrailState)},
    RayTraversalInfo{RayTraversal::backtrack, "backtrack",
                     "one bit a level, back in constant time by a hash, closer child first",
                     sizeof(detail::BacktrackState)},
    RayTraversalInfo{RayTraversal::boxtree, "boxtree",
                     "through a packed boxtree by recursion, closer child first", 0},
};

/// Traces one ray through the model by any traversal but the wide one, which `automatic` is not here.
template <class Observer>
Flow trace(const Model& model, RayTraversal traversal, RayQuery& query, Observer& observer) {
  const Mesh& mesh = model.mesh();
  const detail::RayTrees& trees = model.hierarchy().ray_trees();
  const detail::Tree<detail::Aabb>* own = model.hierarchy().binary_boxes();
  if (traversal == RayTraversal::brute_force) {
    for (std::uint32_t id = 0; id < mesh.triangle_count(); ++id) {
      observer.triangle_test(id);
      if (query.test(id, mesh.triangle(id)) == Flow::stop) return Flow::stop;
    }
    return Flow::go_on;
  }
  if (mesh.empty()) return Flow::go_on;
  if (traversal == RayTraversal::boxtree) {
    const auto* const packed = model.hierarchy().packed_boxtree();
    return detail::BoxtreeRayTraversal(packed != nullptr ? *packed : trees.boxtree(mesh, own), mesh,
                                       query, observer)
        .run();
  }
  const detail::RayTree& tree = trees.binary(mesh, own);
  switch (traversal) {
    case RayTraversal::stack:
      return detail::trace<detail::AxisStackState>(tree, mesh, query, observer);
    case RayTraversal::automatic:
    case RayTraversal::stack_distance:
      return detail::trace<detail::DistanceStackState>(tree, mesh, query, observer);
    case RayTraversal::automaton:
      return detail::trace<detail::AutomatonState>(tree, mesh, query, observer);
    case RayTraversal::compact:
      return detail::trace<detail::CompactState>(tree, mesh, query, observer);
    case RayTraversal::skip:
      return detail::trace<detail::SkipState>(tree, mesh, query, observer);
    case RayTraversal::restart_trail:
      return detail::trace<detail::RestartTrailState>(tree, mesh, query, observer);
    case RayTraversal::backtrack:
      return detail::trace<detail::BacktrackState>(
          detail::KeyedRayTree(tree, trees.keys(mesh, own)), mesh, query, observer);
    case RayTraversal::boxtree:
    case RayTraversal::wide:  // these go other ways
    case RayTraversal::brute_force:
      break;
  }
  throw Error("there is no traversal of rays with the number " +
              std::to_string(static_cast<int>(traversal)));
}

Flow trace_counted(const Model& model, RayTraversal traversal, RayQuery& query,
                   RayStatistics* statistics) {
  if (statistics == nullptr) {
    detail::NullRayObserver observer;
    return trace(model, traversal, query, observer);
  }
  detail::CountingRayObserver observer;
  const Flow flow = trace(model, traversal, query, observer);
  *statistics += observer.statistics;
  return flow;
}

/// Rays that are wanted in one way, one after the other.
struct Batch {
  const Model& model;
  RayTraversal traversal;
  Wanted wanted;
  const HitSink* sink;
};

/// Where answers go: each is null, or has a place for each ray.
struct Answers {
  Hit* hits = nullptr;
  std::uint8_t* any = nullptr;

  Answers from(std::size_t first) const {
    return {hits == nullptr ? nullptr : hits + first, any == nullptr ? nullptr : any + first};
  }
};

Flow run_wide(const Batch& batch, std::span<const Ray> rays, std::size_t first,
              const Answers& answers, RayStatistics* statistics) {
  const Model& model = batch.model;
  const detail::WideRequest request{
      .rays = rays,
      .wanted = batch.wanted,
      .hits = answers.hits,
      .any = answers.any,
      .sink = batch.sink,
      .first_index = first,
      .statistics = statistics,
      .trace_in_double =
          [](const void* context, RayQuery& query, RayStatistics* counts) {
            return trace_counted(*static_cast<const Model*>(context), RayTraversal::stack_distance,
                                 query, counts);
          },
      .context = &model};
  const detail::WideRayTree& tree =
      model.hierarchy().ray_trees().wide(model.mesh(), model.hierarchy().binary_boxes());
  return detail::trace_wide(tree.view(), request);
}

/// `first` is the index of the first ray.
Flow run(const Batch& batch, std::span<const Ray> rays, std::size_t first, const Answers& answers,
         RayStatistics* statistics) {
  if (statistics != nullptr) statistics->rays += rays.size();
  if (batch.traversal == RayTraversal::automatic || batch.traversal == RayTraversal::wide) {
    return run_wide(batch, rays, first, answers, statistics);
  }
  for (std::size_t i = 0; i < rays.size(); ++i) {
    Hit hit;
    detail::ValidRay valid;
    if (detail::validate_ray(rays[i], &valid)) {
      RayQuery query(valid, batch.wanted, batch.sink, first + i);
      const Flow flow = trace_counted(batch.model, batch.traversal, query, statistics);
      if (flow == Flow::stop && batch.wanted == Wanted::all) return Flow::stop;
      hit = query.best();
    }
    if (answers.hits != nullptr) answers.hits[i] = hit;
    if (answers.any != nullptr) answers.any[i] = hit ? 1 : 0;
  }
  return Flow::go_on;
}

std::size_t thread_count(int asked) {
  if (asked < 0) throw Error("the number of threads is at least 0, not " + std::to_string(asked));
  if (asked > 0) return static_cast<std::size_t>(asked);
  return std::max(1U, std::thread::hardware_concurrency());
}

/// Threads take the next piece of the rays until there is none.
void run_on_threads(const Batch& batch, std::span<const Ray> rays, const Answers& answers,
                    const RayOptions& options) {
  constexpr std::size_t k_piece = 1024;
  const std::size_t piece_count = (rays.size() + k_piece - 1) / k_piece;
  const std::size_t count = std::min(thread_count(options.threads), piece_count);
  if (count <= 1) {
    run(batch, rays, 0, answers, options.statistics);
    return;
  }
  std::atomic<std::size_t> next_piece = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    RayStatistics counts;
    try {
      for (std::size_t piece; (piece = next_piece++) < piece_count;) {
        const std::size_t begin = piece * k_piece;
        const std::size_t size = std::min(k_piece, rays.size() - begin);
        run(batch, rays.subspan(begin, size), begin, answers.from(begin),
            options.statistics == nullptr ? nullptr : &counts);
      }
    } catch (...) {
      next_piece = piece_count;
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    if (options.statistics != nullptr) *options.statistics += counts;
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < count; ++i) threads.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

void check_lengths(std::size_t rays, std::size_t hits) {
  if (rays != hits) {
    throw Error("there are " + std::to_string(rays) + " rays but room for " + std::to_string(hits) +
                " hits");
  }
}

}  // namespace

std::span<const RayTraversalInfo> ray_traversals() {
  return k_ray_traversals;
}

RayStatistics& RayStatistics::operator+=(const RayStatistics& other) {
  rays += other.rays;
  box_tests += other.box_tests;
  node_visits += other.node_visits;
  leaf_visits += other.leaf_visits;
  triangle_tests += other.triangle_tests;
  return *this;
}

Hit closest_hit(const Model& model, const Ray& ray, const RayOptions& options) {
  Hit hit;
  run({model, options.traversal, Wanted::closest, nullptr}, {&ray, 1}, 0, {.hits = &hit},
      options.statistics);
  return hit;
}

bool any_hit(const Model& model, const Ray& ray, const RayOptions& options) {
  std::uint8_t hit = 0;
  run({model, options.traversal, Wanted::any, nullptr}, {&ray, 1}, 0, {.any = &hit},
      options.statistics);
  return hit != 0;
}

Flow all_hits(const Model& model, std::span<const Ray> rays, HitSink sink,
              const RayOptions& options) {
  return run({model, options.traversal, Wanted::all, &sink}, rays, 0, {}, options.statistics);
}

void closest_hits(const Model& model, std::span<const Ray> rays, std::span<Hit> hits,
                  const RayOptions& options) {
  check_lengths(rays.size(), hits.size());
  run_on_threads({model, options.traversal, Wanted::closest, nullptr}, rays, {.hits = hits.data()},
                 options);
}

void any_hits(const Model& model, std::span<const Ray> rays, std::span<std::uint8_t> hits,
              const RayOptions& options) {
  check_lengths(rays.size(), hits.size());
  run_on_threads({model, options.traversal, Wanted::any, nullptr}, rays, {.any = hits.data()},
                 options);
}

}  // namespace tandem
