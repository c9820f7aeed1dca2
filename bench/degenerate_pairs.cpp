#include "degenerate_pairs.h"

#ifdef TANDEM_BENCH_CGAL
#include <utility>

#include "oracle/cgal_oracle.h"
#endif

namespace tandem::bench {

#ifdef TANDEM_BENCH_CGAL

struct CgalPairs::Simplices {
  std::vector<std::pair<test::CgalSimplex, test::CgalSimplex>> pairs;
};

CgalPairs::CgalPairs(const std::vector<PairOfTriangles>& pairs)
    : simplices_(std::make_unique<Simplices>()) {
  simplices_->pairs.reserve(pairs.size());
  for (const PairOfTriangles& pair : pairs) {
    simplices_->pairs.emplace_back(test::cgal_simplex(pair.p), test::cgal_simplex(pair.q));
  }
}

std::vector<char> CgalPairs::test() const {
  std::vector<char> answers;
  answers.reserve(simplices_->pairs.size());
  for (const auto& [p, q] : simplices_->pairs) {
    answers.push_back(test::cgal_intersects(p, q) ? 1 : 0);
  }
  return answers;
}

#else

struct CgalPairs::Simplices {};

CgalPairs::CgalPairs(const std::vector<PairOfTriangles>& /*pairs*/) {}

std::vector<char> CgalPairs::test() const {
  return {};
}

#endif

CgalPairs::~CgalPairs() = default;

}  // namespace tandem::bench
