// Contacts as elements of an array.
#pragma once

#include <tandem/contact.h>

#include <vector>

#include "arrays.h"

namespace tandem::python {

py::dtype contact_dtype();
py::array from_contacts(std::vector<Contact> contacts);

}  // namespace tandem::python
