// Compiled once for each instruction set: Highway includes this file again and again.
#include "sim/solver/blocks.h"
#include "traverse/wide/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/solver/kernels.cpp"  // NOLINT
#include <hwy/foreach_target.h>
// The targets come first.
#include <hwy/highway.h>

#include "sim/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem::sim {
namespace HWY_NAMESPACE {
namespace {

static_assert(k_lanes % k_width == 0);

HWY_INLINE V load(const LaneNumbers& numbers, std::size_t lane) {
  return hn::Load(D(), numbers + lane);
}
HWY_INLINE V3 load(const LaneVectors& vectors, std::size_t lane) {
  return {load(vectors[0], lane), load(vectors[1], lane), load(vectors[2], lane)};
}
HWY_INLINE void store(V value, LaneNumbers& numbers, std::size_t lane) {
  hn::Store(value, D(), numbers + lane);
}

HWY_INLINE V positive_or_0(V value) {
  return hn::IfThenElseZero(hn::Gt(value, hn::Zero(D())), value);
}

/// Two numbers of bodies 0, 2, 4, ... of those named, one body after the other.
template <class To>
HWY_INLINE hn::Vec<To> every_other(To to, const BodyMotion* motions, const std::uint32_t* bodies,
                                   std::size_t part) {
  constexpr std::size_t k_size = hn::MaxLanes(To());
  if constexpr (k_size == 2) {
    return hn::LoadU(to, motions[*bodies].parts + part);
  } else {
    const hn::Half<To> half;
    return hn::Combine(to, every_other(half, motions, bodies + k_size / 2, part),
                       every_other(half, motions, bodies, part));
  }
}

template <class From>
HWY_INLINE void store_every_other(From from, hn::Vec<From> values, double* const* to,
                                  std::size_t part) {
  constexpr std::size_t k_size = hn::MaxLanes(From());
  if constexpr (k_size == 2) {
    hn::StoreU(values, from, *to + part);
  } else {
    const hn::Half<From> half;
    store_every_other(half, hn::LowerHalf(half, values), to, part);
    store_every_other(half, hn::UpperHalf(half, values), to + k_size / 2, part);
  }
}

/// A body of each pair: how it moves, and what impulses do to it.
struct Side {
  V3 linear;
  V3 angular;
  V inverse_mass;

  HWY_INLINE Side(const PairBlock& pairs, int side, std::size_t lane, const BodyMotion* motions)
      : inverse_mass(load(pairs.inverse_mass[side], lane)) {
    const std::uint32_t* const bodies = pairs.bodies[side] + lane;
    V parts[6];
    for (std::size_t part = 0; part < 6; part += 2) {
      const V even = every_other(D(), motions, bodies, part);
      const V odd = every_other(D(), motions, bodies + 1, part);
      parts[part] = hn::InterleaveLower(D(), even, odd);
      parts[part + 1] = hn::InterleaveUpper(D(), even, odd);
    }
    linear = {parts[0], parts[1], parts[2]};
    angular = {parts[3], parts[4], parts[5]};
  }

  /// Bodies that do not move are shared by threads and so not written to.
  HWY_INLINE void store_motion(const PairBlock& pairs, int side, std::size_t lane,
                               BodyMotion* motions) const {
    BodyMotion nowhere;
    double* to[k_width];
    for (std::size_t i = 0; i < k_width; ++i) {
      const bool moves = (pairs.moves[side] >> (lane + i) & 1) != 0;
      to[i] = moves ? motions[pairs.bodies[side][lane + i]].parts : nowhere.parts;
    }
    const V parts[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    for (std::size_t part = 0; part < 6; part += 2) {
      store_every_other(D(), hn::InterleaveLower(D(), parts[part], parts[part + 1]), to, part);
      store_every_other(D(), hn::InterleaveUpper(D(), parts[part], parts[part + 1]), to + 1, part);
    }
  }
};

/// How much faster bodies turn by an impulse that turns them by so much.
HWY_INLINE V3 spin(const LaneNumbers (&inertia)[6], std::size_t lane, const V3& turn) {
  const V xx = load(inertia[0], lane);
  const V xy = load(inertia[1], lane);
  const V xz = load(inertia[2], lane);
  const V yy = load(inertia[3], lane);
  const V yz = load(inertia[4], lane);
  const V zz = load(inertia[5], lane);
  return {dot({xx, xy, xz}, turn), dot({xy, yy, yz}, turn), dot({xz, yz, zz}, turn)};
}

/// The motion of both bodies of pairs while their points are solved.
class PairMotion {
 public:
  HWY_INLINE PairMotion(const PairBlock& pairs, std::size_t lane, const BodyMotion* motions)
      : pairs_(pairs), lane_(lane), a_(pairs, 0, lane, motions), b_(pairs, 1, lane, motions) {}

