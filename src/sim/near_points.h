// Contacts of triangles that are close and about parallel: where one stands over the other.
#pragma once

#include <tandem/contact.h>
#include <tandem/model.h>
#include <tandem/pose.h>

#include <vector>

namespace tandem::sim {

/// Appends the contacts of two triangles that are apart, by no more than `margin`; nothing where one
/// is behind the other's front, as in bodies that overlap: what is inside is no gap.
///
/// Where the triangles are closest is one point. Two faces that lie flat over each other are closest
/// everywhere, and a body that rests on one point tips over. So triangles that are about parallel
/// also have a contact at each corner of what they have in common when they are seen along A's
/// normal, as far as it is within the margin.
void append_near_contacts(const Model& a, const Model& b, const Pose& b_in_a, TrianglePair pair,
                          double margin, std::vector<Contact>* contacts);

}  // namespace tandem::sim
