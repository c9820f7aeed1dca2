#include "sim/feature_contacts.h"

#include <bit>
#include <cmath>
#include <tuple>

namespace tandem::sim {
namespace {

/// How far ahead a surface beside a point may lead, as a cosine: 8 degrees where faces are about
/// parallel; elsewhere 2, and a crease that is as flat does no harm.
constexpr double k_about_parallel = 0.14;
constexpr double k_ahead = 0.035;

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
bool is_over(const PlacedTriangle& triangle, const Vec3d& normal, const Vec3d& point) {
  const Vec3d sides = triangle.upper() - triangle.lower();
  const double tolerance = k_beside * dot(sides, sides);
  for (int k = 0; k < 3; ++k) {
    const Vec3d inward = cross(normal, triangle.edge(k));
    if (dot(inward, point - triangle.corner(k)) < -tolerance) return false;
  }
  return true;
}

}  // namespace

/// The features of two triangles, one kind of pairs after the other.
class FeatureContacts::Features {
 public:
  Features(FeatureContacts& all, const PlacedTriangle& a, const PlacedTriangle& b,
           const PairClues& clues)
      : all_(all), bodies_(all.bodies()), a_(a), b_(b), clues_(clues) {}

  void add_corners_over_fronts() {
    for_each_bit(clues_.b_over_a, [&](int k) {
      const Vec3d normal = a_.normal();
      if (normal == Vec3d(0, 0, 0)) return;
      const Vec3d& corner = b_.corner(k);
      const double height = dot(normal, corner - a_.corner(0));
      if (!is_near(height) || !is_over(a_, normal, corner)) return;
      const std::uint32_t number = bodies_.b.features.corners(b_.id)[static_cast<std::size_t>(k)];
      if (height < -touching() && !all_.crossed_b_.has_corner(number)) return;
      if (!leads_from_b(k, normal, k_about_parallel)) return;
      add_corner(false, number, contact_at(corner - height * normal, corner, normal, height));
    });
    for_each_bit(clues_.a_over_b, [&](int i) {
      const Vec3d normal = b_.normal();
      if (normal == Vec3d(0, 0, 0)) return;
      const Vec3d& corner = a_.corner(i);
      const double height = dot(normal, corner - b_.corner(0));
      if (!is_near(height) || !is_over(b_, normal, corner)) return;
      const std::uint32_t number = bodies_.a.features.corners(a_.id)[static_cast<std::size_t>(i)];
      if (height < -touching() && !all_.crossed_a_.has_corner(number)) return;
      if (!leads_from_a(i, -normal, k_about_parallel)) return;
      add_corner(true, number, contact_at(corner, corner - height * normal, -normal, height));
    });
  }

  void add_corners_and_corners() {
    for_each_pair(clues_.corners, [&](int i, int k) {
      if (reaches(a_.corner(i), b_.corner(k)) && leads_from_a(i, normal_, k_ahead) &&
          leads_from_b(k, normal_, k_ahead)) {
        add_gap();
      }
    });
  }

  void add_corners_and_edges() {
    for_each_pair(clues_.corners_and_edges, [&](int i, int k) {
      const Vec3d along = b_.edge(k);
      const double share = dot(a_.corner(i) - b_.corner(k), along) / length_sq(along);
      if (share > 0 && share < 1 && reaches(a_.corner(i), b_.corner(k) + share * along) &&
          leads_from_a(i, normal_, k_ahead) && leads_from_b_edge(k, k_ahead)) {
        add_gap();
      }
    });
    for_each_pair(clues_.edges_and_corners, [&](int i, int k) {
      const Vec3d along = a_.edge(i);
      const double share = dot(b_.corner(k) - a_.corner(i), along) / length_sq(along);
      if (share > 0 && share < 1 && reaches(a_.corner(i) + share * along, b_.corner(k)) &&
          leads_from_a_edge(i, k_ahead) && leads_from_b(k, normal_, k_ahead)) {
        add_gap();
      }
    });
  }

  void add_edges_and_edges() {
    for_each_pair(clues_.edges, [&](int i, int k) {
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
  }

 private:
  template <class Work>
  static void for_each_bit(unsigned bits, const Work& work) {
    for (; bits != 0; bits &= bits - 1) work(std::countr_zero(bits));
  }
  /// Of clues about a feature of each triangle.
  template <class Work>
  static void for_each_pair(unsigned bits, const Work& work) {
    for_each_bit(bits, [&](int bit) { work(bit / 3, bit % 3); });
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
  const PairClues& clues_;
  double gap_ = 0;
  Vec3d normal_;
  Vec3d on_a_;
  Vec3d on_b_;
};

void FeatureContacts::begin(const NearBodies& bodies) {
  bodies_.emplace(bodies);
  is_sorted_ = false;
  for (FeatureNumbers* numbers : {&crossed_a_, &crossed_b_, &inside_a_, &inside_b_}) {
    numbers->clear();
  }
  inside_corners_.clear();
  contacts_.clear();
}

void FeatureContacts::look_at(const PlacedTriangle& a, const PlacedTriangle& b,
                              const PairClues& clues) {
  if (!is_sorted_) {
    crossed_a_.sort();
    crossed_b_.sort();
    is_sorted_ = true;
  }
  Features features(*this, a, b, clues);
  features.add_corners_over_fronts();
  features.add_corners_and_corners();
  features.add_corners_and_edges();
  features.add_edges_and_edges();
}

void FeatureContacts::add_to(std::vector<Contact>* contacts) {
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
  contacts->insert(contacts->end(), contacts_.begin(), contacts_.end());
}

bool is_shallow(const PlacedTriangle& a, const PlacedTriangle& b, double margin) {
  const auto is_in_front = [&](const PlacedTriangle& front, const PlacedTriangle& other) {
    const Vec3d normal = front.normal();
    for (int k = 0; k < 3; ++k) {
      if (dot(normal, other.corner(k) - front.corner(0)) < -k_touching * margin) return false;
    }
    return true;
  };
  return is_in_front(a, b) || is_in_front(b, a);
}

}  // namespace tandem::sim
