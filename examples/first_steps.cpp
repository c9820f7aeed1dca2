// Two meshes, where they stand, and which of their triangles touch.
#include <tandem/tandem.h>

#include <iostream>

int main() {
  // tandem::read_mesh("file.ply") reads a file; arrays of your own make a tandem::Mesh too.
  const tandem::Model ring(tandem::make_shape("torus", 500));
  const tandem::Model rock(tandem::make_shape("rock", 500));

  const auto ring_in_world = tandem::Pose::from_translation({0, 0, 1});
  const auto rock_in_world = tandem::Pose::from_axis_angle({0, 0, 1}, 0.5, {1.2, 0, 2.4});
  const auto rock_in_ring = tandem::relative_pose(ring_in_world, rock_in_world);

  const auto result = tandem::collide(ring, rock, rock_in_ring);
  std::cout << result.pairs.size() << " pairs of triangles touch\n";
  for (const auto& [in_ring, in_rock] : result.pairs) {
    std::cout << in_ring << " of the ring, " << in_rock << " of the rock\n";
  }
}
