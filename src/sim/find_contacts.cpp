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

/// Whether a contact may matter in this step: of a gap that is wide and that the motion does not
/// close, there is nothing to solve, and it would stand in the manifold instead of one that meets.
bool may_meet(const Contact& contact, const CloseBodies& bodies) {
  constexpr double k_closed = 0.5;
  if (contact.separation <= bodies.margin_at_rest) return true;
  const Vec3d motion = bodies.way + cross(bodies.turn, contact.points[0]);
  return contact.separation + dot(contact.normal, motion) <= k_closed * bodies.margin_at_rest;
}

/// Pairs of triangles of two bodies: first those within the margin, and then, where another engine
/// found what touches, its pairs.
struct BodyPairs {
  std::vector<TrianglePair> all;
  std::size_t close_count = 0;
  /// Where there is none, pairs within the margin that share a point touch.
  bool has_others = false;
};

/// Those within the margin of bodies `i`, and what was found to touch.
BodyPairs pairs_of(std::span<const Model> models, const CloseBodies& bodies,
                   const BatchResult* touching, std::size_t i) {
  const BatchQuery& query = bodies.query;
  BodyPairs pairs;
  if (touching == nullptr || bodies.margin > 0) {
    pairs.all = collide_within(models[query.a], models[query.b], query.b_in_a, bodies.margin).pairs;
  }
  pairs.close_count = pairs.all.size();
  if (touching == nullptr) return pairs;
  pairs.has_others = true;
  const auto others = touching->pairs_of(i);
  pairs.all.insert(pairs.all.end(), others.begin(), others.end());
  return pairs;
}

/// Two bodies whose contacts are to be found.
struct NearPair {
  NearMesh a;
  NearMesh b;
  const CloseBodies& bodies;
  const BodyPairs& pairs;
};

