#include "sim/body.h"

#include <algorithm>
#include <cmath>

#include "sim/check.h"

namespace tandem::sim {
namespace {

void check_options(const BodyOptions& options) {
  check(is_finite(options.velocity) && is_finite(options.angular_velocity),
        "the velocities of a body are finite");
  check(options.friction >= 0 && std::isfinite(options.friction),
        "friction is 0 or more and finite, not " + std::to_string(options.friction));
  check(options.restitution >= 0 && options.restitution <= 1,
        "restitution is from 0 to 1, not " + std::to_string(options.restitution));
}

Matrix matrix_of(const std::array<double, 9>& rows) {
  return {{{rows[0], rows[1], rows[2]}, {rows[3], rows[4], rows[5]}, {rows[6], rows[7], rows[8]}}};
}

/// By Sylvester's criterion; a tensor that is not symmetric is none.
void check_mass(const MassProperties& mass) {
  check(mass.mass > 0 && std::isfinite(mass.mass),
        "the mass of a body is positive and finite, not " + std::to_string(mass.mass));
  check(is_finite(mass.centre), "the centre of mass of a body is finite");
  const Matrix inertia = matrix_of(mass.inertia);
  const auto [x, y, z] = inertia.rows;
  const bool symmetric = x.y == y.x && x.z == z.x && y.z == z.y;
  const bool positive = x.x > 0 && x.x * y.y - x.y * y.x > 0 && determinant(inertia) > 0 &&
                        std::isfinite(determinant(inertia));
  check(symmetric && positive,
        "the inertia of a body is a symmetric tensor with positive moments about all axes");
}

/// The turn of a pose. Of the four ways to compute it the one that divides by the largest.
Quaternion quaternion_of(const Pose& pose) {
  const auto r = [&](int i, int j) { return pose.rotation(i, j); };
  const double trace = r(0, 0) + r(1, 1) + r(2, 2);
  if (trace > 0) {
    return normalised({trace + 1, r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)});
  }
  int i = 0;
  for (int k = 1; k < 3; ++k) {
    if (r(k, k) > r(i, i)) i = k;
  }
  const int j = (i + 1) % 3;
  const int k = (i + 2) % 3;
  Vec3d axis;
  axis[i] = 1 + r(i, i) - r(j, j) - r(k, k);
  axis[j] = r(j, i) + r(i, j);
  axis[k] = r(k, i) + r(i, k);
  const Quaternion q = {r(k, j) - r(j, k), axis.x, axis.y, axis.z};
  return normalised(q);
}

Body body_of(const Model& model, const MassProperties& mass, const BodyOptions& options) {
  check_options(options);
  Body body;
  body.properties = mass;
  for (const Vec3f& vertex : model.mesh().vertices()) {
    body.radius = std::max(body.radius, length(Vec3d(vertex) - mass.centre));
  }
  body.friction = options.friction;
  body.restitution = options.restitution;
  return body;
}

}  // namespace

Body moving_body(const Model& model, const MassProperties& mass, const BodyOptions& options) {
  check_mass(mass);
  Body body = body_of(model, mass, options);
  body.inverse_mass = 1 / mass.mass;
  body.inertia = matrix_of(mass.inertia);
  body.inverse_inertia = inverse(body.inertia);
  return body;
}

Body static_body(const Model& model, const BodyOptions& options) {
  Body body = body_of(model, {}, options);
  body.moves = false;
  return body;
}

Pose pose_of(const Body& body, const BodyState& at) {
  const auto& [w, x, y, z] = at.orientation;
  return Pose::from_quaternion(w, x, y, z,
                               at.centre - rotation_of(at.orientation) * body.properties.centre);
}

BodyState state_at(const Body& body, const Pose& pose) {
  BodyState at;
  at.orientation = quaternion_of(pose);
  at.centre = pose.translation() + rotation_of(at.orientation) * body.properties.centre;
  return at;
}

Vec3d angular_momentum_of(const Body& body, const BodyState& state) {
  return in_world(rotation_of(state.orientation), body.inertia) * state.angular_velocity;
}

BodyState moved(const Body& body, const BodyState& state, const SolverBody& solved, double time) {
  BodyState next = state;
  next.velocity = solved.velocity;
  next.angular_velocity = solved.angular_velocity;
  const Vec3d momentum = angular_momentum_of(body, next);
  const auto velocity_at = [&](const Quaternion& orientation) {
    return in_world(rotation_of(orientation), body.inverse_inertia) * momentum;
  };
  const Quaternion half_way = turned(state.orientation, next.angular_velocity, 0.5 * time);
  const Vec3d turning = velocity_at(half_way) + solved.angular_push;
  next.centre += time * (next.velocity + solved.push);
  next.orientation = turned(state.orientation, turning, time);
  next.angular_velocity = velocity_at(next.orientation);
  return next;
}

}  // namespace tandem::sim
