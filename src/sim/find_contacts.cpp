#include "sim/find_contacts.h"

#include <tandem/distance.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "parallel/parallel_for.h"
#include "sim/clear_contact.h"
#include "sim/feature_contacts.h"

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

std::vector<std::uint32_t> ids_of(std::span<const TrianglePair> pairs,
                                  std::uint32_t TrianglePair::*id,
                                  std::span<const TrianglePair> more) {
  std::vector<std::uint32_t> ids;
  ids.reserve(pairs.size() + more.size());
  for (const TrianglePair& pair : pairs) ids.push_back(pair.*id);
  for (const TrianglePair& pair : more) ids.push_back(pair.*id);
  return ids;
}

/// Of a contact that is as deep as it is long, as those of what is inside are, one end is enough.
void drop_other_ends(std::vector<ManifoldPoint>* points) {
  const auto is_other_end = [](const ManifoldPoint& one, const ManifoldPoint& other) {
    constexpr double k_more = 1.001;
    return one.pair == other.pair && one.normal == other.normal && one.patch == other.patch &&
           length(one.position - other.position) <= -k_more * one.separation;
  };
  std::size_t kept = 0;
  for (const ManifoldPoint& point : *points) {
    const auto end = points->begin() + static_cast<std::ptrdiff_t>(kept);
    const bool is_there = std::any_of(points->begin(), end, [&](const ManifoldPoint& before) {
      return is_other_end(before, point);
    });
    if (!is_there) (*points)[kept++] = point;
  }
  points->resize(kept);
}

/// Finds the contacts of two bodies: of the pairs that touch, and of what comes close.
class BodyContacts {
 public:
  /// `touching` are the pairs that another engine found to touch; where there is none, pairs that
  /// share a point do.
  BodyContacts(const NearMesh& a, const NearMesh& b, const CloseBodies& bodies,
               std::span<const TrianglePair> close,
               std::optional<std::span<const TrianglePair>> touching)
      : a_(a),
        b_(b),
        bodies_(bodies),
        close_(close),
        touching_(touching),
        in_a_(a, ids_of(close, &TrianglePair::a, others()),
              [](const Vec3d& point) { return point; }),
        in_b_(b, ids_of(close, &TrianglePair::b, others()),
              [&](const Vec3d& point) { return transform_point(bodies.query.b_in_a, point); }),
        features_({a, b, bodies.query.b_in_a, bodies.margin}) {}

  FoundPoints find() {
    for (const TrianglePair& pair : others()) {
      if (!add_if_touching(pair)) ++found_.false_pairs;
    }
    for (const TrianglePair& pair : close_) {
      if (touching_ ? !do_touch(pair) : !add_if_touching(pair)) ++found_.near_triangles;
    }
    if (bodies_.margin > 0) {
      for (const TrianglePair& pair : close_) features_.look_at(in_a_[pair.a], in_b_[pair.b]);
    }
    std::vector<Contact> contacts = features_.contacts();
    for (const Crossing& crossing : crossings_) {
      if (features_.explains(crossing.pair)) continue;
      contacts.push_back(crossing.clear
                             ? *crossing.clear
                             : *contact(a_.model, b_.model, bodies_.query.b_in_a, crossing.pair));
    }
    if (!contacts.empty()) found_.manifold = reduce_contacts(contacts);
    drop_other_ends(&found_.manifold.points);
    for (const ManifoldPoint& point : found_.manifold.points) {
      found_.deepest = std::max(found_.deepest, -point.separation);
    }
    return std::move(found_);
  }

 private:
  /// Two triangles that touch, and are not only in front of each other; with their contact where
  /// doubles tell it.
  struct Crossing {
    TrianglePair pair;
    std::optional<Contact> clear;
  };

  std::span<const TrianglePair> others() const {
    return touching_.value_or(std::span<const TrianglePair>());
  }

  bool do_touch(TrianglePair pair) const {
    const PlacedTriangle& a = in_a_[pair.a];
    const PlacedTriangle& b = in_b_[pair.b];
    Contact clear;
    const Clear answer = clear_contact(a, b, pair, &clear);
    return answer == Clear::touching ||
           (answer == Clear::unknown && intersects(a.corners, b.corners));
  }

  bool add_if_touching(TrianglePair pair) {
    const PlacedTriangle& a = in_a_[pair.a];
    const PlacedTriangle& b = in_b_[pair.b];
    Contact clear;
    const Clear answer = clear_contact(a, b, pair, &clear);
    if (answer == Clear::apart) return false;
    if (answer == Clear::unknown && !intersects(a.corners, b.corners)) return false;
    ++found_.touching_triangles;
    const bool is_clear = answer == Clear::touching;
    if (is_clear || bodies_.margin == 0 || !is_shallow(a, b, bodies_.margin)) {
      crossings_.push_back({pair, is_clear ? std::optional(clear) : std::nullopt});
      features_.add_crossing(pair);
    }
    return true;
  }

  const NearMesh& a_;
  const NearMesh& b_;
  const CloseBodies& bodies_;
  std::span<const TrianglePair> close_;
  std::optional<std::span<const TrianglePair>> touching_;
  PlacedTriangles in_a_;
  PlacedTriangles in_b_;
  FeatureContacts features_;
  std::vector<Crossing> crossings_;
  FoundPoints found_;
};

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
                            std::span<const std::shared_ptr<const SurfaceFeatures>> features,
                            std::span<const CloseBodies> close, const FindTouching& find_touching,
                            int threads) {
  FoundContacts result;
  const auto for_each_pair = [&](const auto& work) {
    constexpr std::size_t k_grain = 4;
    detail::parallel_for(close.size(), k_grain, threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const BatchQuery& query = close[i].query;
        work(i, NearMesh{models[query.a], *features[query.a]},
             NearMesh{models[query.b], *features[query.b]});
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
    points[i] = BodyContacts(a, b, close[i], pairs[i], others).find();
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
