// From all contacts of two objects to the few points that a simulation needs.
#include <tandem/contact.h>
#include <tandem/error.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "geometry/predicates.h"
#include "geometry/triangle_signs.h"

namespace tandem {
namespace {

/// Normals whose cosine is at least this, some 26 degrees apart, are those of one patch.
constexpr double k_same_direction = 0.9;
/// Points that are closer than this share of their largest coordinate are the same: some eight
/// roundings of a float32.
constexpr double k_same_point = 0x1p-20;

/// -1, 0 or 1, by x, then y, then z.
int compare(const Vec3d& a, const Vec3d& b) {
  if (a == b) return 0;
  return detail::lexicographic_less(a, b) ? -1 : 1;
}

/// The deepest first, then by triangles. The rest only matters for contacts that do not come from
/// one query: nothing may depend on the order in which they are given.
bool comes_before(const Contact& a, const Contact& b) {
  if (a.separation != b.separation) return a.separation < b.separation;
  if (a.pair != b.pair) return a.pair < b.pair;
  for (int k = 0; k < 2; ++k) {
    if (const int order = compare(a.points[k], b.points[k]); order != 0) return order < 0;
    if (const int order = compare(a.across[k], b.across[k]); order != 0) return order < 0;
  }
  if (const int order = compare(a.normal, b.normal); order != 0) return order < 0;
  return a.opposed < b.opposed;
}

/// Calls `work(point)` for the points of a contact: those that are the same as one before are left
/// out, as most contacts have one point.
template <class Work>
void for_each_point(const Contact& contact, const Work& work) {
  work(contact.points[0]);
  if (contact.points[1] != contact.points[0]) work(contact.points[1]);
  for (int k = 0; k < 2; ++k) {
    if (contact.across[k] != contact.points[k]) work(contact.across[k]);
  }
}

/// Contacts of about one normal, the deepest first.
struct Patch {
  explicit Patch(const Contact& deepest) : normal(deepest.normal), depth(-deepest.separation) {}

  bool has_direction_of(const Contact& contact) const {
    return dot(normal, contact.normal) >= k_same_direction;
  }
  void add(const Contact& contact) {
    members.push_back(&contact);
    for_each_point(contact, [&](const Vec3d& point) {
      const double height = dot(normal, point);
      low = std::min(low, height);
      high = std::max(high, height);
    });
  }

  /// Whether the contact lies in the layer that moving along this patch's normal empties.
  bool covers(const Contact& contact, double tolerance) const {
    const double reach = depth + tolerance;
    bool all = true;
    for_each_point(contact, [&](const Vec3d& point) {
      const double height = dot(normal, point);
      all = all && low - reach <= height && height <= high + reach;
    });
    return all;
  }
  bool covers(const Patch& other, double tolerance) const {
    return std::all_of(other.members.begin(), other.members.end(),
                       [&](const Contact* contact) { return covers(*contact, tolerance); });
  }

  double layer_thickness() const { return high - low + 2 * depth; }

