#include "sim/solver.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

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

  std::size_t size() const { return ends_.size() - 1; }
  std::span<const std::uint32_t> operator[](std::size_t group) const {
    return std::span(pairs_).subspan(ends_[group], ends_[group + 1] - ends_[group]);
  }

 private:
  void add(std::span<const std::uint32_t> group) {
    pairs_.insert(pairs_.end(), group.begin(), group.end());
    ends_.push_back(pairs_.size());
  }

  std::vector<std::uint32_t> pairs_;
  std::vector<std::size_t> ends_{0};
};

/// How a body moves, or is pushed.
struct Motion {
  Vec3d linear;
  Vec3d angular;
};

/// What an impulse along a direction, from A to B at a point, does to both bodies.
struct Row {
  Vec3d along;
  /// How the direction turns the bodies around their centres, and how much faster they turn by an
  /// impulse of 1.
  Vec3d turn_a;
  Vec3d turn_b;
  Vec3d spin_a;
  Vec3d spin_b;
  /// The impulse that changes the speed along the direction by 1.
  double mass;

  Row() = default;
  Row(const SolverBody& a, const SolverBody& b, const SolverPoint& point, const Vec3d& direction)
      : along(direction),
        turn_a(cross(point.arm_a, direction)),
        turn_b(cross(point.arm_b, direction)),
        spin_a(a.inverse_inertia * turn_a),
        spin_b(b.inverse_inertia * turn_b),
        mass(1 / (a.inverse_mass + b.inverse_mass + dot(turn_a, spin_a) + dot(turn_b, spin_b))) {}

  /// How fast B moves away from A.
  double speed(const Motion& a, const Motion& b) const {
    return dot(along, b.linear - a.linear) + dot(turn_b, b.angular) - dot(turn_a, a.angular);
  }
};

/// A point in the form in which it is solved.
struct PointRows {
  Row normal;
  Row tangents[2];
  /// The speed along the normal to reach at least, and that of the pushes.
  double least_speed;
  double least_push;

  double impulse;
  double friction[2];
  double push_impulse;
};

/// The motion of two bodies while their points are solved.
class PairMotion {
 public:
  using Part = Vec3d SolverBody::*;

  PairMotion(SolverBody* a, SolverBody* b, Part linear, Part angular)
      : body_a_(*a),
        body_b_(*b),
        linear_(linear),
        angular_(angular),
        a_{a->*linear, a->*angular},
        b_{b->*linear, b->*angular},
        mass_a_(a->inverse_mass),
        mass_b_(b->inverse_mass) {}

  double speed(const Row& row) const { return row.speed(a_, b_); }
  void apply(const Row& row, double impulse) {
    a_.linear -= (mass_a_ * impulse) * row.along;
    a_.angular -= impulse * row.spin_a;
    b_.linear += (mass_b_ * impulse) * row.along;
    b_.angular += impulse * row.spin_b;
  }
  /// Bodies that do not move are shared by threads and so not written to.
  void store() const {
    store(a_, &body_a_);
    store(b_, &body_b_);
  }

 private:
  void store(const Motion& motion, SolverBody* body) const {
    if (!body->moves()) return;
    body->*linear_ = motion.linear;
    body->*angular_ = motion.angular;
  }

  SolverBody& body_a_;
  SolverBody& body_b_;
  Part linear_;
  Part angular_;
  Motion a_;
  Motion b_;
  double mass_a_;
  double mass_b_;
};

class Solver {
 public:
  Solver(const Settings& settings, std::span<SolverBody> bodies, std::span<const SolverPair> pairs,
         std::span<SolverPoint> points, const Groups& groups)
      : settings_(settings),
        bodies_(bodies),
        pairs_(pairs),
        points_(points),
        rows_(std::make_unique_for_overwrite<PointRows[]>(points.size())),
        first_row_(pairs.size()) {
    std::size_t row = 0;
    for (std::size_t group = 0; group < groups.size(); ++group) {
      for (const std::uint32_t index : groups[group]) {
        first_row_[index] = row;
        row += pairs[index].last - pairs[index].first;
      }
    }
  }

  /// Derives the rows. The speeds to reach depend on velocities before any impulse.
  void prepare(std::uint32_t index) {
    const SolverPair& pair = pairs_[index];
    const SolverBody& a = bodies_[pair.a];
    const SolverBody& b = bodies_[pair.b];
    const double time_step = settings_.time_step;
    for (std::size_t i = pair.first; i < pair.last; ++i) {
      const SolverPoint& point = points_[i];
      PointRows& rows = rows_of(index)[i - pair.first];
      rows.normal = Row(a, b, point, point.normal);
      for (int k = 0; k < 2; ++k) {
        rows.tangents[k] = Row(a, b, point, point.tangents[k]);
        rows.friction[k] = point.friction[k];
      }
      rows.impulse = point.impulse;
      rows.push_impulse = 0;
      // Bodies that are apart may close the gap in this step; those that would close it and are
      // fast bounce.
      const double closing = -std::max(point.separation, 0.0) / time_step;
      const double speed =
          rows.normal.speed({a.velocity, a.angular_velocity}, {b.velocity, b.angular_velocity});
      const bool meets = point.separation + speed * time_step <= 0;
      const bool bounces = meets && speed < -settings_.bounce_speed && pair.restitution > 0;
      rows.least_speed = bounces ? -pair.restitution * speed : closing;
      // Points that are apart may come as close as touching.
      const double too_deep = std::max(0.0, -point.separation - settings_.slop);
      rows.least_push = too_deep > 0 ? std::min(settings_.push_out * too_deep / time_step,
                                                settings_.push_out_speed)
                                     : closing;
    }
  }

