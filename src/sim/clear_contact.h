// Contacts of triangles that clearly cross, by doubles alone.
#pragma once

#include <tandem/contact.h>

#include "sim/placed_triangle.h"

namespace tandem::sim {

/// Six times the volume of a tetrahedron whose corners are at most M from each other on each axis
/// is off by less than a third of this times M³: it is a sum of 6 products of 3 differences, each
/// of which is off by at most 8 roundings.
inline constexpr double k_clear = 1.5e-14;

/// Whether triangles touch, as far as doubles tell.
enum class Clear : unsigned char { apart, touching, unknown };

/// Doubles do not tell where corners may be in the other's plane, edges may meet, or a triangle has
/// no area. Where they tell, the answer is that of `intersects`. If triangles touch, `contact` is
/// what the exact function says, to the rounding of doubles instead of to the last bit, and in a
/// twentieth of the time: a simulation needs no more. Both triangles are in A's frame.
Clear clear_contact(const PlacedTriangle& a, const PlacedTriangle& b, TrianglePair pair,
                    Contact* contact);

}  // namespace tandem::sim
