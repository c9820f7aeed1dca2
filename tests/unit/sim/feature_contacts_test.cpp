// Contacts of corners and edges: they say how far apart bodies are, and how deep; and what lanes
// leave of them.
#include <gtest/gtest.h>
#include <tandem/distance.h>
#include <tandem/shapes.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "math/random.h"
#include "sim/feature_contacts.h"
#include "sim/pair_clues.h"
#include "traverse/wide/instruction_sets.h"

namespace tandem::sim {
namespace {

constexpr double k_margin = 0.02;

/// All that two triangles may have between them: what clues leave nothing out.
PairClues every_clue(const PlacedTriangle& a, const PlacedTriangle& b) {
  const auto pairs = [](std::uint8_t of_a, std::uint8_t of_b) {
    unsigned bits = 0;
    for (int i = 0; i < 3; ++i) bits |= (of_a >> i & 1u) * of_b << 3 * i;
    return static_cast<std::uint16_t>(bits);
  };
  return {.b_over_a = b.own.peaks,
          .a_over_b = a.own.peaks,
          .corners = pairs(a.own.peaks, b.own.peaks),
          .corners_and_edges = pairs(a.own.peaks, b.own.ridges),
          .edges_and_corners = pairs(a.own.ridges, b.own.peaks),
          .edges = pairs(a.own.ridges, b.own.ridges)};
}

/// Two models, and their triangles that are close.
class TwoBodies {
 public:
  TwoBodies(const Model& a, const Model& b) : a_(a), b_(b), of_a_(a.mesh()), of_b_(b.mesh()) {}

  void place(const Pose& b_in_a) {
    b_in_a_ = b_in_a;
    close_ = collide_within(a_, b_, b_in_a, k_margin).pairs;
    in_a_.fill({a_, of_a_}, close_, &TrianglePair::a, [](const Vec3d& point) { return point; });
    in_b_.fill({b_, of_b_}, close_, &TrianglePair::b,
               [&](const Vec3d& point) { return transform_point(b_in_a, point); });
    places_.clear();
    for (const TrianglePair& pair : close_) {
      places_.push_back({in_a_.place_of(pair.a), in_b_.place_of(pair.b)});
    }
  }

  std::vector<PairClues> clues() const {
    std::vector<PairClues> clues(places_.size());
    find_clues(in_a_.all(), in_b_.all(), places_, k_margin, clues);
    return clues;
  }
  std::vector<PairClues> every() const {
    std::vector<PairClues> clues;
    for (const PlacedPair& pair : places_) {
      clues.push_back(every_clue(in_a_.all()[pair.a], in_b_.all()[pair.b]));
    }
    return clues;
  }

  bool do_touch(std::size_t i) const {
    return intersects(in_a_.all()[places_[i].a].corners, in_b_.all()[places_[i].b].corners);
  }

  /// The contacts of features alone.
  std::vector<Contact> contacts(const std::vector<PairClues>& clues) const {
    FeatureContacts features;
    const NearMesh a{a_, of_a_};
    const NearMesh b{b_, of_b_};
    features.begin({a, b, b_in_a_, k_margin});
    for (std::size_t i = 0; i < close_.size(); ++i) {
      if (!do_touch(i)) continue;
      features.add_crossing_of_a(close_[i].a);
      features.add_crossing_of_b(close_[i].b);
    }
    for (std::size_t i = 0; i < places_.size(); ++i) {
      features.look_at(in_a_.all()[places_[i].a], in_b_.all()[places_[i].b], clues[i]);
    }
    std::vector<Contact> contacts;
    features.add_to(&contacts);
    return contacts;
  }

