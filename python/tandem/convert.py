"""Meshes of other packages, none of which is needed: what has the right attributes will do."""

import numpy as _np

from ._tandem import Error, Mesh


def from_trimesh(mesh):
    """A Mesh of a trimesh.Trimesh, or of anything with vertices (n, 3) and faces (m, 3).

    Its arrays are copied, as they stay the other mesh's own; triangle ids are its face indices.

    >>> import types, tandem
    >>> other = types.SimpleNamespace(vertices=[[0, 0, 0], [1, 0, 0], [0, 1, 0]], faces=[[0, 1, 2]])
    >>> tandem.from_trimesh(other)
    <tandem.Mesh: 3 vertices, 1 triangles>
    """
    vertices, faces = getattr(mesh, "vertices", None), getattr(mesh, "faces", None)
    if vertices is None or faces is None:
        raise Error(
            f"mesh is a {type(mesh).__name__}, which has no vertices and faces as a "
            "trimesh.Trimesh has"
        )
    return Mesh(_np.asarray(vertices), _np.asarray(faces), copy=True)


def from_open3d(mesh):
    """A Mesh of an open3d TriangleMesh, of open3d.geometry or open3d.t.geometry.

    Its arrays are copied; triangle ids are those of the other mesh.

    >>> import types, tandem
    >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    >>> other = types.SimpleNamespace(vertices=corners, triangles=[[0, 1, 2]])
    >>> tandem.from_open3d(other)
    <tandem.Mesh: 3 vertices, 1 triangles>
    """
    if hasattr(mesh, "vertex") and hasattr(mesh, "triangle"):
        # Tensors of whichever device.
        positions, indices = (
            tensor.cpu().numpy() if hasattr(tensor, "cpu") else _np.asarray(tensor)
            for tensor in (mesh.vertex["positions"], mesh.triangle["indices"])
        )
        return Mesh(positions, indices, copy=True)
    vertices, triangles = getattr(mesh, "vertices", None), getattr(mesh, "triangles", None)
    if vertices is None or triangles is None:
        raise Error(
            f"mesh is a {type(mesh).__name__}, which has no vertices and triangles as an open3d "
            "TriangleMesh has"
        )
    return Mesh(_np.asarray(vertices), _np.asarray(triangles), copy=True)
