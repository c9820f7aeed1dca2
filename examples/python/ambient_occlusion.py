"""Ambient occlusion: how much of the sky each triangle of a mesh sees, by rays."""

import numpy as np

import tandem

RAYS = 64
mesh = tandem.make_shape("knot", 4000)
model = tandem.Model(mesh)

corners = mesh.vertices[mesh.triangles].astype(float)
middles = corners.mean(axis=1)
normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
normals /= np.linalg.norm(normals, axis=1, keepdims=True)

# Directions around each normal: points of a unit sphere that stands on the triangle.
sphere = np.random.default_rng(1).normal(size=(len(mesh), RAYS, 3))
sphere /= np.linalg.norm(sphere, axis=2, keepdims=True)
directions = normals[:, None] + 0.999 * sphere
origins = np.repeat(middles + 1e-4 * normals, RAYS, axis=0)

hidden = tandem.any_hits(model, origins, directions.reshape(-1, 3), threads=0).reshape(-1, RAYS)
sky = 1 - hidden.mean(axis=1)
print(f"{len(origins)} rays; triangles see {sky.mean():.0%} of the sky on average")
print(f"the darkest is triangle {sky.argmin()}, which sees {sky.min():.0%}")
