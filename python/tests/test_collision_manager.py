"""CollisionManager: the methods that trimesh documents, and what they answer."""

import inspect
import types

import numpy as np
import pytest

import tandem
from conftest import random_matrix

# trimesh.collision.CollisionManager, as its documentation lists it.
METHODS = {
    "add_object": ["name", "mesh", "transform"],
    "remove_object": ["name"],
    "set_transform": ["name", "transform"],
    "in_collision_single": ["mesh", "transform", "return_names", "return_data"],
    "in_collision_internal": ["return_names", "return_data"],
    "in_collision_other": ["other_manager", "return_names", "return_data"],
    "min_distance_single": ["mesh", "transform", "return_name", "return_data"],
    "min_distance_internal": ["name", "return_names", "return_data"],
    "min_distance_other": ["other_manager", "return_names", "return_data"],
}


class Trimesh:
    """What of a trimesh.Trimesh is needed, with its dtypes."""

    def __init__(self, mesh):
        self.vertices = np.array(mesh.vertices, np.float64)
        self.faces = np.array(mesh.triangles, np.int64)


def moved(x, y=0.0, z=0.0):
    matrix = np.eye(4)
    matrix[:3, 3] = x, y, z
    return matrix


@pytest.fixture
def cube():
    return Trimesh(tandem.make_box(2))


@pytest.fixture
def manager(cube):
    manager = tandem.CollisionManager()
    manager.add_object("b", cube, moved(1.5))
    manager.add_object("a", cube)
    manager.add_object("c", cube, moved(7))
    return manager


@pytest.mark.parametrize("method", METHODS)
def test_parameters_are_those_of_trimesh(method):
    names = list(inspect.signature(getattr(tandem.CollisionManager, method)).parameters)
    assert names == ["self", *METHODS[method]]
    assert getattr(tandem.CollisionManager, method).__doc__


def test_internal(manager):
    assert manager.in_collision_internal() is True
    assert manager.in_collision_internal(return_names=True) == (True, {("a", "b")})
    touching, names, data = manager.in_collision_internal(return_names=True, return_data=True)
    assert touching and names == {("a", "b")} and len(data) > 0
    touching, data = manager.in_collision_internal(return_data=True)
    for contact in data:
        assert contact.names == {"a", "b"}
        assert contact.depth >= 0 and contact.point.shape == (3,)
        assert abs(np.linalg.norm(contact.normal) - 1) < 1e-12
        assert 0 <= contact.index("a") < 48 and 0 <= contact.index("b") < 48
        assert 0.4 < contact.point[0] < 1.1  # in the world
        with pytest.raises(KeyError):
            contact.index("c")


def test_objects_move_go_and_are_replaced(manager, cube):
    manager.set_transform("b", moved(3.5))
    assert manager.in_collision_internal(return_names=True) == (False, set())
    manager.set_transform("c", moved(5))
    assert manager.in_collision_internal(return_names=True) == (True, {("b", "c")})
    manager.remove_object("b")
    assert manager.in_collision_internal() is False
    manager.add_object("a", cube, moved(4))  # in place of the one before
    assert manager.in_collision_internal(return_names=True) == (True, {("a", "c")})
    for call in (lambda: manager.remove_object("b"), lambda: manager.set_transform("b", np.eye(4))):
        with pytest.raises(ValueError, match="'b'"):
            call()


def test_single(manager, cube):
    assert manager.in_collision_single(cube, moved(20)) is False
    assert manager.in_collision_single(cube, moved(20), return_names=True) == (False, set())
    assert manager.in_collision_single(cube, moved(0.2), return_names=True) == (True, {"a", "b"})
    touching, names, data = manager.in_collision_single(
        cube, moved(8.5), return_names=True, return_data=True)
    assert touching and names == {"c"}
    assert data and all(contact.names == {"c", "__external"} for contact in data)
    assert manager.in_collision_internal(return_names=True)[1] == {("a", "b")}  # it did not stay


def test_other(manager, cube):
    other = tandem.CollisionManager()
    other.add_object("x", cube, moved(8))
    other.add_object("y", cube, moved(8.5))
    assert manager.in_collision_other(other) is True
    assert manager.in_collision_other(other, return_names=True) == (True, {("c", "x"), ("c", "y")})
    assert other.in_collision_other(manager, return_names=True) == (True, {("x", "c"), ("y", "c")})
    _, data = manager.in_collision_other(other, return_data=True)
    assert {frozenset(contact.names) for contact in data} == {frozenset("cx"), frozenset("cy")}
    for name in "xy":
        other.set_transform(name, moved(30))
    assert manager.in_collision_other(other, return_names=True) == (False, set())


