// Rays against Embree, an independent ray tracer in single precision. Where the two differ,
// rational arithmetic says who is right.
#include <CGAL/Exact_rational.h>
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "peers/embree.h"
#include "support/ray_cases.h"

namespace tandem::test {
namespace {

using Rational = CGAL::Exact_rational;
using RationalVector = std::array<Rational, 3>;

RationalVector rational(const Vec3f& v) {
  return {Rational(double{v.x}), Rational(double{v.y}), Rational(double{v.z})};
}
RationalVector operator-(const RationalVector& a, const RationalVector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Rational dot(const RationalVector& a, const RationalVector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
RationalVector cross(const RationalVector& a, const RationalVector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Where the ray's whole line meets the closed triangle, by Cramer's rule on rationals.
std::optional<Rational> exact_distance(const Ray& ray, const TriangleF& triangle) {
  const RationalVector a = rational(triangle.corner[0]) - rational(ray.origin);
  const RationalVector edge1 = rational(triangle.corner[1]) - rational(triangle.corner[0]);
  const RationalVector edge2 = rational(triangle.corner[2]) - rational(triangle.corner[0]);
  const RationalVector d = rational(ray.direction);
  const RationalVector normal = cross(edge1, edge2);
  const Rational along = dot(d, normal);
  if (along == 0) return std::nullopt;
  const Rational u = dot(edge2, cross(a, d)) / along;
  const Rational v = -dot(edge1, cross(a, d)) / along;
  if (u < 0 || v < 0 || u + v > 1) return std::nullopt;
  return dot(a, normal) / along;
}

/// Embree's robust mode, one ray at a time.
class EmbreeScene {
 public:
  explicit EmbreeScene(const Mesh& mesh) : device_(rtcNewDevice("threads=1")) {
    scene_ = rtcNewScene(device_);
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_ROBUST);
    RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    void* const vertices = rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, sizeof(Vec3f), mesh.vertex_count());
    std::memcpy(vertices, mesh.vertices().data(), mesh.vertices().size_bytes());
    void* const indices =
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                sizeof(TriangleIndices), mesh.triangle_count());
    std::memcpy(indices, mesh.triangles().data(), mesh.triangles().size_bytes());
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene_);
  }
  ~EmbreeScene() {
    rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
  }
  EmbreeScene(const EmbreeScene&) = delete;
  EmbreeScene& operator=(const EmbreeScene&) = delete;

  Hit closest_hit(const Ray& ray) const {
    alignas(16) RTCRayHit query{};
    query.ray = {ray.origin.x,
                 ray.origin.y,
                 ray.origin.z,
                 ray.t_min,
                 ray.direction.x,
                 ray.direction.y,
                 ray.direction.z,
                 0,
                 ray.t_max,
                 0xffffffff,
                 0,
                 0};
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    cli::embree_closest_hit(scene_, query);
    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return {};
    return {query.hit.primID, query.ray.tfar, query.hit.u, query.hit.v};
  }

