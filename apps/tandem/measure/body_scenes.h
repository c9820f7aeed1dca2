// Scenes of many bodies, as in the paper on blocked tandem traversal, section 3: a stack of boxes,
// a pile of bodies, and bodies that slide down a slope, as they might stand at one moment.
#pragma once

#include <tandem/batch.h>
#include <tandem/mesh.h>
#include <tandem/model.h>
#include <tandem/pose.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tandem::detail {
class Random;
}

namespace tandem::cli {

/// A turn of which every one is as likely as every other, and a place.
Pose random_turn(detail::Random& random, const Vec3d& at);

struct PlacedBody {
  /// A position in `models`.
  std::uint32_t model = 0;
  Pose in_world;
};

struct BodyScene {
  std::string name;
  std::vector<Model> models;
  std::vector<PlacedBody> bodies;

  std::size_t triangle_count() const;
  /// The bodies whose boxes overlap, each two as a query.
  std::vector<BatchQuery> close_bodies(int threads) const;
  /// The same scene, in which each body has a model of its own.
  BodyScene with_own_models() const;
};

/// Boxes in a cube of `side` by `side` by `side`, each with as many triangles as the mesh has,
/// which is a cube of side 2: faces overlap by a two-thousandth of their size, as stacks of a
/// simulator do.
BodyScene make_stack(const Model& box, int side);

/// Bodies of radius 1 at random angles, close to the places of a grid and so dense that each
/// reaches into several others.
BodyScene make_pile(const Model& body, int count, std::uint64_t seed);

/// An ellipsoid twice as long as thick, with lumps and dents, of about so many
/// triangles.
Mesh make_lumpy_body(std::size_t triangle_count);

/// A pile of bodies that are longer than 1, so that each reaches into twice as many others.
BodyScene make_heavy_pile(const Model& body, int count, std::uint64_t seed);

/// Poses of a body of radius 1 beside another one, at random angles, 93 % of which touch
/// if the bodies are rocks.
std::vector<Pose> make_close_poses(int count, std::uint64_t seed);

/// Poses of a body beside another one, turned at random, in a random direction, 1.01 to 2 times as
/// far away as where they touch.
std::vector<Pose> make_apart_poses(const Model& body, int count, std::uint64_t seed);

/// Bodies of radius 1 that tumble down a slope: some touch the ground, hardly any each other.
BodyScene make_rock_slide(const Model& body, int count, std::uint64_t seed);

}  // namespace tandem::cli
