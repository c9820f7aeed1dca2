#include "commands/collide_files.h"

#include <string>

#include "text/numbers.h"
#include "text/output.h"

namespace tandem::cli {

namespace {

void write_pairs_text(std::span<const TrianglePair> pairs, const Write& write) {
  TextBuffer text(write);
  for (const TrianglePair& pair : pairs) {
    text << std::to_string(pair.a) << " " << std::to_string(pair.b) << "\n";
  }
  text.flush();
}

// By hand, as millions of pairs would make a large JSON object.
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

}  // namespace

void write_pairs(const std::string& file, std::span<const TrianglePair> pairs) {
  if (file == "-") return write_pairs_text(pairs, print);
  const bool json = file_ending(file) == ".json";
  write_file(file, [&](const Write& write) {
    json ? write_pairs_json(pairs, write) : write_pairs_text(pairs, write);
  });
}

void write_segments(const std::string& file, const Model& a, const Model& b, const Pose& a_in_world,
                    const Pose& b_in_world, std::span<const TrianglePair> pairs) {
  const Pose b_in_a = relative_pose(a_in_world, b_in_world);
  write_file(file, [&](const Write& write) {
    TextBuffer text(write);
    text << "# What touching triangles share, in world coordinates, by tandem collide.\n";
    text << "# One element for each pair, sorted by triangle of A, then of B.\n";
    std::uint64_t vertex_count = 0;
    for (const TrianglePair& pair : pairs) {
      const TriangleIntersection shared = intersection(a, b, b_in_a, pair);
      if (shared.empty()) continue;
      std::string element = shared.count == 1 ? "p" : shared.count == 2 ? "l" : "f";
      for (const Vec3d& point_in_a : shared) {
        const Vec3d point = transform_point(a_in_world, point_in_a);
        text << "v " << shortest(point.x) << " " << shortest(point.y) << " " << shortest(point.z)
             << "\n";
        element.append(" ").append(std::to_string(++vertex_count));
      }
      text << element << "\n";
    }
    text.flush();
  });
}

}  // namespace tandem::cli
