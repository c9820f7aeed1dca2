#include "commands/collide_files.h"

#include <string>

#include "render/vectors.h"
#include "text/numbers.h"

namespace tandem::cli {

void write_pairs_text(std::span<const TrianglePair> pairs, const Write& write) {
  TextBuffer text(write);
  for (const TrianglePair& pair : pairs) {
    text << std::to_string(pair.a) << " " << std::to_string(pair.b) << "\n";
  }
  text.flush();
}

void write_pairs_json(std::span<const TrianglePair> pairs, const Write& write) {
  TextBuffer text(write);
  text << "{\"pairs\": [";
  const char* separator = "\n";
  for (const TrianglePair& pair : pairs) {
    text << separator << "[" << std::to_string(pair.a) << ", " << std::to_string(pair.b) << "]";
    separator = ",\n";
  }
  text << (pairs.empty() ? "]}\n" : "\n]}\n");
  text.flush();
}

void write_segments(const Model& a, const Model& b, const Pose& a_in_world, const Pose& b_in_world,
                    std::span<const TrianglePair> pairs, const Write& write) {
  const Pose b_in_a = relative_pose(a_in_world, b_in_world);
  TextBuffer text(write);
  text << "# What touching triangles share, in world coordinates, by tandem collide.\n";
  text << "# One element a pair, sorted by triangle of A, then of B.\n";
  std::uint64_t vertex_count = 0;
  for (const TrianglePair& pair : pairs) {
    const TriangleIntersection shared = intersection(a, b, b_in_a, pair);
    std::string element = shared.count == 1 ? "p" : shared.count == 2 ? "l" : "f";
    for (int i = 0; i < shared.count; ++i) {
      const Vec3d point = moved(a_in_world, shared.points[i]);
      text << "v " << shortest(point.x) << " " << shortest(point.y) << " " << shortest(point.z)
           << "\n";
      element.append(" ").append(std::to_string(++vertex_count));
    }
    if (shared.count > 0) text << element << "\n";
  }
  text.flush();
}

}  // namespace tandem::cli
