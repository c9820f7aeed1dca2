// The volumes one by one: what they enclose, what a node pair costs, how tests and margins behave.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>
#include <vector>

#include "build/builders.h"
#include "math/counted.h"
#include "math/random.h"
#include "math/transform.h"
#include "math/type_list.h"
#include "volume/aabb_overlap.h"
#include "volume/kdop.h"
#include "volume/obb.h"
#include "volume/relative_obb_overlap.h"
#include "volume/restricted_overlap.h"
#include "volume/sphere.h"

namespace tandem::detail {
namespace {

template <class V>
class EveryVolume : public testing::Test {};
using AllVolumes =
    testing::Types<Aabb, Sphere, Obb, Kdop<6>, Kdop<14>, Kdop<18>, Kdop<24>, Kdop<26>>;
TYPED_TEST_SUITE(EveryVolume, AllVolumes);

std::vector<Vec3f> random_points(Random& random, double size, double distance) {
  std::vector<Vec3f> points(1 + random.below(12));
  for (Vec3f& p : points) {
    p = Vec3f(Vec3d{distance + random.uniform(-size, size), -distance + random.uniform(-size, size),
                    random.uniform(-size, size)});
  }
  return points;
}

TYPED_TEST(EveryVolume, EnclosesItsPointsAndThoseOfItsParts) {
  const std::uint64_t seed = 3;
  Random random(seed);
  for (int i = 0; i < 2'000; ++i) {
    const double size = std::pow(10.0, random.uniform(-30, 30));
    const double distance = random.below(3) == 0 ? size * 1e6 : 0;
    const std::vector<Vec3f> p = random_points(random, size, distance);
    const std::vector<Vec3f> q = random_points(random, size, distance);
    const TypeParam a = TypeParam::fit(p);
    const TypeParam b = TypeParam::fit(q);
    const TypeParam both = TypeParam::merge(a, b);
    for (const Vec3f& point : p) {
      ASSERT_TRUE(a.encloses(point)) << "seed " << seed << ", " << i;
      ASSERT_TRUE(both.encloses(point)) << "seed " << seed << ", " << i;
    }
    for (const Vec3f& point : q) ASSERT_TRUE(both.encloses(point)) << "seed " << seed << ", " << i;
    ASSERT_GE(a.size(), 0);
  }
}

TYPED_TEST(EveryVolume, APointIsAVolumeToo) {
  const Vec3f point{1, 2, 3};
  const TypeParam volume = TypeParam::fit({&point, 1});
  EXPECT_TRUE(volume.encloses(point));
  EXPECT_FALSE(volume.encloses({1, 2, 3.01F}));
}

/// Volumes whose points coincide after the pose must overlap, whatever the rounding.
template <class Test, class V>
void expect_never_misses(std::uint64_t seed) {
  Random random(seed);
  const auto unit = [&] {
    return Vec3d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
  };
  for (int i = 0; i < 5'000; ++i) {
    const double size = std::pow(10.0, random.uniform(-3, 3));
    const double distance = random.below(3) == 0 ? size * std::pow(10.0, random.uniform(0, 7)) : 0;
    std::vector<Vec3f> p = random_points(random, size, distance);
    const std::vector<Vec3f> q = random_points(random, size, 0);
    Pose pose = Pose::from_axis_angle(unit(), random.uniform(-4, 4));
    if (random.below(4) == 0) {
      const double e = 4e-7;
      const double rows[9] = {1 + e, e, -e, -e, 1 - e, e, e, -e, 1 + e};
      pose = Pose::from_rotation(rows);
    }
    pose = Pose::from_translation({distance, -distance, 0}) * pose;
    const Vec3d landed = transform_point(pose, q[0]);
    // The float32 cell around the place where it landed is part of A: its hull holds the place.
    for (int corner = 0; corner < 8; ++corner) {
      const auto side = [&](int axis) {
        return (corner >> axis & 1) != 0 ? round_up(landed[axis]) : round_down(landed[axis]);
      };
      p.push_back({side(0), side(1), side(2)});
    }
    const V a = V::fit(p);
    const V b = V::fit(q);
    const Test test(pose, a, b);
    ASSERT_TRUE(test(a, test.tumble(b))) << "seed " << seed << ", " << i;
  }
}

TEST(Overlap, NeverMissesVolumesThatShareAPoint) {
  expect_never_misses<RealignedAabbOverlap<>, Aabb>(1);
  expect_never_misses<SixAxisAabbOverlap<>, Aabb>(2);
  expect_never_misses<FifteenAxisAabbOverlap<>, Aabb>(3);
  expect_never_misses<SphereOverlap<>, Sphere>(4);
  expect_never_misses<ObbOverlap<>, Obb>(5);
  expect_never_misses<KdopOverlap<6>, Kdop<6>>(6);
  expect_never_misses<KdopOverlap<14>, Kdop<14>>(7);
  expect_never_misses<KdopOverlap<18>, Kdop<18>>(8);
  expect_never_misses<KdopOverlap<24>, Kdop<24>>(9);
  expect_never_misses<KdopOverlap<26>, Kdop<26>>(10);
}

TEST(Overlap, SeparatesWhatIsApart) {
  const std::vector<Vec3f> cube = {{0, 0, 0}, {1, 1, 1}, {1, 0, 0}, {0, 1, 0},
                                   {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}};
  const auto apart = [&]<class Test, class V>(Test*, V*, const Pose& pose) {
    const V volume = V::fit(cube);
    const Test test(pose, volume, volume);
    return !test(volume, test.tumble(volume));
  };
  const Pose away = Pose::from_axis_angle({1, 2, 3}, 0.8, {4, 0, 0});
  EXPECT_TRUE(apart((RealignedAabbOverlap<>*)nullptr, (Aabb*)nullptr, away));
  EXPECT_TRUE(apart((SixAxisAabbOverlap<>*)nullptr, (Aabb*)nullptr, away));
  EXPECT_TRUE(apart((FifteenAxisAabbOverlap<>*)nullptr, (Aabb*)nullptr, away));
  EXPECT_TRUE(apart((SphereOverlap<>*)nullptr, (Sphere*)nullptr, away));
  EXPECT_TRUE(apart((ObbOverlap<>*)nullptr, (Obb*)nullptr, away));
  EXPECT_TRUE(apart((KdopOverlap<24>*)nullptr, (Kdop<24>*)nullptr, away));
}

/// Operations for a pair that overlaps, so that no test ends early.
struct Operations {
  long tumble;
  long pair;
  long total() const { return tumble + pair; }
};

template <class Test, class V>
Operations operations() {
  const std::vector<Vec3f> points = {{0, 0, 0}, {1, 0.5F, 0.25F}, {0.25F, 1, 0.5F}};
  const V volume = V::fit(points);
  const Test test(Pose::from_axis_angle({1, 2, 3}, 0.5, {0.1, 0, 0}), volume, volume);
  Counted::operation_count = 0;
  const auto tumbled = test.tumble(volume);
  const long tumble = Counted::operation_count;
  EXPECT_TRUE(test(volume, tumbled));
  return {tumble, Counted::operation_count - tumble};
}

TEST(Operations, ANodePairCostsNoMoreThanInTheBoxtreePaper) {
  EXPECT_LE((operations<SphereOverlap<Counted>, Sphere>().total()), 29);
  EXPECT_LE((operations<SixAxisAabbOverlap<Counted>, Aabb>().total()), 90);
  EXPECT_LE((operations<KdopOverlap<24, Counted>, Kdop<24>>().total()), 168);
}

TEST(Operations, ARelativeOrientedBoxCostsThePapersAndItsMargin) {
  const std::vector<Vec3f> points = {{0, 0, 0}, {1, 0.5F, 0.25F}, {0.25F, 1, 0.5F}};
  const Obb box = Obb::fit(points);
  const Pose pose = Pose::from_axis_angle({1, 2, 3}, 0.5, {0.1, 0, 0});
  const RelativePlace<Counted> place(pose, box, box);
  const Obb child{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}, box.half};
  Counted::operation_count = 0;
  EXPECT_TRUE(place.down_a(child).overlap(box, child));
  EXPECT_EQ(Counted::operation_count, 243 + 6);
  Counted::operation_count = 0;
  EXPECT_TRUE(place.down_b(child).overlap(box, child));
  EXPECT_EQ(Counted::operation_count, 243 + 6);
}

TEST(Operations, AreWhatTheCommentsSay) {
  EXPECT_EQ((operations<SphereOverlap<Counted>, Sphere>().tumble), 18);
  EXPECT_EQ((operations<RealignedAabbOverlap<Counted>, Aabb>().total()), 42);
  EXPECT_EQ((operations<SixAxisAabbOverlap<Counted>, Aabb>().total()), 84);
  EXPECT_EQ((operations<ObbOverlap<Counted>, Obb>().tumble), 63);
  EXPECT_EQ((operations<ObbOverlap<Counted>, Obb>().pair), 252);
  EXPECT_EQ((operations<KdopOverlap<24, Counted>, Kdop<24>>().tumble), 144);
  EXPECT_EQ((operations<KdopOverlap<26, Counted>, Kdop<26>>().total()), 7 * 26);
}

/// The names of a list's types, each of which also has a description.
template <class... T>
std::array<std::string_view, sizeof...(T)> names_of(TypeList<T...>) {
  EXPECT_TRUE((!T::k_description.empty() && ...));
  return {T::k_name...};
}

template <class List>
void expect_unique_names() {
  const auto names = names_of(List());
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), List::k_size);
  EXPECT_EQ(std::ranges::count(names, ""), 0);
}

