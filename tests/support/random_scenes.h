// Scenes of a few dozen objects, from a seed: in heaps and in stacks, of models of all kinds, some
// of them empty or with triangles far away from the others.
#pragma once

#include <tandem/tandem.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "math/random.h"
#include "support/complexity_cases.h"

namespace tandem::test {

struct RandomScene {
  std::vector<Model> models;
  std::vector<std::uint32_t> model_of;
  std::vector<Pose> in_world;

  /// At most so many objects, of models with about so many triangles.
  RandomScene(std::uint64_t seed, std::uint64_t most_objects, std::size_t triangles) {
    detail::Random random(seed);
    const Mesh rock = make_shape("rock", triangles, seed);
    models = {Model(rock),
              Model(make_shape("knot", triangles)),
              Model(make_shape("box", triangles)),
              Model(make_soup(3, seed)),
              Model(Mesh()),
              Model(with_strays(rock, 1e5, 2))};
    const auto count = static_cast<std::uint32_t>(random.below(most_objects + 1));
    const bool stacked = random.below(3) == 0;
    const double side = std::ceil(std::cbrt(count));
    const double spacing = stacked ? 1.999 : random.uniform(0.5, 2);
    // Some are far from the origin, where positions are coarse.
    const double far = random.below(4) == 0 ? 1e6 : 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const double x = std::fmod(i, side);
      const double y = std::fmod(std::floor(i / side), side);
      const double z = std::floor(i / (side * side));
      const Vec3d at(far + spacing * x, spacing * y, spacing * z);
      if (stacked) {
        model_of.push_back(random.below(5) == 0 ? 0 : 2);
        in_world.push_back(Pose::from_translation(at));
        continue;
      }
      const auto any = [&](double size) {
        return Vec3d(random.uniform(-size, size), random.uniform(-size, size),
                     random.uniform(-size, size));
      };
      model_of.push_back(static_cast<std::uint32_t>(random.below(models.size())));
      in_world.push_back(Pose::from_axis_angle(any(1) + Vec3d(0, 0, 2), random.uniform(-3, 3),
                                               at + any(0.3 * spacing)));
    }
  }

  Scene on_host() const {
    Scene scene;
    for (std::size_t i = 0; i < model_of.size(); ++i) scene.add(models[model_of[i]], in_world[i]);
    return scene;
  }
};

}  // namespace tandem::test
