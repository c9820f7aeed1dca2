// The exact triangle test: which stage decides, and what a pair costs. Every kind of the
// adversarial suite, and the pairs that a hierarchy really asks about on two knots.
#include <tandem/tandem.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "geometry/triangle_test.h"
#include "math/transform.h"
#include "support/triangle_cases.h"

namespace {

using tandem::Triangle;
using tandem::detail::test_triangles;

struct PairOfTriangles {
  Triangle p;
  Triangle q;
};

struct Row {
  std::string name;
  std::vector<PairOfTriangles> pairs;
};

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Every pair of triangles whose boxes overlap in A's frame: what reaches a leaf test.
Row leaf_pairs(const char* name, const tandem::Mesh& a, const tandem::Mesh& b,
               const tandem::Pose& b_in_a, std::size_t limit) {
  Row row{name, {}};
  const auto overlap = [](const Triangle& p, const Triangle& q) {
    for (int axis = 0; axis < 3; ++axis) {
      const auto [p_low, p_high] =
          std::minmax({p.corner[0][axis], p.corner[1][axis], p.corner[2][axis]});
      const auto [q_low, q_high] =
          std::minmax({q.corner[0][axis], q.corner[1][axis], q.corner[2][axis]});
      if (p_high < q_low || q_high < p_low) return false;
    }
    return true;
  };
  std::vector<Triangle> moved;
  for (std::size_t j = 0; j < b.triangle_count(); ++j) {
    moved.push_back(tandem::detail::transform_triangle(b_in_a, b.triangle(j)));
  }
  for (std::size_t i = 0; i < a.triangle_count(); ++i) {
    const Triangle p = tandem::detail::widen(a.triangle(i));
    for (const Triangle& q : moved) {
      if (overlap(p, q) && row.pairs.size() < limit) row.pairs.push_back({p, q});
    }
  }
  return row;
}

void print_row(const Row& row) {
  long stages[3] = {};
  long touching_count = 0;
  for (const PairOfTriangles& pair : row.pairs) {
    const auto answer = test_triangles(pair.p, pair.q);
    ++stages[static_cast<int>(answer.stage)];
    touching_count += answer.intersects ? 1 : 0;
  }
  // The fastest of several rounds; each must find the same number of touching pairs.
  double best = 1e9;
  for (int round = 0; round < 7; ++round) {
    long found = 0;
    const double start = seconds_now();
    for (const PairOfTriangles& pair : row.pairs) {
      found += test_triangles(pair.p, pair.q).intersects ? 1 : 0;
    }
    best = std::min(best, seconds_now() - start);
    if (found != touching_count) std::printf("rounds differ: %ld, %ld\n", found, touching_count);
  }
  const double total = static_cast<double>(row.pairs.size());
  const auto percent = [total](long count) { return 100 * static_cast<double>(count) / total; };
  std::printf("%-22s %9zu %9ld  %7.3f %7.3f %7.3f  %8.1f\n", row.name.c_str(), row.pairs.size(),
              touching_count, percent(stages[0]), percent(stages[1]), percent(stages[2]),
              best / total * 1e9);
}

}  // namespace

int main() {
  std::printf("%-22s %9s %9s  %7s %7s %7s  %8s\n", "pairs", "count", "touching", "float %",
              "double %", "exact %", "ns/pair");
  const auto knot = tandem::make_shape("knot", 8'000);
  const auto rock = tandem::make_shape("rock", 8'000);
  const auto turned = tandem::Pose::from_axis_angle({1, 2, 3}, 1, {0.3, 0.1, 0});
  print_row(leaf_pairs("leaves: two knots", knot, knot, turned, 1'000'000));
  print_row(leaf_pairs("leaves: knot, rock", knot, rock, turned, 1'000'000));
  print_row(leaf_pairs("leaves: knot on itself", knot, knot, tandem::Pose(), 1'000'000));
  tandem::test::TriangleCases cases(1);
  for (int kind = 0; kind < tandem::test::TriangleCases::k_kind_count; ++kind) {
    Row row;
    for (int i = 0; i < 100'000; ++i) {
      const auto c = cases.next(kind);
      row.pairs.push_back({c.p, c.q});
      row.name = row.name.empty() ? c.kind : row.name;
    }
    print_row(row);
  }
}
