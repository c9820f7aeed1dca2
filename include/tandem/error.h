// The one exception type of the library.
#pragma once

#include <tandem/export.h>

#include <stdexcept>

namespace tandem {

/// Thrown for bad input. `what()` is one sentence that says what was wrong and where: a file and
/// line, a vertex, a triangle, a matrix entry. Queries on valid models and poses do not throw it.
class TANDEM_API Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tandem
