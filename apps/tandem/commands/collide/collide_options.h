// The options of `tandem collide`: as the user gives them, and as the library takes them.
#pragma once

#include <tandem/tandem.h>

#include <optional>
#include <string>

#include "commands/picture_choice.h"
#include "devices/device_queries.h"
#include "options/command.h"
#include "options/mesh_source.h"
#include "render/collision_picture.h"

namespace tandem::cli {

/// As the user gives them.
struct CollideOptions {
  std::string a;
  std::string b;
  ReadChoices reading;
  std::optional<std::string> pose_a;
  std::optional<std::string> pose_b;
  std::optional<std::string> pairs_file;
  std::optional<std::string> segments_file;
  std::optional<std::string> contacts_file;
  PictureChoice picture;
  std::optional<std::string> structure;
  std::optional<std::string> traversal;
  std::optional<std::string> overlap;
  std::optional<std::string> triangle_test;
  std::optional<std::string> builder;
  std::optional<std::string> arity;
  std::optional<std::string> leaf_size;
  std::optional<std::string> threads;
  DeviceChoice device;
  bool first = false;
  bool count = false;
  bool json = false;
  bool exit_code = false;
  bool statistics = false;
  bool quiet = false;
};

/// Declares them; `options` must live as long as `app`.
void add_collide_options(CLI::App& app, CollideOptions& options);

/// As the library takes them.
struct CollidePlan {
  ReadOptions read;
  QueryOptions query;
  BuildOptions build;
  CollisionPicture picture;
  /// Nothing for the processor.
  std::optional<DeviceMethod> on_device;
  Pose a_in_world;
  Pose b_in_world;
};

/// Throws `tandem::Error` for everything that can be found wrong before the meshes are read.
CollidePlan make_collide_plan(const CollideOptions& options);

}  // namespace tandem::cli
