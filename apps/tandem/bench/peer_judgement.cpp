#include "bench/peer_judgement.h"

#include <algorithm>
#include <utility>

#include "bench/triangle_closeness.h"
#include "peers/peer.h"

namespace tandem::cli {

namespace {

// Differences below this share of the size may come from rounding.
constexpr double k_close = 1e-6;

}  // namespace

void Judgement::add(const Judgement& other) {
  pairs += other.pairs;
  missed += other.missed;
  false_ones += other.false_ones;
  close += other.close;
}

Judgement judge_pairs(const Mesh& a, const Mesh& b, const Pose& b_in_a,
                      std::span<const TrianglePair> expected, std::vector<TrianglePair>& found,
                      double size) {
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  Judgement result{.pairs = found.size()};
  std::vector<TrianglePair> missed;
  std::vector<TrianglePair> wrong;
  std::set_difference(expected.begin(), expected.end(), found.begin(), found.end(),
                      std::back_inserter(missed));
  std::set_difference(found.begin(), found.end(), expected.begin(), expected.end(),
                      std::back_inserter(wrong));
  const auto triangles = [&](const TrianglePair& pair) {
    return std::pair(transform_triangle(Pose(), a.triangle(pair.a)),
                     transform_triangle(b_in_a, b.triangle(pair.b)));
  };
  for (const TrianglePair& pair : missed) {
    const auto [p, q] = triangles(pair);
    ++(overlap_depth(p, q) <= k_close * size ? result.close : result.missed);
  }
  for (const TrianglePair& pair : wrong) {
    const auto [p, q] = triangles(pair);
    ++(triangle_distance(p, q) <= k_close * size ? result.close : result.false_ones);
  }
  return result;
}

}  // namespace tandem::cli
