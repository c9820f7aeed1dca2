#include "peers/embree_tracer.h"

#include <tandem/error.h>

#include <cstring>
#include <limits>
#include <string>

#ifdef TANDEM_HAS_EMBREE
#include "peers/embree.h"
#endif

namespace tandem::cli {

#ifdef TANDEM_HAS_EMBREE

bool has_embree() {
  return true;
}

struct EmbreeTracer::Handles {
  RTCDevice device = nullptr;
  RTCScene scene = nullptr;
  Mesh mesh;
};

namespace {

/// Ericson 2005, section 5.1.5.
Vec3f closest_on(const TriangleF& t, const Vec3f& p) {
  const auto& [a, b, c] = t.corner;
  const Vec3f ab = b - a;
  const Vec3f ac = c - a;
  const float d1 = dot(ab, p - a);
  const float d2 = dot(ac, p - a);
  if (d1 <= 0 && d2 <= 0) return a;
  const float d3 = dot(ab, p - b);
  const float d4 = dot(ac, p - b);
  if (d3 >= 0 && d4 <= d3) return b;
  const float vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return a + (d1 / (d1 - d3)) * ab;
  const float d5 = dot(ab, p - c);
  const float d6 = dot(ac, p - c);
  if (d6 >= 0 && d5 <= d6) return c;
  const float vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return a + (d2 / (d2 - d6)) * ac;
  const float va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 >= d3 && d5 >= d6) {
    return b + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (c - b);
  }
  const float share = 1 / (va + vb + vc);
  return a + (vb * share) * ab + (vc * share) * ac;
}

struct PointSearch {
  const Mesh* mesh;
  ClosestPoint best;
};

bool visit_triangle(RTCPointQueryFunctionArguments* arguments) {
  auto& search = *static_cast<PointSearch*>(arguments->userPtr);
  const RTCPointQuery& query = *arguments->query;
  const Vec3f p{query.x, query.y, query.z};
  const Vec3f found = closest_on(search.mesh->triangle(arguments->primID), p);
  const float distance = length(found - p);
  if (!(distance < query.radius)) return false;
  arguments->query->radius = distance;
  search.best = {arguments->primID, distance, Vec3d(found)};
  return true;
}

}  // namespace

EmbreeTracer::EmbreeTracer(const Mesh& mesh, EmbreeMode mode, int threads)
    : handles_(std::make_unique<Handles>()) {
  handles_->mesh = mesh;
  handles_->device = rtcNewDevice(("threads=" + std::to_string(threads)).c_str());
  handles_->scene = rtcNewScene(handles_->device);
  rtcSetSceneBuildQuality(handles_->scene, RTC_BUILD_QUALITY_MEDIUM);
  if (mode == EmbreeMode::robust) rtcSetSceneFlags(handles_->scene, RTC_SCENE_FLAG_ROBUST);
  RTCGeometry geometry = rtcNewGeometry(handles_->device, RTC_GEOMETRY_TYPE_TRIANGLE);
  const auto fill = [&](RTCBufferType type, RTCFormat format, const auto& items) {
    void* const buffer = rtcSetNewGeometryBuffer(geometry, type, 0, format,
                                                 items.size_bytes() / items.size(), items.size());
    std::memcpy(buffer, items.data(), items.size_bytes());
  };
  fill(RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, mesh.vertices());
  fill(RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, mesh.triangles());
  rtcCommitGeometry(geometry);
  rtcAttachGeometry(handles_->scene, geometry);
  rtcReleaseGeometry(geometry);
  rtcCommitScene(handles_->scene);
}

void EmbreeTracer::build() {
  RTCGeometry geometry = rtcGetGeometry(handles_->scene, 0);
  rtcUpdateGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0);
  rtcCommitGeometry(geometry);
  rtcCommitScene(handles_->scene);
}

EmbreeTracer::~EmbreeTracer() {
  rtcReleaseScene(handles_->scene);
  rtcReleaseDevice(handles_->device);
}

void EmbreeTracer::closest_hits(std::span<const Ray> rays, std::span<Hit> hits) const {
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const Ray& ray = rays[i];
    RTCRayHit query;
    query.ray.org_x = ray.origin.x;
    query.ray.org_y = ray.origin.y;
    query.ray.org_z = ray.origin.z;
    query.ray.dir_x = ray.direction.x;
    query.ray.dir_y = ray.direction.y;
    query.ray.dir_z = ray.direction.z;
    query.ray.tnear = ray.t_min;
    query.ray.tfar = ray.t_max;
    query.ray.time = 0;
    query.ray.mask = 0xffffffff;
    query.ray.flags = 0;
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    embree_closest_hit(handles_->scene, query);
    const bool hit = query.hit.geomID != RTC_INVALID_GEOMETRY_ID;
    hits[i] = hit ? Hit{query.hit.primID, query.ray.tfar, query.hit.u, query.hit.v} : Hit{};
  }
}

void EmbreeTracer::closest_points(std::span<const Vec3d> points,
                                  std::span<ClosestPoint> closest) const {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3f p(points[i]);
    RTCPointQuery query{p.x, p.y, p.z, 0, std::numeric_limits<float>::infinity()};
    RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    PointSearch search{&handles_->mesh, {}};
    rtcPointQuery(handles_->scene, &query, &context, visit_triangle, &search);
    closest[i] = search.best;
  }
}

#else

bool has_embree() {
  return false;
}

struct EmbreeTracer::Handles {};

EmbreeTracer::EmbreeTracer(const Mesh&, EmbreeMode, int) {
  throw Error("this build of the program has no Embree");
}

EmbreeTracer::~EmbreeTracer() = default;

void EmbreeTracer::build() {}

void EmbreeTracer::closest_hits(std::span<const Ray>, std::span<Hit>) const {}

void EmbreeTracer::closest_points(std::span<const Vec3d>, std::span<ClosestPoint>) const {}

#endif

}  // namespace tandem::cli
