// Three ways to ask for less than all pairs, and a sink that decides for itself when to stop.
#include <tandem/tandem.h>

#include <cstdint>
#include <iostream>
#include <set>

int main() {
  const tandem::Model knot(tandem::make_shape("knot", 20'000));
  const auto b_in_a = tandem::Pose::from_axis_angle({1, 2, 3}, 0.7, {0.6, 0.3, 0.1});

  // Do they touch? The query ends with the first pair that it finds.
  if (const auto first = tandem::intersects(knot, knot, b_in_a)) {
    std::cout << "they touch, for example in triangles " << first.pair->a << " and "
              << first.pair->b << '\n';
  }

  // How many pairs? They are counted, not stored; the statistics say what it took.
  const auto counted = tandem::count(knot, knot, b_in_a, {.statistics = true});
  std::cout << counted.count << " pairs, after " << counted.statistics.triangle_tests
            << " triangle tests\n";

  // A hundred different triangles of A that touch B, whichever come first: the sink sees each pair
  // when it is found, keeps what it likes, and ends the query.
  std::set<std::uint32_t> triangles;
  const auto collect = [&](tandem::TrianglePair pair) {
    triangles.insert(pair.a);
    return triangles.size() < 100 ? tandem::Flow::go_on : tandem::Flow::stop;
  };
  const auto streamed = tandem::collide(knot, knot, b_in_a, collect);
  std::cout << triangles.size() << " triangles of A, "
            << (streamed.stopped ? "and there may be more" : "and there are no more") << '\n';
}
