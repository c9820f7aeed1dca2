// Tandem: which triangles of one mesh touch which triangles of another, exactly.
//
//   Mesh    triangles over shared vertices, from arrays, files or generators
//   Assembly   the named parts of a file: meshes and where they stand
//   Model   a mesh with the structures that queries search, built once, queried from any thread
//   Pose    where a model stands
//   collide, count, intersects   the queries
//   collide_batch, count_batch, intersects_batch   many of them at once, on several cores
//   Scene   many objects that move
//   meeting, solid_relation   touching or crossing, apart or inside
//   distance, within   how far apart they are, and what is closer than a distance
//   contacts, reduce_contacts   where they touch, and which way they are to be pushed apart
//   closest_hit, any_hit, all_hits   what rays hit
//   closest_point, signed_distance   how far a point is from a mesh, and where that is closest
//
// This header includes all others.
#pragma once

#include <tandem/assembly.h>
#include <tandem/batch.h>
#include <tandem/closest.h>
#include <tandem/contact.h>
#include <tandem/cursor.h>
#include <tandem/cursor_state.h>
#include <tandem/distance.h>
#include <tandem/engine.h>
#include <tandem/error.h>
#include <tandem/export.h>
#include <tandem/host_device.h>
#include <tandem/mesh.h>
#include <tandem/mesh_info.h>
#include <tandem/mesh_io.h>
#include <tandem/model.h>
#include <tandem/pose.h>
#include <tandem/query.h>
#include <tandem/ray.h>
#include <tandem/ray_query.h>
#include <tandem/relation.h>
#include <tandem/scene.h>
#include <tandem/shapes.h>
#include <tandem/sink.h>
#include <tandem/statistics.h>
#include <tandem/triangle.h>
#include <tandem/vec.h>
#include <tandem/version.h>
