// Poses: what they accept, and how they move points.
#include <gtest/gtest.h>
#include <tandem/error.h>
#include <tandem/pose.h>

#include <cmath>
#include <limits>
#include <string>

#include "math/random.h"
#include "math/transform.h"
#include "support/error_of.h"

namespace tandem {
namespace {

using test::error_of;

constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();
constexpr double k_infinity = std::numeric_limits<double>::infinity();

void expect_near(const Vec3d& a, const Vec3d& b) {
  for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(a[axis], b[axis], 1e-12);
}

TEST(Pose, DefaultIsTheIdentityToTheBit) {
  const Pose pose;
  EXPECT_TRUE(pose.is_translation());
  for (float x : {0.0F, -0.0F, 1.5F, 1e-45F, 3.4e38F, -1e-38F}) {
    const Vec3d moved = detail::transform_point(pose, Vec3f{x, x, x});
    EXPECT_EQ(moved, Vec3d(x, x, x));
  }
}

TEST(Pose, AxisAngleIsRightHanded) {
  const Pose pose = Pose::from_axis_angle({0, 0, 7}, std::acos(-1.0) / 2, {10, 0, 0});
  expect_near(detail::transform_point(pose, Vec3f{1, 0, 0}), {10, 1, 0});
  EXPECT_FALSE(pose.is_translation());
}

TEST(Pose, QuaternionOfAnyLengthEqualsAxisAngle) {
  const Pose turn = Pose::from_axis_angle({1, 2, 3}, 1.25);
  for (double length : {1.0, 1e-200, 1e200}) {
    const double s = length * std::sin(0.625) / std::sqrt(14.0);
    const Pose same = Pose::from_quaternion(length * std::cos(0.625), s, 2 * s, 3 * s);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) EXPECT_NEAR(turn.rotation(i, j), same.rotation(i, j), 1e-14);
    }
  }
}

TEST(Pose, InverseAndProductUndoEachOther) {
  detail::Random random(5);
  for (int i = 0; i < 100; ++i) {
    const auto vector = [&] {
      return Vec3d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    };
    const Pose a = Pose::from_axis_angle(vector(), random.uniform(-9, 9), vector());
    const Pose b = Pose::from_axis_angle(vector(), random.uniform(-9, 9), vector());
    const Vec3f point{0.25F, -3, 2};
    // B's point in the world, once directly and once through A's frame.
    const Vec3d direct = detail::transform_point(b, point);
    const Vec3d in_a = detail::transform_point(relative_pose(a, b), point);
    Vec3d through_a = a.translation();
    for (int row = 0; row < 3; ++row) {
      for (int k = 0; k < 3; ++k) through_a[row] += a.rotation(row, k) * in_a[k];
    }
    expect_near(direct, through_a);
  }
}

TEST(Pose, AnAcceptedMatrixIsUsedAsGiven) {
  // Off by 4e-7: accepted, and not orthonormalised.
  const double almost[16] = {1.0000002, 0, 0, 1, 0, 1, 0, 2, 0, 0, 1, 3, 0, 0, 0, 1};
  EXPECT_EQ(Pose::from_matrix(almost).rotation(0, 0), 1.0000002);
}

/// The largest entry of |R Rᵀ - I|.
double deviation(const Pose& pose) {
  double largest = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      double product = i == j ? -1 : 0;
      for (int k = 0; k < 3; ++k) product += pose.rotation(i, k) * pose.rotation(j, k);
      largest = std::fmax(largest, std::fabs(product));
    }
  }
  return largest;
}

TEST(Pose, ProductsOfWhatIsBarelyRigidStayRigid) {
  const double s = 1 + 4.99e-7;
  const double rows[9] = {s, 0, 0, 0, s, 0, 0, 0, s};
  const Pose stretched = Pose::from_rotation(rows, {1, 2, 3});
  Pose product;
  for (int i = 0; i < 1000; ++i) {
    product = product * stretched;
    ASSERT_LE(deviation(product), 1e-6) << i;
  }
  EXPECT_LE(deviation(relative_pose(stretched.inverse(), stretched)), 1e-12);
  // Rounding alone does not add up either.
  const Pose turn = Pose::from_axis_angle({1, 2, 3}, 0.1);
  product = Pose();
  for (int i = 0; i < 1'000'000; ++i) product = product * turn;
  EXPECT_LE(deviation(product), 2e-12);
}

TEST(Pose, ProductsOfExactRotationsAreExact) {
  const double rows[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
  const Pose quarter = Pose::from_rotation(rows, {1, 0, 0});
  const Pose full = quarter * quarter * quarter * quarter;
  EXPECT_TRUE(full.is_translation());
  EXPECT_EQ(full.translation(), Vec3d(0, 0, 0));
}

TEST(Pose, TheInverseOfAnAcceptedPoseIsAccepted) {
  detail::Random random(6);
  int accepted_count = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Pose turn = Pose::from_axis_angle({random.uniform(-1, 1), random.uniform(-1, 1), 1},
                                            random.uniform(-4, 4));
    double rows[9];
    for (int k = 0; k < 9; ++k) rows[k] = turn.rotation(k / 3, k % 3) + random.uniform(-6e-7, 6e-7);
    Pose pose;
    if (!error_of([&] { pose = Pose::from_rotation(rows); }).empty()) continue;
    ++accepted_count;
    ASSERT_LE(deviation(pose.inverse()), 1e-6 * (1 + 1e-9)) << "seed 6, " << i;
  }
  EXPECT_GT(accepted_count, 1000);
}