  /// How fast B moves away from A at a point.
  HWY_INLINE V3 velocity(const V3& arm_a, const V3& arm_b) const {
    return (b_.linear + cross(b_.angular, arm_b)) - (a_.linear + cross(a_.angular, arm_a));
  }

  HWY_INLINE void apply(const V3& arm_a, const V3& arm_b, const V3& impulse) {
    a_.linear = a_.linear - a_.inverse_mass * impulse;
    b_.linear = b_.linear + b_.inverse_mass * impulse;
    a_.angular = a_.angular - spin(pairs_.inverse_inertia[0], lane_, cross(arm_a, impulse));
    b_.angular = b_.angular + spin(pairs_.inverse_inertia[1], lane_, cross(arm_b, impulse));
  }

  /// The impulse that changes the speed along a direction by 1; 0 where there is no direction.
  HWY_INLINE V mass(const V3& arm_a, const V3& arm_b, const V3& direction) const {
    const V3 turn_a = cross(arm_a, direction);
    const V3 turn_b = cross(arm_b, direction);
    const V by_turns = hn::Add(dot(turn_a, spin(pairs_.inverse_inertia[0], lane_, turn_a)),
                               dot(turn_b, spin(pairs_.inverse_inertia[1], lane_, turn_b)));
    const V inverse = hn::Add(hn::Add(a_.inverse_mass, b_.inverse_mass), by_turns);
    const V one = hn::Set(D(), 1);
    const auto exists = hn::Gt(inverse, hn::Zero(D()));
    return hn::IfThenElseZero(exists, hn::Div(one, hn::IfThenElse(exists, inverse, one)));
  }

  HWY_INLINE bool is_at_rest() const {
    const auto is_0 = [](const V3& v) {
      const V zero = hn::Zero(D());
      return hn::And(hn::And(hn::Eq(v.x, zero), hn::Eq(v.y, zero)), hn::Eq(v.z, zero));
    };
    return hn::AllTrue(D(), hn::And(hn::And(is_0(a_.linear), is_0(a_.angular)),
                                    hn::And(is_0(b_.linear), is_0(b_.angular))));
  }

  HWY_INLINE void store(BodyMotion* motions) const {
    a_.store_motion(pairs_, 0, lane_, motions);
    b_.store_motion(pairs_, 1, lane_, motions);
  }

