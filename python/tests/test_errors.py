"""Bad input is a tandem.Error whose one sentence names the argument."""

import numpy as np
import pytest

import tandem
from conftest import at

NAN, INFINITY = float("nan"), float("inf")
EYES = np.tile(np.eye(4), (4, 1, 1))
POINTS = np.zeros((3, 3))


def changed(array, place, value):
    array = np.array(array, float)
    array[place] = value
    return array


def cases(box, scene, world):
    mesh = box.mesh
    mirrored = np.diag([1.0, 1, -1, 1])
    return [
        # meshes
        ("vertices", lambda: tandem.Mesh(np.zeros((4, 2)), [[0, 1, 2]])),
        ("vertices", lambda: tandem.Mesh(np.zeros(9), [[0, 1, 2]])),
        ("vertices", lambda: tandem.Mesh("soup", [[0, 1, 2]])),
        ("vertices", lambda: tandem.Mesh(None, [[0, 1, 2]])),
        ("vertices", lambda: tandem.Mesh(np.zeros((3, 3), complex), [[0, 1, 2]])),
        ("vertices", lambda: tandem.Mesh(np.zeros((3, 3), bool), [[0, 1, 2]])),
        ("vertices", lambda: tandem.Mesh([[0, 0, 0], [1, 2]], [[0, 1, 2]])),
        ("vertices: vertex 2 ", lambda: tandem.Mesh(changed(POINTS, (2, 0), NAN), [[0, 1, 2]])),
        ("vertices: vertex 1 ",
         lambda: tandem.Mesh(changed(POINTS, (1, 2), INFINITY), [[0, 1, 2]])),
        ("vertices: vertex 1 ", lambda: tandem.Mesh(changed(POINTS, (1, 2), 1e300), [[0, 1, 2]])),
        ("triangles: triangle 1 uses vertex 3",
         lambda: tandem.Mesh(POINTS, [[0, 1, 2], [0, 1, 3]])),
        ("triangles", lambda: tandem.Mesh(POINTS, [[0, 1, -1]])),
        ("triangles", lambda: tandem.Mesh(POINTS, np.array([[0, 1, 2**33]]))),
        ("triangles has the entry 18446744073709551615",
         lambda: tandem.Mesh(POINTS, np.array([[0, 1, 2**64 - 1]], np.uint64))),
        ("triangles", lambda: tandem.Mesh(POINTS, [[0.0, 1.0, 2.0]])),
        ("triangles", lambda: tandem.Mesh(POINTS, [[0, 1, 2, 0]])),
        ("vertices", lambda: mesh.with_vertices(POINTS)),
        ("positions", lambda: box.refit(POINTS)),
        ("positions: vertex 4 ", lambda: box.refit(changed(mesh.vertices, (4, 1), NAN))),
        ("rebuild_at", lambda: box.refit(mesh.vertices, rebuild_at=-1)),
        ("mesh", lambda: tandem.Model(7)),
        ("no_such", lambda: tandem.Model(mesh, structure="no_such")),
        ("no_such", lambda: tandem.make_shape("no_such", 10)),
        ("nowhere.ply", lambda: tandem.Model("nowhere.ply")),
        ("path", lambda: tandem.read_mesh(3)),
        ("format", lambda: tandem.read_mesh(b"", "docx")),
        ("sides", lambda: tandem.make_box(1, [1, 2])),
        ("profile", lambda: tandem.make_turned([[1, 2, 3]], 5)),
        # poses
        ("b_in_a", lambda: tandem.collide(box, box, np.eye(3))),
        ("b_in_a", lambda: tandem.collide(box, box, 2 * np.eye(4))),
        ("b_in_a", lambda: tandem.collide(box, box, mirrored)),
        ("b_in_a", lambda: tandem.collide(box, box, changed(np.eye(4), (3, 3), 2))),
        ("b_in_a", lambda: tandem.collide(box, box, changed(np.eye(4), (0, 3), NAN))),
        ("b_in_a", lambda: tandem.count(box, box, changed(np.eye(4), (1, 1), NAN))),
        ("b_in_a", lambda: tandem.intersects(box, box, "here")),
        ("b_in_a", lambda: tandem.distance(box, box, changed(np.eye(4), (1, 3), 1e61))),
        ("b_in_a[2]", lambda: tandem.collide_batch(box, box, changed(EYES, (2, 0, 0), 3))),
        ("b_in_a[1]", lambda: tandem.count_batch(box, box, [at(0), np.eye(3)])),
        ("b_in_a", lambda: tandem.intersects_batch(box, box, np.eye(4))),
        ("b_in_a", lambda: tandem.distance_batch(box, box, np.zeros((2, 4, 3)))),
        ("rows", lambda: tandem.Pose.from_rotation(np.eye(4))),
        ("axis", lambda: tandem.Pose.from_axis_angle([0, 0, 0], 1)),
        ("translation", lambda: tandem.Pose.from_translation([0, NAN, 0])),
        ("matrix", lambda: tandem.Pose(np.ones((4, 4)))),
        ("a_in_world", lambda: tandem.relative_pose(np.ones(3), None)),
        # ids
        ("pair", lambda: tandem.intersection(box, box, None, [0, 12])),
        ("pair", lambda: tandem.contact(box, box, None, [12, 0])),
        ("pair", lambda: tandem.meeting(box, box, None, [0, 99])),
        ("pair", lambda: tandem.intersection(box, box, None, [0, -1])),
        ("pair", lambda: tandem.intersection(box, box, None, [0, 1, 2])),
        ("pairs", lambda: tandem.contact_curves(box, box, None, [[0, 99]])),
        ("pairs[1]", lambda: tandem.count_batch([box], [[0, 0], [0, 1]], EYES[:2])),
        ("pairs", lambda: tandem.count_batch([box], [[0, 0]], EYES)),
        ("models[1]", lambda: tandem.count_batch([box, 3], [[0, 0]], EYES[:1])),
        ("object", lambda: scene.move(9, None)),
        ("object", lambda: scene.remove(-1)),
        ("object", lambda: scene.pose(2**40)),
        ("a or b", lambda: scene.is_allowed(0, 7)),
        ("body", lambda: world.pose(3)),
        ("part", lambda: tandem.split_components(mesh, "m").file_triangle(1, 0)),
        ("triangle", lambda: tandem.split_components(mesh, "m").file_triangle(0, 12)),
        # points and rays
        ("points", lambda: tandem.closest_points(box, np.zeros((2, 2)))),
        ("points", lambda: tandem.closest_points(box, changed(POINTS, (1, 1), NAN))),
        ("points", lambda: tandem.signed_distances(box, changed(POINTS, (2, 1), INFINITY))),
        ("origins", lambda: tandem.closest_hits(box, np.zeros((2, 2)), np.zeros((2, 2)))),
        ("directions", lambda: tandem.closest_hits(box, POINTS, POINTS[:2])),
        ("t_max", lambda: tandem.any_hits(box, POINTS, POINTS, t_max=[1, 2])),
        ("rays", lambda: tandem.any_hits(box, POINTS)),
        ("t_max", lambda: tandem.any_hits(box, np.zeros((2, 8)), t_max=5)),
        ("t_min", lambda: tandem.closest_hits(box, np.zeros((2, 8)), t_min=[1, 2])),
        ("origin", lambda: tandem.closest_hit(box, [0, 0], [0, 0, 1])),
        ("direction", lambda: scene.any_hit([0, 0, 0], 3)),
        # options
        ("threads", lambda: tandem.count(box, box, threads=-1)),
        ("threads", lambda: tandem.count_batch(box, box, EYES, threads=-2)),
        ("engine", lambda: tandem.count(box, box, engine="aabb")),
        ("no_such", lambda: tandem.Engine(traversal="no_such")),
        ("statistics", lambda: tandem.count(box, box, statistics=True)),
        ("progress", lambda: tandem.count(box, box, progress=3)),
        ("sink", lambda: tandem.collide(box, box, None, 3)),
        ("sink", lambda: tandem.collide(box, box, None, lambda a, b: "on")),
        ("limit", lambda: tandem.distance(box, box, limit=-1)),
        ("error", lambda: tandem.distance(box, box, relative_error=NAN)),
        ("distance", lambda: tandem.within(box, box, None, -1)),
        ("distance", lambda: scene.clearances(NAN)),
        ("contacts", lambda: tandem.reduce_contacts(np.zeros(3))),
        ("points", lambda: tandem.reduce_contacts(tandem.contacts(box, box), 5)),
        ("state", lambda: tandem.Cursor(box, box, None, "stackless", b"123")),
        ("density", lambda: tandem.sim.solid_mass(mesh, -1)),
        ("gravity", lambda: tandem.sim.Simulation(gravity=[1, 2])),
        ("velocity", lambda: world.place(0, None, velocity=[1])),
        # other packages
        ("mesh", lambda: tandem.from_trimesh(3)),
        ("mesh", lambda: tandem.from_open3d(3)),
        ("transform", lambda: tandem.CollisionManager().add_object("a", box, np.ones((4, 4)))),
        ("name", lambda: tandem.CollisionManager().remove_object("a")),
    ]


def test_the_sentence_names_the_argument(box):
    scene = tandem.Scene()
    scene.add(box)
    world = tandem.sim.Simulation()
    world.add_static(box)
    silent = []
    for named, call in cases(box, scene, world):
        try:
            call()
            silent.append((named, "no error"))
        except tandem.Error as error:
            sentence = str(error)
            if named not in sentence or "\n" in sentence:
                silent.append((named, sentence))
    assert silent == []


def test_errors_are_value_errors():
    assert issubclass(tandem.Error, ValueError)
    assert tandem.Error.__module__ == "tandem"
    with pytest.raises(TypeError, match="thread"):
        tandem.count(1, 2, thread=3)


def test_exceptions_of_callbacks_reach_the_caller(knot):
    class Mine(Exception):
        pass

    def fail(*_):
        raise Mine("of my own")

    for threads in 1, 2:
        with pytest.raises(Mine):
            tandem.collide(knot, knot, None, fail, threads=threads)
    with pytest.raises(Mine):
        tandem.count(knot, knot, progress=fail)
    assert tandem.count(knot, knot) > 0
