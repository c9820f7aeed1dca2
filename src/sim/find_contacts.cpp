#include "sim/find_contacts.h"

#include <tandem/distance.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "parallel/parallel_for.h"
#include "sim/clear_contact.h"
#include "sim/near_points.h"

namespace tandem::sim {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// What becomes of the pairs of two bodies.
struct FoundPoints {
  ContactManifold manifold;
  std::size_t touching_triangles = 0;
  std::size_t near_triangles = 0;
  std::size_t false_pairs = 0;
  double deepest = 0;
};

/// Contacts of two bodies: of the pairs that touch, and of those that only come close.
///
/// `touching` are the pairs that another engine found to touch; where there is none, pairs that
/// share a point do.
FoundPoints points_of(const NearMesh& a, const NearMesh& b, const CloseBodies& bodies,
                      std::span<const TrianglePair> close,
                      std::optional<std::span<const TrianglePair>> touching) {
  FoundPoints found;
  std::vector<Contact> contacts;
  const Pose& b_in_a = bodies.query.b_in_a;
  const auto add_touching = [&](const Contact& here) {
    ++found.touching_triangles;
    contacts.push_back(here);
  };
  Contact clear;
  if (touching) {
    for (const TrianglePair& pair : *touching) {
      const PairTriangles triangles = triangles_of(a, b, b_in_a, pair);
      if (clear_contact(triangles.a, triangles.b, pair, &clear) == Clear::touching) {
        add_touching(clear);
      } else if (const std::optional<Contact> here = contact(a.model, b.model, b_in_a, pair)) {
        add_touching(*here);
      } else {
        ++found.false_pairs;
      }
    }
  }
  for (const TrianglePair& pair : close) {
    const PairTriangles triangles = triangles_of(a, b, b_in_a, pair);
    const Clear answer = clear_contact(triangles.a, triangles.b, pair, &clear);
    const bool touches = answer == Clear::touching ||
                         (answer == Clear::unknown && intersects(triangles.a, triangles.b));
    if (!touches) {
      ++found.near_triangles;
      append_near_contacts(a, b, b_in_a, pair, triangles, bodies.margin, &contacts);
    } else if (!touching) {
      add_touching(answer == Clear::touching ? clear : *contact(a.model, b.model, b_in_a, pair));
    }
  }
  if (!contacts.empty()) found.manifold = reduce_contacts(contacts);
  for (const ManifoldPoint& point : found.manifold.points) {
    found.deepest = std::max(found.deepest, -point.separation);
  }
  return found;
}

}  // namespace

void FoundContacts::add(FoundContacts others, std::span<const std::size_t> places) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    manifolds[places[i]] = std::move(others.manifolds[i]);
  }
  touching_triangles += others.touching_triangles;
  near_triangles += others.near_triangles;
  false_pairs += others.false_pairs;
  deepest = std::max(deepest, others.deepest);
  collision_s += others.collision_s;
  contact_s += others.contact_s;
}

FoundContacts find_contacts(std::span<const Model> models,
                            std::span<const std::shared_ptr<const CornerFans>> fans,
                            std::span<const CloseBodies> close, const FindTouching& find_touching,
                            int threads) {
  FoundContacts result;
  const auto for_each_pair = [&](const auto& work) {
    constexpr std::size_t k_grain = 4;
    detail::parallel_for(close.size(), k_grain, threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const BatchQuery& query = close[i].query;
        work(i, NearMesh{models[query.a], *fans[query.a]},
             NearMesh{models[query.b], *fans[query.b]});
      }
    });
  };

  // Which triangles touch or come close.
  const auto begin = Clock::now();
  std::optional<BatchResult> touching;
  if (find_touching) {
    std::vector<BatchQuery> queries;
    queries.reserve(close.size());
    for (const CloseBodies& bodies : close) queries.push_back(bodies.query);
    touching = find_touching(models, queries);
    result.collision_s = seconds_since(begin);
  }
  std::vector<std::vector<TrianglePair>> pairs(close.size());
  for_each_pair([&](std::size_t i, const NearMesh& a, const NearMesh& b) {
    const CloseBodies& bodies = close[i];
    if (touching && bodies.margin == 0) return;
    pairs[i] = collide_within(a.model, b.model, bodies.query.b_in_a, bodies.margin).pairs;
  });
  if (!find_touching) result.collision_s = seconds_since(begin);

  // Points of contact.
  std::vector<FoundPoints> points(close.size());
  for_each_pair([&](std::size_t i, const NearMesh& a, const NearMesh& b) {
    std::optional<std::span<const TrianglePair>> others;
    if (touching) others = touching->pairs_of(i);
    points[i] = points_of(a, b, close[i], pairs[i], others);
  });
  for (FoundPoints& found : points) {
    result.touching_triangles += found.touching_triangles;
    result.near_triangles += found.near_triangles;
    result.false_pairs += found.false_pairs;
    result.deepest = std::max(result.deepest, found.deepest);
    result.manifolds.push_back(std::move(found.manifold));
  }
  result.contact_s = seconds_since(begin) - result.collision_s;
  return result;
}

}  // namespace tandem::sim
