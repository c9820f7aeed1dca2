// Contacts and manifolds.
#include "support/contacts.h"

#include <tandem/contact.h>

#include <cstddef>
#include <cstring>

#include "bind.h"
#include "support/options.h"
#include "support/poses.h"
#include "support/results.h"

namespace tandem::python {
namespace {

py::dtype manifold_dtype() {
  static_assert(sizeof(ManifoldPoint) == 72);
  return make_dtype({{"position", "(3,)f8", offsetof(ManifoldPoint, position)},
                     {"normal", "(3,)f8", offsetof(ManifoldPoint, normal)},
                     {"separation", "f8", offsetof(ManifoldPoint, separation)},
                     {"pair", "(2,)u4", offsetof(ManifoldPoint, pair)},
                     {"patch", "u4", offsetof(ManifoldPoint, patch)}},
                    sizeof(ManifoldPoint));
}

/// The elements of an array that `contacts` returned, or a part of one.
std::vector<Contact> to_contacts(py::handle value) {
  const py::array array = py::array::ensure(value);
  if (!array || !array.dtype().equal(contact_dtype()) || array.ndim() != 1) {
    throw Error("contacts is no array of shape (n,) with the dtype tandem.contact_dtype");
  }
  std::vector<Contact> all(static_cast<std::size_t>(array.shape(0)));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto* from =
        static_cast<const char*>(array.data()) + static_cast<py::ssize_t>(i) * array.strides(0);
    std::memcpy(static_cast<void*>(&all[i]), from, sizeof(Contact));
  }
  return all;
}

}  // namespace

py::dtype contact_dtype() {
  // One for all arrays, as long as the interpreter lives.
  static const py::handle dtype = make_dtype({{"pair", "(2,)u4", offsetof(Contact, pair)},
                                              {"points", "(2,3)f8", offsetof(Contact, points)},
                                              {"across", "(2,3)f8", offsetof(Contact, across)},
                                              {"normal", "(3,)f8", offsetof(Contact, normal)},
                                              {"separation", "f8", offsetof(Contact, separation)},
                                              {"opposed", "?", offsetof(Contact, opposed)}},
                                             sizeof(Contact))
                                      .release();
  return py::reinterpret_borrow<py::dtype>(dtype);
}

py::array from_contacts(std::vector<Contact> contacts) {
  return owning(std::move(contacts), contact_dtype());
}

void bind_contact(py::module_& module) {
  module.attr("contact_dtype") = contact_dtype();
  module.attr("manifold_dtype") = manifold_dtype();
  module.def(
      "contacts",
      [](const Model& a, const Model& b, PoseLike b_in_a, TANDEM_QUERY_PARAMETERS) {
        const Pose pose = to_pose(b_in_a, "b_in_a");
        Options options(engine, statistics, threads, progress);
        return from_contacts(
            options.run([&](const QueryOptions& given) { return contacts(a, b, pose, given); })
                .contacts);
      },
      py::arg("a"), py::arg("b"), py::arg("b_in_a") = py::none(), TANDEM_QUERY_ARGUMENTS,
      R"(How each pair that collide finds touches: an array of shape (n,) with the fields of
contact_dtype.

pair (2,), points (2, 3): the shared segment, across (2, 3), normal (3,): from A to B, separation:
minus the depth, opposed. All in A's frame, sorted by pair.

>>> import tandem
>>> table, cup = tandem.Model(tandem.make_box(1)), tandem.Model(tandem.make_icosphere(4))
>>> found = tandem.contacts(table, cup, tandem.Pose.from_translation([0.1, 0.2, 1.99]))
>>> found["normal"][0]
array([0., 0., 1.])
)");
  module.def(
      "contact",
      [](const Model& a, const Model& b, PoseLike b_in_a, ArrayLike pair) -> py::object {
        const TrianglePair ids = to_pair(pair.value, "pair");
        const Pose pose = to_pose(b_in_a, "b_in_a");
        const auto found = naming("pair", [&] { return contact(a, b, pose, ids); });
        if (!found) return py::none();
        return from_contacts({*found})[py::int_(0)];
      },
      py::arg("a"), py::arg("b"), py::arg("b_in_a"), py::arg("pair"),
      "The contact of one pair of triangles, or None where they share no point.");
  module.def(
      "reduce_contacts",
      [](AnyLike contacts, int max_points) {
        const std::vector<Contact> all = to_contacts(contacts.value);
        ContactManifold manifold = unlocked([&] { return reduce_contacts(all, max_points); });
        return owning(std::move(manifold.points), manifold_dtype());
      },
      py::arg("contacts"), py::arg("max_points") = 4,
      R"(The few points that stand for all contacts: an array of shape (n,) with the fields of
manifold_dtype.

position (3,), normal (3,), separation, pair (2,), patch: patches of about the same normal, the
deepest first, each with at most max_points (1 to 4) points.

>>> import tandem
>>> box = tandem.Model(tandem.make_box(4))
>>> found = tandem.contacts(box, box, tandem.Pose.from_translation([0, 0, 1.999]))
>>> len(tandem.reduce_contacts(found))
4
)");
}

}  // namespace tandem::python
