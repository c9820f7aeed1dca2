#include "build/builders.h"
#include "build/top_down.h"

namespace tandem::detail {

TreeShape build_median(const Mesh& mesh, const Progress& progress) {
  const auto split = [](const TriangleBoxes& boxes, std::span<std::uint32_t> ids) {
    return halve(boxes, ids, longest_axis(boxes.enclose(ids)));
  };
  return TopDownBuilder(mesh, split, progress).build();
}

}  // namespace tandem::detail
