// Figures 6 and 7 of the blocked tandem paper as tables, and their rows as JSON.
#include "measure/pair_hash.h"
#include "papers/gpu_blocked_tandem/gpu_blocked_tandem.h"
#include "text/numbers.h"
#include "text/table.h"

namespace tandem::cli::gpu_blocked_tandem {

namespace {

/// What is known of a contender in one measurement.
using Cell = std::function<std::string(const Measurement&, const Row&)>;

/// Objects and triangles, what `middle` adds, and a column for each contender; for those of a
/// device another one without copies.
std::string table_of(std::string_view scene, std::span<const Measurement> measurements,
                     std::vector<std::string> middle_heads,
                     const std::function<std::vector<std::string>(const Measurement&)>& middle,
                     const Cell& cell, const Cell& device_cell) {
  Table table;
  std::vector<std::string> head = {std::string(scene), "triangles each"};
  head.insert(head.end(), middle_heads.begin(), middle_heads.end());
  bool has_head = false;
  for (const Measurement& measurement : measurements) {
    if (measurement.scene != scene) continue;
    std::vector<std::string> cells = {grouped(measurement.objects), grouped(measurement.triangles)};
    const std::vector<std::string> more = middle(measurement);
    cells.insert(cells.end(), more.begin(), more.end());
    for (const Row& row : measurement.rows) {
      if (!has_head) head.push_back(row.contender);
      cells.push_back(cell(measurement, row));
      if (!row.device_s) continue;
      if (!has_head) head.push_back(row.contender + ", no copies");
      cells.push_back(device_cell(measurement, row));
    }
    if (!has_head) table.add_row(head);
    has_head = true;
    table.add_row(std::move(cells));
  }
  return table.text("  ");
}

std::string milliseconds(double seconds) {
  return three_digits(1e3 * seconds);
}

}  // namespace

std::string times_table(std::string_view scene, std::span<const Measurement> measurements) {
  return table_of(
      scene, measurements, {"pairs of bodies", "touching", "contact ratio"},
      [](const Measurement& m) -> std::vector<std::string> {
        return {rounded(m.close_bodies), rounded(m.touching_pairs), three_digits(m.contact_ratio)};
      },
      [](const Measurement&, const Row& row) { return milliseconds(row.find_s); },
      [](const Measurement&, const Row& row) { return milliseconds(*row.device_s); });
}

std::string speed_table(std::string_view scene, std::span<const Measurement> measurements) {
  const auto reference = [](const Measurement& m) { return m.find(k_obb)->find_s; };
  return table_of(
      scene, measurements, {}, [](const Measurement&) { return std::vector<std::string>(); },
      [&](const Measurement& m, const Row& row) { return three_digits(reference(m) / row.find_s); },
      [&](const Measurement& m, const Row& row) {
        return three_digits(reference(m) / *row.device_s);
      });
}

std::string frame_table(std::string_view scene, std::span<const Measurement> measurements) {
  Table table;
  table.add_row({std::string(scene), "triangles each", "points of contact", "contacts in ms",
                 "solver in ms", "per point in µs"});
  for (const Measurement& m : measurements) {
    if (m.scene != scene) continue;
    table.add_row({grouped(m.objects), grouped(m.triangles), rounded(m.points),
                   milliseconds(m.contact_s), milliseconds(m.solver_s),
                   m.points > 0 ? three_digits(1e6 * m.solver_s / m.points) : "-"});
  }
  return table.text("  ");
}

Json to_json(const Measurement& measurement, const Row& row) {
  Json object;
  object["scene"] = measurement.scene;
  object["objects"] = measurement.objects;
  object["triangles"] = measurement.triangles;
  object["frames"] = measurement.frames;
  object["close_bodies"] = measurement.close_bodies;
  object["touching_pairs"] = measurement.touching_pairs;
  object["contact_ratio"] = measurement.contact_ratio;
  object["points"] = measurement.points;
  object["contact_ms"] = 1e3 * measurement.contact_s;
  object["solver_ms"] = 1e3 * measurement.solver_s;
  object["hash"] = hexadecimal(measurement.hash);
  object["contender"] = row.contender;
  object["find_ms"] = 1e3 * row.find_s;
  if (row.device_s) object["device_ms"] = 1e3 * *row.device_s;
  if (!row.is_ours) {
    object["missed"] = row.missed;
    object["extra"] = row.extra;
  }
  return object;
}

}  // namespace tandem::cli::gpu_blocked_tandem
