#include "peers/embree_tracer.h"

#include <tandem/error.h>

#include <cstring>
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
};

EmbreeTracer::EmbreeTracer(const Mesh& mesh, EmbreeMode mode, int threads)
    : handles_(std::make_unique<Handles>()) {
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

#endif

}  // namespace tandem::cli