def test_distances(manager, cube):
    assert manager.min_distance_single(cube, moved(10)) == 1
    assert manager.min_distance_single(cube, moved(10), return_name=True) == (1, "c")
    distance, name, data = manager.min_distance_single(
        cube, moved(10), return_name=True, return_data=True)
    assert data.names == {"c", "__external"} and data.distance == 1
    assert data.point("c")[0] == 8 and data.point("__external")[0] == 9
    assert 0 <= data.index("c") < 48
    assert manager.min_distance_internal(return_names=True) == (0, ("a", "b"))
    assert manager.min_distance_internal("c", return_names=True) == (3.5, ("b", "c"))
    manager.set_transform("b", moved(3))
    distance, names, data = manager.min_distance_internal(return_names=True, return_data=True)
    assert (distance, names, data.distance) == (1, ("a", "b"), 1)
    other = tandem.CollisionManager()
    other.add_object("x", cube, moved(12))
    assert manager.min_distance_other(other, return_names=True) == (3, ("c", "x"))
    assert manager.min_distance_other(other, return_data=True)[1].point("x")[0] == 11


def test_empty_managers(cube):
    empty = tandem.CollisionManager()
    assert empty.in_collision_internal(return_names=True, return_data=True) == (False, set(), [])
    assert empty.in_collision_single(cube) is False
    assert empty.min_distance_internal() == float("inf")
    nothing = float("inf"), None, None
    assert empty.min_distance_single(cube, return_name=True, return_data=True) == nothing
    assert empty.in_collision_other(empty) is False


def test_many_random_objects_against_every_pair():
    random = np.random.default_rng(12)
    rock = tandem.Model(tandem.make_shape("rock", 300))
    for spread in 3, 6, 20:
        matrices = {f"o{i}": random_matrix(random, spread) for i in range(15)}
        manager = tandem.CollisionManager()
        for name, matrix in matrices.items():
            manager.add_object(name, rock, matrix)
        apart = {
            tuple(sorted((a, b))):
                tandem.distance(rock, rock, tandem.relative_pose(matrices[a], matrices[b])).distance
            for a in matrices for b in matrices if a < b
        }
        touching = {pair for pair, distance in apart.items() if distance == 0}
        assert manager.in_collision_internal(return_names=True) == (bool(touching), touching)
        assert abs(manager.min_distance_internal() - min(apart.values())) < 1e-9
        nearest = min(distance for pair, distance in apart.items() if "o3" in pair)
        assert abs(manager.min_distance_internal("o3") - nearest) < 1e-9


def test_meshes_of_other_packages(cube):
    mesh = tandem.from_trimesh(cube)
    assert np.array_equal(mesh.vertices, cube.vertices)
    assert np.array_equal(mesh.triangles, cube.faces)
    single = types.SimpleNamespace(
        vertices=cube.vertices.astype(np.float32), faces=cube.faces.astype(np.uint32))
    assert not np.shares_memory(tandem.from_trimesh(single).vertices, single.vertices)
    single.vertices[0] = 5  # stays the other mesh's own
    legacy = types.SimpleNamespace(vertices=list(cube.vertices), triangles=list(cube.faces))
    assert np.array_equal(tandem.from_open3d(legacy).vertices, cube.vertices)

    class Tensor:
        def __init__(self, array):
            self.array = array

        def cpu(self):
            return self

        def numpy(self):
            return self.array

    tensors = types.SimpleNamespace(vertex={"positions": Tensor(cube.vertices.astype(np.float32))},
                                    triangle={"indices": Tensor(cube.faces)})
    assert np.array_equal(tandem.from_open3d(tensors).triangles, cube.faces)


def test_scenes_of_trimesh(cube):
    class Graph(dict):
        nodes_geometry = ["left", "right"]

    graph = Graph(left=(np.eye(4), "cube"), right=(moved(1), "cube"))
    scene = types.SimpleNamespace(graph=graph, geometry={"cube": cube})
    manager, models = tandem.scene_to_collision(scene)
    assert manager.in_collision_internal(return_names=True) == (True, {("left", "right")})
    assert models["left"] is models["right"]
