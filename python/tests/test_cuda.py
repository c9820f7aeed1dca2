"""tandem.cuda: says what is missing or wrong, or gives what the processor gives, to the byte."""

import ast
from pathlib import Path

import numpy as np
import pytest

import tandem
from conftest import at, random_matrix
from device_memory import Fake, OnDevice, on_host
from tandem import cuda

built = pytest.mark.skipif(not cuda.built, reason="this build has no CUDA")
has_device = cuda.built and len(cuda.devices()) > 0
on_device = pytest.mark.skipif(not has_device, reason="there is no CUDA device")


@pytest.mark.skipif(cuda.built, reason="this build has CUDA")
@pytest.mark.parametrize("name", ["Collider", "closest_hits", "devices", "DeviceScene"])
def test_without_cuda_the_sentence_says_what_to_do(name):
    with pytest.raises(tandem.Error, match="TANDEM_CUDA=ON"):
        getattr(cuda, name)
    with pytest.raises(AttributeError):
        cuda.nothing_of_the_kind


def test_what_there_would_be_is_what_the_stub_shows():
    stub = ast.parse(Path(cuda.__file__).with_suffix(".pyi").read_text())
    shown = {node.name for node in stub.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    shown |= {node.target.id for node in stub.body if isinstance(node, ast.AnnAssign)} - {"built"}
    there = {name for name in vars(cuda) if not name.startswith("_")} - {"built"}
    assert (there if cuda.built else cuda._names) == shown


@built
@pytest.mark.skipif(has_device, reason="there is a CUDA device")
def test_without_a_device_the_sentence_says_so(knot):
    mesh, triangle = knot.mesh, np.zeros((1, 3, 3))
    on_device = cuda.DeviceMesh(Fake((3, 3), "f4"), Fake((1, 3), "u4"))
    calls = [
        cuda.require_device,
        lambda: cuda.Collider([knot]),
        lambda: cuda.Collider([mesh]),
        lambda: cuda.Collider([on_device]),
        lambda: cuda.Collider([knot], method=cuda.CollideMethod.blocked),
        lambda: cuda.Collider([knot], method=cuda.CollideMethod.stackless),
        lambda: cuda.DeviceScene([knot], [0, 0]),
        lambda: cuda.DeviceScene([mesh], [0, 0]),
        lambda: cuda.DeviceScene([on_device], [0, 0]),
        cuda.SceneCollider,
        lambda: cuda.DeviceModel(knot),
        lambda: cuda.DeviceModel(knot, structure="ray-wide"),
        lambda: cuda.DeviceModel(mesh),
        lambda: cuda.DeviceModel(on_device),
        lambda: cuda.make_device_models([mesh]),
        lambda: cuda.intersects(triangle, triangle),
        lambda: cuda.intersects(Fake((1, 3, 3), "f8"), Fake((1, 3, 3), "f8"), out=Fake(1, "u1")),
    ]
    for i, call in enumerate(calls):
        with pytest.raises(tandem.Error, match="CUDA cannot") as raised:
            call()
        assert "\n" not in str(raised.value), f"call {i}"


def wrong_everywhere(knot):
    """What is wrong before a device is asked for: what the sentence names, and the call."""
    mesh, eye = knot.mesh, np.eye(4)[None]

    def fake(dtype):
        return lambda *shape, **shown: Fake(shape, dtype, **shown)

    f4, f8, u4, u8 = map(fake, ("f4", "f8", "u4", "u8"))
    mesh_of = cuda.DeviceMesh
    triangles = np.zeros((2, 3, 3))
    return [
        ("models[1] is a tandem.Mesh", lambda: cuda.Collider([knot, mesh])),
        ("models[1] is a tandem.Model", lambda: cuda.Collider([mesh, knot])),
        ("models[0] is a int", lambda: cuda.Collider([7])),
        ("models[1] is a NoneType", lambda: cuda.DeviceScene([mesh, None], [0])),
        ("model_of[1] names model 1", lambda: cuda.DeviceScene([knot], [0, 1])),
        ("model_of", lambda: cuda.DeviceScene([knot], [[0, 1]])),
        ("model_of", lambda: cuda.DeviceScene([knot], [-1])),
        ("model_of", lambda: cuda.DeviceScene([knot], [0.5])),
        ("meshes[0] is a tandem.Model", lambda: cuda.make_device_models([knot])),
        ("no_such", lambda: cuda.DeviceModel(knot, structure="no_such")),
        ("pairs has 2 rows", lambda: cuda.make_queries([[0, 0], [0, 0]], eye)),
        ("b_in_a[0]", lambda: cuda.make_queries([[0, 0]], 2 * eye)),
        ("a has the shape", lambda: cuda.intersects(np.zeros((2, 9)), triangles)),
        ("b has the dtype", lambda: cuda.intersects(triangles, triangles.astype(complex))),
        ("but b has 1", lambda: cuda.intersects(triangles, triangles[:1])),
        ("out", lambda: cuda.intersects(triangles, triangles, out=triangles)),
        ("out", lambda: cuda.intersects(f8(2, 3, 3), f8(2, 3, 3))),
        ("b is a numpy.ndarray", lambda: cuda.intersects(f8(2, 3, 3), triangles, out=u4(2))),
        # What is in the memory of a device.
        ("vertices has the type <f8", lambda: mesh_of(f8(3, 3), u4(1, 3))),
        ("vertices has the shape (3, 4)", lambda: mesh_of(f4(3, 4), u4(1, 3))),
        ("vertices is a numpy.ndarray", lambda: mesh_of(mesh.vertices, u4(1, 3))),
        ("vertices is not contiguous", lambda: mesh_of(f4(3, 3, strides=(24, 4)), u4(1, 3))),
        ("vertices has a mask", lambda: mesh_of(f4(3, 3, mask=f4(3, 3)), u4(1, 3))),
        ("vertices belongs to the stream 9", lambda: mesh_of(f4(3, 3, stream=9), u4(1, 3))),
        ("vertices is not aligned", lambda: mesh_of(f4(3, 3, data=(258, False)), u4(1, 3))),
        ("vertices has a malformed __cuda_array_interface__",
         lambda: mesh_of(f4(3, 3, data=7), u4(1, 3))),
        ("vertices has a malformed __cuda_array_interface__",
         lambda: mesh_of(f4(3, 3, shape="no"), u4(1, 3))),
        ("triangles has the type <u8", lambda: mesh_of(f4(3, 3), u8(1, 3))),
        ("triangles has the shape", lambda: mesh_of(f4(3, 3), u4(3))),
    ]


@built
def test_the_sentence_names_the_argument(knot):
    silent = []
    for named, call in wrong_everywhere(knot):
        try:
            call()
            silent.append((named, "no error"))
        except tandem.Error as error:
            if named not in str(error) or "\n" in str(error):
                silent.append((named, str(error)))
    assert silent == []


@built
def test_what_is_on_a_device_may_be_shown_in_every_proper_way():
    for shown in {}, {"strides": (12, 4)}, {"stream": None}, {"version": 2}, {"data": (512, True)}:
        mesh = cuda.DeviceMesh(Fake((5, 3), "f4", **shown), Fake((2, 3), "i4", **shown))
        assert (mesh.vertex_count, mesh.triangle_count) == (5, 2)
    without = Fake((5, 3), "f4")
    del without.__cuda_array_interface__["stream"], without.__cuda_array_interface__["strides"]
    none = Fake((0, 3), "u4", data=(0, False), strides=(7, 9))
    assert cuda.DeviceMesh(without, none).triangle_count == 0


@built
def test_queries_are_laid_out_as_the_device_takes_them():
    random = np.random.default_rng(3)
    matrices = np.stack([random_matrix(random, 2) for _ in range(5)])
    pairs = random.integers(0, 9, (5, 2))
    queries = cuda.make_queries(pairs, matrices)
    assert queries.dtype == cuda.query_dtype and np.array_equal(queries["a"], pairs[:, 0])
    assert np.array_equal(queries["b"], pairs[:, 1])
    assert np.array_equal(queries["rotation"], matrices[:, :3, :3])
    assert np.array_equal(queries["translation"], matrices[:, :3, 3])
    rows = queries.view(float).reshape(-1, 13)
    assert np.array_equal(rows[:, 1:10], matrices[:, :3, :3].reshape(-1, 9))
    assert np.array_equal(rows[:, 0].copy().view(np.uint32).reshape(-1, 2), pairs)


@built
def test_options_keep_what_they_are_given():
    by_axes = cuda.BlockedTriangleTest.separating_axes
    blocked = cuda.BlockedOptions(cuda.BlockedVolume.obb, most_at_once=7, triangle_test=by_axes)
    assert (blocked.volume, blocked.most_at_once) == (cuda.BlockedVolume.obb, 7)
    assert blocked.triangle_test == by_axes
    assert (blocked.flags, blocked.builder) == (cuda.BlockedFlags.bits, cuda.BlockedBuilder.full)
    assert "volume=BlockedVolume.obb" in repr(blocked) and "most_at_once=7" in repr(blocked)
    stackless = cuda.StacklessOptions(cuda.StacklessOrder.scheduled, 2, 3)
    assert stackless.order == cuda.StacklessOrder.scheduled
    assert (stackless.least_walks, stackless.first_visits) == (2, 3)
    assert cuda.StacklessOptions().order == cuda.StacklessOrder.larger_first


# With a device: everything against the host.


def same_bytes(found, expected):
    assert found.dtype == expected.dtype and found.shape == expected.shape
    assert found.tobytes() == expected.tobytes()


def same_pairs(found, expected):
    same_bytes(found.offsets, expected.offsets)
    same_bytes(found.pairs, expected.pairs)


def same_distances(found, expected, key="distance"):
    """Of models that touch, the device may tell of another pair."""
    same_bytes(found[key], expected[key])
    apart = expected[key] > 0
    assert 0 < apart.sum() < len(expected)
    for field in expected.dtype.names:
        if field in found.dtype.names:
            same_bytes(found[field][apart], expected[field][apart])


@pytest.fixture(scope="module")
def many(knot, rock):
    """Models, pairs of them and poses."""
    torus = tandem.Model(tandem.make_shape("torus", 300))
    models = [knot, rock, torus, tandem.Model(tandem.Mesh())]
    random = np.random.default_rng(7)
    pairs = random.integers(0, 4, (400, 2)).astype(np.uint32)
    return models, pairs, np.stack([random_matrix(random, 1.5) for _ in pairs])


def ways():
    """Every method, and every variant of those that have some, with a name for each."""
    if not cuda.built:
        return
    for name, method in cuda.CollideMethod.__members__.items():
        yield pytest.param({"method": method}, id=name)
    yield pytest.param({"memory_limit": 1 << 20}, id="little memory")
    for volume in cuda.BlockedVolume.__members__.values():
        for flags in cuda.BlockedFlags.__members__.values():
            for builder in cuda.BlockedBuilder.__members__.values():
                way = {"method": cuda.CollideMethod.blocked}
                way["blocked"] = cuda.BlockedOptions(volume, flags, builder)
                yield pytest.param(way, id=f"blocked {volume.name} {flags.name} {builder.name}")
    for name, order in cuda.StacklessOrder.__members__.items():
        way = {"method": cuda.CollideMethod.stackless}
        way["stackless"] = cuda.StacklessOptions(order, 1, 10)
        yield pytest.param(way, id=f"stackless {name}")


@on_device
@pytest.mark.parametrize("way", ways())
def test_a_collider_answers_as_the_host_by_every_method(way, many):
    models, pairs, poses = many
    collider = cuda.Collider(models, **way)
    assert len(collider) == 4
    for _ in range(2):
        same_pairs(collider.collide(pairs, poses), tandem.collide_batch(models, pairs, poses))
    same_bytes(collider.count(pairs, poses), tandem.count_batch(models, pairs, poses))
    same_bytes(collider.intersects(pairs, poses), tandem.intersects_batch(models, pairs, poses))
    assert len(collider.collide(np.zeros((0, 2), np.uint32), np.zeros((0, 4, 4)))) == 0
    assert collider.model_bytes() > 0 and collider.query_bytes() > 0


@on_device
@pytest.mark.parametrize("builder", ["bisection", "curve"])
def test_a_collider_of_meshes_answers_as_the_host_and_refits(builder, many):
    builder = cuda.ColliderBuilder.__members__[builder]
    models, pairs, poses = many
    meshes = [model.mesh for model in models]
    there = [cuda.DeviceMesh(OnDevice(mesh.vertices), OnDevice(mesh.triangles)) for mesh in meshes]
    expected = tandem.collide_batch(models, pairs, poses)
    moved = [meshes[0].vertices * np.float32(1.25), meshes[1].vertices * np.float32(0.75)]
    later = [models[0].refit(moved[0]), models[1].refit(moved[1]), *models[2:]]
    after = tandem.collide_batch(later, pairs, poses)
    assert after.pairs.tobytes() != expected.pairs.tobytes()
    for made_of in meshes, there:
        collider = cuda.Collider(made_of, builder=builder)
        same_pairs(collider.collide(pairs, poses), expected)
        collider.refit(0, moved[0])
        collider.refit(1, OnDevice(moved[1]))
        same_pairs(collider.collide(pairs, poses), after)
    with pytest.raises(tandem.Error, match="waves and warps"):
        cuda.Collider(meshes, method=cuda.CollideMethod.stackless)
    with pytest.raises(tandem.Error, match="model is 9"):
        collider.refit(9, moved[0])
    with pytest.raises(tandem.Error, match="positions"):
        collider.refit(0, moved[0][1:])
    with pytest.raises(tandem.Error, match="positions: vertex 0 "):
        collider.refit(0, moved[0] * np.float32("nan"))
    with pytest.raises(tandem.Error, match="model 0 was not built on the device"):
        cuda.Collider(models).refit(0, moved[0])


@on_device
def test_distances_are_those_of_the_host(many):
    models, pairs, poses = many
    collider = cuda.Collider(models)
    filled = (pairs != 3).all(1)  # an empty mesh is nowhere
    expected = tandem.distance_batch(models, pairs, poses)
    found = collider.distance(pairs, poses)
    assert found.dtype == tandem.distance_dtype
    same_distances(found[filled], expected[filled])
    same_bytes(found["distance"], expected["distance"])
    limited = tandem.distance_batch(models, pairs, poses, limit=0.2)["distance"]
    same_bytes(collider.distance(pairs, poses, limit=0.2)["distance"], limited)
    for distance in 0, 0.1:
        within = tandem.within_batch(models, pairs, poses, distance)
        same_bytes(collider.within(pairs, poses, distance), within)
    with pytest.raises(tandem.Error, match="distance"):
        collider.within(pairs, poses, -1)
    with pytest.raises(tandem.Error, match="limit"):
        collider.distance(pairs, poses, limit=float("nan"))
    with pytest.raises(tandem.Error, match=r"pairs\[0\] names model 9"):
        collider.count([[9, 0]], poses[:1])


@on_device
def test_queries_in_the_memory_of_the_device(many):
    models, pairs, poses = many
    models, filled = models[:3], (pairs != 3).all(1)
    pairs, poses = pairs[filled], poses[filled]
    collider, count = cuda.Collider(models), len(pairs)
    queries = OnDevice(cuda.make_queries(pairs, poses).view(float).reshape(-1, 13))
    numbers = OnDevice(np.full(count, 77, np.uint64))
    signed = OnDevice(np.full(count, -1, np.int64))
    assert collider.count(queries, out=numbers) is numbers
    same_bytes(on_host(numbers), tandem.count_batch(models, pairs, poses))
    collider.intersects(queries, out=signed)
    same_bytes(on_host(signed) != 0, tandem.intersects_batch(models, pairs, poses))
    collider.within(queries, 0.1, out=numbers)
    same_bytes(on_host(numbers) == 1, tandem.within_batch(models, pairs, poses, 0.1))
    rows = OnDevice(np.zeros((count, 11)))
    assert collider.distance(queries, out=rows) is rows
    found = on_host(rows).view(cuda.device_distance_dtype).reshape(-1)
    same_distances(found, tandem.distance_batch(models, pairs, poses))
    # Pairs in any order; they are there until the next query.
    found = collider.find(queries)
    assert found.shape == (len(found), 3)
    assert collider.query_bytes() > 0  # no query
    ids = on_host(found)
    expected = tandem.collide_batch(models, pairs, poses)
    ids = ids[np.lexsort((ids[:, 2], ids[:, 1], ids[:, 0]))]
    same_bytes(np.ascontiguousarray(ids[:, 1:]), expected.pairs)
    counts = np.diff(expected.offsets).astype(int)
    same_bytes(ids[:, 0], np.repeat(np.arange(count, dtype=np.uint32), counts))
    collider.count(queries, out=numbers)
    with pytest.raises(tandem.Error, match="until the next one"):
        found.__cuda_array_interface__
    # None at all.
    nothing, floats = OnDevice(np.zeros((0, 13))), OnDevice(np.zeros((2, 13), np.float32))
    read_only = OnDevice(np.zeros(0, np.uint64), data=(256, True))
    collider.count(nothing, out=OnDevice(np.zeros(0, np.uint64)))
    assert collider.find(nothing).shape == (0, 3)
    for named, call in [
        ("queries has the shape", lambda: collider.count(OnDevice(np.zeros((2, 12))), out=numbers)),
        ("queries has the type <f4", lambda: collider.find(floats)),
        ("queries is a numpy.ndarray", lambda: collider.find(np.zeros((2, 13)))),
        ("out has .* rows, but there are 0", lambda: collider.count(nothing, out=numbers)),
        ("out is read-only", lambda: collider.count(nothing, out=read_only)),
        ("out has the type <f8", lambda: collider.count(nothing, out=OnDevice(np.zeros(0)))),
        ("out is a NoneType", lambda: collider.count(nothing, out=None)),
    ]:
        with pytest.raises(tandem.Error, match=named):
            call()


@on_device
def test_steps_are_measured(many):
    models, pairs, poses = many
    steps = cuda.Collider(models).measure(pairs, poses)
    assert steps and all(step.seconds >= 0 and step.phase for step in steps)
    assert "items" in repr(steps[0])


@pytest.fixture(scope="module")
def crowd(knot, rock):
    """Models, which each object shows, and where it stands; some touch."""
    random = np.random.default_rng(11)
    model_of = random.integers(0, 2, 60)
    return [knot, rock], model_of, np.stack([random_matrix(random, 5) for _ in model_of])


def host_scene(models, model_of, poses):
    scene = tandem.Scene()
    for model, pose in zip(model_of, poses):
        scene.add(models[model], pose)
    return scene


def same_scenes(found, expected):
    assert len(expected.pairs) > 0
    same_bytes(found.objects, expected.objects)
    same_pairs(found, expected)


@on_device
def test_scenes_answer_as_the_host(crowd):
    scene = host_scene(*crowd)
    for method in cuda.CollideMethod.__members__.values():
        collider = cuda.SceneCollider(method=method)
        for _ in range(2):
            same_scenes(collider.collide(scene, threads=2), scene.collide())
        scene.move(0, at(0.2, 0.1))
    clear = cuda.SceneCollider().clearances(scene, 0.5)
    assert clear.dtype == tandem.clearance_dtype
    same_bytes(clear["objects"], scene.clearances(0.5)["objects"])
    same_distances(clear, scene.clearances(0.5))
    with pytest.raises(tandem.Error, match="distance is -1"):
        cuda.SceneCollider().clearances(scene, -1)
    with pytest.raises(tandem.Error, match="progress"):
        cuda.SceneCollider().collide(scene, progress=3)


@on_device
def test_device_scenes_answer_as_the_host(crowd):
    models, model_of, poses = crowd
    meshes = [model.mesh for model in models]
    there = [cuda.DeviceMesh(OnDevice(mesh.vertices), OnDevice(mesh.triangles)) for mesh in meshes]
    on_host_too = host_scene(*crowd)
    for made_of, options in [
        (models, {}), (models, {"method": cuda.CollideMethod.stackless}), (meshes, {}),
        (meshes, {"builder": cuda.ColliderBuilder.curve}), (there, {}),
    ]:
        scene = cuda.DeviceScene(made_of, model_of, **options)
        assert len(scene) == len(model_of)
        for _ in range(2):
            same_scenes(scene.collide(poses), on_host_too.collide())
        if "method" in options:
            continue
        clear = scene.clearances(poses[:, :3], 0.5)
        same_bytes(clear["objects"], on_host_too.clearances(0.5)["objects"])
        same_distances(clear, on_host_too.clearances(0.5))
    moved = meshes[1].vertices * np.float32(1.25)
    later = host_scene([models[0], models[1].refit(moved)], model_of, poses).collide()
    for positions in moved, OnDevice(moved):
        scene = cuda.DeviceScene(meshes, model_of)
        scene.refit(1, positions)
        same_scenes(scene.collide(poses), later)
    with pytest.raises(tandem.Error, match="in_world has 59 poses"):
        scene.collide(poses[1:])
    with pytest.raises(tandem.Error, match=r"in_world\[3\]"):
        scene.collide([np.eye(4), np.eye(4), np.eye(4), 2 * np.eye(4)])
    with pytest.raises(tandem.Error, match="distance"):
        scene.clearances(poses, -1)
    with pytest.raises(tandem.Error, match="model is -1"):
        scene.refit(-1, moved)


@on_device
def test_frames_stay_in_the_memory_of_the_device(crowd):
    models, model_of, poses = crowd
    scene = cuda.DeviceScene(models, model_of)
    expected = host_scene(*crowd).collide()
    rows = OnDevice(np.concatenate([poses[:, :3, :3].reshape(-1, 9), poses[:, :3, 3]], 1))
    for _ in range(3):
        frame = scene.find(rows)
        close, found = on_host(frame.close), on_host(frame.found)
    assert frame.close.shape == close.shape and frame.found.shape == found.shape
    named = np.concatenate([close[found[:, 0]], found[:, 1:]], 1)
    named = named[np.lexsort(named.T[::-1])]
    objects = np.repeat(expected.objects, np.diff(expected.offsets).astype(int), 0)
    same_bytes(np.ascontiguousarray(named), np.concatenate([objects, expected.pairs], 1))
    scene.collide(poses)
    with pytest.raises(tandem.Error, match="until the next one"):
        frame.close.__cuda_array_interface__
    with pytest.raises(tandem.Error, match="in_world has 1 poses"):
        scene.find(OnDevice(np.zeros((1, 12))))
    with pytest.raises(tandem.Error, match="in_world is a numpy.ndarray"):
        scene.find(poses)
    frame = cuda.DeviceScene(models, []).find(OnDevice(np.zeros((0, 12))))
    assert len(frame.close) == len(frame.found) == 0


@pytest.fixture(scope="module")
def rays():
    random = np.random.default_rng(1)
    directions, ends = random.normal(-3, 0.7, (3000, 3)), random.uniform(1, 3, 3000)
    return tandem.make_rays(np.full((3000, 3), 3), directions, 0.1, ends)


def models_with_traversals(rock):
    yield cuda.DeviceModel(rock), ["automatic", "pairs", "pairs-stackless"]
    yield cuda.DeviceModel(rock, structure="ray-wide"), ["automatic", "lanes"]
    binary = "stack stack-distance automaton compact skip restart-trail backtrack".split()
    yield cuda.DeviceModel(rock, structure="ray-binary"), binary
    for builder in cuda.DeviceBuilder.__members__.values():
        yield cuda.DeviceModel(rock.mesh, builder=builder), ["automatic"]
    there = cuda.DeviceMesh(OnDevice(rock.mesh.vertices), OnDevice(rock.mesh.triangles))
    yield cuda.DeviceModel(there), ["automatic"]


@on_device
def test_rays_hit_what_they_hit_on_the_host(rock, rays):
    closest, any_of_them = tandem.closest_hits(rock, rays), tandem.any_hits(rock, rays)
    assert 100 < any_of_them.sum() < 2900
    there = OnDevice(rays)
    for model, traversals in models_with_traversals(rock):
        assert model.bytes() > 0 and model.structure.startswith("ray-")
        for traversal in traversals:
            for refill in False, True:
                how = {"traversal": traversal, "refill": refill}
                same_bytes(cuda.closest_hits(model, rays, **how), closest)
                same_bytes(cuda.any_hits(model, rays, **how), any_of_them)
                hits = OnDevice(np.zeros((3000, 4), np.float32))
                flags = OnDevice(np.full(3000, 7, np.uint8))
                assert cuda.closest_hits(model, there, out=hits, **how) is hits
                assert cuda.any_hits(model, there, out=flags, **how) is flags
                same_bytes(on_host(hits).view(tandem.hit_dtype).reshape(-1), closest)
                same_bytes(on_host(flags).view(bool), any_of_them)
    split = rays[:, :3], rays[:, 3:6], rays[:, 6], rays[:, 7]
    same_bytes(cuda.closest_hits(model, *split), closest)
    same_bytes(cuda.any_hits(model, *split), any_of_them)
    for named, call in [
        ("out is for rays", lambda: cuda.closest_hits(model, rays, out=hits)),
        ("out is a NoneType", lambda: cuda.closest_hits(model, there)),
        ("out has the type", lambda: cuda.any_hits(model, there, out=hits)),
        ("out has 3000 rows", lambda: cuda.any_hits(model, OnDevice(rays[:5]), out=flags)),
        ("directions", lambda: cuda.closest_hits(model, there, there, out=hits)),
        ("t_max: rays", lambda: cuda.closest_hits(model, there, t_max=5, out=hits)),
        ("rays has the shape", lambda: cuda.closest_hits(model, OnDevice(rays[:, :3]), out=hits)),
        ("no_such", lambda: cuda.closest_hits(model, rays, traversal="no_such")),
        ("traversal stack is not one", lambda: cuda.any_hits(model, rays, traversal="stack")),
    ]:
        with pytest.raises(tandem.Error, match=named):
            call()


@on_device
def test_models_of_rays_are_refitted_and_made_together(rock, rays):
    mesh = rock.mesh
    moved = mesh.vertices * np.float32(1.5)
    before, after = tandem.closest_hits(rock, rays), tandem.closest_hits(rock.refit(moved), rays)
    first = cuda.DeviceModel(mesh)
    for positions in moved, OnDevice(moved):
        same_bytes(cuda.closest_hits(first.refit(positions), rays), after)
    same_bytes(cuda.closest_hits(first, rays), before)
    with pytest.raises(tandem.Error, match="positions"):
        first.refit(moved[1:])
    with pytest.raises(tandem.Error, match="positions: vertex 0 "):
        first.refit(np.full_like(moved, np.inf))
    with pytest.raises(tandem.Error, match="ray-pairs"):
        cuda.DeviceModel(rock, structure="ray-wide").refit(moved)
    both = cuda.make_device_models([mesh, tandem.Mesh(), mesh.with_vertices(moved)])
    assert len(both) == 3 and not cuda.any_hits(both[1], rays).any()
    same_bytes(cuda.closest_hits(both[0], rays), before)
    del first, both[0]
    same_bytes(cuda.closest_hits(both[1], rays), after)


@on_device
def test_triangles_are_tested_as_on_the_host():
    random = np.random.default_rng(5)
    a, b = random.integers(-2, 3, (2, 2000, 3, 3)).astype(float)  # many touch, some are degenerate
    expected = np.array([tandem.intersects(one, other) for one, other in zip(a, b)])
    assert 100 < expected.sum() < 1900
    same_bytes(cuda.intersects(a, b), expected)
    same_bytes(cuda.intersects(a.astype(np.float32), b.tolist()), expected)
    answers = OnDevice(np.full(2000, 7, np.uint8))
    assert cuda.intersects(OnDevice(a), OnDevice(b), out=answers) is answers
    same_bytes(on_host(answers).view(bool), expected)
    assert cuda.intersects(np.zeros((0, 3, 3)), np.zeros((0, 3, 3))).shape == (0,)
    b[4, 1, 1] = np.nan
    with pytest.raises(tandem.Error, match="triangle 4 of b "):
        cuda.intersects(a, b)


@on_device
def test_things_go_in_any_order(crowd, rock, rays):
    models, model_of, poses = crowd
    there, expected = OnDevice(rays), tandem.closest_hits(rock, rays)
    for order in range(4):
        hits = OnDevice(np.zeros((3000, 4), np.float32))
        made = [cuda.DeviceModel(rock.mesh), cuda.DeviceScene(models, model_of)]
        made.append(cuda.Collider(models))
        cuda.closest_hits(made[0], there, out=hits)
        rows = OnDevice(np.concatenate([poses[:, :3, :3].reshape(-1, 9), poses[:, :3, 3]], 1))
        frame = made[1].find(rows)
        del made[order % 3:], rows
        assert len(frame.found) == len(on_host(frame.found)) > 0
        same_bytes(on_host(hits).view(tandem.hit_dtype).reshape(-1), expected)
