#include "build/builders.h"
#include "build/top_down.h"

namespace tandem::detail {
namespace {

struct MedianRule : SetAlone {
  static std::size_t split(TriangleSet set, Context) {
    return halve(set, longest_axis(enclose(set)));
  }
};

}  // namespace

TreeShape MedianBuilder::build(const Mesh& mesh, const Progress& progress) {
  return TopDownBuilder(MedianRule(), progress).build(boxed_triangles(mesh));
}

}  // namespace tandem::detail
