// How far apart two bodies are in many poses, on a CUDA device: the distances of the host, to the
// byte.
#include <tandem/cuda/collide.h>
#include <tandem/tandem.h>

#include <iostream>
#include <vector>

int main() try {
  const std::vector<tandem::Model> models = {tandem::Model(tandem::make_shape("torus", 5'000)),
                                             tandem::Model(tandem::make_shape("rock", 5'000))};
  std::vector<tandem::BatchQuery> queries;
  for (int i = 0; i < 10'000; ++i) {
    queries.push_back(
        {0, 1, tandem::Pose::from_axis_angle({1, 2, 3}, 0.001 * i, {3 + 0.0002 * i, 0, 1})});
  }

  tandem::cuda::Collider collider(models);
  const std::vector<tandem::DistanceResult> gaps = collider.distance(queries);
  const tandem::BatchBits close = collider.within(queries, 0.5);
  std::cout << "the first is " << gaps[0].distance << " away, and " << close.count()
            << " come as close as 0.5\n";

  const auto expected = tandem::distance_batch(models, queries, {.threads = 0});
  bool same = true;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    same = same && gaps[i].distance == expected[i].distance;
  }
  std::cout << (same ? "the same distances\n" : "other distances\n");
  return same ? 0 : 1;
} catch (const tandem::Error& error) {
  std::cout << error.what() << '\n';  // such as: this machine has no CUDA driver
}
