// Many poses in one call, on all cores: which of them are free, and how much the others touch.
#include <tandem/tandem.h>

#include <iostream>
#include <vector>

int main() {
  const tandem::Model gripper(tandem::make_shape("screw", 5'000));
  const tandem::Model shelf(tandem::make_shape("sheet", 20'000));

  // A path of the gripper in the shelf's frame, turning as it goes.
  std::vector<tandem::Pose> path;
  for (int i = 0; i < 1'000; ++i) {
    path.push_back(tandem::Pose::from_axis_angle({0, 0, 1}, 0.01 * i, {-3 + 0.006 * i, 0, 0.5}));
  }

  // One bit per pose; the same for any number of threads.
  const tandem::BatchBits touching = tandem::intersects_batch(shelf, gripper, path, {.threads = 0});
  std::cout << touching.count() << " of " << path.size() << " poses touch\n";

  // All pairs of those that do, one after another, each pose's sorted.
  std::vector<tandem::Pose> blocked;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (touching[i]) blocked.push_back(path[i]);
  }
  const tandem::BatchResult pairs = tandem::collide_batch(shelf, gripper, blocked, {.threads = 0});
  std::size_t most = 0;
  for (std::size_t i = 0; i < pairs.query_count(); ++i) {
    if (pairs.count(i) > pairs.count(most)) most = i;
  }
  if (pairs.query_count() > 0) {
    std::cout << pairs.pairs.size() << " pairs in all, at most " << pairs.pairs_of(most).size()
              << " at one pose\n";
  }
}
