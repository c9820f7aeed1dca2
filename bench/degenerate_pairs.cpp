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

void CgalPairs::test(std::size_t begin, std::size_t end, std::vector<char>* answers) const {
  for (std::size_t i = begin; i < end; ++i) {
    const auto& [p, q] = simplices_->pairs[i];
    (*answers)[i] = test::cgal_intersects(p, q) ? 1 : 0;
  }
}

#else

struct CgalPairs::Simplices {};

CgalPairs::CgalPairs(const std::vector<PairOfTriangles>& /*pairs*/) {}

void CgalPairs::test(std::size_t /*begin*/, std::size_t /*end*/,
                     std::vector<char>* /*answers*/) const {}

#endif

CgalPairs::~CgalPairs() = default;

}  // namespace tandem::bench
