#include "chip/triangle_unit.h"

#include "chip/float32.h"

namespace tandem::chip {

bool TriangleUnit::crosses_plane(float p_z, float q_z) {
  return !(at_least(p_z, 0) && at_least(q_z, 0)) && !(at_least(0, p_z) && at_least(0, q_z));
}

bool TriangleUnit::pierces(const float* p, const float* q) {
  if (!crosses_plane(p[2], q[2])) return false;
  const float x = subtract(multiply(p[0], q[2]), multiply(q[0], p[2]));
  const float y = subtract(multiply(p[1], q[2]), multiply(q[1], p[2]));
  const float z = subtract(q[2], p[2]);
  const float sum = add(x, y);
  if (greater(z, 0)) return at_least(x, 0) && at_least(y, 0) && at_least(z, sum);
  return at_least(0, x) && at_least(0, y) && at_least(sum, z);
}

TriangleUnit::Answer TriangleUnit::test(const std::array<float, 9>& corners) {
  Answer answer;
  for (std::size_t edge = 0; edge < 3 && !answer.pierced; ++edge) {
    const float* const p = &corners[3 * edge];
    const float* const q = &corners[3 * ((edge + 1) % 3)];
    if (crosses_plane(p[2], q[2])) {
      answer.pierced = pierces(p, q);
      answer.cycles += tested_edge_;
    } else {
      answer.cycles += k_read_cycles + k_sign_cycles;
    }
  }
  busy_ += answer.cycles;
  return answer;
}

}  // namespace tandem::chip
