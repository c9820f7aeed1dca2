"""Scenes and simulations."""

import threading

import numpy as np
import pytest

import tandem
from conftest import at, random_matrix


def test_a_scene_finds_what_every_pair_finds(rock):
    random = np.random.default_rng(9)
    matrices = [random_matrix(random, 4) for _ in range(30)]
    scene = tandem.Scene()
    ids = [scene.add(rock, matrix) for matrix in matrices]
    expected = {
        (a, b): tandem.collide(rock, rock, tandem.relative_pose(matrices[a], matrices[b]))
        for a in ids for b in ids if a < b
    }
    expected = {key: pairs for key, pairs in expected.items() if len(pairs)}
    assert len(expected) > 3
    result = scene.collide(threads=2)
    assert [tuple(pair) for pair in result.objects.tolist()] == sorted(expected)
    for objects, pairs in zip(result.objects.tolist(), result):
        assert np.array_equal(pairs, expected[tuple(objects)])
    assert np.array_equal(scene.touching(), result.objects)
    clear = scene.clearances(0.5)
    assert set(map(tuple, result.objects.tolist())) <= set(map(tuple, clear["objects"].tolist()))
    assert len(scene.close_objects(0.5)) >= len(clear)


def test_objects_come_and_go(box):
    scene = tandem.Scene()
    a, b = scene.add(box, name="a", group="g"), scene.add(box, at(1), name="b")
    assert len(scene) == 2 and a in scene and 7 not in scene and -1 not in scene
    assert scene.labels(a) == ("a", "g") and scene.objects().tolist() == [a, b]
    assert len(scene.touching()) == 1
    scene.allow("g", "b")
    assert scene.is_allowed(a, b) and len(scene.touching()) == 0
    scene.forbid("g", "b")
    scene.move(b, at(5))
    assert len(scene.touching()) == 0 and scene.pose(b).translation[0] == 5
    assert scene.model(b).mesh.triangle_count == 12
    hit = scene.closest_hit([9, 0.2, 0.1], [-1, 0, 0])
    assert hit.object == b and hit.hit.distance == 3 and scene.any_hit([9, 0.2, 0.1], [-1, 0, 0])
    scene.remove(b)
    assert not scene.closest_hit([9, 5, 0.1], [-1, 0, 0]) and b not in scene


def test_callbacks_of_a_scene_may_look_but_not_change(box):
    scene = tandem.Scene()
    for x in range(200):
        scene.add(box, at(0.5 * x))
    seen = []
    scene.collide(progress=lambda share: seen.append(len(scene)))
    assert not seen or set(seen) == {200}
    if seen:
        with pytest.raises(tandem.Error, match="scene"):
            scene.collide(progress=lambda share: scene.move(0, None))


def test_scenes_change_while_others_query(box):
    scene = tandem.Scene()
    for x in range(40):
        scene.add(box, at(1.5 * x))
    stop, failed = threading.Event(), []

    def query():
        while not stop.is_set():
            if not 30 < len(scene.touching()) < 50:
                failed.append(len(scene.touching()))

    threads = [threading.Thread(target=query) for _ in range(3)]
    for thread in threads:
        thread.start()
    for step in range(300):
        scene.move(step % 40, at(1.5 * (step % 40), 0.001 * step))
        scene.remove(scene.add(box, at(500)))
    stop.set()
    for thread in threads:
        thread.join()
    assert failed == []


def test_a_simulation_continues_from_a_state_to_the_bit(box):
    from tandem import sim

    def world():
        bodies = sim.Simulation()
        bodies.add_static(tandem.Model(tandem.make_box(1, [20, 20, 2])))
        for i in range(3):
            mass, in_world = sim.solid_mass(box.mesh, 1000), at(0.1 * i, 0, 2.2 + 2.1 * i)
            bodies.add(box, mass, in_world, friction=0.6)
        return bodies

    one, other = world(), world()
    for _ in range(40):
        report = one.step()
    assert report.points > 0 and one.step_count == 40 and len(one) == 4 and one.is_static(0)
    assert one.pressed().dtype == sim.pressed_dtype and (one.pressed()["impulse"] >= 0).all()
    other.restore(one.state())
    for _ in range(20):
        one.step(), other.step()
    assert one.state() == other.state()
    assert one.body(2).centre.shape == (3,) and one.pose(2).matrix.shape == (4, 4)
    assert one.kinetic_energy() >= 0 and one.momentum().shape == (3,)
