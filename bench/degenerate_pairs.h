// Degenerate pairs of triangles and what CGAL makes of them. CGAL has a source of its own, which is
// compiled with its flags for rounding.
#pragma once

#include <tandem/triangle.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace tandem::bench {

struct PairOfTriangles {
  Triangle p;
  Triangle q;
};

/// Pairs as CGAL's triangles, made beforehand; zero-area ones as the segments or points that they
/// are, because CGAL's test is not for them.
class CgalPairs {
 public:
#ifdef TANDEM_BENCH_CGAL
  static constexpr bool k_here = true;
#else
  static constexpr bool k_here = false;
#endif

  explicit CgalPairs(const std::vector<PairOfTriangles>& pairs);
  ~CgalPairs();
  CgalPairs(const CgalPairs&) = delete;
  CgalPairs& operator=(const CgalPairs&) = delete;

  /// Sets `answers[i]` to whether pair i shares a point, for all pairs from `begin` to `end`; does
  /// nothing where CGAL is not installed.
  void test(std::size_t begin, std::size_t end, std::vector<char>* answers) const;

 private:
  struct Simplices;
  std::unique_ptr<Simplices> simplices_;
};

}  // namespace tandem::bench
