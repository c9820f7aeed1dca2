#include "query/boxtree_hierarchy.h"

namespace tandem::detail {

template std::unique_ptr<Hierarchy> make_boxtree_hierarchy<TwoPlaneBoxtree<FloatPlanes>>(
    const BuildOptions&, const Mesh&, const TreeShape&);

}  // namespace tandem::detail
