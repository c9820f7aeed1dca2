#include "sim/feature_contacts.h"

#include <cmath>
#include <tuple>

namespace tandem::sim {
namespace {

/// How far ahead a surface beside a point may lead, as a cosine: 8 degrees where faces are about
/// parallel; elsewhere 2, and a crease that is as flat does no harm.
constexpr double k_about_parallel = 0.14;
constexpr double k_ahead = 0.035;

/// How far beside a triangle a point may be over it, as a share of the square of its size: no
/// point falls between two triangles.
constexpr double k_beside = 1e-12;

/// Edges whose angle has a smaller square of its sine are parallel: their ends make the contacts.
constexpr double k_parallel_sq = 1e-6;

/// Features that are closer than this share of the margin touch: the direction between them is one
/// of rounding.
constexpr double k_touching = 1e-7;

/// By the inverse of the rotation of a pose.
Vec3d turned_back(const Pose& pose, const Vec3d& v) {
  Vec3d turned;
  for (int j = 0; j < 3; ++j) {
    turned[j] = pose.rotation(0, j) * v.x + pose.rotation(1, j) * v.y + pose.rotation(2, j) * v.z;
  }
  return turned;
}

/// Whether the foot of a point on a triangle's plane is in the triangle.
bool is_over(const PlacedTriangle& triangle, const Vec3d& point) {
  const Vec3d sides = triangle.upper - triangle.lower;
  const double tolerance = k_beside * dot(sides, sides);
  for (int k = 0; k < 3; ++k) {
    const Vec3d inward = cross(triangle.normal, triangle.edge(k));
    if (dot(inward, point - triangle.corner(k)) < -tolerance) return false;
  }
  return true;
}

bool overlap(const Vec3d& lower, const Vec3d& upper, const Vec3d& other_lower,
             const Vec3d& other_upper) {
  return lower.x <= other_upper.x && lower.y <= other_upper.y && lower.z <= other_upper.z &&
         upper.x >= other_lower.x && upper.y >= other_lower.y && upper.z >= other_lower.z;
}

/// Those of a triangle's own features that may be within the margin of another triangle.
OwnFeatures near_features(const PlacedTriangle& triangle, const PlacedTriangle& other,
                          double margin) {
  OwnFeatures near;
  if (triangle.own.empty()) return near;
  const Vec3d reach(margin, margin, margin);
  const Vec3d lower = other.lower - reach;
  const Vec3d upper = other.upper + reach;
  for (int k = 0; k < 3; ++k) {
    const Vec3d& corner = triangle.corner(k);
    const Vec3d& next = triangle.corner((k + 1) % 3);
    if ((triangle.own.peaks >> k & 1) != 0 && overlap(corner, corner, lower, upper)) {
      near.peaks |= static_cast<std::uint8_t>(1 << k);
    }
    if ((triangle.own.ridges >> k & 1) != 0 &&
        overlap(min(corner, next), max(corner, next), lower, upper)) {
      near.ridges |= static_cast<std::uint8_t>(1 << k);
    }
  }
  return near;
}

}  // namespace

/// The features of two triangles, one kind of pairs after the other.
class FeatureContacts::Features {
 public:
  Features(FeatureContacts& all, const PlacedTriangle& a, OwnFeatures of_a, const PlacedTriangle& b,
           OwnFeatures of_b)
      : all_(all), bodies_(all.bodies_), a_(a), b_(b), own_a_(of_a), own_b_(of_b) {}

  void add_corners_over_fronts() {
    if (a_.has_area()) {
      for_each(own_b_.peaks, [&](int k) {
        const Vec3d& corner = b_.corner(k);
        const double height = dot(a_.normal, corner - a_.corner(0));
        if (!is_near(height) || !is_over(a_, corner)) return;
        const std::uint32_t number = bodies_.b.features.corners(b_.id)[static_cast<std::size_t>(k)];
        if (height < -touching() && !all_.crossed_b_.has_corner(number)) return;
        if (!leads_from_b(k, a_.normal, k_about_parallel)) return;
        add_corner(false, number,
                   contact_at(corner - height * a_.normal, corner, a_.normal, height));
      });
    }
    if (b_.has_area()) {
      for_each(own_a_.peaks, [&](int k) {
        const Vec3d& corner = a_.corner(k);
        const double height = dot(b_.normal, corner - b_.corner(0));
        if (!is_near(height) || !is_over(b_, corner)) return;
        const std::uint32_t number = bodies_.a.features.corners(a_.id)[static_cast<std::size_t>(k)];
        if (height < -touching() && !all_.crossed_a_.has_corner(number)) return;
        if (!leads_from_a(k, -b_.normal, k_about_parallel)) return;
        add_corner(true, number,
                   contact_at(corner, corner - height * b_.normal, -b_.normal, height));
      });
    }
  }

