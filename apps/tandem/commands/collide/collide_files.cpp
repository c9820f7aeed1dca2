#include "commands/collide/collide_files.h"

#include <string>
#include <vector>

#include "text/numbers.h"
#include "text/output.h"

namespace tandem::cli {

namespace {

void write_pairs_text(std::span<const TrianglePair> pairs, const Write& write) {
  TextBuffer text(write);
  for (const TrianglePair& pair : pairs) {
    text << std::to_string(pair.a) << " " << std::to_string(pair.b) << "\n";
  }
  text.flush();
}

// By hand, as millions of pairs would make a large JSON object.
void write_pairs_json(std::span<const TrianglePair> pairs, const Write& write) {
  TextBuffer text(write);
  text << "{\"pairs\": [";
  const char* separator = "\n";
  for (const TrianglePair& pair : pairs) {
    text << separator << "[" << std::to_string(pair.a) << ", " << std::to_string(pair.b) << "]";
    separator = ",\n";
  }
  text << (pairs.empty() ? "]}\n" : "\n]}\n");
  text.flush();
}

/// Points and directions of A's frame in the world.
struct World {
  explicit World(const Pose& a) : a_in_world(a) {}

  std::string point(const Vec3d& in_a) const { return list(transform_point(a_in_world, in_a)); }
  std::string direction(const Vec3d& in_a) const {
    Vec3d turned;
    for (int row = 0; row < 3; ++row) {
      turned[row] = a_in_world.rotation(row, 0) * in_a.x + a_in_world.rotation(row, 1) * in_a.y +
                    a_in_world.rotation(row, 2) * in_a.z;
    }
    return list(turned);
  }
  static std::string list(const Vec3d& v) {
    return shortest(v.x) + "," + shortest(v.y) + "," + shortest(v.z);
  }

  const Pose& a_in_world;
};

void write_contacts_csv(std::span<const Contact> contacts, const World& world, const Write& write) {
  TextBuffer text(write);
  text << "triangle_of_a,triangle_of_b,x0,y0,z0,x1,y1,z1,normal_x,normal_y,normal_z,separation\n";
  for (const Contact& contact : contacts) {
    text << std::to_string(contact.pair.a) << "," << std::to_string(contact.pair.b) << ","
         << world.point(contact.points[0]) << "," << world.point(contact.points[1]) << ","
         << world.direction(contact.normal) << "," << shortest(contact.separation) << "\n";
  }
  text.flush();
}

void write_contacts_json(std::span<const Contact> contacts, const World& world,
                         const Write& write) {
  TextBuffer text(write);
  const auto pair_text = [](TrianglePair pair) {
    return "{\"pair\": [" + std::to_string(pair.a) + ", " + std::to_string(pair.b) + "], ";
  };
  const auto direction_text = [&](const Vec3d& normal, double separation) {
    return "\"normal\": [" + world.direction(normal) + "], \"separation\": " + shortest(separation);
  };
  text << "{\"contacts\": [";
  const char* separator = "\n";
  for (const Contact& contact : contacts) {
    text << separator << pair_text(contact.pair) << "\"points\": [["
         << world.point(contact.points[0]) << "], [" << world.point(contact.points[1]) << "]], "
         << direction_text(contact.normal, contact.separation) << "}";
    separator = ",\n";
  }
  text << (contacts.empty() ? "],\n\"manifold\": [" : "\n],\n\"manifold\": [");
  separator = "\n";
  for (const ManifoldPoint& point : reduce_contacts(contacts).points) {
    text << separator << pair_text(point.pair) << "\"point\": [" << world.point(point.position)
         << "], " << direction_text(point.normal, point.separation)
         << ", \"patch\": " << std::to_string(point.patch) << "}";
    separator = ",\n";
  }
  text << (contacts.empty() ? "]}\n" : "\n]}\n");
  text.flush();
}

}  // namespace

void write_pairs(const std::string& file, std::span<const TrianglePair> pairs) {
  if (file == "-") return write_pairs_text(pairs, print);
  const bool json = file_ending(file) == ".json";
  write_file(file, [&](const Write& write) {
    json ? write_pairs_json(pairs, write) : write_pairs_text(pairs, write);
  });
}

void write_segments(const std::string& file, const Model& a, const Model& b, const Pose& a_in_world,
                    const Pose& b_in_world, std::span<const TrianglePair> pairs) {
  const Pose b_in_a = relative_pose(a_in_world, b_in_world);
  write_file(file, [&](const Write& write) {
    TextBuffer text(write);
    text << "# What touching triangles share, in world coordinates, by tandem collide.\n";
    text << "# One element for each pair, sorted by triangle of A, then of B.\n";
    std::uint64_t vertex_count = 0;
    for (const TrianglePair& pair : pairs) {
      const TriangleIntersection shared = intersection(a, b, b_in_a, pair);
      if (shared.empty()) continue;
      std::string element = shared.count == 1 ? "p" : shared.count == 2 ? "l" : "f";
      for (const Vec3d& point_in_a : shared) {
        const Vec3d point = transform_point(a_in_world, point_in_a);
        text << "v " << shortest(point.x) << " " << shortest(point.y) << " " << shortest(point.z)
             << "\n";
        element.append(" ").append(std::to_string(++vertex_count));
      }
      text << element << "\n";
    }
    text.flush();
  });
}

void write_contacts(const std::string& file, const Model& a, const Model& b, const Pose& a_in_world,
                    const Pose& b_in_world, std::span<const TrianglePair> pairs) {
  const Pose b_in_a = relative_pose(a_in_world, b_in_world);
  std::vector<Contact> contacts;
  contacts.reserve(pairs.size());
  for (const TrianglePair& pair : pairs) {
    if (const auto found = contact(a, b, b_in_a, pair)) contacts.push_back(*found);
  }
  const World world(a_in_world);
  const bool json = file_ending(file) == ".json";
  write_file(file, [&](const Write& write) {
    json ? write_contacts_json(contacts, world, write) : write_contacts_csv(contacts, world, write);
  });
}

}  // namespace tandem::cli
