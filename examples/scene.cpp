// A scene: a ball rolls through a row of blocks that stand on a floor.
#include <tandem/tandem.h>

#include <cstdio>
#include <string>

int main() {
  const tandem::Model block(tandem::make_box(4, {0.6, 0.6, 1.2}));
  tandem::Scene scene;
  scene.add(tandem::Model(tandem::make_box(8, {20, 4, 0.2})), {}, {.name = "floor"});
  for (int i = 0; i < 5; ++i) {
    scene.add(block, tandem::Pose::from_translation({2.0 * i, 0, 0.7}),
              {.name = "block " + std::to_string(i), .group = "blocks"});
  }
  const tandem::ObjectId ball =
      scene.add(tandem::Model(tandem::make_icosphere(12, 0.5)), {}, {.name = "ball"});
  // Everything stands on the floor.
  scene.allow("floor", "blocks");
  scene.allow("floor", "ball");

  for (double x = -1; x <= 5; x += 0.5) {
    scene.move(ball, tandem::Pose::from_axis_angle({0, 1, 0}, x / 0.5, {x, 0, 0.6}));
    const tandem::SceneResult frame = scene.collide();
    for (std::size_t i = 0; i < frame.objects.size(); ++i) {
      std::printf("x = %4.1f: the %s touches %s in %zu pairs of triangles\n", x,
                  scene.labels(frame.objects[i].b).name.c_str(),
                  scene.labels(frame.objects[i].a).name.c_str(), frame.pairs_of(i).size());
    }
  }
  const tandem::SceneHit hit = scene.closest_hit({{-5, 0, 0.8F}, {1, 0, 0}});
  std::printf("a ray along the row hits %s first, after %.2f\n",
              scene.labels(hit.object).name.c_str(), hit.hit.distance);
}
