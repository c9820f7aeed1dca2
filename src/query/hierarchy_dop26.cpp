#include "query/volume_hierarchy.h"

namespace tandem::detail {

template std::unique_ptr<Hierarchy> make_volume_hierarchy<Kdop<26>>(const Mesh&, const TreeShape&);

}  // namespace tandem::detail
