// A query in slices: stopped when its time is up, copied, kept as bytes, and resumed by another
// cursor.
#include <tandem/tandem.h>

#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iostream>

int main() {
  const tandem::Model knot(tandem::make_shape("knot", 20'000), {.structure = "aabb"});
  const auto b_in_a = tandem::Pose::from_axis_angle({1, 2, 3}, 0.7, {0.6, 0.3, 0.1});
  const tandem::Traversal trail = "trail";
  std::uint64_t pair_count = 0;
  const auto sink = [&](tandem::TrianglePair) {
    ++pair_count;
    return tandem::Flow::go_on;
  };

  // Time-boxed: slices of 1,000 pairs of nodes until a millisecond has passed.
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::milliseconds(1);
  tandem::TrailCursor cursor(knot, knot, b_in_a, trail);
  while (!cursor.finished() && Clock::now() < deadline) cursor.advance(1'000, sink);
  std::cout << pair_count << " pairs when the time was up\n";

  // A copy goes on by itself: this one looks whether there is more, the cursor stays where it is.
  tandem::TrailCursor scout = cursor;
  bool more = false;
  const auto stop_at_first = [&](tandem::TrianglePair) {
    more = true;
    return tandem::Flow::stop;
  };
  while (!scout.finished() && !more) scout.advance(1'000, stop_at_first);
  std::cout << (more ? "there are more\n" : "that was all\n");

  // All that the query remembers is 24 bytes. They can be stored, or sent to another machine.
  const auto bytes = std::bit_cast<std::array<std::byte, 24>>(cursor.state());

  // There: a cursor for the same models, pose and traversal goes on behind the last pair.
  const auto state = std::bit_cast<tandem::TrailState>(bytes);
  tandem::TrailCursor resumed(knot, knot, b_in_a, trail, state);
  while (!resumed.finished()) resumed.advance(1'000, sink);
  std::cout << pair_count << " pairs in all\n";

  // Each pair was shown once, as to a query in one go.
  return pair_count == tandem::count(knot, knot, b_in_a).count ? 0 : 1;
}
