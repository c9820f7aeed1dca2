// Tables 1 and 2 of the stackless ray paper, measured here, and their rows as JSON.
#include <string>

#include "papers/stackless_rays/stackless_rays.h"
#include "text/numbers.h"
#include "text/table.h"

namespace tandem::cli::stackless_rays {

namespace {

std::string signed_percent(double value) {
  const std::string text = fixed(value, 1);
  return text.starts_with('-') ? text : "+" + text;
}

}  // namespace

std::string reference_table(std::span<const Measurement> measurements) {
  Table table;
  table.add_row({"table 1: stack-distance", "bounces", "N_IT", "N_TS", "N_IB", "N_L"});
  for (const Measurement& measurement : measurements) {
    const Row& row = measurement.reference();
    table.add_row({measurement.scene, std::to_string(measurement.bounces),
                   fixed(row.per_ray(&RayStatistics::triangle_tests), 2),
                   fixed(row.per_ray(&RayStatistics::node_visits), 2),
                   fixed(row.per_ray(&RayStatistics::box_tests), 2),
                   fixed(row.per_ray(&RayStatistics::leaf_visits), 2)});
  }
  return table.text("  ");
}

std::string comparison_table(const Measurement& measurement) {
  Table table;
  std::vector<std::string> head = {
      "table 2: " + measurement.scene + ", " + std::to_string(measurement.bounces) + " bounces",
      "N_TS %",
      "N_IB %",
      "N_IT %",
      "speed %",
      "Mrays/s",
      "state bytes"};
  if (measurement.reference().device) {
    head.insert(head.end(),
                {"active threads %", "registers", "local bytes", "shared bytes", "occupancy %"});
  }
  table.add_row(std::move(head));
  for (const Row& row : measurement.rows) {
    std::vector<std::string> cells = {
        std::string(row.traversal.name()),
        signed_percent(measurement.more(row, &RayStatistics::node_visits)),
        signed_percent(measurement.more(row, &RayStatistics::box_tests)),
        signed_percent(measurement.more(row, &RayStatistics::triangle_tests)),
        signed_percent(measurement.more_rays_per_s(row)),
        fixed(measurement.mrays_per_s(row), 2),
        std::to_string(state_bytes(row.traversal))};
    if (row.device) {
      cells.insert(
          cells.end(),
          {fixed(100 * row.device->active_threads, 1), std::to_string(row.device->registers),
           std::to_string(row.device->local_bytes), std::to_string(row.device->shared_bytes),
           fixed(100 * row.device->occupancy, 0)});
    }
    table.add_row(std::move(cells));
  }
  return table.text("  ");
}

Json to_json(const Measurement& measurement, const Row& row) {
  Json object;
  object["scene"] = measurement.scene;
  object["triangles"] = measurement.triangle_count;
  object["bounces"] = measurement.bounces;
  object["traversal"] = row.traversal.name();
  object["state_bytes"] = state_bytes(row.traversal);
  object["rays"] = row.statistics.rays;
  object["n_it"] = row.per_ray(&RayStatistics::triangle_tests);
  object["n_ts"] = row.per_ray(&RayStatistics::node_visits);
  object["n_ib"] = row.per_ray(&RayStatistics::box_tests);
  object["n_l"] = row.per_ray(&RayStatistics::leaf_visits);
  object["mrays_per_s"] = measurement.mrays_per_s(row);
  object["active_paths"] = measurement.active_paths;
  if (row.device) {
    object["active_threads"] = row.device->active_threads;
    object["registers"] = row.device->registers;
    object["local_bytes"] = row.device->local_bytes;
    object["shared_bytes"] = row.device->shared_bytes;
    object["occupancy"] = row.device->occupancy;
  }
  return object;
}

}  // namespace tandem::cli::stackless_rays
