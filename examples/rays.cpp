// What rays hit: a knot drawn with characters, and everything that one ray passes through.
#include <tandem/tandem.h>

#include <algorithm>
#include <iostream>
#include <vector>

int main() {
  const tandem::Model knot(tandem::make_shape("knot", 5000));

  // One ray for each character, all at once: threads share them.
  constexpr int k_columns = 72;
  constexpr int k_rows = 36;
  std::vector<tandem::Ray> rays;
  for (int row = 0; row < k_rows; ++row) {
    for (int column = 0; column < k_columns; ++column) {
      const float x = 7.0f * static_cast<float>(column) / k_columns - 3.5f;
      const float y = 3.5f - 7.0f * static_cast<float>(row) / k_rows;
      rays.push_back({.origin = {x, y, 5}, .direction = {0, 0, -1}});
    }
  }
  std::vector<tandem::Hit> hits(rays.size());
  tandem::closest_hits(knot, rays, hits, {.threads = 0});

  // The closer, the denser.
  for (int i = 0; i < k_columns * k_rows; ++i) {
    const double depth = hits[i] ? hits[i].distance - 3.5 : 4;
    std::cout << "@%#*+=-:. "[std::min(9, static_cast<int>(depth * 2.5))];
    if (i % k_columns == k_columns - 1) std::cout << '\n';
  }

  // Every triangle along one ray.
  const tandem::Ray skewer{.origin = {-5, 1, 0}, .direction = {1, 0, 0}};
  const auto show = [](std::size_t, const tandem::Hit& hit) {
    std::cout << "triangle " << hit.triangle << " at " << hit.distance << '\n';
    return tandem::Flow::go_on;
  };
  tandem::all_hits(knot, {&skewer, 1}, show);
}
