// Model: a mesh made ready for queries.
#include <pybind11/stl.h>
#include <tandem/mesh_io.h>
#include <tandem/model.h>

#include <string>

#include "bind.h"
#include "support/meshes.h"
#include "support/options.h"

namespace tandem::python {
namespace {

BuildOptions build_options(const std::string& structure, const std::string& builder, int arity,
                           const BoxtreeOptions& boxtree, int threads) {
  BuildOptions options;
  options.structure = Structure(structure);
  options.builder = Builder(builder);
  options.arity = arity;
  options.boxtree = boxtree;
  options.threads = threads;
  return options;
}

Model build(Mesh mesh, BuildOptions options, CallableLike progress) {
  Reporter reporter(progress);
  options.progress = reporter.progress();
  return unlocked([&] { return Model(std::move(mesh), options); });
}

}  // namespace

#define TANDEM_BUILD_PARAMETERS                                        \
  const std::string &structure, const std::string &builder, int arity, \
      const BoxtreeOptions &boxtree, int threads, CallableLike progress
#define TANDEM_BUILD_ARGUMENTS                                                                \
  py::arg("structure") = "automatic", py::arg("builder") = "automatic", py::arg("arity") = 0, \
  py::arg("boxtree") = BoxtreeOptions{}, py::arg("threads") = 1, py::arg("progress") = py::none()

void bind_model(py::module_& module) {
  py::class_<BoxtreeOptions>(module, "BoxtreeOptions", "What boxtrees can be told.")
      .def(py::init([](int leaf_size, bool parallel_planes, double trim) {
             return BoxtreeOptions{leaf_size, parallel_planes, trim};
           }),
           py::arg("leaf_size") = 0, py::arg("parallel_planes") = false, py::arg("trim") = 0.1)
      .def_readonly("leaf_size", &BoxtreeOptions::leaf_size)
      .def_readonly("parallel_planes", &BoxtreeOptions::parallel_planes)
      .def_readonly("trim", &BoxtreeOptions::trim)
      .def("__repr__", [](const BoxtreeOptions& options) {
        return "BoxtreeOptions(leaf_size=" + std::to_string(options.leaf_size) +
               ", parallel_planes=" + (options.parallel_planes ? "True" : "False") +
               ", trim=" + py::str(py::float_(options.trim)).cast<std::string>() + ")";
      });

  py::class_<Model>(
      module, "Model",
      R"(A mesh and the structure that queries search, built once, queried from any number of
threads.

Model(mesh), Model(vertices, triangles) or Model(path): arrays are taken as by Mesh, files as by
read_mesh. The options choose other structures, to compare; threads=0 builds on all cores.

>>> import tandem
>>> tandem.Model(tandem.make_box(1)).mesh.triangle_count
12
)")
      .def(py::init([](const Mesh& mesh, TANDEM_BUILD_PARAMETERS) {
             return build(mesh, build_options(structure, builder, arity, boxtree, threads),
                          progress);
           }),
           py::arg("mesh"), py::kw_only(), TANDEM_BUILD_ARGUMENTS)
      .def(
          py::init([](ArrayLike vertices, ArrayLike triangles, bool copy, TANDEM_BUILD_PARAMETERS) {
            const BuildOptions options = build_options(structure, builder, arity, boxtree, threads);
            return build(mesh_of_arrays(vertices, triangles, copy), options, progress);
          }),
          py::arg("vertices"), py::arg("triangles"), py::kw_only(), py::arg("copy") = false,
          TANDEM_BUILD_ARGUMENTS)
      .def(py::init([](AnyLike path, TANDEM_BUILD_PARAMETERS) {
             if (!is_path(path.value)) {
               throw Error("mesh is a " + type_name(path.value) +
                           ", but a model takes a tandem.Mesh, a path, or vertices and triangles");
             }
             const auto file = to_path(path.value, "path");
             const BuildOptions options =
                 build_options(structure, builder, arity, boxtree, threads);
             return build(unlocked([&] { return read_mesh(file); }), options, progress);
           }),
           py::arg("path"), py::kw_only(), TANDEM_BUILD_ARGUMENTS)
      .def_property_readonly("mesh", &Model::mesh, py::return_value_policy::copy,
                             "The mesh, which the model shares.")
      .def_property_readonly(
          "structure", [](const Model& model) { return std::string(model.structure().name()); })
      .def(
          "refit",
          [](const Model& model, ArrayLike positions, double rebuild_at, bool copy) {
            if (!(rebuild_at >= 0)) {
              throw Error("rebuild_at is " + std::to_string(rebuild_at) +
                          ", but must be at least 0");
            }
            const KeptPositions kept = keep_positions(positions, "positions", copy);
            return naming("positions", [&] {
              return unlocked([&] {
                return model.refit(kept.positions, kept.owner, RefitOptions{rebuild_at});
              });
            });
          },
          py::arg("positions"), py::kw_only(), py::arg("rebuild_at") = RefitOptions{}.rebuild_at,
          py::arg("copy") = false,
          R"(A new version for a mesh that deforms: other positions, float32 of shape (n, 3), the
same triangles.

This version stays what it is. The positions are kept as by Mesh: pass copy=True for an array that
goes on being written to. A structure that would cost more than rebuild_at times what it did is
built anew.

>>> import tandem
>>> model = tandem.Model(tandem.make_box(1))
>>> larger = model.refit(2 * model.mesh.vertices)
>>> larger.mesh.bounds[1]
array([2., 2., 2.], dtype=float32)
)")
      .def("wear", &Model::wear,
           "How many times what they cost when they were built the structures cost now.")
      .def(
          "prepare",
          [](const Model& model, EngineLike engine) {
            const Engine of = to_engine(engine);
            unlocked([&] { model.prepare(of); });
          },
          py::arg("engine") = py::none(), "Makes now what queries with that engine need.")
      .def(
          "prepare_rays",
          [](const Model& model, RayEngineLike engine) {
            const RayEngine of = to_ray_engine(engine);
            unlocked([&] { model.prepare_rays(of); });
          },
          py::arg("engine") = py::none(), "Makes now what rays and closest points need.")
      .def("structure_bytes", &Model::structure_bytes,
           "Bytes of all structures made so far, without the mesh.")
      .def("__repr__", [](const Model& model) {
        return "<tandem.Model: " + std::to_string(model.mesh().triangle_count()) + " triangles, " +
               std::string(model.structure().name()) + ">";
      });
}

}  // namespace tandem::python