 private:
  const Model& a_;
  const Model& b_;
  SurfaceFeatures of_a_;
  SurfaceFeatures of_b_;
  Pose b_in_a_;
  std::vector<TrianglePair> close_;
  PlacedTriangles in_a_;
  PlacedTriangles in_b_;
  std::vector<PlacedPair> places_;
};

double least_separation(const std::vector<Contact>& contacts) {
  double least = INFINITY;
  for (const Contact& contact : contacts) least = std::min(least, contact.separation);
  return least;
}

Pose random_pose(detail::Random& random, double away) {
  const auto number = [&] { return random.uniform(-1, 1); };
  const Vec3d way = normalised(Vec3d(number(), number(), number()));
  return Pose::from_axis_angle({number(), number(), number() + 2}, random.uniform(0, 6),
                               away * way);
}

Pose moved_by(const Vec3d& way, const Pose& pose) {
  return Pose::from_translation(way) * pose;
}

TEST(SurfaceFeatures, OfABoxAreItsEdgesAndCornersEachOnce) {
  for (const int cuts : {1, 3}) {
    const Mesh box = make_box(cuts, {1, 2, 3});
    const SurfaceFeatures features(box);
    int peaks = 0;
    int ridges = 0;
    for (std::uint32_t i = 0; i < box.triangle_count(); ++i) {
      for (int k = 0; k < 3; ++k) {
        peaks += features.own(i).peaks >> k & 1;
        ridges += features.own(i).ridges >> k & 1;
      }
    }
    // Edges across a face are no ridges.
    EXPECT_EQ(ridges, 12 * cuts);
    EXPECT_EQ(peaks, 8 + 12 * (cuts - 1));
  }
}

TEST(SurfaceFeatures, KnowWhatLeadsAway) {
  const Mesh box = make_box(1, {2, 2, 2});
  const SurfaceFeatures features(box);
  const double tolerance = 1e-3;
  for (std::uint32_t i = 0; i < box.triangle_count(); ++i) {
    for (int k = 0; k < 3; ++k) {
      const Vec3d corner(box.triangle(i).corner[k]);
      EXPECT_TRUE(features.leads_away_from_corner(i, k, normalised(corner), tolerance));
      EXPECT_TRUE(features.leads_away_from_corner(i, k, {corner.x, 0, 0}, tolerance));
      EXPECT_FALSE(features.leads_away_from_corner(i, k, {-corner.x, 0, 0}, tolerance));
      if ((features.own(i).ridges >> k & 1) == 0) continue;
      const Vec3d next(box.triangle(i).corner[(k + 1) % 3]);
      const Vec3d outward = normalised(corner + next);
      EXPECT_TRUE(features.leads_away_from_edge(i, k, outward, tolerance));
      EXPECT_FALSE(features.leads_away_from_edge(i, k, -outward, tolerance));
    }
  }
}

/// Two bodies somewhere near each other, and how far apart they are.
struct NearScene {
  const Model& a;
  const Model& b;
  Pose b_in_a;
  DistanceResult apart;
  detail::Random& random;
  std::uint64_t seed;
};

/// Calls `work(scene)` for random pairs of the meshes that do not touch.
template <class Work>
void for_each_scene(const std::vector<Mesh>& meshes, const Work& work) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    detail::Random random(seed);
    const Model a(meshes[seed % meshes.size()]);
    const Model b(meshes[seed / 7 % meshes.size()]);
    const Pose pose = random_pose(random, 2.5);
    const DistanceResult apart = distance(a, b, pose);
    if (apart.distance > 0) work(NearScene{a, b, pose, apart, random, seed});
  }
}

std::vector<Mesh> many_meshes() {
  return {make_box(1), make_box(3), make_rock(4, 1), make_shape("torus", 200),
          make_shape("knot", 300)};
}

TEST(FeatureContacts, OfBodiesThatAreApartSayHowFar) {
  int found = 0;
  for_each_scene(many_meshes(), [&](const NearScene& scene) {
    // As close as a share of the margin, along the direction in which they are closest.
    const double gap = scene.random.uniform(0.01, 0.9) * k_margin;
    const Pose pose = moved_by((gap - scene.apart.distance) * scene.apart.normal, scene.b_in_a);
    const DistanceResult closer = distance(scene.a, scene.b, pose);
    if (closer.distance == 0) return;
    TwoBodies bodies(scene.a, scene.b);
    bodies.place(pose);
    const auto contacts = bodies.contacts(bodies.clues());
    ASSERT_NEAR(least_separation(contacts), closer.distance, 1e-9) << "seed " << scene.seed;
    for (const Contact& contact : contacts) {
      ASSERT_NEAR(length(contact.normal), 1, 1e-12) << "seed " << scene.seed;
    }
    ++found;
  });
  EXPECT_GT(found, 100);
}

