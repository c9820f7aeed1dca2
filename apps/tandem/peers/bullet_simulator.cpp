// Bullet: a dynamics world of GImpact bodies.
#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletDynamicsCommon.h>

#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "peers/simulator_peer.h"

namespace tandem::cli {

namespace {

btVector3 to_bullet(const Vec3d& v) {
  return {static_cast<btScalar>(v.x), static_cast<btScalar>(v.y), static_cast<btScalar>(v.z)};
}
Vec3d from_bullet(const btVector3& v) {
  return {v.x(), v.y(), v.z()};
}
btTransform to_bullet(const Pose& pose) {
  btMatrix3x3 turn;
  for (int i = 0; i < 3; ++i) {
    turn[i] = to_bullet({pose.rotation(i, 0), pose.rotation(i, 1), pose.rotation(i, 2)});
  }
  return btTransform(turn, to_bullet(pose.translation()));
}
Pose from_bullet(const btTransform& transform) {
  const btQuaternion q = transform.getRotation().normalized();
  return Pose::from_quaternion(q.w(), q.x(), q.y(), q.z(), from_bullet(transform.getOrigin()));
}

/// The frame in which a body's inertia has no products: Bullet knows no other bodies.
struct PrincipalFrame {
  Pose in_mesh;
  Vec3d moments{0, 0, 0};
};

/// By Bullet's Jacobi rotations.
PrincipalFrame principal_frame(const sim::MassProperties& mass) {
  std::array<btScalar, 9> scaled{};
  for (std::size_t i = 0; i < 9; ++i) {
    scaled[i] = static_cast<btScalar>(mass.inertia[i] / mass.mass);
  }
  btMatrix3x3 inertia(scaled[0], scaled[1], scaled[2], scaled[3], scaled[4], scaled[5], scaled[6],
                      scaled[7], scaled[8]);
  btMatrix3x3 turn = btMatrix3x3::getIdentity();
  constexpr int k_rounds = 50;
  inertia.diagonalize(turn, static_cast<btScalar>(1e-7), k_rounds);
  PrincipalFrame frame;
  frame.in_mesh = from_bullet(btTransform(turn, to_bullet(mass.centre)));
  for (int k = 0; k < 3; ++k) frame.moments[k] = mass.mass * inertia[k][k];
  return frame;
}

/// A mesh as Bullet has it, with the centre of mass at the origin. Bodies of a mesh share it.
struct BulletShape {
  BulletShape(const Mesh& mesh, const Pose& mesh_in_body) {
    for (const Vec3f& v : mesh.vertices()) {
      const Vec3d at = transform_point(mesh_in_body, Vec3d(v));
      for (int k = 0; k < 3; ++k) coordinates.push_back(static_cast<btScalar>(at[k]));
    }
    for (const TriangleIndices& t : mesh.triangles()) {
      for (const std::uint32_t index : t) indices.push_back(static_cast<int>(index));
    }
    arrays = std::make_unique<btTriangleIndexVertexArray>(
        static_cast<int>(mesh.triangle_count()), indices.data(), 3 * sizeof(int),
        static_cast<int>(mesh.vertex_count()), coordinates.data(), 3 * sizeof(btScalar));
    shape = std::make_unique<btGImpactMeshShape>(arrays.get());
    // What Bullet takes unless told otherwise; with less of it stacks fall apart.
    constexpr btScalar k_margin = 0.04F;
    shape->setMargin(k_margin);
    shape->updateBound();
  }

  std::vector<btScalar> coordinates;
  std::vector<int> indices;
  std::unique_ptr<btTriangleIndexVertexArray> arrays;
  std::unique_ptr<btGImpactMeshShape> shape;
};

class BulletSimulator final : public SimulatorPeer {
 public:
  explicit BulletSimulator(const sim::Simulation& world)
      : dispatcher_(&configuration_),
        world_(&dispatcher_, &broad_phase_, &solver_, &configuration_),
        time_step_(static_cast<btScalar>(world.settings().time_step)) {
    btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher_);
    world_.setGravity(to_bullet(world.settings().gravity));
    world_.getSolverInfo().m_numIterations = world.settings().iterations;
    for (sim::BodyId id = 0; id < world.body_count(); ++id) add(world, id);
  }
  ~BulletSimulator() override {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  void step() override { world_.stepSimulation(time_step_, 0); }

  BodyMotion motion(sim::BodyId id) const override {
    const btRigidBody& body = *bodies_[id];
    return {from_bullet(body.getWorldTransform()) * body_in_mesh_[id].inverse(),
            from_bullet(body.getLinearVelocity()), from_bullet(body.getAngularVelocity())};
  }

  void place(sim::BodyId id, const BodyMotion& motion) override {
    btRigidBody& body = *bodies_[id];
    const btTransform at = to_bullet(motion.in_world * body_in_mesh_[id]);
    body.setWorldTransform(at);
    body.setInterpolationWorldTransform(at);
    body.setLinearVelocity(to_bullet(motion.velocity));
    body.setAngularVelocity(to_bullet(motion.angular_velocity));
    body.clearForces();
  }

 private:
  void add(const sim::Simulation& world, sim::BodyId id) {
    const bool is_static = world.is_static(id);
    const PrincipalFrame frame = is_static ? PrincipalFrame() : principal_frame(world.mass(id));
    const Mesh& mesh = world.model(id).mesh();
    std::unique_ptr<BulletShape>& shape = shapes_[&mesh];
    if (!shape) shape = std::make_unique<BulletShape>(mesh, frame.in_mesh.inverse());
    btRigidBody::btRigidBodyConstructionInfo info(
        is_static ? 0 : static_cast<btScalar>(world.mass(id).mass), nullptr, shape->shape.get(),
        to_bullet(frame.moments));
    // Of two bodies Bullet multiplies friction, where Tandem takes the geometric mean.
    info.m_friction = static_cast<btScalar>(std::sqrt(world.friction(id)));
    info.m_restitution = static_cast<btScalar>(world.restitution(id));
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    body_in_mesh_.push_back(frame.in_mesh);
    const sim::BodyState& state = world.body(id);
    place(id, {world.pose(id), state.velocity, state.angular_velocity});
    world_.addRigidBody(bodies_.back().get());
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  btScalar time_step_;
  std::map<const Mesh*, std::unique_ptr<BulletShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<Pose> body_in_mesh_;
};

}  // namespace

std::unique_ptr<SimulatorPeer> make_bullet_simulator(const sim::Simulation& world) {
  return std::make_unique<BulletSimulator>(world);
}

}  // namespace tandem::cli
