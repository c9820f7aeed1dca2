"""Threads of Python: queries let go of the interpreter's lock, and objects are safe to share."""

import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import tandem
from conftest import at


def runs_beside(query):
    """Whether another thread of Python runs while the query does."""
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1
            time.sleep(0)  # lets go of the lock

    usual = sys.getswitchinterval()
    sys.setswitchinterval(1000)  # nobody is asked to let go of the lock: here only the query does
    thread = threading.Thread(target=count)
    try:
        thread.start()
        before = counted[0]
        query()
        after = counted[0]
    finally:
        done.set()
        sys.setswitchinterval(usual)
        thread.join()
    return after > before


def test_what_keeps_the_lock_is_noticed():
    assert not any(runs_beside(lambda: sum(range(10000))) for _ in range(5))


@pytest.fixture(scope="module")
def big():
    return tandem.Model(tandem.make_shape("knot", 20000))


POINTS = np.random.default_rng(1).normal(size=(2000, 3))
# Each takes long enough that the other thread wakes up meanwhile.
QUERIES = {
    "Model": lambda m: tandem.Model(m.mesh),
    "refit": lambda m: [m.refit(m.mesh.vertices) for _ in range(5)],
    "collide": lambda m: [tandem.collide(m, m, at(0.01)) for _ in range(5)],
    "intersects": lambda m: [tandem.intersects(m, m, at(0.01)) for _ in range(50)],
    "count": lambda m: [tandem.count(m, m, at(0.01)) for _ in range(5)],
    "contacts": lambda m: tandem.contacts(m, m, at(0.01)),
    "contact_curves": lambda m: tandem.contact_curves(m, m, at(0.3), tandem.collide(m, m, at(0.3))),
    "self_count": lambda m: tandem.self_count(m),
    "distance": lambda m: [tandem.distance(m, m, at(4)) for _ in range(200)],
    "within": lambda m: [tandem.within(m, m, at(2), 0.5) for _ in range(200)],
    "meeting": lambda m: [tandem.meeting(m, m, at(0.01)) for _ in range(20)],
    "collide_batch": lambda m: tandem.collide_batch(m, m, [at(0.01)] * 5),
    "count_batch": lambda m: tandem.count_batch(m, m, [at(0.01)] * 5),
    "distance_batch": lambda m: tandem.distance_batch(m, m, [at(7)] * 300),
    "closest_points": lambda m: tandem.closest_points(m, np.full((2000, 3), 2.0)),
    "signed_distances": lambda m: tandem.signed_distances(m, POINTS),
    "closest_hits": lambda m: tandem.closest_hits(m, np.full((9000, 3), 3), np.full((9000, 3), -1)),
    "all_hits": lambda m: tandem.all_hits(m, np.full((9000, 3), 3), np.full((9000, 3), -1)),
    "make_shape": lambda m: tandem.make_shape("rock", 20000),
    "describe": lambda m: tandem.describe(m.mesh),
}


@pytest.mark.parametrize("name", QUERIES)
def test_queries_let_go_of_the_lock(name, big):
    # Whether the other thread wakes up in time is up to the system: it has some chances.
    assert any(runs_beside(lambda: QUERIES[name](big)) for _ in range(1000))


def test_many_threads_ask_the_same_models(knot, rock, poses):
    expected = [tandem.collide(knot, rock, pose).tolist() for pose in poses]
    fresh = tandem.Model(rock.mesh)

    def ask(i):
        i %= len(poses)
        tandem.closest_hits(fresh, [[0, 0, 5]], [[0, 0, -1]])
        return tandem.collide(knot, rock, poses[i]).tolist() == expected[i]

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(ask, range(400)))


def test_one_thread_at_a_time_uses_a_witness(knot, rock, poses):
    expected = [bool(tandem.intersects(knot, rock, pose)) for pose in poses]
    witness, gap = tandem.Witness(), tandem.DistanceWitness()

    def ask(i):
        i %= len(poses)
        apart = tandem.distance(knot, rock, poses[i], gap).distance > 0
        return bool(tandem.intersects(knot, rock, poses[i], witness)) == expected[i] == (not apart)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(ask, range(400)))


def test_models_go_while_others_build_and_query():
    def live_and_die(seed):
        random = np.random.default_rng(seed)
        for _ in range(20):
            vertices = random.normal(size=(60, 3)).astype(np.float32)
            model = tandem.Model(vertices, random.integers(0, 60, (40, 3)).astype(np.uint32))
            del vertices
            pairs = tandem.collide(model, model, at(0.1))
            newer = model.refit(model.mesh.vertices + np.float32(1))
            del model
            assert len(tandem.collide(newer, newer, at(0.1))) > 0 or len(pairs) >= 0
        return True

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(live_and_die, range(8)))