TEST(Lists, NamesAreUnique) {
  expect_unique_names<
      TypeList<Aabb, Sphere, Obb, Kdop<6>, Kdop<14>, Kdop<18>, Kdop<24>, Kdop<26>>>();
  expect_unique_names<OverlapTestsOf<Aabb>::Types>();
  expect_unique_names<OverlapTestsOf<Sphere>::Types>();
  expect_unique_names<OverlapTestsOf<Obb>::Types>();
  expect_unique_names<OverlapTestsOf<Kdop<24>>::Types>();
  expect_unique_names<RestrictedOverlapTests>();
  expect_unique_names<BinaryBuilders>();
}

TEST(AlignedAabbOverlap, FitsPosesThatOnlyMove) {
  EXPECT_TRUE(AlignedAabbOverlap::fits(Pose()));
  EXPECT_TRUE(AlignedAabbOverlap::fits(Pose::from_translation({1, 2, 3})));
  EXPECT_FALSE(AlignedAabbOverlap::fits(Pose::from_axis_angle({0, 0, 1}, 1e-9)));
}

TEST(Kdop, EveryDirectionLiesInACone) {
  const auto check = [](const auto& ids) {
    const DopCones cones(ids);
    Random random(6);
    for (int i = 0; i < 2'000; ++i) {
      Vec3d direction{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
      if (i < 27) direction = {i % 3 - 1.0, i / 3 % 3 - 1.0, i / 9 - 1.0};
      if (dot(direction, direction) == 0) continue;
      const DopCorrespondence c = cones.find(direction);
      // The rounded sum is the direction, so the bound is as good as it claims.
      EXPECT_LT(c.residual, 1e-12) << i;
      for (double weight : c.weight) EXPECT_GE(weight, 0);
    }
  };
  check(DopDirections<6>::ids());
  check(DopDirections<14>::ids());
  check(DopDirections<18>::ids());
  check(DopDirections<24>::ids());
  check(DopDirections<26>::ids());
}

}  // namespace
}  // namespace tandem::detail