  /// Those of the first member.
  Vec3d normal;
  double depth;
  std::vector<const Contact*> members;
  /// From where to where its points reach along its normal.
  double low = INFINITY;
  double high = -INFINITY;
};

void add_to_patch(const Contact& contact, std::vector<Patch>* patches) {
  auto patch = std::find_if(patches->begin(), patches->end(),
                            [&](const Patch& p) { return p.has_direction_of(contact); });
  if (patch == patches->end()) patch = patches->insert(patch, Patch(contact));
  patch->add(contact);
}

/// Deeper than it is long, or without a way apart. The planes of two triangles are not always where
/// the objects could be parted: where edges of two boxes cross, a side of one meets a side of the
/// other in a short segment, and its depth may be that of a whole box.
bool is_doubtful(const Contact& contact, double tolerance) {
  return !contact.opposed ||
         -contact.separation > length(contact.points[1] - contact.points[0]) + tolerance;
}

/// Leaves out, one after another, the patches that lie in another's layer: those of sides that meet
/// where edges cross, but none with a known direction. Of two that lie in each other's the one with
/// the thicker layer goes.
void remove_covered(std::vector<Patch>* patches, std::span<const Contact> known, double tolerance) {
  const auto is_known = [&](const Contact* contact) {
    const std::less<> before;
    return !before(contact, known.data()) && before(contact, known.data() + known.size());
  };
  for (std::size_t i = 0; i < patches->size();) {
    const Patch& patch = (*patches)[i];
    const bool stays = std::any_of(patch.members.begin(), patch.members.end(), is_known);
    const bool covered =
        !stays && std::any_of(patches->begin(), patches->end(), [&](const Patch& other) {
          return &other != &patch && other.covers(patch, tolerance) &&
                 (other.layer_thickness() + tolerance < patch.layer_thickness() ||
                  !patch.covers(other, tolerance));
        });
    if (covered) {
      patches->erase(patches->begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
}

/// The patches of contacts that come in their order.
std::vector<Patch> find_patches(const std::vector<const Contact*>& contacts,
                                std::span<const Contact> known, double tolerance) {
  std::vector<Patch> patches;
  std::vector<const Contact*> doubtful;
  for (const Contact* contact : contacts) {
    if (is_doubtful(*contact, tolerance)) {
      doubtful.push_back(contact);
    } else {
      add_to_patch(*contact, &patches);
    }
  }
  remove_covered(&patches, known, tolerance);
  std::erase_if(doubtful, [&](const Contact* contact) {
    return std::any_of(patches.begin(), patches.end(), [&](const Patch& patch) {
      return !patch.has_direction_of(*contact) && patch.covers(*contact, tolerance);
    });
  });
  for (const Contact* contact : doubtful) add_to_patch(*contact, &patches);

  const auto in_order = [](const Contact* a, const Contact* b) { return comes_before(*a, *b); };
  for (Patch& patch : patches) std::sort(patch.members.begin(), patch.members.end(), in_order);
  std::sort(patches.begin(), patches.end(), [&](const Patch& a, const Patch& b) {
    return in_order(a.members.front(), b.members.front());
  });
  return patches;
}

/// A point that may become one of the manifold.
struct Candidate {
  Vec3d position;
  const Contact* contact;
};

/// The candidate with the largest value; of several the least position, and there the first, which
/// is the deepest. Nothing when no value is above `least`.
template <class Value>
const Candidate* largest(const std::vector<Candidate>& candidates, double least,
                         const Value& value) {
  const Candidate* best = nullptr;
  double best_value = least;
  for (const Candidate& candidate : candidates) {
    const double here = value(candidate);
    const bool less = best != nullptr && here == best_value &&
                      detail::lexicographic_less(candidate.position, best->position);
    if (here > best_value || less) {
      best = &candidate;
      best_value = here;
    }
  }
  return best;
}

/// The deepest point, the one farthest from it, the one farthest from their line, and the one that
/// adds most to the area of these three: each a corner of the convex hull where depths are equal.
std::vector<Candidate> choose_points(const Patch& patch, int max_points, double tolerance) {
  std::vector<Candidate> candidates;
  candidates.reserve(patch.members.size());
  Vec3d lower{INFINITY, INFINITY, INFINITY};
  Vec3d upper = -lower;
  for (const Contact* contact : patch.members) {
    for_each_point(*contact, [&](const Vec3d& point) {
      candidates.push_back({point, contact});
      lower = min(lower, point);
      upper = max(upper, point);
    });
  }
  const Vec3d centre = 0.5 * lower + 0.5 * upper;
  const double deepest = patch.members.front()->separation;

  std::vector<Candidate> chosen;
  chosen.reserve(static_cast<std::size_t>(max_points));
  const auto choose = [&](double least, const auto& value) {
    if (static_cast<int>(chosen.size()) == max_points) return false;
    const Candidate* const best = largest(candidates, least, value);
    if (best != nullptr) chosen.push_back(*best);
    return best != nullptr;
  };
  choose(-1, [&](const Candidate& c) {
    return c.contact->separation <= deepest + tolerance ? length_sq(c.position - centre) : -1;
  });
  const Vec3d p0 = chosen[0].position;
  if (!choose(tolerance * tolerance,
              [&](const Candidate& c) { return length_sq(c.position - p0); })) {
    return chosen;
  }
  const Vec3d p1 = chosen[1].position;
  const double longest = length(p1 - p0);
  if (!choose(tolerance * longest,
              [&](const Candidate& c) { return length(cross(p1 - p0, c.position - p0)); })) {
    return chosen;
  }
  const Vec3d p2 = chosen[2].position;
  const Vec3d area = cross(p1 - p0, p2 - p0);
  const double size = length(area);
  choose(tolerance * longest, [&](const Candidate& c) {
    // Twice the area between the candidate and the edge that it is outside of.
    const auto outside = [&](const Vec3d& from, const Vec3d& to) {
      return -dot(cross(to - from, c.position - from), area) / size;
    };
    return std::max({outside(p0, p1), outside(p1, p2), outside(p2, p0)});
  });
  return chosen;
}

}  // namespace

ContactManifold reduce_contacts(std::span<const Contact> contacts, int max_points) {
  return reduce_contacts({}, contacts, max_points);
}

ContactManifold reduce_contacts(std::span<const Contact> known, std::span<const Contact> others,
                                int max_points) {
  if (max_points < 1 || max_points > 4) {
    throw Error("a patch of a manifold has 1 to 4 points, not " + std::to_string(max_points));
  }
  std::vector<const Contact*> in_order;
  in_order.reserve(known.size() + others.size());
  for (const Contact& contact : known) in_order.push_back(&contact);
  for (const Contact& contact : others) in_order.push_back(&contact);
  double farthest = 0;
  for (const Contact* contact : in_order) {
    for_each_point(*contact, [&](const Vec3d& point) {
      farthest = std::max(farthest, detail::largest_component(point));
    });
  }
  std::sort(in_order.begin(), in_order.end(),
            [](const Contact* a, const Contact* b) { return comes_before(*a, *b); });
  const double tolerance = k_same_point * farthest;

  ContactManifold manifold;
  for (const Patch& patch : find_patches(in_order, known, tolerance)) {
    for (const Candidate& point : choose_points(patch, max_points, tolerance)) {
      manifold.points.push_back({.position = point.position,
                                 .normal = point.contact->normal,
                                 .separation = point.contact->separation,
                                 .pair = point.contact->pair,
                                 .patch = manifold.patch_count});
    }
    ++manifold.patch_count;
  }
  return manifold;
}

}  // namespace tandem
