// Who finds the touching triangles of the frames.
#include <tandem/error.h>

#include <algorithm>
#include <thread>

#include "papers/gpu_blocked_tandem/gpu_blocked_tandem.h"
#include "peers/peer.h"
#include "simulate/back_ends.h"

namespace tandem::cli::gpu_blocked_tandem {

namespace {

Contender engine_on(std::string name, int threads) {
  return {.name = std::move(name),
          .find = [threads](std::span<const Model> models, std::span<const BatchQuery> queries) {
            return collide_batch(models, queries, {.threads = threads, .progress = {}});
          }};
}

Contender back_end(std::string_view name, bool is_ours) {
  return {
      .name = std::string(name), .is_ours = is_ours, .find = find_back_end(std::string(name), 1)};
}

}  // namespace

std::vector<Contender> contenders([[maybe_unused]] Device device) {
  std::vector<Contender> all = {engine_on(std::string(k_engine), 1)};
  const unsigned cores = std::thread::hardware_concurrency();
  if (cores > 1) all.push_back(engine_on("engine, " + std::to_string(cores) + " threads", 0));
  all.push_back(back_end("aabb", true));
  all.push_back(back_end(k_obb, true));
  const auto known = peers();
  if (std::any_of(known.begin(), known.end(),
                  [](const PeerInfo& peer) { return peer.name == k_fcl; })) {
    all.push_back(back_end(k_fcl, false));
  }
#ifdef TANDEM_HAS_CUDA
  if (device == Device::cuda) {
    for (Contender& each : contenders_on_cuda()) all.push_back(std::move(each));
  }
#endif
  return all;
}

std::string missing_contenders(std::span<const Contender> contenders) {
  const auto is_there = [&](std::string_view name) {
    return std::any_of(contenders.begin(), contenders.end(),
                       [&](const Contender& each) { return each.name == name; });
  };
  std::string text;
  if (!is_there(k_fcl)) {
    text += "FCL was not there when the program was built (tools/setup bench && make run).\n";
  }
  if (!is_there(k_cuda)) text += "--device cuda adds a CUDA device.\n";
  return text;
}

}  // namespace tandem::cli::gpu_blocked_tandem
