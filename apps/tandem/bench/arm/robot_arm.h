// A robot arm of small meshes and its surroundings, made here: what `tandem bench arm` moves.
#pragma once

#include <tandem/mesh.h>
#include <tandem/pose.h>

#include <array>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

namespace tandem::cli {

/// A link in the frame of its joint, or a thing in a frame of its own.
struct ArmPart {
  std::string name;
  Mesh mesh;
};

inline constexpr std::size_t k_joint_count = 7;

/// The angle of each joint in radians, from the shoulder to the tool.
using JointAngles = std::array<double, k_joint_count>;

/// How far each joint turns.
struct JointRange {
  double least;
  double most;
};
inline constexpr double k_half_turn = std::numbers::pi;
inline constexpr std::array<JointRange, k_joint_count> k_joint_ranges = {
    {{-k_half_turn, k_half_turn},
     {-1.2, 2},
     {-2.4, 1},
     {-k_half_turn, k_half_turn},
     {-2, 2},
     {-k_half_turn, k_half_turn},
     {-k_half_turn, k_half_turn}}};

/// The base and one link for each joint, in metres; the arm reaches about two.
std::vector<ArmPart> make_arm_links();

/// Where the links stand in the world: forward kinematics.
std::vector<Pose> link_poses(const JointAngles& angles);

/// A thing beside the arm, and where it stands in the world.
struct ArmObstacle {
  ArmPart part;
  Pose pose;
};

/// A table, a shelf, a pillar and parts of machines.
std::vector<ArmObstacle> make_arm_surroundings();

}  // namespace tandem::cli
