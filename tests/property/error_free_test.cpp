// Doubles that notice when they are rounded, against expansions.
#include "geometry/error_free.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "geometry/expansion.h"
#include "geometry/triangle_test.h"
#include "math/random.h"
#include "support/triangle_cases.h"

namespace tandem::detail {
namespace {

/// Numbers of few and of many bits, close to each other and far apart, zero now and then.
double any_number(Random& random) {
  const auto bits = static_cast<int>(random.below(54));
  if (bits == 0) return 0;
  const double whole = std::floor(random.uniform(0, std::ldexp(1.0, bits)));
  const double sign = random.below(2) == 0 ? 1 : -1;
  return sign * std::ldexp(whole, static_cast<int>(random.below(60)) - 30);
}

TEST(RoundingWatch, NoticesWhatIsRounded) {
  Random random(1);
  int exact_count = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    const double x = any_number(random);
    const double y = any_number(random);
    RoundingWatch subtraction;
    EXPECT_EQ(subtraction.subtract(x, y), x - y);
    ASSERT_EQ(subtraction.exact(), two_sum(x, -y).error == 0) << x << " - " << y << ", turn " << i;
    RoundingWatch multiplication;
    EXPECT_EQ(multiplication.multiply(x, y), x * y);
    ASSERT_EQ(multiplication.exact(), two_product(x, y).error == 0) << x << " * " << y;
    exact_count += subtraction.exact() ? 1 : 0;
  }
  EXPECT_GT(exact_count, 100'000);
  EXPECT_LT(exact_count, 900'000);
}

Verdict judge(const Triangle& p, const Triangle& q) {
  bool in_one_plane = false;
  const Verdict verdict = judge_flush(p, q, &in_one_plane);
  return in_one_plane ? judge_in_one_plane(p, q) : verdict;
}

bool intersect(const Triangle& p, const Triangle& q) {
  ExpansionSigns signs(p, q);
  return triangles_intersect_exact(signs);
}

TEST(ErrorFree, IsNeverWrong) {
  struct Share {
    int decided = 0;
    int all = 0;
  };
  std::map<std::string, Share> shares;
  for (std::uint64_t seed = 1; seed <= 20'000; ++seed) {
    const test::TriangleCase c = test::TriangleCases(seed).next();
    const bool expected = intersect(c.p, c.q);
    Share& share = shares[c.kind];
    test::in_all_orders(c, [&](const Triangle& p, const Triangle& q) {
      for (const bool swapped : {false, true}) {
        const Verdict verdict = swapped ? judge(q, p) : judge(p, q);
        ++share.all;
        if (verdict == Verdict::unsure) continue;
        ++share.decided;
        ASSERT_EQ(verdict == Verdict::intersecting, expected) << c.kind << ", seed " << seed;
      }
    });
    ASSERT_FALSE(HasFatalFailure());
  }
  // It may leave anything open, but would be of no use then.
  for (const auto& [kind, share] : shares) {
    const double decided = static_cast<double>(share.decided) / share.all;
    if (kind == "random" || kind == "small integers" || kind == "flush faces") {
      EXPECT_GT(decided, 0.75) << kind;
    }
  }
}

/// The triangles of a cube of side 2, four by four squares on each side.
std::vector<Triangle> box_triangles() {
  std::vector<Triangle> triangles;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {-1.0, 1.0}) {
      for (int i = 0; i < 16; ++i) {
        const auto corner = [&](int right, int up) {
          Vec3d point;
          point[axis] = side;
          point[(axis + 1) % 3] = 0.5 * (i % 4 + right) - 1;
          point[(axis + 2) % 3] = 0.5 * (i / 4 + up) - 1;
          return point;
        };
        triangles.push_back({{corner(0, 0), corner(1, 0), corner(1, 1)}});
        triangles.push_back({{corner(0, 0), corner(1, 1), corner(0, 1)}});
      }
    }
  }
  return triangles;
}

TEST(ErrorFree, DecidesAllOfAStackOfBoxes) {
  const std::vector<Triangle> box = box_triangles();
  int touching = 0;
  for (int neighbour = 0; neighbour < 27; ++neighbour) {
    // Steps that double cannot hold, from places that round them in different ways.
    const auto step = [](int i, int direction) { return 1.999 * (i + direction) - 1.999 * i; };
    const Vec3d offset(step(1, neighbour % 3 - 1), step(4, neighbour / 3 % 3 - 1),
                       step(7, neighbour / 9 - 1));
    for (const Triangle& p : box) {
      for (Triangle q : box) {
        for (Vec3d& corner : q.corner) corner += offset;
        const Verdict verdict = judge(p, q);
        ASSERT_NE(verdict, Verdict::unsure) << "neighbour " << neighbour;
        const bool expected = test_triangles(p, q).intersects;
        ASSERT_EQ(verdict == Verdict::intersecting, expected) << "neighbour " << neighbour;
        touching += expected ? 1 : 0;
      }
    }
  }
  EXPECT_GT(touching, 2'000);
}

}  // namespace
}  // namespace tandem::detail