  void apply_last_impulses(std::uint32_t index) {
    PairMotion motion = velocities_of(pairs_[index]);
    for (const PointRows& rows : rows_of(index)) {
      motion.apply(rows.normal, rows.impulse);
      for (int k = 0; k < 2; ++k) motion.apply(rows.tangents[k], rows.friction[k]);
    }
    motion.store();
  }

  void solve_velocities(std::uint32_t index) {
    const SolverPair& pair = pairs_[index];
    PairMotion motion = velocities_of(pair);
    // Friction first: of the two, that bodies do not overlap is to hold better.
    for (PointRows& rows : rows_of(index)) {
      double wanted[2];
      for (int k = 0; k < 2; ++k) {
        const Row& row = rows.tangents[k];
        wanted[k] = rows.friction[k] - row.mass * motion.speed(row);
      }
      const double most = pair.friction * rows.impulse;
      const double size = std::sqrt(wanted[0] * wanted[0] + wanted[1] * wanted[1]);
      const double scale = size > most ? most / size : 1;
      for (int k = 0; k < 2; ++k) {
        const double next = scale * wanted[k];
        motion.apply(rows.tangents[k], next - rows.friction[k]);
        rows.friction[k] = next;
      }
    }
    for (PointRows& rows : rows_of(index)) {
      const double speed = motion.speed(rows.normal);
      const double next =
          std::max(0.0, rows.impulse - rows.normal.mass * (speed - rows.least_speed));
      motion.apply(rows.normal, next - rows.impulse);
      rows.impulse = next;
    }
    motion.store();
  }

  void solve_pushes(std::uint32_t index) {
    const SolverPair& pair = pairs_[index];
    PairMotion motion(&bodies_[pair.a], &bodies_[pair.b], &SolverBody::push,
                      &SolverBody::angular_push);
    for (PointRows& rows : rows_of(index)) {
      const double speed = motion.speed(rows.normal);
      const double next =
          std::max(0.0, rows.push_impulse - rows.normal.mass * (speed - rows.least_push));
      motion.apply(rows.normal, next - rows.push_impulse);
      rows.push_impulse = next;
    }
    motion.store();
  }

  void store_impulses(std::uint32_t index) {
    SolverPoint* point = &points_[pairs_[index].first];
    for (const PointRows& rows : rows_of(index)) {
      point->impulse = rows.impulse;
      for (int k = 0; k < 2; ++k) point->friction[k] = rows.friction[k];
      ++point;
    }
  }

 private:
  std::span<PointRows> rows_of(std::uint32_t index) const {
    return {&rows_[first_row_[index]], pairs_[index].last - pairs_[index].first};
  }
  PairMotion velocities_of(const SolverPair& pair) {
    return {&bodies_[pair.a], &bodies_[pair.b], &SolverBody::velocity,
            &SolverBody::angular_velocity};
  }

  const Settings& settings_;
  std::span<SolverBody> bodies_;
  std::span<const SolverPair> pairs_;
  std::span<SolverPoint> points_;
  /// Of the points, in the order in which they are solved: that is many times, from memory.
  std::unique_ptr<PointRows[]> rows_;
  /// Of each pair.
  std::vector<std::size_t> first_row_;
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
  // So many pairs are worth a thread.
  constexpr std::size_t k_grain = 16;
  const Groups groups(bodies, pairs);
  Solver solver(settings, bodies, pairs, points, groups);
  // What is done to all pairs, group after group.
  std::vector<void (Solver::*)(std::uint32_t)> sweeps = {&Solver::prepare,
                                                         &Solver::apply_last_impulses};
  sweeps.insert(sweeps.end(), static_cast<std::size_t>(settings.iterations),
                &Solver::solve_velocities);
  sweeps.insert(sweeps.end(), static_cast<std::size_t>(settings.push_out_iterations),
                &Solver::solve_pushes);
  sweeps.push_back(&Solver::store_impulses);
  const bool is_worth_sharing = pairs.size() > 2 * k_grain * groups.size();
  detail::parallel_phases(
      sweeps.size() * groups.size(), k_grain, is_worth_sharing ? settings.threads : 1,
      [&](std::size_t phase) { return groups[phase % groups.size()].size(); },
      [&](std::size_t phase, std::size_t begin, std::size_t end) {
        const auto group = groups[phase % groups.size()].subspan(begin, end - begin);
        for (const std::uint32_t pair : group) (solver.*sweeps[phase / groups.size()])(pair);
      });
}

}  // namespace tandem::sim
