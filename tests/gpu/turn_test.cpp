// Sine and cosine of the path tracer.
#include "render/paths/turn.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "math/random.h"

namespace tandem::test {
namespace {

/// How far a number is from an exact one, in units of its last place.
double error_in_ulp(double found, long double exact) {
  const double size = std::fabs(static_cast<double>(exact));
  const double ulp = std::nextafter(size, std::numeric_limits<double>::infinity()) - size;
  // The C library's angle is rounded, which matters where the exact number is nearly zero.
  const long double slack = 8 * std::numeric_limits<long double>::epsilon();
  const long double error = std::fabs(static_cast<long double>(found) - exact) - slack;
  return static_cast<double>(error) / ulp;
}

void expect_close(double fraction) {
  const cli::SineCosine found = cli::of_turn(fraction);
  const long double angle = 2 * std::numbers::pi_v<long double> * fraction;
  EXPECT_LT(error_in_ulp(found.sine, std::sin(angle)), 2) << fraction;
  EXPECT_LT(error_in_ulp(found.cosine, std::cos(angle)), 2) << fraction;
}

TEST(Turn, QuartersAreExact) {
  const double sines[] = {0, 1, 0, -1, 0};
  for (int quarter = 0; quarter <= 4; ++quarter) {
    const cli::SineCosine found = cli::of_turn(0.25 * quarter);
    EXPECT_EQ(found.sine, sines[quarter]) << quarter;
    EXPECT_EQ(found.cosine, sines[(quarter + 1) % 4]) << quarter;
  }
}

TEST(Turn, AgreesWithTheCLibrary) {
  detail::Random random(1);
  for (int i = 0; i < 100'000; ++i) expect_close(random.uniform(0, 1));
  // On both sides of the places where the quarter changes, and of quarters.
  for (int eighth = 0; eighth <= 8; ++eighth) {
    for (double distance = 0.1; distance > 1e-17; distance /= 7) {
      if (eighth > 0) expect_close(0.125 * eighth - distance);
      if (eighth < 8) expect_close(0.125 * eighth + distance);
    }
  }
}

}  // namespace
}  // namespace tandem::test
