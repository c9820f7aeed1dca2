// The exact triangle test on a CUDA device. Part of tandem::cuda.
#pragma once

#include <tandem/cuda/device.h>
#include <tandem/triangle.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace tandem::cuda {

/// Puts work into the stream that writes 1 for each pair of triangles that share a point and 0 for
/// the others: what `tandem::intersects` answers. All arrays are in the memory of the current
/// device. Nothing is checked, so coordinates must be finite and at most 1e60 in magnitude.
TANDEM_API void intersects(const Triangle* a, const Triangle* b, std::uint8_t* answers,
                           std::size_t count, const Place& place = {});

/// The same for host memory; waits for the stream. Throws `tandem::Error` for spans of different
/// lengths and where a coordinate is not finite or exceeds 1e60.
TANDEM_API void intersects(std::span<const Triangle> a, std::span<const Triangle> b,
                           std::span<std::uint8_t> answers, const Place& place = {});

}  // namespace tandem::cuda
