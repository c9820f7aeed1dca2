// All rows of the restricted boxtree reproduction as JSON.
#include "options/named_choices.h"
#include "papers/restricted_boxtree/restricted_boxtree.h"

namespace tandem::cli::restricted_boxtree {

namespace {

Json to_json(const NodeCost& cost) {
  Json row;
  row["table"] = 1;
  row["structure"] = cost.title;
  row["test"] = cost.test;
  row["bytes_per_node"] = cost.bytes_per_node;
  row["operations"] = cost.operations();
  row["operations_one_level_up"] = cost.operations_one_level_up();
  row["operations_node_a"] = cost.node_a;
  row["operations_node_b"] = cost.node_b;
  row["operations_pair"] = cost.pair;
  row["paper_bytes_per_node"] = nullptr;
  row["paper_operations"] = nullptr;
  if (cost.paper_bytes) row["paper_bytes_per_node"] = *cost.paper_bytes;
  if (cost.paper_operations) row["paper_operations"] = *cost.paper_operations;
  return row;
}

Json to_json(const EmptySpace& space) {
  Json row;
  row["figure"] = 1;
  row["mesh"] = space.source;
  row["triangles"] = space.triangle_count;
  row["builder"] = name_of(space.builder);
  row["median_empty_share"] = space.median();
  row["touching_sides"] = space.touching_sides;
  row["nodes_within"] = Json::array();
  for (int i = 0; i <= 20; ++i) {
    row["nodes_within"].push_back(
        {{"empty_share", i / 20.0}, {"nodes", space.nodes_within(i / 20.0)}});
  }
  return row;
}

Json to_json(const BuildCurve& curve, const BuildCurve::Point& point) {
  Json row;
  row["figure"] = 6;
  row["object"] = curve.name;
  row["builder"] = name_of(curve.builder);
  row["triangles"] = point.triangle_count;
  row["build_s"] = point.timing.median_s();
  row["triangles_per_s"] = static_cast<double>(point.triangle_count) / point.timing.median_s();
  row["exponent"] = curve.exponent();
  return row;
}

// A row of the tumble benchmark, and what distinguishes the variant.
Json to_json(const Comparison& comparison, const tumble_bench::Measurement& measurement,
             std::size_t variant) {
  const tumble_bench::Row& measured = measurement.rows[variant];
  const BuildOptions& build = comparison.variants[variant].combination.build;
  Json row = tumble_bench::to_json(measurement, measured);
  row["variant"] = comparison.variants[variant].name;
  row["builder"] = name_of(build.builder);
  row["arity"] = build.arity;
  row["leaf_size"] = build.boxtree.leaf_size;
  row["parallel_planes"] = build.boxtree.parallel_planes;
  row["trim"] = build.boxtree.trim;
  row["bytes_per_triangle"] = bytes_per_triangle(measurement, variant);
  row["time_ratio"] = median_ratio(measured.timing, measurement.rows[0].timing);
  return row;
}

// Adds the rows of the first `variant_count` variants.
void add_rows(Json& rows, const Comparison& comparison, std::size_t variant_count, const char* kind,
              const Json& name) {
  for (const tumble_bench::Measurement& measurement : comparison.measurements) {
    for (std::size_t variant = 0; variant < variant_count; ++variant) {
      Json row;
      row[kind] = name;
      row.update(to_json(comparison, measurement, variant));
      rows.push_back(std::move(row));
    }
  }
}

}  // namespace

Json to_json(const Measurements& measurements) {
  Json rows = Json::array();
  for (const NodeCost& cost : measurements.costs) rows.push_back(to_json(cost));
  for (const EmptySpace& space : measurements.empty_spaces) rows.push_back(to_json(space));
  for (const BuildCurve& curve : measurements.builds) {
    for (const BuildCurve::Point& point : curve.points) rows.push_back(to_json(curve, point));
  }
  const auto add_all = [&](const Comparison& comparison, const char* kind, const Json& name) {
    add_rows(rows, comparison, comparison.variants.size(), kind, name);
  };
  add_rows(rows, measurements.tests, 1, "figure", 8);
  add_all(measurements.tests, "figure", 9);
  add_all(measurements.dops, "figure", 10);
  for (const Comparison& comparison : measurements.choices) {
    add_all(comparison, "comparison", comparison.key);
  }
  return rows;
}

}  // namespace tandem::cli::restricted_boxtree