TEST(FeatureContacts, OfBodiesThatCrossSayHowDeep) {
  int found = 0;
  int looked = 0;
  const std::vector<Mesh> meshes = {make_box(1), make_rock(4, 1), make_shape("torus", 200)};
  for_each_scene(meshes, [&](const NearScene& scene) {
    const double depth = scene.random.uniform(0.01, 0.2) * k_margin;
    const Pose pose = moved_by(-(depth + scene.apart.distance) * scene.apart.normal, scene.b_in_a);
    if (!intersects(scene.a, scene.b, pose)) return;
    ++looked;
    TwoBodies bodies(scene.a, scene.b);
    bodies.place(pose);
    // They have come as much deeper as they were moved; a corner that came over an edge is closer
    // to one of the faces beside it.
    const double least = least_separation(bodies.contacts(bodies.clues()));
    if (least < 0) ++found;
    ASSERT_GE(least, -depth * (1 + 1e-6)) << "seed " << scene.seed;
  });
  EXPECT_GT(looked, 200);
  EXPECT_GT(found, 0.9 * looked);
}

TEST(PairClues, LeaveOutNoContactAndNoTouchWithAnyInstructionSet) {
  std::size_t contacts = 0;
  std::size_t clues_left = 0;
  std::size_t clues_given = 0;
  const auto check = [&](const TwoBodies& bodies, std::uint64_t seed) {
    const std::vector<PairClues> every = bodies.every();
    const std::vector<Contact> expected = bodies.contacts(every);
    contacts += expected.size();
    for (const detail::InstructionSet& set : detail::instruction_sets()) {
      const detail::UseInstructionSet use(set);
      const std::vector<PairClues> clues = bodies.clues();
      ASSERT_TRUE(bodies.contacts(clues) == expected) << set.name << ", seed " << seed;
      for (std::size_t i = 0; i < clues.size(); ++i) {
        ASSERT_FALSE(clues[i].apart && bodies.do_touch(i)) << set.name << ", seed " << seed;
        clues_left += clues[i].has_features() ? 1 : 0;
        clues_given += every[i].has_features() ? 1 : 0;
      }
    }
  };
  // Near each other, flush, and a little turned.
  for_each_scene(many_meshes(), [&](const NearScene& scene) {
    const double gap = scene.random.uniform(-0.3, 0.9) * k_margin;
    TwoBodies bodies(scene.a, scene.b);
    bodies.place(moved_by((gap - scene.apart.distance) * scene.apart.normal, scene.b_in_a));
    check(bodies, scene.seed);
  });
  const Model box(make_box(2, {1, 1, 1}));
  TwoBodies boxes(box, box);
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    detail::Random random(seed);
    const double size = seed % 4 == 0 ? 0 : std::pow(10, random.uniform(-15, -2));
    const auto number = [&] { return size * random.uniform(-1, 1); };
    const Vec3d aside(random.uniform(-1, 1), seed % 3 == 0 ? 0 : random.uniform(-1, 1), 1);
    boxes.place(Pose::from_axis_angle({number(), number(), 1}, number(),
                                      aside + Vec3d(number(), number(), number())));
    check(boxes, seed);
  }
  EXPECT_GT(contacts, 1000U);
  EXPECT_LT(clues_left, clues_given);
}

TEST(FeatureContacts, OfACornerInAFloorIsItsDepthAndTheWayUp) {
  const Model floor(make_box(3, {8, 8, 1}));
  const Model box(make_box(1, {1, 1, 1}));
  TwoBodies bodies(floor, box);
  // On one of its corners.
  const Pose turn = Pose::from_axis_angle({1, -1, 0}, std::atan(std::sqrt(2.0)));
  for (const double depth : {-0.004, 0.001, 0.012}) {
    bodies.place(moved_by({0.3, 0.2, 0.5 + std::sqrt(0.75) - depth}, turn));
    const auto contacts = bodies.contacts(bodies.clues());
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_NEAR(contacts[0].separation, -depth, 1e-6);
    EXPECT_NEAR(contacts[0].normal.z, 1, 1e-6);
  }
}

}  // namespace
}  // namespace tandem::sim