 private:
  const PairBlock& pairs_;
  std::size_t lane_;
  Side a_;
  Side b_;
};

void prepare_lanes(const SolverSpeeds& speeds, PairBlock& pairs, PointBlock* points,
                   const BodyMotion* velocities, std::size_t lane) {
  const D d;
  const V zero = hn::Zero(d);
  const V time_step = hn::Set(d, speeds.time_step);
  const PairMotion motion(pairs, lane, velocities);
  const V restitution = load(pairs.restitution, lane);
  for (std::uint32_t i = 0; i < pairs.point_count; ++i) {
    PointBlock& point = points[i];
    const V3 normal = load(point.normal, lane);
    const V3 tangent = load(point.tangent, lane);
    const V3 arm_a = load(point.arms[0], lane);
    const V3 arm_b = load(point.arms[1], lane);
    store(motion.mass(arm_a, arm_b, normal), point.masses[0], lane);
    store(motion.mass(arm_a, arm_b, tangent), point.masses[1], lane);
    store(motion.mass(arm_a, arm_b, cross(normal, tangent)), point.masses[2], lane);

    // Bodies that are apart may close the gap in this step; those that would close it and are fast
    // bounce.
    const V separation = load(point.separation, lane);
    const V closing = hn::Neg(hn::Div(positive_or_0(separation), time_step));
    const V speed = dot(normal, motion.velocity(arm_a, arm_b));
    const auto meets = hn::Le(hn::Add(separation, hn::Mul(speed, time_step)), zero);
    const auto bounces = hn::And(hn::And(meets, hn::Lt(speed, hn::Set(d, -speeds.bounce_speed))),
                                 hn::Gt(restitution, zero));
    store(hn::IfThenElse(bounces, hn::Neg(hn::Mul(restitution, speed)), closing), point.least_speed,
          lane);
    // Points that are apart may come as close as touching.
    const V too_deep = hn::Sub(hn::Neg(separation), hn::Set(d, speeds.slop));
    const auto is_too_deep = hn::Gt(too_deep, zero);
    const V pushed = hn::Div(hn::Mul(hn::Set(d, speeds.push_out), too_deep), time_step);
    const V most = hn::Set(d, speeds.push_out_speed);
    const V push = hn::IfThenElse(hn::Lt(pushed, most), pushed, most);
    store(hn::IfThenElse(is_too_deep, push, closing), point.least_push, lane);
    if (!hn::AllFalse(d, is_too_deep)) pairs.is_too_deep = true;
  }
}

void apply_last_lanes(const PairBlock& pairs, const PointBlock* points, BodyMotion* velocities,
                      std::size_t lane) {
  PairMotion motion(pairs, lane, velocities);
  for (std::uint32_t i = 0; i < pairs.point_count; ++i) {
    const PointBlock& point = points[i];
    const V3 normal = load(point.normal, lane);
    const V3 tangent = load(point.tangent, lane);
    const V3 impulse = load(point.impulse, lane) * normal +
                       load(point.friction[0], lane) * tangent +
                       load(point.friction[1], lane) * cross(normal, tangent);
    motion.apply(load(point.arms[0], lane), load(point.arms[1], lane), impulse);
  }
  motion.store(velocities);
}

/// Keeps the speed along the normal of a point at least what it is to be.
HWY_INLINE void solve_normal(PairMotion& motion, const PointBlock& point,
                             const LaneNumbers& least_speed, LaneNumbers& impulse,
                             std::size_t lane) {
  const V3 normal = load(point.normal, lane);
  const V3 arm_a = load(point.arms[0], lane);
  const V3 arm_b = load(point.arms[1], lane);
  const V speed = dot(normal, motion.velocity(arm_a, arm_b));
  const V before = load(impulse, lane);
  const V change = hn::Mul(load(point.masses[0], lane), hn::Sub(speed, load(least_speed, lane)));
  const V next = positive_or_0(hn::Sub(before, change));
  motion.apply(arm_a, arm_b, hn::Sub(next, before) * normal);
  store(next, impulse, lane);
}

/// Stops sliding at a point, as far as friction can.
HWY_INLINE void solve_friction(PairMotion& motion, PointBlock& point, V friction,
                               std::size_t lane) {
  const V3 first = load(point.tangent, lane);
  const V3 second = cross(load(point.normal, lane), first);
  const V3 arm_a = load(point.arms[0], lane);
  const V3 arm_b = load(point.arms[1], lane);
  const V3 velocity = motion.velocity(arm_a, arm_b);
  const V before_1 = load(point.friction[0], lane);
  const V before_2 = load(point.friction[1], lane);
  const V wanted_1 = hn::Sub(before_1, hn::Mul(load(point.masses[1], lane), dot(first, velocity)));
  const V wanted_2 = hn::Sub(before_2, hn::Mul(load(point.masses[2], lane), dot(second, velocity)));
  const V most = hn::Mul(friction, load(point.impulse, lane));
  const V size = hn::Sqrt(hn::Add(hn::Mul(wanted_1, wanted_1), hn::Mul(wanted_2, wanted_2)));
  const V one = hn::Set(D(), 1);
  const auto slides = hn::Gt(size, most);
  const V scale = hn::IfThenElse(slides, hn::Div(most, hn::IfThenElse(slides, size, one)), one);
  const V next_1 = hn::Mul(scale, wanted_1);
  const V next_2 = hn::Mul(scale, wanted_2);
  motion.apply(arm_a, arm_b,
               hn::Sub(next_1, before_1) * first + hn::Sub(next_2, before_2) * second);
  store(next_1, point.friction[0], lane);
  store(next_2, point.friction[1], lane);
}

void solve_velocities_of_lanes(const PairBlock& pairs, PointBlock* points, BodyMotion* velocities,
                               std::size_t lane) {
  PairMotion motion(pairs, lane, velocities);
  const V friction = load(pairs.friction, lane);
  // Friction first: of the two, that bodies do not overlap is to hold better.
  for (std::uint32_t i = 0; i < pairs.point_count; ++i) {
    solve_friction(motion, points[i], friction, lane);
  }
  for (std::uint32_t i = 0; i < pairs.point_count; ++i) {
    solve_normal(motion, points[i], points[i].least_speed, points[i].impulse, lane);
  }
  motion.store(velocities);
}

void solve_pushes_of_lanes(const PairBlock& pairs, PointBlock* points, BodyMotion* pushes,
                           std::size_t lane) {
  PairMotion motion(pairs, lane, pushes);
  // Bodies that nothing pushes, here or elsewhere, stay where they are.
  if (!pairs.is_too_deep && motion.is_at_rest()) return;
  for (std::uint32_t i = 0; i < pairs.point_count; ++i) {
    solve_normal(motion, points[i], points[i].least_push, points[i].push_impulse, lane);
  }
  motion.store(pushes);
}

void prepare(const SolverSpeeds& speeds, PairBlock& pairs, PointBlock* points,
             const BodyMotion* velocities) {
  for (std::size_t lane = 0; lane < k_lanes; lane += k_width) {
    prepare_lanes(speeds, pairs, points, velocities, lane);
  }
}

void apply_last_impulses(const PairBlock& pairs, const PointBlock* points, BodyMotion* velocities) {
  for (std::size_t lane = 0; lane < k_lanes; lane += k_width) {
    apply_last_lanes(pairs, points, velocities, lane);
  }
}

void solve_velocities(const PairBlock& pairs, PointBlock* points, BodyMotion* velocities) {
  for (std::size_t lane = 0; lane < k_lanes; lane += k_width) {
    solve_velocities_of_lanes(pairs, points, velocities, lane);
  }
}

void solve_pushes(const PairBlock& pairs, PointBlock* points, BodyMotion* pushes) {
  for (std::size_t lane = 0; lane < k_lanes; lane += k_width) {
    solve_pushes_of_lanes(pairs, points, pushes, lane);
  }
}

}  // namespace

const SolverKernels* solver_kernels_of_target() {
  static constexpr SolverKernels k_kernels = {.prepare = prepare,
                                              .apply_last_impulses = apply_last_impulses,
                                              .solve_velocities = solve_velocities,
                                              .solve_pushes = solve_pushes};
  return &k_kernels;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace tandem::sim
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tandem::sim {

HWY_EXPORT(solver_kernels_of_target);

const SolverKernels& solver_kernels() {
  return *HWY_DYNAMIC_DISPATCH(solver_kernels_of_target)();
}

}  // namespace tandem::sim
#endif  // HWY_ONCE