 private:
  RTCDevice device_;
  RTCScene scene_;
};

/// What a comparison found.
struct Tally {
  std::size_t rays = 0;
  std::size_t hits = 0;
  std::size_t differences = 0;
};

bool nearly_equal(double a, double b, double tolerance) {
  return std::fabs(a - b) <= tolerance * std::max(std::fabs(a), std::fabs(b));
}

/// Fails when our hit is not what exact arithmetic says of these two candidates: hit exactly, at
/// that distance up to float rounding, and no farther than the other one.
void expect_ours_right(const Mesh& mesh, const Ray& ray, const Hit& ours, const Hit& theirs,
                       const std::string& where) {
  constexpr double k_float_rounding = 1.001 * 0x1p-24;
  const double tiniest = std::numeric_limits<float>::denorm_min();
  std::optional<Rational> our_distance;
  if (ours) {
    our_distance = exact_distance(ray, mesh.triangle(ours.triangle));
    ASSERT_TRUE(our_distance) << where << ": we hit a triangle that is missed";
    const double exact = CGAL::to_double(*our_distance);
    ASSERT_TRUE(nearly_equal(ours.distance, exact, k_float_rounding) ||
                std::fabs(ours.distance - exact) <= tiniest)
        << where << ": our distance is " << ours.distance << ", the exact one " << exact;
    ASSERT_TRUE(ray.t_min <= ours.distance && ours.distance <= ray.t_max) << where;
  }
  if (!theirs || theirs.triangle == ours.triangle) return;
  const auto their_distance = exact_distance(ray, mesh.triangle(theirs.triangle));
  if (!their_distance) return;
  const auto rounded = static_cast<float>(CGAL::to_double(*their_distance));
  // At the very ends of the interval, rounding decides for both.
  const bool inside = rounded >= ray.t_min && rounded <= ray.t_max && *their_distance >= 0;
  if (!inside) return;
  ASSERT_TRUE(ours) << where << ": we miss triangle " << theirs.triangle << " at " << rounded;
  ASSERT_LE(ours.distance, rounded * (1 + 2 * k_float_rounding)) << where;
}

Tally compare(const Mesh& mesh, const std::string& name, std::uint64_t seed,
              std::size_t ray_count) {
  const Model model(mesh);
  const EmbreeScene scene(mesh);
  RayCases cases(mesh, seed);
  std::vector<Ray> rays;
  for (std::size_t i = 0; i < ray_count; ++i) rays.push_back(cases.next());
  std::vector<Hit> hits(rays.size());
  closest_hits(model, rays, hits);
  Tally tally;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const Hit theirs = scene.closest_hit(rays[i]);
    ++tally.rays;
    tally.hits += hits[i] ? 1 : 0;
    const bool same = static_cast<bool>(hits[i]) == static_cast<bool>(theirs) &&
                      (!theirs || nearly_equal(hits[i].distance, theirs.distance, 4 * 0x1p-23));
    if (same) continue;
    ++tally.differences;
    expect_ours_right(mesh, rays[i], hits[i], theirs,
                      name + ", seed " + std::to_string(seed) + ", ray " + std::to_string(i));
    if (testing::Test::HasFatalFailure()) break;
  }
  return tally;
}

Mesh scaled(const Mesh& mesh, double factor) {
  std::vector<Vec3f> vertices;
  for (const Vec3f& v : mesh.vertices()) vertices.emplace_back(factor * Vec3d(v));
  return {std::move(vertices), {mesh.triangles().begin(), mesh.triangles().end()}};
}

std::size_t ray_count() {
  return std::getenv("TANDEM_EXHAUSTIVE") != nullptr ? 1'000'000 : 40'000;
}

void expect_agreement(const Mesh& mesh, const std::string& name) {
  const Tally tally = compare(mesh, name, 11, ray_count());
  std::printf("%s: %zu rays, %zu hits, %zu differences settled\n", name.c_str(), tally.rays,
              tally.hits, tally.differences);
  EXPECT_EQ(tally.rays, ray_count());
  EXPECT_GT(tally.hits, tally.rays / 10) << name;
  // Another scale on both sides would be a difference everywhere.
  EXPECT_LT(tally.differences, tally.rays / 4) << name;
}

TEST(RayOracle, BuiltInShapesAgreeWithEmbreeAtEveryScale) {
  const Mesh meshes[] = {make_shape("knot", 20'000), make_shape("rock", 5'000),
                         make_shape("soup", 2'000), make_box(4), make_plane(16)};
  const char* const names[] = {"knot", "rock", "soup", "box", "plane"};
  const double scales[] = {1, 1e-8, 1e10, 1e-3, 1e5};
  for (std::size_t i = 0; i < std::size(meshes); ++i) {
    expect_agreement(scaled(meshes[i], scales[i]), names[i]);
  }
}

TEST(RayOracle, RealMeshesAgreeWithEmbree) {
  const std::filesystem::path folder = std::filesystem::path(TANDEM_SHARED_DATA) / "meshes";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "there is no " << folder;
  for (const char* name : {"sibenik", "sponza_crytek", "dragon_asian", "engine_2cyl", "bunny"}) {
    expect_agreement(read_mesh(folder / (std::string(name) + ".ply")), name);
  }
}

}  // namespace
}  // namespace tandem::test
