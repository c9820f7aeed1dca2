#include "simulate/back_ends.h"

#include <tandem/batch.h>
#include <tandem/engine.h>
#include <tandem/error.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "devices/devices.h"
#include "options/named_choices.h"
#include "peers/peer.h"
#include "text/strings.h"

#ifdef TANDEM_HAS_CUDA
#include "simulate/device_back_end.h"
#endif

namespace tandem::cli {

namespace {

/// Another library, which has a model for each mesh and knows pairs of them.
class PeerBackEnd {
 public:
  explicit PeerBackEnd(const PeerInfo& info) : info_(info) {}

  BatchResult collide(std::span<const Model> models, std::span<const BatchQuery> queries) {
    BatchResult result{{0}, {}};
    std::vector<TrianglePair> pairs;
    for (const BatchQuery& query : queries) {
      const Mesh& a = models[query.a].mesh();
      const Mesh& b = models[query.b].mesh();
      std::unique_ptr<Peer>& peer = peers_[{&a, &b}];
      if (!peer) peer = info_.make(a, b, shared_);
      pairs.clear();
      peer->prepare(query.b_in_a);
      peer->find_all(query.b_in_a, pairs);
      std::sort(pairs.begin(), pairs.end());
      pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
      result.pairs.insert(result.pairs.end(), pairs.begin(), pairs.end());
      result.offsets.push_back(result.pairs.size());
    }
    return result;
  }

 private:
  PeerInfo info_;
  SharedModels shared_;
  std::map<std::pair<const Mesh*, const Mesh*>, std::unique_ptr<Peer>> peers_;
};

sim::FindTouching peer_back_end(std::string_view name) {
  const auto infos = peers();
  const auto info = std::find_if(infos.begin(), infos.end(),
                                 [&](const PeerInfo& each) { return each.name == name; });
  if (info == infos.end()) {
    throw Error("--backend: " + std::string(name) +
                " was not there when the program was built (tools/setup bench && make run)");
  }
  return [back_end = std::make_shared<PeerBackEnd>(*info)](std::span<const Model> models,
                                                           std::span<const BatchQuery> queries) {
    return back_end->collide(models, queries);
  };
}

#ifdef TANDEM_HAS_CUDA

/// With `device_s` it adds the seconds of the device alone to that.
sim::FindTouching device_back_end(const std::string& name, double* device_s) {
  const auto method = name == "cuda" ? cuda::CollideMethod::best : cuda::CollideMethod::blocked;
  return [back_end = std::make_shared<DeviceBackEnd>(method), device_s](
             std::span<const Model> models, std::span<const BatchQuery> queries) {
    BatchResult result = back_end->collide(models, queries);
    if (device_s != nullptr) *device_s += back_end->find_s(models, queries);
    return result;
  };
}

#endif

/// STRUCTURE or STRUCTURE/TRAVERSAL.
sim::FindTouching tree_back_end(const std::string& name, int threads) {
  const std::size_t slash = name.find('/');
  Engine engine;
  engine.structure = find_choice<Structure>(name.substr(0, slash), "--backend");
  if (slash != std::string::npos) {
    engine.traversal = find_choice<Traversal>(name.substr(slash + 1), "--backend");
  }
  if (!exists(engine)) throw Error("--backend: there is no engine " + in_quotes(name));
  return [engine, threads](std::span<const Model> models, std::span<const BatchQuery> queries) {
    return collide_batch(models, queries, {.engine = engine, .threads = threads, .progress = {}});
  };
}

}  // namespace

std::string back_end_names() {
  return "engine, STRUCTURE[/TRAVERSAL] such as obb or aabb/stackless, fcl, cuda, cuda-blocked";
}

sim::FindTouching find_back_end(const std::string& name, int threads) {
  if (name == "engine") return {};
  if (name == "fcl") return peer_back_end("fcl");
  if (name == "cuda" || name == "cuda-blocked") {
    require_cuda("the back end " + name);
#ifdef TANDEM_HAS_CUDA
    return device_back_end(name, nullptr);
#endif
  }
  return tree_back_end(name, threads);
}

sim::FindTouching find_timed_back_end([[maybe_unused]] const std::string& name,
                                      [[maybe_unused]] double* device_s) {
#ifdef TANDEM_HAS_CUDA
  if (name == "cuda" || name == "cuda-blocked") return device_back_end(name, device_s);
#endif
  return {};
}

}  // namespace tandem::cli
