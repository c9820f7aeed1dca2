"""Arrays in and out: what is copied, what is converted, and who keeps whose memory."""

import gc
import pickle
import weakref

import numpy as np
import pytest

import tandem

VERTICES = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
TRIANGLES = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]


def arrays():
    return np.array(VERTICES, np.float32), np.array(TRIANGLES, np.uint32)


def test_arrays_of_the_right_types_are_not_copied():
    vertices, triangles = arrays()
    for mesh in tandem.Mesh(vertices, triangles), tandem.Model(vertices, triangles).mesh:
        assert mesh.vertices.ctypes.data == vertices.ctypes.data
        assert mesh.triangles.ctypes.data == triangles.ctypes.data


def test_what_is_kept_becomes_read_only():
    whole = np.zeros((8, 3), np.float32)
    part = whole[:4]
    part[:] = VERTICES
    mesh = tandem.Mesh(part, np.array(TRIANGLES, np.uint32))
    for array in part, whole, mesh.vertices, mesh.triangles:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_a_mesh_that_is_refused_leaves_the_arrays_alone():
    vertices, triangles = arrays()
    triangles[0, 0] = 9
    with pytest.raises(tandem.Error):
        tandem.Mesh(vertices, triangles)
    vertices[0], triangles[0] = 1, 1


def test_copies_leave_the_arrays_alone():
    vertices, triangles = arrays()
    model = tandem.Model(vertices, triangles, copy=True)
    later = model.refit(vertices, copy=True)
    vertices[:], triangles[:] = 7, 99
    for mesh in model.mesh, later.mesh:
        assert mesh.vertices.tolist() == VERTICES
        assert mesh.triangles.tolist() == TRIANGLES


@pytest.mark.parametrize(
    "dtype", [np.float16, np.float64, np.int8, np.uint64, ">f4", np.longdouble])
def test_other_numbers_become_the_nearest_float32(dtype):
    vertices = np.array(VERTICES, dtype)
    mesh = tandem.Mesh(vertices, TRIANGLES)
    assert mesh.vertices.dtype == np.float32
    assert mesh.vertices.tolist() == VERTICES
    vertices[0] = 1  # stays the caller's own


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64, np.uint16, np.uint64, ">u4"])
def test_other_integers_become_ids(dtype):
    mesh = tandem.Mesh(VERTICES, np.array(TRIANGLES, dtype))
    assert mesh.triangles.dtype == np.uint32
    assert mesh.triangles.tolist() == TRIANGLES


def test_float64_is_rounded_once():
    random = np.random.default_rng(5)
    vertices = random.normal(size=(30, 3))
    mesh = tandem.Mesh(vertices, [[0, 1, 2]])
    assert np.array_equal(mesh.vertices, vertices.astype(np.float32))


def test_strided_and_unaligned_arrays_are_read_right():
    wide = np.zeros((4, 6), np.float32)
    wide[:, ::2] = VERTICES
    packed = np.zeros(4, np.dtype([("skip", "u1"), ("v", "3f4")]))
    packed["v"] = VERTICES
    buffer = np.zeros(4 * 12 + 1, np.uint8)
    unaligned = buffer[1:].view(np.float32).reshape(4, 3)
    unaligned[:] = VERTICES
    columns = np.asfortranarray(np.array(VERTICES, np.float32))
    for vertices in wide[:, ::2], columns, packed["v"], unaligned:
        assert tandem.Mesh(vertices, TRIANGLES).vertices.tolist() == VERTICES
    points = np.zeros(4 * 24 + 1, np.uint8)[1:].view(np.float64).reshape(4, 3)
    points[:] = VERTICES
    assert len(tandem.closest_points(tandem.Model(VERTICES, TRIANGLES), points)) == 4


def test_empty_arrays_and_lists():
    for vertices, triangles in ([], []), (np.zeros((0, 3)), np.zeros((0, 3), int)), (VERTICES, []):
        model = tandem.Model(vertices, triangles)
        assert tandem.collide(model, model).shape == (0, 2)
    assert len(tandem.collide_batch(model, model, np.zeros((0, 4, 4)))) == 0
    assert tandem.closest_hits(model, [], []).shape == (0,)
    assert tandem.closest_points(model, []).shape == (0,)


def test_poses_points_and_rays_are_read_where_they_are(box):
    rays = tandem.make_rays([[0, 0, 5]], [[0, 0, -1]])
    assert rays.shape == (1, 8) and rays.dtype == np.float32
    rays.flags.writeable = False
    assert tandem.closest_hits(box, rays)["distance"] == 4
    points = np.array([[0.0, 0, 3]])
    points.flags.writeable = False
    assert tandem.closest_points(box, points)["distance"] == 2


def test_results_own_their_memory(knot):
    pairs = tandem.collide(knot, knot, tandem.Pose.from_translation([0.1, 0, 0]))
    assert pairs.dtype == np.uint32 and pairs.flags.c_contiguous and pairs.flags.writeable
    column = pairs[:, 0]
    before = column.copy()
    del pairs
    gc.collect()
    assert np.array_equal(column, before)


def test_memory_lives_as_long_as_anyone_needs_it():
    class Watched(np.ndarray):
        pass

    vertices = np.array(VERTICES, np.float32).view(Watched)
    watched = weakref.ref(vertices)
    model = tandem.Model(vertices, TRIANGLES)
    del vertices
    gc.collect()
    assert watched() is not None
    view = model.mesh.vertices
    scene = tandem.Scene()
    scene.add(model)
    del model
    gc.collect()
    assert view.tolist() == VERTICES
    assert len(scene.collide()) == 0
    del scene, view
    gc.collect()
    assert watched() is None


def test_any_order_of_deletion():
    random = np.random.default_rng(1)
    for order in range(20):
        vertices, triangles = arrays()
        mesh = tandem.Mesh(vertices, triangles)
        model = tandem.Model(mesh)
        scene = tandem.Scene()
        scene.add(model)
        scene.add(model)
        boxes = [tandem.Model(mesh, structure="aabb") for _ in range(2)]
        cursor = tandem.Cursor(*boxes, None,
                               "stackless")
        del boxes
        kept = {"vertices": vertices, "triangles": triangles, "mesh": mesh, "model": model,
                "scene": scene, "cursor": cursor, "view": model.mesh.vertices,
                "result": scene.collide(),
                "newer": model.refit(vertices, copy=True),
                "contacts": tandem.contacts(model, model)}
        del vertices, triangles, mesh, model, scene, cursor
        for name in random.permutation(list(kept)):
            del kept[name]
            if "cursor" in kept:
                kept["cursor"].advance(3)
            if "scene" in kept:
                assert len(kept["scene"].touching()) == 1
            if "view" in kept:
                assert kept["view"].tolist() == VERTICES


def test_meshes_and_poses_can_be_pickled(knot):
    mesh = pickle.loads(pickle.dumps(knot.mesh))
    assert np.array_equal(mesh.vertices, knot.mesh.vertices)
    assert np.array_equal(mesh.triangles, knot.mesh.triangles)
    pose = pickle.loads(pickle.dumps(tandem.Pose.from_axis_angle([1, 2, 3], 0.4, [5, 6, 7])))
    assert pose.translation.tolist() == [5, 6, 7]