  void add_corners_and_corners() {
    for_each(own_a_.peaks, [&](int i) {
      for_each(own_b_.peaks, [&](int k) {
        if (reaches(a_.corner(i), b_.corner(k)) && leads_from_a(i, normal_, k_ahead) &&
            leads_from_b(k, normal_, k_ahead)) {
          add_gap();
        }
      });
    });
  }

  void add_corners_and_edges() {
    for_each(own_b_.ridges, [&](int k) {
      const Vec3d along = b_.edge(k);
      for_each(own_a_.peaks, [&](int i) {
        const double share = dot(a_.corner(i) - b_.corner(k), along) / length_sq(along);
        if (share > 0 && share < 1 && reaches(a_.corner(i), b_.corner(k) + share * along) &&
            leads_from_a(i, normal_, k_ahead) && leads_from_b_edge(k, k_ahead)) {
          add_gap();
        }
      });
    });
    for_each(own_a_.ridges, [&](int i) {
      const Vec3d along = a_.edge(i);
      for_each(own_b_.peaks, [&](int k) {
        const double share = dot(b_.corner(k) - a_.corner(i), along) / length_sq(along);
        if (share > 0 && share < 1 && reaches(a_.corner(i) + share * along, b_.corner(k)) &&
            leads_from_a_edge(i, k_ahead) && leads_from_b(k, normal_, k_ahead)) {
          add_gap();
        }
      });
    });
  }

  void add_edges_and_edges() {
    for_each(own_a_.ridges, [&](int i) {
      for_each(own_b_.ridges, [&](int k) {
        if (!edges_reach(i, k)) return;
        if (leads_from_edges(i, k)) {
          add_gap();
          return;
        }
        const std::uint32_t of_a = bodies_.a.features.edges(a_.id)[static_cast<std::size_t>(i)];
        const std::uint32_t of_b = bodies_.b.features.edges(b_.id)[static_cast<std::size_t>(k)];
        if (!all_.crossed_a_.has_edge(of_a) || !all_.crossed_b_.has_edge(of_b)) return;
        normal_ = -normal_;
        gap_ = -gap_;
        if (!leads_from_edges(i, k)) return;
        all_.inside_a_.add_edge(of_a);
        all_.inside_b_.add_edge(of_b);
        add_gap();
      });
    });
  }

 private:
  /// For the bits that are set.
  template <class Work>
  static void for_each(std::uint8_t bits, const Work& work) {
    for (int k = 0; k < 3; ++k) {
      if ((bits >> k & 1) != 0) work(k);
    }
  }

  double touching() const { return k_touching * bodies_.margin; }
  bool is_near(double height) const { return std::fabs(height) <= bodies_.margin; }

  /// Whether two points are within the margin; if so, keeps what a contact needs.
  bool reaches(const Vec3d& on_a, const Vec3d& on_b) {
    const Vec3d way = on_b - on_a;
    const double size_sq = length_sq(way);
    if (!(size_sq <= bodies_.margin * bodies_.margin && size_sq > touching() * touching())) {
      return false;
    }
    gap_ = std::sqrt(size_sq);
    normal_ = way / gap_;
    on_a_ = on_a;
    on_b_ = on_b;
    return true;
  }

  /// Whether two edges are closest inside both of them, and within the margin there. Where they
  /// cross, the way across both that leads from A counts.
  bool edges_reach(int edge_of_a, int edge_of_b) {
    const Vec3d u = a_.edge(edge_of_a);
    const Vec3d v = b_.edge(edge_of_b);
    const double uu = length_sq(u);
    const double vv = length_sq(v);
    const double uv = dot(u, v);
    const double across = uu * vv - uv * uv;
    if (across <= k_parallel_sq * uu * vv) return false;
    const Vec3d between = a_.corner(edge_of_a) - b_.corner(edge_of_b);
    const double bu = dot(between, u);
    const double bv = dot(between, v);
    const double on_u = uv * bv - vv * bu;
    const double on_v = uu * bv - uv * bu;
    if (!(on_u > 0 && on_u < across && on_v > 0 && on_v < across)) return false;
    const Vec3d on_a = a_.corner(edge_of_a) + on_u / across * u;
    const Vec3d on_b = b_.corner(edge_of_b) + on_v / across * v;
    if (reaches(on_a, on_b)) return true;
    if (length_sq(on_b - on_a) > touching() * touching()) return false;
    normal_ = normalised(cross(u, v));
    if (!leads_from_a_edge(edge_of_a, k_about_parallel)) normal_ = -normal_;
    gap_ = 0;
    on_a_ = on_b_ = on_a;
    return true;
  }

