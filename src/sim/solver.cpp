#include "sim/solver.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "parallel/parallel_for.h"

namespace tandem::sim {
namespace {

/// Groups of pairs of which no two share a body that moves, in the order in which they are solved.
class Groups {
 public:
  Groups(std::span<const SolverBody> bodies, std::span<const SolverPair> pairs) {
    // A body's bits are the groups in which it is already. What finds no free group among these
    // many makes a group of its own behind them.
    constexpr std::size_t k_shared_groups = 64;
    std::vector<std::uint64_t> taken(bodies.size(), 0);
    std::vector<std::vector<std::uint32_t>> groups;
    std::vector<std::uint32_t> alone;
    for (std::uint32_t i = 0; i < pairs.size(); ++i) {
      const auto [a, b] = std::pair(pairs[i].a, pairs[i].b);
      const auto group = static_cast<std::size_t>(std::countr_one(taken[a] | taken[b]));
      if (group == k_shared_groups) {
        alone.push_back(i);
        continue;
      }
      if (group == groups.size()) groups.emplace_back();
      groups[group].push_back(i);
      for (const std::uint32_t body : {a, b}) {
        if (bodies[body].moves()) taken[body] |= std::uint64_t{1} << group;
      }
    }
    for (const auto& group : groups) add(group);
    for (const std::uint32_t pair : alone) add({&pair, 1});
  }

  /// Calls `work(pair)` for each pair, group after group.
  template <class Work>
  void for_each(int threads, const Work& work) const {
    // So many pairs are worth a thread.
    constexpr std::size_t k_grain = 32;
    for (std::size_t g = 0; g + 1 < ends_.size(); ++g) {
      const auto group = std::span(pairs_).subspan(ends_[g], ends_[g + 1] - ends_[g]);
      const int sharing = group.size() > 2 * k_grain ? threads : 1;
      detail::parallel_for(group.size(), k_grain, sharing, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) work(group[i]);
      });
    }
  }

 private:
  void add(std::span<const std::uint32_t> group) {
    pairs_.insert(pairs_.end(), group.begin(), group.end());
    ends_.push_back(pairs_.size());
  }

  std::vector<std::uint32_t> pairs_;
  std::vector<std::size_t> ends_{0};
};

/// How much a unit impulse in that direction changes the speed along it.
double inverse_mass_along(const SolverBody& a, const SolverBody& b, const SolverPoint& point,
                          const Vec3d& direction) {
  const Vec3d turn_a = cross(point.arm_a, direction);
  const Vec3d turn_b = cross(point.arm_b, direction);
  return a.inverse_mass + b.inverse_mass + dot(turn_a, a.inverse_inertia * turn_a) +
         dot(turn_b, b.inverse_inertia * turn_b);
}

/// How fast B moves away from A at a point.
Vec3d relative_velocity(const SolverBody& a, const SolverBody& b, const SolverPoint& point) {
  return b.velocity + cross(b.angular_velocity, point.arm_b) - a.velocity -
         cross(a.angular_velocity, point.arm_a);
}
Vec3d relative_push(const SolverBody& a, const SolverBody& b, const SolverPoint& point) {
  return b.push + cross(b.angular_push, point.arm_b) - a.push - cross(a.angular_push, point.arm_a);
}

/// Bodies that do not move are shared by threads and so not written to.
void apply(SolverBody* body, const Vec3d& arm, const Vec3d& impulse) {
  if (!body->moves()) return;
  body->velocity += body->inverse_mass * impulse;
  body->angular_velocity += body->inverse_inertia * cross(arm, impulse);
}
void apply_push(SolverBody* body, const Vec3d& arm, const Vec3d& impulse) {
  if (!body->moves()) return;
  body->push += body->inverse_mass * impulse;
  body->angular_push += body->inverse_inertia * cross(arm, impulse);
}

class Solver {
 public:
  Solver(const Settings& settings, std::span<SolverBody> bodies, std::span<const SolverPair> pairs,
         std::span<SolverPoint> points)
      : settings_(settings), bodies_(bodies), pairs_(pairs), points_(points) {}

  /// Masses and the speeds to reach; they depend on velocities before any impulse.
  void prepare(std::uint32_t index) {
    const SolverPair& pair = pairs_[index];
    const SolverBody& a = bodies_[pair.a];
    const SolverBody& b = bodies_[pair.b];
    const double time_step = settings_.time_step;
    for (SolverPoint& point : points_of(pair)) {
      point.mass = 1 / inverse_mass_along(a, b, point, point.normal);
      for (int k = 0; k < 2; ++k) {
        point.tangent_mass[k] = 1 / inverse_mass_along(a, b, point, point.tangents[k]);
      }
      // Bodies that are apart may close the gap in this step; those that would close it and are
      // fast bounce.
      const double speed = dot(relative_velocity(a, b, point), point.normal);
      point.least_speed = -std::max(point.separation, 0.0) / time_step;
      const bool meets = point.separation + speed * time_step <= 0;
      if (meets && speed < -settings_.bounce_speed && pair.restitution > 0) {
        point.least_speed = -pair.restitution * speed;
      }
      const double too_deep = std::max(0.0, -point.separation - settings_.slop);
      point.push_speed =
          std::min(settings_.push_out * too_deep / time_step, settings_.push_out_speed);
      point.push_impulse = 0;
    }
  }

