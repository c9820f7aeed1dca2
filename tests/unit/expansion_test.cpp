// Expansion arithmetic and the predicates against integers, whose sums and products are exact.
#include "geometry/expansion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "geometry/predicates.h"
#include "geometry/volumes_over.h"
#include "math/random.h"

namespace tandem::detail {
namespace {

__extension__ using Wide = __int128;

/// The value of an expansion of integers.
template <int N>
Wide value(const Expansion<N>& e) {
  Wide sum = 0;
  for (int i = 0; i < e.count; ++i) sum += static_cast<Wide>(e.term[i]);
  return sum;
}

template <int N>
void expect_well_formed(const Expansion<N>& e) {
  for (int i = 0; i < e.count; ++i) {
    EXPECT_NE(e.term[i], 0);
    // Nonoverlapping: each term is too small to change the next.
    if (i > 0) {
      EXPECT_EQ(e.term[i] + e.term[i - 1], e.term[i]);
    }
  }
}

class Integers {
 public:
  explicit Integers(std::uint64_t seed) : random_(seed) {}
  std::int64_t next(int bits) {
    const auto magnitude = static_cast<std::int64_t>(random_.next() >> (64 - bits));
    return (random_.next() & 1) != 0 ? magnitude : -magnitude;
  }

 private:
  Random random_;
};

TEST(Expansion, EmptyIsZero) {
  const Expansion<4> zero{};
  EXPECT_EQ(zero.sign(), 0);
  EXPECT_EQ(zero.estimate(), 0);
  EXPECT_EQ((zero + zero).sign(), 0);
  EXPECT_EQ((zero * 3.0).sign(), 0);
  EXPECT_EQ(difference(2.5, 2.5).sign(), 0);
}

TEST(Expansion, KeepsWhatRoundingWouldLose) {
  const auto sum = difference(1e30, 1e-30);
  EXPECT_EQ(sum.count, 2);
  EXPECT_EQ(sum.term[0], -1e-30);
  EXPECT_EQ((sum - difference(1e30, 0)).sign(), -1);
}

TEST(Expansion, SumsAndProductsOfIntegersAreExact) {
  const std::uint64_t seed = 1;
  Integers integers(seed);
  for (int i = 0; i < 20'000; ++i) {
    // 53-bit doubles minus each other give up to 54 bits; products stay within 127.
    const std::int64_t a = integers.next(53);
    const std::int64_t b = integers.next(1 + i % 53);
    const std::int64_t c = integers.next(53);
    const std::int64_t d = integers.next(1 + i % 20);
    const auto x = difference(static_cast<double>(a), static_cast<double>(b));
    const auto y = difference(static_cast<double>(c), static_cast<double>(d));
    ASSERT_EQ(value(x), Wide{a} - b) << "seed " << seed << ", " << i;
    ASSERT_EQ(value(x + y), Wide{a} - b + c - d) << "seed " << seed << ", " << i;
    ASSERT_EQ(value(x * y), (Wide{a} - b) * (Wide{c} - d)) << "seed " << seed << ", " << i;
    ASSERT_EQ(value(x * y - y * x), 0) << "seed " << seed << ", " << i;
    expect_well_formed(x + y);
    expect_well_formed(x * y);
  }
}

Vec3d to_vec(const std::int64_t* v) {
  return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
}

TEST(Predicates, SignsOfIntegerDeterminantsAreExact) {
  const std::uint64_t seed = 2;
  Integers integers(seed);
  int zero_count = 0;
  for (int i = 0; i < 50'000; ++i) {
    std::int64_t p[4][3];
    const int bits = 2 + i % 38;
    for (auto& point : p) {
      for (auto& x : point) x = integers.next(bits);
    }
    if (i % 3 == 0) {  // coplanar, or off by one
      for (int k = 0; k < 3; ++k) p[3][k] = p[0][k] + 2 * (p[1][k] - p[0][k]) - (p[2][k] - p[0][k]);
      if (i % 2 == 0) p[3][i % 3] += 1;
    }
    Wide m[3][3];
    for (int r = 0; r < 3; ++r) {
      for (int k = 0; k < 3; ++k) m[r][k] = Wide{p[r + 1][k]} - p[0][k];
    }
    const Wide det = m[2][0] * (m[0][1] * m[1][2] - m[0][2] * m[1][1]) +
                     m[2][1] * (m[0][2] * m[1][0] - m[0][0] * m[1][2]) +
                     m[2][2] * (m[0][0] * m[1][1] - m[0][1] * m[1][0]);
    const int expected = det > 0 ? 1 : det < 0 ? -1 : 0;
    zero_count += expected == 0 ? 1 : 0;
    const Vec3d a = to_vec(p[0]);
    const Vec3d b = to_vec(p[1]);
    const Vec3d c = to_vec(p[2]);
    const Vec3d d = to_vec(p[3]);
    ASSERT_EQ(orient3d_sign(a, b, c, d), expected) << "seed " << seed << ", " << i;
    ASSERT_EQ(orient3d_exact(a, b, c, d).sign(), expected) << "seed " << seed << ", " << i;
    ASSERT_EQ(orient3d_sign(b, a, c, d), -expected) << "seed " << seed << ", " << i;

    const Wide area = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    const int area_sign = area > 0 ? 1 : area < 0 ? -1 : 0;
    ASSERT_EQ(orient2d_sign(a, b, c, Projection{2}), area_sign) << "seed " << seed << ", " << i;
    ASSERT_EQ(orient2d_exact(a, b, c, Projection{2}).sign(), area_sign);
  }
  EXPECT_GT(zero_count, 5'000);
}

/// Checks that a rounded volume is as good as promised; returns whether it is the nearest double.
bool expect_nearest(double rounded, const Expansion<192>& exact, const std::string& where) {
  if (exact.sign() == 0 || rounded == 0) {
    EXPECT_EQ(exact.sign(), 0) << where;
    EXPECT_EQ(rounded, 0) << where;
    return true;
  }
  const double unit = std::nextafter(std::fabs(rounded), INFINITY) - std::fabs(rounded);
  const auto off_by_at_most = [&](double units) {
    return (exact - difference(rounded, units * unit)).sign() >= 0 &&
           (exact - difference(rounded, -units * unit)).sign() <= 0;
  };
  EXPECT_TRUE(off_by_at_most(0.51)) << where;
  return off_by_at_most(0.5);
}

TEST(Predicates, VolumesAreTheNearestDoubles) {
  const std::uint64_t seed = 3;
  Random random(seed);
  int zeros = 0;
  int small = 0;
  int nearest = 0;
  constexpr int k_cases = 40'000;
  for (int i = 0; i < k_cases; ++i) {
    // Anywhere, float32 or double; far from the origin; nearly in one plane, and in it.
    Vec3d p[4];
    const double far = i % 5 == 0 ? 1000 : 0;
    for (Vec3d& point : p) {
      for (int k = 0; k < 3; ++k) {
        point[k] = far + random.uniform(-1, 1);
        if (i % 2 == 0) point[k] = static_cast<float>(point[k]);
      }
    }
    const double off = i % 3 == 0 ? 0 : std::pow(10, random.uniform(-40, -1));
    if (i % 4 == 0) {
      p[3] = p[0] + 0.25 * (p[1] - p[0]) + 0.5 * (p[2] - p[0]);
      p[3].z += off;
    } else if (i % 4 == 1) {
      for (Vec3d& point : p) point.y = off * random.uniform(0, 1);
    }
    const Expansion<192> exact = orient3d_exact(p[0], p[1], p[2], p[3]);
    const double volume = VolumesOver(p[0], p[1], p[2])(p[3]);
    const std::string where = "seed " + std::to_string(seed) + ", " + std::to_string(i);
    nearest += expect_nearest(volume, exact, where) ? 1 : 0;
    zeros += volume == 0 ? 1 : 0;
    small += volume != 0 && std::fabs(volume) < 1e-14 ? 1 : 0;
  }
  EXPECT_GT(zeros, 1000);
  EXPECT_GT(small, 1000);
  EXPECT_GT(nearest, k_cases - 20);
  // At both ends of the range of coordinates.
  for (double s : {1e-60, 1e60}) {
    const Vec3d p[3] = {{0, 0, 0}, {s, 0, 0}, {0, s, 0}};
    for (const double z : {0.0, s}) {
      const Vec3d d{s, s, z};
      const Expansion<192> exact = orient3d_exact(p[0], p[1], p[2], d);
      EXPECT_TRUE(expect_nearest(VolumesOver(p[0], p[1], p[2])(d), exact, std::to_string(s)));
    }
  }
}

TEST(Predicates, SeeASingleUlp) {
  const Vec3d a{0, 0, 1};
  const Vec3d b{1, 0, 1};
  const Vec3d c{0, 1, 1};
  EXPECT_EQ(orient3d_sign(a, b, c, {0.3, 0.3, 1}), 0);
  EXPECT_EQ(orient3d_sign(a, b, c, {0.3, 0.3, std::nextafter(1.0, 2.0)}), 1);
  EXPECT_EQ(orient3d_sign(a, b, c, {0.3, 0.3, std::nextafter(1.0, 0.0)}), -1);
}

TEST(Predicates, WorkAtBothEndsOfTheRange) {
  for (double s : {1e-60, 1e60}) {
    EXPECT_EQ(orient3d_sign({0, 0, 0}, {s, 0, 0}, {0, s, 0}, {0, 0, s}), 1);
    EXPECT_EQ(orient3d_sign({0, 0, 0}, {s, 0, 0}, {0, s, 0}, {s, s, 0}), 0);
    EXPECT_EQ(orient3d_exact({0, 0, 0}, {s, 0, 0}, {0, s, 0}, {s / 3, s / 3, 1e-60}).sign(), 1);
  }
}

}  // namespace
}  // namespace tandem::detail