/// Finds the contacts of two bodies, of the pairs that touch and of what comes close: of many, one
/// after the other, in the same memory.
class ContactFinder {
 public:
  FoundPoints find(const NearPair& near) {
    begin(near);
    const BodyPairs& pairs = near.pairs;
    for (std::size_t i = pairs.close_count; i < pairs.all.size(); ++i) {
      if (!add_if_touching(i)) ++found_.false_pairs;
    }
    for (std::size_t i = 0; i < pairs.close_count; ++i) {
      if (pairs.has_others ? !do_touch(i) : !add_if_touching(i)) ++found_.near_triangles;
    }
    find_features();
    for (const Crossing& crossing : crossings_) {
      if (features_.explains(crossing.pair)) continue;
      unexplained_.push_back(crossing.clear ? *crossing.clear
                                            : *contact(near.a.model, near.b.model,
                                                       near.bodies.query.b_in_a, crossing.pair));
    }
    std::erase_if(contacts_,
                  [&](const Contact& contact) { return !may_meet(contact, near.bodies); });
    constexpr int k_points_per_patch = 4;
    found_.manifold = reduce_contacts(contacts_, unexplained_, k_points_per_patch);
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

  const PlacedTriangle& a_of(std::size_t i) const { return in_a_.all()[places_[i].a]; }
  const PlacedTriangle& b_of(std::size_t i) const { return in_b_.all()[places_[i].b]; }

  void begin(const NearPair& near) {
    near_.emplace(near);
    const std::span<const TrianglePair> pairs = near.pairs.all;
    const CloseBodies& bodies = near.bodies;
    in_a_.fill(near.a, pairs, &TrianglePair::a, [](const Vec3d& point) { return point; });
    in_b_.fill(near.b, pairs, &TrianglePair::b,
               [&](const Vec3d& point) { return transform_point(bodies.query.b_in_a, point); });
    in_a_.drop_features_beyond(bodies.margin, in_b_.lower(), in_b_.upper());
    in_b_.drop_features_beyond(bodies.margin, in_a_.lower(), in_a_.upper());
    places_.resize(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      places_[i] = {in_a_.place_of(pairs[i].a), in_b_.place_of(pairs[i].b)};
    }
    clues_.resize(pairs.size());
    find_clues(in_a_.all(), in_b_.all(), places_, bodies.margin, clues_);
    features_.begin({near_->a, near_->b, bodies.query.b_in_a, bodies.margin});
    crosses_a_.assign(in_a_.all().size(), false);
    crosses_b_.assign(in_b_.all().size(), false);
    crossings_.clear();
    contacts_.clear();
    unexplained_.clear();
    found_ = {};
  }

  /// What doubles say about a pair that may touch, and its contact if they say that it does.
  Clear look_at(std::size_t i, Contact* clear) const {
    const PlacedTriangle& a = a_of(i);
    const PlacedTriangle& b = b_of(i);
    const Clear answer = clear_contact(a, b, near_->pairs.all[i], clear);
    const bool is_apart = answer == Clear::unknown && !intersects(a.corners, b.corners);
    return is_apart ? Clear::apart : answer;
  }

  bool do_touch(std::size_t i) const {
    if (clues_[i].apart) return false;
    Contact clear;
    return look_at(i, &clear) != Clear::apart;
  }

  bool add_if_touching(std::size_t i) {
    if (clues_[i].apart) return false;
    Contact clear;
    const Clear answer = look_at(i, &clear);
    if (answer == Clear::apart) return false;
    ++found_.touching_triangles;
    const bool is_clear = answer == Clear::touching;
    const double margin = near_->bodies.margin;
    if (is_clear || margin == 0 || !is_shallow(a_of(i), b_of(i), margin)) {
      crossings_.push_back({near_->pairs.all[i], is_clear ? std::optional(clear) : std::nullopt});
      crosses_a_[places_[i].a] = true;
      crosses_b_[places_[i].b] = true;
    }
    return true;
  }

  void find_features() {
    if (near_->bodies.margin == 0) return;
    for (std::size_t place = 0; place < crosses_a_.size(); ++place) {
      if (crosses_a_[place]) features_.add_crossing_of_a(in_a_.all()[place].id);
    }
    for (std::size_t place = 0; place < crosses_b_.size(); ++place) {
      if (crosses_b_[place]) features_.add_crossing_of_b(in_b_.all()[place].id);
    }
    for (std::size_t i = 0; i < near_->pairs.close_count; ++i) {
      if (clues_[i].has_features()) features_.look_at(a_of(i), b_of(i), clues_[i]);
    }
    features_.add_to(&contacts_);
  }

  std::optional<NearPair> near_;
  PlacedTriangles in_a_;
  PlacedTriangles in_b_;
  std::vector<PlacedPair> places_;
  std::vector<PairClues> clues_;
  /// Of each placed triangle whether it is of a crossing.
  std::vector<std::uint8_t> crosses_a_;
  std::vector<std::uint8_t> crosses_b_;
  FeatureContacts features_;
  std::vector<Crossing> crossings_;
  /// Of features, and of crossings that these do not explain.
  std::vector<Contact> contacts_;
  std::vector<Contact> unexplained_;
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
  std::vector<BodyPairs> pairs(close.size());
  constexpr std::size_t k_grain = 4;
  detail::parallel_for(close.size(), k_grain, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      pairs[i] = pairs_of(models, close[i], touching ? &*touching : nullptr, i);
    }
  });
  if (!find_touching) result.collision_s = seconds_since(begin);

  // Points of contact.
  std::vector<FoundPoints> points(close.size());
  constexpr std::size_t k_same_memory = 16;
  detail::parallel_for(
      close.size(), k_same_memory, threads, [&](std::size_t begin, std::size_t end) {
        ContactFinder finder;
        for (std::size_t i = begin; i < end; ++i) {
          const auto& [a, b] = std::tie(close[i].query.a, close[i].query.b);
          points[i] = finder.find(
              {{models[a], *features[a]}, {models[b], *features[b]}, close[i], pairs[i]});
        }
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
