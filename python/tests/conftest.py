"""What the tests share: models, poses and brute force."""

import numpy as np
import pytest

import tandem

BRUTE_FORCE = tandem.Engine(structure="triangles")


def random_matrix(random, spread):
    """A rotation that is uniform, and a translation within a cube."""
    q, r = np.linalg.qr(random.normal(size=(3, 3)))
    q *= np.sign(np.diag(r))
    if np.linalg.det(q) < 0:
        q[:, 0] = -q[:, 0]
    matrix = np.eye(4)
    matrix[:3, :3] = q
    matrix[:3, 3] = random.uniform(-spread, spread, 3)
    return matrix


@pytest.fixture(scope="session")
def knot():
    return tandem.Model(tandem.make_shape("knot", 600))


@pytest.fixture(scope="session")
def rock():
    return tandem.Model(tandem.make_shape("rock", 500))


@pytest.fixture(scope="session")
def box():
    return tandem.Model(tandem.make_box(1))


@pytest.fixture(scope="session")
def poses():
    random = np.random.default_rng(22)
    return np.stack([random_matrix(random, 2) for _ in range(60)])


def at(x, y=0.0, z=0.0):
    return tandem.Pose.from_translation([x, y, z])
