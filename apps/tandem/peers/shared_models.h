// What a library has built of meshes, for peers of several pairs of them.
#pragma once

#include <tandem/mesh.h>

#include <map>
#include <memory>
#include <utility>

namespace tandem::cli {

/// The models of one library, each made once. A library that needs two kinds of them, such as one
/// that stays and one that is moved, numbers the kinds. Meshes are known by their address.
class SharedModels {
 public:
  /// The model of `mesh`; `make()` makes it where it is not there yet.
  template <class Model, class Make>
  std::shared_ptr<Model> get(const Mesh& mesh, const Make& make, int kind = 0) {
    std::shared_ptr<void>& model = models_[{&mesh, kind}];
    if (!model) model = std::shared_ptr<Model>(make());
    return std::static_pointer_cast<Model>(model);
  }

 private:
  std::map<std::pair<const Mesh*, int>, std::shared_ptr<void>> models_;
};

}  // namespace tandem::cli
