#include "chip/triangle_unit.h"

#include "chip/float32.h"

namespace tandem::chip {

bool TriangleUnit::crosses_plane(float p_z, float q_z) {
  return !(at_least(p_z, 0) && at_least(q_z, 0)) && !(at_least(0, p_z) && at_least(0, q_z));
}

bool TriangleUnit::pierces(const OperandPairs& pairs) {
  const auto& [z_pair, p_x, q_x, p_y, q_y] = pairs;
  if (!crosses_plane(z_pair[0], z_pair[1])) return false;
  const float x = subtract(multiply(p_x[0], p_x[1]), multiply(q_x[0], q_x[1]));
  const float y = subtract(multiply(p_y[0], p_y[1]), multiply(q_y[0], q_y[1]));
  const float z = subtract(z_pair[1], z_pair[0]);
  const float sum = add(x, y);
  if (greater(z, 0)) return at_least(x, 0) && at_least(y, 0) && at_least(z, sum);
  return at_least(0, x) && at_least(0, y) && at_least(sum, z);
}

TriangleUnit::Answer TriangleUnit::test(const DopFile& dops,
                                        const CorrespondenceFile& correspondences) {
  Answer answer;
  for (std::size_t edge = 0; edge < 3 && !answer.pierced; ++edge) {
    OperandPairs pairs{};
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const Correspondence& from = correspondences.edge_pairs(edge)[i].from;
      pairs[i] = {dops.read(from[0]), dops.read(from[1])};
    }
    answer.pierced = pierces(pairs);
    answer.cycles +=
        crosses_plane(pairs[0][0], pairs[0][1]) ? tested_edge_ : k_read_cycles + k_sign_cycles;
  }
  busy_ += answer.cycles;
  return answer;
}

}  // namespace tandem::chip
