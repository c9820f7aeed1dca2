// How far apart two models are, what is too close, and how far points are from a surface.
#include <tandem/tandem.h>

#include <algorithm>
#include <iostream>
#include <vector>

int main() {
  const tandem::Model ring(tandem::make_shape("torus", 5'000));
  const tandem::Model rock(tandem::make_shape("rock", 5'000));
  const auto rock_in_ring = tandem::Pose::from_axis_angle({0, 0, 1}, 0.5, {3, 0, 1});

  // The distance, and where the two are closest. A limit makes it faster where only close ones
  // matter.
  const tandem::DistanceResult gap = tandem::distance(ring, rock, rock_in_ring);
  std::cout << "distance " << gap.distance << ", triangles " << gap.pair->a << " and "
            << gap.pair->b << '\n';

  // All pairs of triangles that are closer than a millimetre more than that.
  const tandem::CollideResult close =
      tandem::collide_within(ring, rock, rock_in_ring, gap.distance + 0.001);
  std::cout << close.pairs.size() << " pairs of triangles are about as close\n";

  // A witness knows which triangles were closest: the next step takes less time.
  tandem::DistanceWitness witness;
  double least = gap.distance;
  for (int i = 0; i < 100; ++i) {
    const auto step =
        tandem::Pose::from_axis_angle({0, 0, 1}, 0.5 + 0.01 * i, {3 - 0.01 * i, 0, 1});
    least = std::min(least, tandem::distance(ring, rock, step, witness).distance);
  }
  std::cout << "on its way the rock comes as close as " << least << '\n';

  // Points, on all cores: negative inside of the rock.
  std::vector<tandem::Vec3d> points;
  for (int i = 0; i < 1'000; ++i) points.push_back({0.002 * i, 0.1, 0.2});
  std::vector<double> depths(points.size());
  tandem::signed_distances(rock, points, depths, {.threads = 0});
  std::size_t inside = 0;
  for (const double depth : depths) inside += depth < 0 ? 1 : 0;
  std::cout << inside << " of " << points.size() << " points are inside of the rock\n";

  // The same questions for all objects of a scene.
  tandem::Scene scene;
  scene.add(ring, {}, {.name = "ring"});
  scene.add(rock, rock_in_ring, {.name = "rock"});
  for (const tandem::ObjectClearance& each : scene.clearances(2)) {
    std::cout << scene.labels(each.objects.a).name << " and " << scene.labels(each.objects.b).name
              << " come as close as " << each.distance << '\n';
  }
}