TEST(Pose, RelativePosesFarFromTheOriginKeepTheirDigits) {
  detail::Random random(7);
  for (int i = 0; i < 1000; ++i) {
    const Vec3d axis{random.uniform(-1, 1), random.uniform(-1, 1), 1};
    const double angle = random.uniform(-4, 4);
    // Multiples of 2^-20, so that adding the distance is exact.
    const Vec3d apart{std::ldexp(std::floor(random.uniform(-1e6, 1e6)), -20),
                      std::ldexp(std::floor(random.uniform(-1e6, 1e6)), -20), 0.5};
    const Vec3d far{1e5, -3e5, 2e5};
    const Pose near = relative_pose(Pose::from_axis_angle(axis, angle),
                                    Pose::from_axis_angle({1, 2, 3}, 1, apart));
    const Pose moved = relative_pose(Pose::from_axis_angle(axis, angle, far),
                                     Pose::from_axis_angle({1, 2, 3}, 1, far + apart));
    ASSERT_EQ(moved.translation(), near.translation()) << "seed 7, " << i;
  }
}

TEST(Pose, RefusesWhatIsNotRigid) {
  const auto matrix_error = [](int entry, double value) {
    double rows[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    rows[entry] = value;
    return error_of([&] { Pose::from_matrix(rows); });
  };
  EXPECT_NE(matrix_error(0, 2).find("not rigid"), std::string::npos);
  EXPECT_NE(matrix_error(0, 1.000001).find("rows 0 and 0"), std::string::npos);
  EXPECT_NE(matrix_error(1, 1e-5).find("rows 0 and 1"), std::string::npos);
  EXPECT_NE(matrix_error(0, 1.000001).find("product 1.000002 instead of 1"), std::string::npos);
  EXPECT_NE(matrix_error(10, -1).find("mirrors"), std::string::npos);
  EXPECT_NE(matrix_error(0, k_nan).find("not finite"), std::string::npos);
  EXPECT_NE(matrix_error(3, k_infinity).find("translation along x"), std::string::npos);
  EXPECT_NE(matrix_error(11, 1.1e60).find("translation along z"), std::string::npos);
  EXPECT_NE(matrix_error(12, 1e-9).find("last row"), std::string::npos);
  EXPECT_EQ(matrix_error(11, 1e60), "");
}

TEST(Pose, RefusesZeroAndNonFiniteAxesAnglesAndQuaternions) {
  EXPECT_NE(error_of([] { Pose::from_axis_angle({0, 0, 0}, 1); }), "");
  EXPECT_NE(error_of([] { Pose::from_axis_angle({k_nan, 0, 1}, 1); }), "");
  EXPECT_NE(error_of([] { Pose::from_axis_angle({0, 0, 1}, k_infinity); }), "");
  EXPECT_EQ(error_of([] { Pose::from_axis_angle({1e308, 1e308, 1e308}, 1); }), "");
  EXPECT_EQ(error_of([] { Pose::from_quaternion(1e308, 1e308, 1e308, 1e308); }), "");
  EXPECT_NE(error_of([] { Pose::from_quaternion(0, 0, 0, 0); }), "");
  EXPECT_NE(error_of([] { Pose::from_quaternion(1, k_nan, 0, 0); }), "");
  EXPECT_NE(error_of([] { Pose::from_translation({0, k_nan, 0}); }), "");
}

TEST(Pose, AProductThatLeavesTheRangeIsAnError) {
  const Pose far = Pose::from_translation({1e60, 0, 0});
  EXPECT_NE(error_of([&] { far* far; }), "");
  EXPECT_NE(error_of([&] { relative_pose(far.inverse(), far); }), "");
}

TEST(Transform, FusedInstructionAndLibraryCallGiveTheSameBits) {
  detail::Random random(11);
  for (int i = 0; i < 20'000; ++i) {
    const auto scaled = [&] {
      return std::ldexp(random.uniform(-1, 1), static_cast<int>(random.uniform(-60, 60)));
    };
    const Pose pose = Pose::from_axis_angle({scaled(), scaled(), scaled()}, random.uniform(-9, 9),
                                            {scaled(), scaled(), scaled()});
    TriangleF t;
    for (Vec3f& c : t.corner) c = Vec3f(Vec3d{scaled(), scaled(), scaled()});
    const Triangle moved = detail::transform_triangle(pose, t);
    for (int k = 0; k < 3; ++k) {
      ASSERT_EQ(moved.corner[k], detail::transform_point(pose, t.corner[k])) << "seed 11, " << i;
    }
  }
}

TEST(Transform, TinyCoordinatesBecomeZero) {
  const Pose pose = Pose::from_translation({1e-61, -1e-61, 1e-60});
  EXPECT_EQ(detail::transform_point(pose, Vec3f{0, 0, 0}), Vec3d(0, 0, 1e-60));
}

}  // namespace
}  // namespace tandem