  bool leads_from_a(int corner, const Vec3d& normal, double tolerance) const {
    return bodies_.a.features.leads_away_from_corner(a_.id, corner, normal, tolerance);
  }
  bool leads_from_b(int corner, const Vec3d& normal, double tolerance) const {
    return bodies_.b.features.leads_away_from_corner(
        b_.id, corner, turned_back(bodies_.b_in_a, -normal), tolerance);
  }
  bool leads_from_a_edge(int edge, double tolerance) const {
    return bodies_.a.features.leads_away_from_edge(a_.id, edge, normal_, tolerance);
  }
  bool leads_from_b_edge(int edge, double tolerance) const {
    return bodies_.b.features.leads_away_from_edge(
        b_.id, edge, turned_back(bodies_.b_in_a, -normal_), tolerance);
  }

  bool leads_from_edges(int edge_of_a, int edge_of_b) const {
    return leads_from_a_edge(edge_of_a, k_about_parallel) &&
           leads_from_b_edge(edge_of_b, k_about_parallel);
  }

  void add_gap() { all_.contacts_.push_back(contact_at(on_a_, on_b_, normal_, gap_)); }
  /// One that is in front of a triangle, or behind it.
  void add_corner(bool is_of_a, std::uint32_t number, const Contact& contact) {
    if (contact.separation >= -touching()) {
      all_.contacts_.push_back(contact);
    } else {
      all_.inside_corners_.push_back({is_of_a, number, contact});
    }
  }
  /// In the middle of a gap. What is inside is as long as it is deep, so that its direction is
  /// not in doubt.
  Contact contact_at(const Vec3d& on_a, const Vec3d& on_b, const Vec3d& normal,
                     double separation) const {
    const Vec3d middle = on_a + 0.5 * (on_b - on_a);
    const bool is_gap = separation >= 0;
    const Vec3d& first = is_gap ? middle : on_a;
    const Vec3d& second = is_gap ? middle : on_b;
    return {.pair = {a_.id, b_.id},
            .points = {first, second},
            .across = {first, second},
            .normal = normal,
            .separation = separation};
  }

  FeatureContacts& all_;
  const NearBodies& bodies_;
  const PlacedTriangle& a_;
  const PlacedTriangle& b_;
  OwnFeatures own_a_;
  OwnFeatures own_b_;
  double gap_ = 0;
  Vec3d normal_;
  Vec3d on_a_;
  Vec3d on_b_;
};

void FeatureContacts::add_crossing(TrianglePair pair) {
  crossed_a_.add_corners(bodies_.a.features.corners(pair.a));
  crossed_a_.add_edges(bodies_.a.features.edges(pair.a));
  crossed_b_.add_corners(bodies_.b.features.corners(pair.b));
  crossed_b_.add_edges(bodies_.b.features.edges(pair.b));
  is_sorted_ = false;
}

void FeatureContacts::look_at(const PlacedTriangle& a, const PlacedTriangle& b) {
  const OwnFeatures of_a = near_features(a, b, bodies_.margin);
  const OwnFeatures of_b = near_features(b, a, bodies_.margin);
  if (of_a.empty() && of_b.empty()) return;
  if (!is_sorted_) {
    crossed_a_.sort();
    crossed_b_.sort();
    is_sorted_ = true;
  }
  Features features(*this, a, of_a, b, of_b);
  features.add_corners_over_fronts();
  if (of_a.empty() || of_b.empty()) return;
  features.add_corners_and_corners();
  features.add_corners_and_edges();
  features.add_edges_and_edges();
}

std::vector<Contact> FeatureContacts::contacts() {
  // Of each corner that is inside the closest way out.
  std::sort(inside_corners_.begin(), inside_corners_.end(),
            [](const InsideCorner& one, const InsideCorner& other) {
              const auto key = [](const InsideCorner& inside) {
                return std::tuple(inside.is_of_a, inside.corner, -inside.contact.separation,
                                  inside.contact.pair);
              };
              return key(one) < key(other);
            });
  const InsideCorner* last = nullptr;
  for (const InsideCorner& inside : inside_corners_) {
    const bool is_same =
        last != nullptr && last->is_of_a == inside.is_of_a && last->corner == inside.corner;
    if (!is_same) {
      contacts_.push_back(inside.contact);
      (inside.is_of_a ? inside_a_ : inside_b_).add_corner(inside.corner);
    }
    last = &inside;
  }
  inside_a_.sort();
  inside_b_.sort();
  return std::move(contacts_);
}

bool is_shallow(const PlacedTriangle& a, const PlacedTriangle& b, double margin) {
  const auto is_in_front = [&](const PlacedTriangle& front, const PlacedTriangle& other) {
    for (int k = 0; k < 3; ++k) {
      if (dot(front.normal, other.corner(k) - front.corner(0)) < -k_touching * margin) return false;
    }
    return true;
  };
  return is_in_front(a, b) || is_in_front(b, a);
}

}  // namespace tandem::sim
