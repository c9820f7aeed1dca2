// The CUDA device among those who find touching triangles.
#include <memory>

#include "papers/gpu_blocked_tandem/gpu_blocked_tandem.h"
#include "simulate/device_back_end.h"

namespace tandem::cli::gpu_blocked_tandem {

std::vector<Contender> contenders_on_cuda() {
  std::vector<Contender> all;
  for (const auto& [name, method] : {std::pair(k_cuda_blocked, cuda::CollideMethod::blocked),
                                     std::pair(k_cuda, cuda::CollideMethod::best)}) {
    // Models stay on the device as long as they are the same.
    const auto back_end = std::make_shared<DeviceBackEnd>(method);
    all.push_back(
        {.name = std::string(name),
         .find =
             [back_end](std::span<const Model> models, std::span<const BatchQuery> queries) {
               return back_end->collide(models, queries);
             },
         .device_s =
             [back_end](std::span<const Model> models, std::span<const BatchQuery> queries) {
               return back_end->find_s(models, queries);
             }});
  }
  return all;
}

}  // namespace tandem::cli::gpu_blocked_tandem
