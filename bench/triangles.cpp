// The exact triangle test: which stage decides, and how long each pair takes. All kinds of the
// adversarial suite, and the pairs that a hierarchy of two knots tests. Degenerate pairs are also
// given to CGAL's kernel with exact predicates, where it is installed.
#include <tandem/tandem.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <numbers>
#include <string>
#include <vector>

#include "build/builders.h"
#include "build/fit.h"
#include "degenerate_pairs.h"
#include "geometry/triangle_axes.h"
#include "geometry/triangle_test.h"
#include "geometry/unit_triangle.h"
#include "math/transform.h"
#include "support/normalised.h"
#include "support/triangle_cases.h"
#include "traverse/observer.h"
#include "traverse/tandem/descent.h"
#include "traverse/tandem/recursive.h"
#include "volume/aabb_overlap.h"

namespace {

using tandem::Triangle;
using tandem::bench::PairOfTriangles;
using tandem::detail::decide_triangles;
using tandem::detail::test_triangles;
using tandem::detail::UnitTriangle;

struct Row {
  std::string name;
  std::vector<PairOfTriangles> pairs;
};

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Of answers in their order, so that two lists are compared and not their counts alone.
class AnswerHash {
 public:
  void add(bool answer) { hash_ = (hash_ ^ (answer ? 2U : 1U)) * 0x100000001b3ULL; }
  unsigned value() const { return static_cast<unsigned>(hash_ >> 32 ^ hash_); }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

/// The pairs of leaves that a query tests: those whose boxes, and whose ancestors' boxes, overlap.
Row leaf_pairs(const std::string& name, const tandem::Mesh& a, const tandem::Mesh& b,
               const tandem::Pose& b_in_a) {
  Row row{name, {}};
  using tandem::detail::Aabb;
  const auto tree_of = [](const tandem::Mesh& mesh) {
    return tandem::detail::fit_tree<Aabb>(mesh, tandem::detail::SahBuilder::build(mesh, nullptr));
  };
  const auto tree_a = tree_of(a);
  const auto tree_b = tree_of(b);
  const tandem::detail::FifteenAxisAabbOverlap<> overlap(b_in_a, tree_a.view().volume(0),
                                                         tree_b.view().volume(0));
  const auto keep = [&](std::uint32_t in_a, std::uint32_t in_b) {
    row.pairs.push_back({tandem::detail::widen(a.triangle(in_a)),
                         tandem::detail::transform_triangle(b_in_a, b.triangle(in_b))});
    return tandem::Flow::go_on;
  };
  tandem::detail::NullObserver observer;
  traverse_recursive(tandem::detail::PairDescent(tree_a.view(), tree_b.view(), overlap, observer),
                     keep, observer);
  return row;
}

/// The fastest of several rounds, in nanoseconds per pair; each round must count the same pairs.
template <class Test>
double nanoseconds(const Row& row, long expected, Test test) {
  double best = 1e9;
  for (int round = 0; round < 7; ++round) {
    long found = 0;
    const double start = seconds_now();
    for (std::size_t i = 0; i < row.pairs.size(); ++i) found += test(i) ? 1 : 0;
    best = std::min(best, seconds_now() - start);
    if (found != expected) std::printf("rounds differ: %ld, %ld\n", found, expected);
  }
  return best / static_cast<double>(row.pairs.size()) * 1e9;
}

void print_stages(const Row& row) {
  long stages[tandem::detail::k_triangle_stage_count] = {};
  long touching_count = 0;
  for (const PairOfTriangles& pair : row.pairs) {
    const auto answer = test_triangles(pair.p, pair.q);
    ++stages[static_cast<int>(answer.stage)];
    touching_count += answer.intersects ? 1 : 0;
  }
  const double time = nanoseconds(row, touching_count, [&](std::size_t i) {
    return test_triangles(row.pairs[i].p, row.pairs[i].q).intersects;
  });
  std::printf("%-22s %9zu %9ld ", row.name.c_str(), row.pairs.size(), touching_count);
  for (const long count : stages) {
    std::printf(" %7.3f", 100 * static_cast<double>(count) / static_cast<double>(row.pairs.size()));
  }
  std::printf("  %8.1f\n", time);
}

/// Whether neither floats nor doubles decide it by strict signs: the triangles touch, or nearly so.
bool degenerate(const PairOfTriangles& pair) {
  using tandem::detail::filter_triangles;
  using tandem::detail::Verdict;
  return filter_triangles(pair.p, pair.q) == Verdict::unsure &&
         filter_triangles<double>(pair.p, pair.q) == Verdict::unsure;
}

Row degenerate_pairs(const Row& row) {
  constexpr std::size_t k_most = 20'000;
  Row result{row.name, {}};
  for (const PairOfTriangles& pair : row.pairs) {
    if (result.pairs.size() < k_most && degenerate(pair)) result.pairs.push_back(pair);
  }
  return result;
}

/// The sum of the shortest times of each block of pairs over several rounds, in nanoseconds per
/// pair: blocks are short, so that other work on the machine disturbs few of them.
class BlockTimes {
 public:
  static constexpr std::size_t k_block = 500;

