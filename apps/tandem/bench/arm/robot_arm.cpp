#include "bench/arm/robot_arm.h"

#include <tandem/shapes.h>

#include <span>

namespace tandem::cli {

namespace {

// How a thing that was made along z lies along another axis.
Pose along_x() {
  return Pose::from_rotation(std::array<double, 9>{0, 0, 1, 0, 1, 0, -1, 0, 0});
}
Pose along_y() {
  return Pose::from_rotation(std::array<double, 9>{1, 0, 0, 0, 0, 1, 0, -1, 0});
}

Pose at(double x, double y, double z) {
  return Pose::from_translation({x, y, z});
}

/// Bodies welded into one mesh.
class Weldment {
 public:
  Weldment& add(const Mesh& body, const Pose& pose = {}, double scale = 1) {
    const auto first = static_cast<std::uint32_t>(vertices_.size());
    for (const Vec3f& vertex : body.vertices()) {
      vertices_.emplace_back(transform_point(pose, scale * Vec3d(vertex)));
    }
    for (const auto& [a, b, c] : body.triangles()) {
      triangles_.push_back({first + a, first + b, first + c});
    }
    return *this;
  }
  Mesh mesh() const { return {vertices_, triangles_}; }

 private:
  std::vector<Vec3f> vertices_;
  std::vector<TriangleIndices> triangles_;
};

/// A tube along z, its middle at the origin.
Mesh tube(double outer, double bore, double length, int around) {
  const double half = 0.5 * length;
  const std::array<ProfilePoint, 4> profile = {
      {{bore, -half}, {outer, -half}, {outer, half}, {bore, half}}};
  return make_turned(profile, around);
}

Mesh turned(std::initializer_list<ProfilePoint> profile, int around) {
  return make_turned(std::span<const ProfilePoint>(profile.begin(), profile.size()), around);
}

Mesh base() {
  return turned({{0.05, 0}, {0.24, 0}, {0.24, 0.04}, {0.16, 0.05}, {0.14, 0.3}, {0.05, 0.3}}, 24);
}

Mesh turret() {
  return Weldment()
      .add(turned({{0.05, 0}, {0.17, 0}, {0.17, 0.08}, {0.13, 0.14}, {0.05, 0.14}}, 20))
      .add(make_box(1, {0.2, 0.16, 0.14}), at(0.05, -0.02, 0.16))
      .add(tube(0.12, 0.05, 0.18, 16), at(0.06, -0.03, 0.24) * along_y())
      .mesh();
}

Mesh upper_arm() {
  return Weldment()
      .add(tube(0.11, 0.05, 0.12, 16), at(0, 0.06, 0) * along_y())
      .add(make_box(2, {0.1, 0.08, 0.5}), at(0, 0.06, 0.33))
      .add(tube(0.09, 0.04, 0.12, 16), at(0, 0.06, 0.65) * along_y())
      .mesh();
}

Mesh elbow() {
  return Weldment()
      .add(tube(0.09, 0.03, 0.12, 20), along_y())
      .add(tube(0.07, 0.025, 0.13, 16), at(0.135, 0, 0.03) * along_x())
      .mesh();
}

Mesh forearm() {
  Weldment arm;
  arm.add(turned({{0.025, 0},
                  {0.08, 0},
                  {0.08, 0.03},
                  {0.055, 0.05},
                  {0.045, 0.42},
                  {0.065, 0.44},
                  {0.065, 0.47},
                  {0.025, 0.47}},
                 20),
          along_x());
  for (const double side : {-1, 1})
    arm.add(make_box(1, {0.1, 0.015, 0.06}), at(0.52, side * 0.05, 0));
  return arm.mesh();
}

Mesh wrist() {
  return Weldment()
      .add(tube(0.04, 0.015, 0.07, 16), along_y())
      .add(tube(0.03, 0.012, 0.06, 16), at(0.06, 0, 0) * along_x())
      .mesh();
}

Mesh flange() {
  Weldment flange;
  flange.add(
      turned({{0.012, 0}, {0.045, 0}, {0.045, 0.015}, {0.03, 0.02}, {0.03, 0.05}, {0.012, 0.05}},
             16),
      along_x());
  flange.add(make_box(2, {0.06, 0.16, 0.05}), at(0.085, 0, 0));
  const Mesh bolt = turned({{0, -0.01}, {0.006, -0.01}, {0.006, 0.01}, {0, 0.01}}, 6);
  for (const double y : {-0.026, 0.026}) {
    for (const double z : {-0.026, 0.026}) flange.add(bolt, at(0, y, z) * along_x());
  }
  return flange.mesh();
}

Mesh tool() {
  Weldment tool;
  tool.add(turned({{0, 0}, {0.035, 0}, {0.035, 0.03}, {0.015, 0.05}, {0.012, 0.25}, {0, 0.3}}, 24),
           along_x());
  for (const double side : {-1, 1}) {
    tool.add(make_box(1, {0.16, 0.015, 0.03}), at(0.08, side * 0.045, 0));
  }
  return tool.mesh();
}

/// Boards on posts: a table has one of them, a shelf several.
Mesh boards_on_posts(const Vec3d& board, std::span<const double> heights, double post_height) {
  Weldment whole;
  for (const double height : heights) whole.add(make_box(2, board), at(0, 0, height));
  for (const double x : {-0.5, 0.5}) {
    for (const double y : {-0.5, 0.5}) {
      whole.add(make_box(1, {0.05, 0.05, post_height}),
                at(x * (board.x - 0.06), y * (board.y - 0.06), 0.5 * post_height));
    }
  }
  return whole.mesh();
}

Mesh pillar() {
  return turned(
      {{0, 0}, {0.2, 0}, {0.2, 0.1}, {0.12, 0.15}, {0.12, 1.85}, {0.2, 1.9}, {0.2, 2}, {0, 2}}, 32);
}

Mesh scaled(const Mesh& mesh, double scale) {
  return Weldment().add(mesh, {}, scale).mesh();
}

}  // namespace

std::vector<ArmPart> make_arm_links() {
  return {{"base", base()},     {"turret", turret()},   {"upper arm", upper_arm()},
          {"elbow", elbow()},   {"forearm", forearm()}, {"wrist", wrist()},
          {"flange", flange()}, {"tool", tool()}};
}

std::vector<Pose> link_poses(const JointAngles& angles) {
  struct Joint {
    Vec3d axis;
    Vec3d place;
  };
  // Where each joint is in the frame of the link before it.
  static constexpr std::array<Joint, k_joint_count> k_joints = {{{{0, 0, 1}, {0, 0, 0.32}},
                                                                 {{0, 1, 0}, {0.06, 0.08, 0.24}},
                                                                 {{0, 1, 0}, {0, -0.1, 0.65}},
                                                                 {{1, 0, 0}, {0.22, 0, 0.03}},
                                                                 {{0, 1, 0}, {0.55, 0, 0}},
                                                                 {{1, 0, 0}, {0.1, 0, 0}},
                                                                 {{1, 0, 0}, {0.12, 0, 0}}}};
  std::vector<Pose> poses = {Pose()};
  for (std::size_t i = 0; i < k_joint_count; ++i) {
    poses.push_back(poses.back() *
                    Pose::from_axis_angle(k_joints[i].axis, angles[i], k_joints[i].place));
  }
  return poses;
}

std::vector<ArmObstacle> make_arm_surroundings() {
  constexpr std::array<double, 1> k_table = {0.4};
  constexpr std::array<double, 4> k_shelf = {0.2, 0.65, 1.1, 1.55};
  const auto turned_to = [](double x, double y, double z, double angle) {
    return Pose::from_axis_angle({0.3, -0.2, 1}, angle, {x, y, z});
  };
  return {{{"table", boards_on_posts({0.7, 1.2, 0.04}, k_table, 0.4)}, at(0.85, -0.1, 0)},
          {{"shelf", boards_on_posts({1.2, 0.35, 0.03}, k_shelf, 1.6)}, at(-0.2, 0.95, 0)},
          {{"pillar", pillar()}, at(-0.75, -0.5, 0)},
          {{"sheet", scaled(make_sheet(2, 8), 0.2)}, turned_to(0.8, -0.4, 0.62, 0.7)},
          {{"pipes", scaled(make_pipes(3, 8), 0.3)}, turned_to(0.1, -0.95, 0.9, 2)},
          {{"screw", scaled(make_screw(6, 12), 0.15)}, turned_to(0.75, 0.25, 0.57, 0.2)}};
}

}  // namespace tandem::cli