  void apply_last_impulses(std::uint32_t index) {
    const SolverPair& pair = pairs_[index];
    for (const SolverPoint& point : points_of(pair)) {
      apply_impulse(pair, point,
                    point.impulse * point.normal + point.friction[0] * point.tangents[0] +
                        point.friction[1] * point.tangents[1]);
    }
  }

  void solve_velocities(std::uint32_t index) {
    const SolverPair& pair = pairs_[index];
    const SolverBody& a = bodies_[pair.a];
    const SolverBody& b = bodies_[pair.b];
    // Friction first: of the two, that bodies do not overlap is to hold better.
    for (SolverPoint& point : points_of(pair)) {
      const Vec3d velocity = relative_velocity(a, b, point);
      double wanted[2];
      for (int k = 0; k < 2; ++k) {
        wanted[k] = point.friction[k] - point.tangent_mass[k] * dot(velocity, point.tangents[k]);
      }
      const double most = pair.friction * point.impulse;
      const double size = std::sqrt(wanted[0] * wanted[0] + wanted[1] * wanted[1]);
      const double scale = size > most ? most / size : 1;
      Vec3d change{0, 0, 0};
      for (int k = 0; k < 2; ++k) {
        const double next = scale * wanted[k];
        change += (next - point.friction[k]) * point.tangents[k];
        point.friction[k] = next;
      }
      apply_impulse(pair, point, change);
    }
    for (SolverPoint& point : points_of(pair)) {
      const double speed = dot(relative_velocity(a, b, point), point.normal);
      const double next = std::max(0.0, point.impulse - point.mass * (speed - point.least_speed));
      apply_impulse(pair, point, (next - point.impulse) * point.normal);
      point.impulse = next;
    }
  }

  void solve_pushes(std::uint32_t index) {
    const SolverPair& pair = pairs_[index];
    SolverBody& a = bodies_[pair.a];
    SolverBody& b = bodies_[pair.b];
    for (SolverPoint& point : points_of(pair)) {
      // Points that are apart may come as close as touching.
      const double least = point.push_speed > 0
                               ? point.push_speed
                               : -std::max(point.separation, 0.0) / settings_.time_step;
      const double speed = dot(relative_push(a, b, point), point.normal);
      const double next = std::max(0.0, point.push_impulse - point.mass * (speed - least));
      const Vec3d impulse = (next - point.push_impulse) * point.normal;
      apply_push(&a, point.arm_a, -impulse);
      apply_push(&b, point.arm_b, impulse);
      point.push_impulse = next;
    }
  }

 private:
  std::span<SolverPoint> points_of(const SolverPair& pair) const {
    return points_.subspan(pair.first, pair.last - pair.first);
  }
  void apply_impulse(const SolverPair& pair, const SolverPoint& point, const Vec3d& impulse) {
    apply(&bodies_[pair.a], point.arm_a, -impulse);
    apply(&bodies_[pair.b], point.arm_b, impulse);
  }

  const Settings& settings_;
  std::span<SolverBody> bodies_;
  std::span<const SolverPair> pairs_;
  std::span<SolverPoint> points_;
};

}  // namespace

void make_tangents(const Vec3d& normal, Vec3d (&tangents)[2]) {
  // Across the axis along which the normal is shortest.
  int axis = 0;
  for (int k = 1; k < 3; ++k) {
    if (std::fabs(normal[k]) < std::fabs(normal[axis])) axis = k;
  }
  Vec3d other{0, 0, 0};
  other[axis] = 1;
  tangents[0] = normalised(cross(normal, other));
  tangents[1] = cross(normal, tangents[0]);
}

void solve(const Settings& settings, std::span<SolverBody> bodies,
           std::span<const SolverPair> pairs, std::span<SolverPoint> points) {
  const Groups groups(bodies, pairs);
  Solver solver(settings, bodies, pairs, points);
  detail::with_threads(settings.threads, [&] {
    const auto in_groups = [&](void (Solver::*what)(std::uint32_t)) {
      groups.for_each(settings.threads, [&](std::uint32_t pair) { (solver.*what)(pair); });
    };
    in_groups(&Solver::prepare);
    in_groups(&Solver::apply_last_impulses);
    for (int i = 0; i < settings.iterations; ++i) in_groups(&Solver::solve_velocities);
    for (int i = 0; i < settings.push_out_iterations; ++i) in_groups(&Solver::solve_pushes);
  });
}

}  // namespace tandem::sim