  explicit BlockTimes(std::size_t count) : count_(count), best_(count / k_block + 1, 1e9) {}

  template <class Test>
  void round(Test test) {
    for (std::size_t begin = 0; begin < count_; begin += k_block) {
      const double start = seconds_now();
      test(begin, std::min(begin + k_block, count_));
      double& best = best_[begin / k_block];
      best = std::min(best, seconds_now() - start);
    }
  }

  double nanoseconds() const {
    double sum = 0;
    for (std::size_t begin = 0; begin < count_; begin += k_block) sum += best_[begin / k_block];
    return sum / static_cast<double>(count_) * 1e9;
  }

 private:
  std::size_t count_;
  std::vector<double> best_;
};

/// Tandem and CGAL in turns.
void print_degenerate(const Row& all) {
  const Row row = degenerate_pairs(all);
  // Too few to tell the time of one.
  if (row.pairs.size() < 1'000) return;
  const tandem::bench::CgalPairs cgal(row.pairs);
  BlockTimes tandem_times(row.pairs.size());
  BlockTimes cgal_times(row.pairs.size());
  std::vector<char> answers(row.pairs.size());
  std::vector<char> cgal_answers(row.pairs.size());
  for (int round = 0; round < 11; ++round) {
    tandem_times.round([&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        answers[i] = decide_triangles(row.pairs[i].p, row.pairs[i].q).intersects ? 1 : 0;
      }
    });
    cgal_times.round(
        [&](std::size_t begin, std::size_t end) { cgal.test(begin, end, &cgal_answers); });
  }
  AnswerHash hash;
  AnswerHash cgal_hash;
  for (const char answer : answers) hash.add(answer != 0);
  for (const char answer : cgal_answers) cgal_hash.add(answer != 0);
  std::printf("%-22s %7zu %9ld  %08x %9.1f", row.name.c_str(), row.pairs.size(),
              static_cast<long>(std::count(answers.begin(), answers.end(), 1)), hash.value(),
              tandem_times.nanoseconds());
  if (tandem::bench::CgalPairs::k_here) {
    std::printf("  %08x %9.1f %7.1f%s", cgal_hash.value(), cgal_times.nanoseconds(),
                cgal_times.nanoseconds() / tandem_times.nanoseconds(),
                hash.value() == cgal_hash.value() ? "" : "  DIFFERENT");
  }
  std::printf("\n");
}

/// Pairs that one of the papers' tests misses or wrongly reports.
template <class Test>
void print_difference(const Row& row, const char* name, Test test) {
  long missed = 0;
  long invented = 0;
  long touching_count = 0;
  long found = 0;
  for (std::size_t i = 0; i < row.pairs.size(); ++i) {
    const bool exact = test_triangles(row.pairs[i].p, row.pairs[i].q).intersects;
    const bool other = test(i);
    touching_count += exact ? 1 : 0;
    found += other ? 1 : 0;
    missed += exact && !other ? 1 : 0;
    invented += !exact && other ? 1 : 0;
  }
  std::printf("%-22s %-16s %9zu %9ld %9ld %9ld  %8.1f\n", row.name.c_str(), name, row.pairs.size(),
              touching_count, missed, invented, nanoseconds(row, found, test));
}

void print_differences(const Row& row) {
  // The matrices are stored with the triangles, so the time to compute them does not count.
  std::vector<UnitTriangle> units_p;
  std::vector<UnitTriangle> units_q;
  const auto single = [](const Triangle& t) {
    return tandem::TriangleF{
        {tandem::Vec3f(t.corner[0]), tandem::Vec3f(t.corner[1]), tandem::Vec3f(t.corner[2])}};
  };
  for (const PairOfTriangles& pair : row.pairs) {
    units_p.emplace_back(single(pair.p));
    units_q.emplace_back(single(pair.q));
  }
  print_difference(row, "unit-triangle", [&](std::size_t i) {
    return unit_triangles_intersect(units_p[i], units_q[i], row.pairs[i].p, row.pairs[i].q);
  });
  print_difference(row, "separating-axes", [&](std::size_t i) {
    return tandem::detail::triangle_axes_intersect(row.pairs[i].p, row.pairs[i].q);
  });
}

}  // namespace

int main(int argc, char** argv) try {
  const auto knot = tandem::make_shape("knot", 8'000);
  const auto rock = tandem::make_shape("rock", 8'000);
  const auto turned = tandem::Pose::from_axis_angle({1, 2, 3}, 1, {0.3, 0.1, 0});
  std::vector<Row> rows;
  rows.push_back(leaf_pairs("leaves: two knots", knot, knot, turned));
  rows.push_back(leaf_pairs("leaves: knot, rock", knot, rock, turned));
  rows.push_back(leaf_pairs("leaves: knot on itself", knot, knot, tandem::Pose()));
  // Flush faces: a box in the same place, moved within its faces, and turned by a quarter.
  const auto box = tandem::make_shape("box", 3'000);
  rows.push_back(leaf_pairs("leaves: box on itself", box, box, tandem::Pose()));
  rows.push_back(leaf_pairs("leaves: box, moved", box, box,
                            tandem::Pose::from_translation({0.03125, 0.0625, 0})));
  rows.push_back(leaf_pairs("leaves: box, turned", box, box,
                            tandem::Pose::from_matrix(std::array<double, 16>{
                                0, -1, 0, 0.03125, 1, 0, 0, 0.0625, 0, 0, 1, 0, 0, 0, 0, 1})));
  // The same up to a rounding, as a half turn by rounded sines leaves it.
  const auto sheet = tandem::make_shape("sheet", 6'000);
  const double half_turn = std::numbers::pi;
  rows.push_back(leaf_pairs("leaves: sheets, flush", sheet, sheet,
                            tandem::Pose::from_axis_angle({0, 0, 1}, half_turn, {1, 0, 0}) *
                                tandem::Pose::from_axis_angle({1, 0, 0}, half_turn)));
  for (int i = 1; i < argc; ++i) {
    const std::filesystem::path file = argv[i];
    const auto mesh = tandem::test::normalised(tandem::read_mesh(file));
    rows.push_back(leaf_pairs(file.stem().string() + ", turned", mesh, mesh, turned));
    rows.push_back(leaf_pairs(file.stem().string() + " on itself", mesh, mesh, tandem::Pose()));
  }
  tandem::test::TriangleCases cases(1);
  for (int kind = 0; kind < tandem::test::TriangleCases::k_kind_count; ++kind) {
    Row row;
    for (int i = 0; i < 100'000; ++i) {
      const auto c = cases.next(kind);
      row.pairs.push_back({c.p, c.q});
      row.name = row.name.empty() ? c.kind : row.name;
    }
    rows.push_back(std::move(row));
  }
  std::printf("The exact test\n%-22s %9s %9s  %7s %7s %7s %7s %7s %7s %7s  %8s\n", "pairs", "count",
              "touching", "float %", "corner %", "double %", "narrow %", "grid %", "wide %",
              "expans %", "ns/pair");
  for (const Row& row : rows) print_stages(row);
  std::printf("\nDegenerate pairs, without the float filter%s\n%-22s %7s %9s  %8s %9s",
              tandem::bench::CgalPairs::k_here ? ", beside CGAL" : ": CGAL is not here", "pairs",
              "count", "touching", "hash", "ns/pair");
  if (tandem::bench::CgalPairs::k_here) std::printf("  %8s %9s %7s", "CGAL", "ns/pair", "ratio");
  std::printf("\n");
  for (const Row& row : rows) print_degenerate(row);
  std::printf("\nThe papers' tests against it\n%-22s %-16s %9s %9s %9s %9s  %8s\n", "pairs", "test",
              "count", "touching", "missed", "invented", "ns/pair");
  for (const Row& row : rows) print_differences(row);
} catch (const std::exception& error) {
  std::fprintf(stderr, "bench_triangles: %s\n", error.what());
  return 1;
}
