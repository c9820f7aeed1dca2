// Wide trees in the memory of a device.
#pragma once

#include <tandem/cuda/device.h>
#include <tandem/cuda/rays.h>
#include <tandem/export.h>

#include <cstddef>

#include "cuda/device_array.h"
#include "gpu/full_wide_levels.h"
#include "tree/wide/tree.h"

namespace tandem::cuda {

/// The wide tree of a mesh, built on the device along a space-filling curve. Queries find in it
/// what they find in the host's trees.
class BuiltWideTree {
 public:
  /// Of a mesh that is on the device and not empty. Puts the work into the stream.
  TANDEM_API BuiltWideTree(const DeviceMesh& mesh, const Place& place);

  /// The tree for kernels. Waits for the stream: what is known of the whole mesh is copied from the
  /// device.
  TANDEM_API detail::WideTreeView view() const;
  /// A copy on the host. Waits for the stream.
  TANDEM_API detail::WideTree copy() const;

  TANDEM_API std::size_t bytes() const;

 private:
  detail::FullWideLevels levels_;
  DeviceArray<detail::NodeBlock> blocks_;
  DeviceArray<detail::BoxBlock> boxes_;
  DeviceArray<detail::CornerRow> corners_;
  DeviceArray<std::uint32_t> ids_;
  DeviceArray<detail::MeshFrame> frame_;
  DeviceArray<float> support_;
  Stream stream_;
};

}  // namespace tandem::cuda
