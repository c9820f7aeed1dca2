// Contacts of corners and edges: they say how far apart bodies are, and how deep.
#include <gtest/gtest.h>
#include <tandem/distance.h>
#include <tandem/shapes.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "math/random.h"
#include "sim/feature_contacts.h"

namespace tandem::sim {
namespace {

constexpr double k_margin = 0.02;

/// The contacts of the features of two models alone.
std::vector<Contact> contacts_of_features(const Model& a, const SurfaceFeatures& features_of_a,
                                          const Model& b, const SurfaceFeatures& features_of_b,
                                          const Pose& b_in_a) {
  const NearMesh near_a{a, features_of_a};
  const NearMesh near_b{b, features_of_b};
  const auto close = collide_within(a, b, b_in_a, k_margin).pairs;
  std::vector<std::uint32_t> ids_of_a;
  std::vector<std::uint32_t> ids_of_b;
  for (const TrianglePair& pair : close) {
    ids_of_a.push_back(pair.a);
    ids_of_b.push_back(pair.b);
  }
  const PlacedTriangles in_a(near_a, ids_of_a, [](const Vec3d& point) { return point; });
  const PlacedTriangles in_b(near_b, ids_of_b,
                             [&](const Vec3d& point) { return transform_point(b_in_a, point); });
  FeatureContacts features({near_a, near_b, b_in_a, k_margin});
  for (const TrianglePair& pair : close) {
    if (intersects(in_a[pair.a].corners, in_b[pair.b].corners)) features.add_crossing(pair);
  }
  for (const TrianglePair& pair : close) features.look_at(in_a[pair.a], in_b[pair.b]);
  return features.contacts();
}

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

TEST(FeatureContacts, OfBodiesThatAreApartSayHowFar) {
  const std::vector<Mesh> meshes = {make_box(1), make_box(3), make_rock(4, 1),
                                    make_shape("torus", 200), make_shape("knot", 300)};
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    detail::Random random(seed);
    const Model a(meshes[seed % meshes.size()]);
    const Model b(meshes[seed / 7 % meshes.size()]);
    const SurfaceFeatures features_of_a(a.mesh());
    const SurfaceFeatures features_of_b(b.mesh());
    Pose pose = random_pose(random, 2.5);
    const DistanceResult apart = distance(a, b, pose);
    if (apart.distance == 0) continue;
    // As close as a share of the margin, along the direction in which they are closest.
    const double gap = random.uniform(0.01, 0.9) * k_margin;
    pose = moved_by((gap - apart.distance) * apart.normal, pose);
    const DistanceResult closer = distance(a, b, pose);
    if (closer.distance == 0) continue;
    const auto contacts = contacts_of_features(a, features_of_a, b, features_of_b, pose);
    ASSERT_NEAR(least_separation(contacts), closer.distance, 1e-9) << "seed " << seed;
    for (const Contact& contact : contacts) {
      ASSERT_NEAR(length(contact.normal), 1, 1e-12) << "seed " << seed;
    }
    ++found;
  }
  EXPECT_GT(found, 100);
}

TEST(FeatureContacts, OfBodiesThatCrossSayHowDeep) {
  const std::vector<Mesh> meshes = {make_box(1), make_rock(4, 1), make_shape("torus", 200)};
  int found = 0;
  int looked = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    detail::Random random(seed);
    const Model a(meshes[seed % meshes.size()]);
    const Model b(meshes[seed / 7 % meshes.size()]);
    const SurfaceFeatures features_of_a(a.mesh());
    const SurfaceFeatures features_of_b(b.mesh());
    Pose pose = random_pose(random, 2.5);
    const DistanceResult apart = distance(a, b, pose);
    if (apart.distance == 0) continue;
    const double depth = random.uniform(0.01, 0.2) * k_margin;
    pose = moved_by(-(depth + apart.distance) * apart.normal, pose);
    if (!intersects(a, b, pose)) continue;
    ++looked;
    const auto contacts = contacts_of_features(a, features_of_a, b, features_of_b, pose);
    // They have come as much deeper as they were moved; a corner that came over an edge is closer
    // to one of the faces beside it.
    const double least = least_separation(contacts);
    if (least < 0) ++found;
    ASSERT_GE(least, -depth * (1 + 1e-6)) << "seed " << seed;
  }
  EXPECT_GT(looked, 200);
  EXPECT_GT(found, 0.9 * looked);
}

TEST(FeatureContacts, OfACornerInAFloorIsItsDepthAndTheWayUp) {
  const Model floor(make_box(3, {8, 8, 1}));
  const Model box(make_box(1, {1, 1, 1}));
  const SurfaceFeatures features_of_floor(floor.mesh());
  const SurfaceFeatures features_of_box(box.mesh());
  // On one of its corners.
  const Pose turn = Pose::from_axis_angle({1, -1, 0}, std::atan(std::sqrt(2.0)));
  for (const double depth : {-0.004, 0.001, 0.012}) {
    const Pose pose = moved_by({0.3, 0.2, 0.5 + std::sqrt(0.75) - depth}, turn);
    const auto contacts =
        contacts_of_features(floor, features_of_floor, box, features_of_box, pose);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_NEAR(contacts[0].separation, -depth, 1e-6);
    EXPECT_NEAR(contacts[0].normal.z, 1, 1e-6);
  }
}

}  // namespace
}  // namespace tandem::sim
