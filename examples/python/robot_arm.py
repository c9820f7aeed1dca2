"""A robot arm among obstacles: which of 2,000 configurations are free, and by how much."""

import numpy as np
import tandem

JOINTS, LENGTH = 4, 0.6
link = tandem.Model(tandem.make_box(2, [0.12, 0.12, LENGTH]))
hall = tandem.Model(tandem.make_shape("sheet", 3000))
hall_in_world = np.array([[1.0, 0, 0, 1.6], [0, 1, 0, 0.3], [0, 0, 1, 1.4], [0, 0, 0, 1]])


def turn(angles, axis):
    """Matrices of shape (n, 4, 4) that turn around z (2) or y (1)."""
    matrices = np.tile(np.eye(4), (len(angles), 1, 1))
    i, j = ((0, 1), (2, 0))[axis == 1]
    matrices[:, i, i] = matrices[:, j, j] = np.cos(angles)
    matrices[:, j, i] = np.sin(angles)
    matrices[:, i, j] = -matrices[:, j, i]
    return matrices


def shift(z):
    matrix = np.eye(4)
    matrix[2, 3] = z
    return matrix


# The poses of all links in all configurations, link by link.
angles = np.random.default_rng(1).uniform(-1.5, 1.5, (2000, JOINTS))
frame, poses = shift(0.02), []
for joint in range(JOINTS):
    frame = frame @ turn(angles[:, joint], 2 if joint == 0 else 1)
    poses.append(frame @ shift(LENGTH / 2))
    frame = frame @ shift(LENGTH + 0.15)
in_hall = np.linalg.inv(hall_in_world) @ np.stack(poses)
touching = tandem.intersects_batch(hall, link, in_hall.reshape(-1, 4, 4), threads=0)
free = ~touching.reshape(JOINTS, -1).any(axis=0)
gaps = tandem.distance_batch(hall, link, in_hall[:, free].reshape(-1, 4, 4), threads=0)["distance"]
gap = gaps.reshape(JOINTS, -1).min(axis=0)
print(f"{free.sum()} of {len(free)} configurations are free, by {gap.mean():.2f} m")
