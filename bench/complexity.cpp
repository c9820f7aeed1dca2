// Meshes that make hierarchies do too much: the default engine beside a plain tree of boxes.
//
//   bench_complexity [TRIANGLES]     default: 2,000 per mesh
#include <tandem/tandem.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "support/complexity_cases.h"

namespace tandem {
namespace {

double now_us() {
  return std::chrono::duration<double, std::micro>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// One engine on one case: the shortest of several queries.
struct Contestant {
  Model a;
  Model b;
  double least_us = 1e300;
  std::uint64_t pair_count = 0;

  void run(const Pose& b_in_a) {
    const double start = now_us();
    pair_count = count(a, b, b_in_a).count;
    least_us = std::min(least_us, now_us() - start);
  }
};

int report(int size) {
  std::printf("%-32s %12s %12s %8s %10s\n", "case", "wide, us", "aabb, us", "ratio", "pairs");
  int different = 0;
  for (const test::ComplexityCase& c : test::complexity_cases(size)) {
    Contestant wide{Model(c.a), Model(c.b)};
    Contestant boxes{Model(c.a, {.structure = "aabb"}), Model(c.b, {.structure = "aabb"})};
    // In turns, for half a second or 50 rounds.
    const double start = now_us();
    for (int round = 0; round == 0 || (round < 50 && now_us() - start < 5e5); ++round) {
      wide.run(c.b_in_a);
      boxes.run(c.b_in_a);
    }
    std::printf("%-32s %12.1f %12.1f %8.3f %10llu\n", c.name.c_str(), wide.least_us, boxes.least_us,
                wide.least_us / boxes.least_us, static_cast<unsigned long long>(wide.pair_count));
    if (wide.pair_count == boxes.pair_count) continue;
    std::printf("  aabb found %llu pairs\n", static_cast<unsigned long long>(boxes.pair_count));
    ++different;
  }
  return different == 0 ? 0 : 1;
}

}  // namespace
}  // namespace tandem

int main(int argc, char** argv) {
  try {
    const int size = argc > 1 ? std::atoi(argv[1]) : 2'000;
    if (size < 200 || size > 10'000'000) {
      std::fprintf(stderr, "bench_complexity: 200 to 10,000,000 triangles, not %s\n", argv[1]);
      return 2;
    }
    return tandem::report(size);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_complexity: %s\n", error.what());
    return 2;
  }
}
