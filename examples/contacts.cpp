// A box on a table: where it touches, and which way to push it. This is what a simulation of rigid
// bodies asks for in every step.
#include <tandem/tandem.h>

#include <iostream>

int main() {
  const tandem::Model table(tandem::make_box(8, {4, 4, 1}));
  const tandem::Model box(tandem::make_box(4, {1, 1, 1}));

  // Turned a little, and sunk into the table by a thousandth.
  const auto box_in_table = tandem::Pose::from_axis_angle({0, 0, 1}, 0.3, {0.5, 0.2, 0.999});

  // One contact for each pair of triangles: their shared segment, normal and separation
  const auto found = tandem::contacts(table, box, box_in_table);
  std::cout << found.contacts.size() << " contacts\n";

  // The few points that stand for all of them, in the table's frame
  const auto manifold = tandem::reduce_contacts(found.contacts);
  for (const tandem::ManifoldPoint& point : manifold.points) {
    const auto& [x, y, z] = point.position;
    const auto& [nx, ny, nz] = point.normal;
    std::cout << "at " << x << " " << y << " " << z << ": push the box along " << nx << " " << ny
              << " " << nz << " by " << -point.separation << "\n";
  }

  // So pushed, it does not cross the table any more.
  if (manifold.points.empty()) return 1;
  const tandem::ManifoldPoint& deepest = manifold.points.front();
  const auto push = tandem::Pose::from_translation((1e-9 - deepest.separation) * deepest.normal);
  return tandem::intersects(table, box, push * box_in_table) ? 1 : 0;
}
