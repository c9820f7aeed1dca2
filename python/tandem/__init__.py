"""Tandem: which triangles of one mesh touch which triangles of another, exactly.

Mesh    triangles over shared vertices, from arrays, files or generators
Model   a mesh with the structures that queries search, built once, queried from any thread
Pose    where a model stands; matrices of shape (4, 4) or (3, 4) will do everywhere
collide, intersects, count, contacts, distance, within   queries between two models
collide_batch and its kin   many poses in one call, on several cores
closest_hits, any_hits, closest_points, signed_distances   rays and points
Scene, CollisionManager   many objects that move
sim   rigid bodies
cuda   the same queries on a CUDA device

docs/python.md tells how arrays are taken and what threads may do.

>>> import tandem
>>> ring, rock = (tandem.Model(tandem.make_shape(name, 500)) for name in ("torus", "rock"))
>>> tandem.collide(ring, rock, tandem.Pose.from_translation([1.2, 0, 1.4])).shape[1]
2
"""

import enum as _enum

from . import _tandem
from ._tandem import *  # noqa: F401,F403
from ._tandem import __version__, sim  # noqa: F401
from .collision import CollisionManager, ContactData, DistanceData, scene_to_collision
from .convert import from_open3d, from_trimesh
from . import cuda


def _enumeration(name, doc, entries):
    """An enumeration of what the library's registry lists; its members are texts."""

    members = {entry.replace("-", "_"): entry for entry, _ in entries}
    enumeration = _enum.Enum(name, members, type=str, module=__name__)
    descriptions = dict(entries)
    enumeration.description = property(lambda self: descriptions[self.value])
    enumeration.__str__ = lambda self: self.value
    enumeration.__doc__ = doc
    return enumeration


_names = _tandem._names()
Structure = _enumeration("Structure", "What is made of a mesh and searched.", _names["Structure"])
Traversal = _enumeration(
    "Traversal", "How two structures are walked together.", _names["Traversal"])
OverlapTest = _enumeration("OverlapTest", "How two nodes are told apart.", _names["OverlapTest"])
TriangleTest = _enumeration("TriangleTest", "How two triangles are tested.", _names["TriangleTest"])
RayTraversal = _enumeration("RayTraversal", "How a ray walks a structure.", _names["RayTraversal"])
Builder = _enumeration("Builder", "How a structure is built.", _names["Builder"])
Shape = _enumeration("Shape", "What make_shape makes.", _tandem._shapes())
del _names

__all__ = [
    *(name for name in dir(_tandem) if not name.startswith("_")),
    "Builder", "CollisionManager", "ContactData", "DistanceData", "OverlapTest", "RayTraversal",
    "Shape", "Structure", "Traversal", "TriangleTest", "cuda", "from_open3d", "from_trimesh",
    "scene_to_collision",
]
