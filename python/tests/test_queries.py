"""Queries: against brute force, and the pieces of one against the whole of another."""

import numpy as np
import pytest

import tandem
from conftest import BRUTE_FORCE, at, random_matrix


def test_all_ways_to_ask_agree_with_brute_force(knot, rock, poses):
    touching = 0
    for i, pose in enumerate(poses):
        pairs = tandem.collide(knot, rock, pose)
        expected = tandem.collide(knot, rock, pose, engine=BRUTE_FORCE)
        assert np.array_equal(pairs, expected), f"pose {i} of seed 22"
        assert tandem.count(knot, rock, pose[:3]) == len(pairs)
        result = tandem.intersects(knot, rock, tandem.Pose(pose))
        assert bool(result) == (len(pairs) > 0)
        assert result.pair is None or list(result.pair) in pairs.tolist()
        streamed = []
        stopped = tandem.collide(
            knot, rock, pose, lambda a, b: streamed.append((a, b)), threads=2)
        assert stopped is False
        assert sorted(streamed) == list(map(tuple, pairs.tolist()))
        touching += len(pairs) > 0
    assert 10 < touching < 60


def test_every_engine_is_there(box):
    expected = tandem.collide(box, box, at(1.5, 0.3, 0.2))
    engines = [engine for engine in tandem.engines() if engine.triangle_test == "exact"]
    assert len(engines) > 50
    for engine in engines[::7]:
        model = tandem.Model(tandem.make_box(1), structure=engine.structure)
        pairs = tandem.collide(model, model, at(1.5, 0.3, 0.2), engine=engine)
        assert np.array_equal(pairs, expected), engine


def test_names_come_from_the_registry():
    assert tandem.Structure.aabb == "aabb"
    assert str(tandem.Structure.boxtree_packed) == "boxtree-packed"
    stackless = tandem.Traversal.stackless
    assert tandem.Engine(structure=tandem.Structure.aabb, traversal=stackless).exists()
    used = {engine.structure for engine in tandem.engines()}
    assert used <= {member.value for member in tandem.Structure}
    assert all(member.description for member in tandem.Builder)
    for shape in tandem.Shape:
        assert len(tandem.make_shape(shape, 200)) > 50


def test_a_sink_stops_a_query(knot):
    shown = []

    def three(a, b):
        shown.append((a, b))
        return tandem.Flow.stop if len(shown) == 3 else tandem.Flow.go_on

    assert tandem.collide(knot, knot, None, three) is True
    assert len(shown) == 3


def test_batches_are_many_queries(knot, rock, poses):
    lists = tandem.collide_batch(knot, rock, poses, threads=2)
    counts = tandem.count_batch(knot, rock, poses)
    bits = tandem.intersects_batch(knot, rock, poses[:, :3], threads=0)
    assert len(lists) == len(poses) and lists.offsets[-1] == len(lists.pairs)
    for i, pose in enumerate(poses):
        assert np.array_equal(lists[i], tandem.collide(knot, rock, pose))
        assert counts[i] == len(lists[i]) and bits[i] == (counts[i] > 0)
    assert np.array_equal(lists[-1], lists[len(poses) - 1])
    with pytest.raises(IndexError):
        lists[len(poses)]
    models, pairs = [knot, rock], np.tile([0, 1], (len(poses), 1))
    assert np.array_equal(tandem.collide_batch(models, pairs, poses).pairs, lists.pairs)
    checked = [tandem.Pose(pose) for pose in poses]
    assert np.array_equal(tandem.count_batch(models, pairs, checked), counts)
    assert np.array_equal(tandem.within_batch(models, pairs, poses, 0), bits)


def test_distances(knot, rock, poses):
    rows = tandem.distance_batch(knot, rock, poses)
    witness = tandem.DistanceWitness()
    for row, pose in zip(rows, poses):
        one = tandem.distance(knot, rock, pose, witness)
        assert one.distance == row["distance"] and one.lower_bound == row["lower_bound"]
        assert (one.distance == 0) == bool(tandem.intersects(knot, rock, pose))
        assert abs(np.linalg.norm(one.on_b - one.on_a) - one.distance) < 1e-9
        assert bool(tandem.within(knot, rock, pose, one.distance * 1.000001))
        if one.distance > 0:
            assert not tandem.within(knot, rock, pose, one.distance * 0.999999)
            pairs = tandem.collide_within(knot, rock, pose, one.distance * 1.000001)
            assert list(one.pair) in pairs.tolist()
            assert tandem.count_within(knot, rock, pose, one.distance * 1.000001) == len(pairs)
            near = tandem.contacts_within(knot, rock, pose, one.distance * 1.000001)
            assert len(near) == len(pairs)
    far = tandem.distance(knot, rock, at(9), limit=1)
    assert far.pair is None and far.distance == float("inf")
    far = tandem.distance_batch(knot, rock, [at(9)], limit=1)
    assert far["pair"].tolist() == [[tandem.no_triangle] * 2]


def test_contacts(box):
    pose = at(0, 0, 1.99)
    found = tandem.contacts(box, box, pose)
    assert found.dtype == tandem.contact_dtype
    assert np.array_equal(found["pair"], tandem.collide(box, box, pose))
    one = tandem.contact(box, box, pose, found["pair"][3])
    assert all(np.array_equal(one[name], found[3][name]) for name in found.dtype.names)
    assert tandem.contact(box, box, at(9), [0, 0]) is None
    for manifold in tandem.reduce_contacts(found), tandem.reduce_contacts(found[::-1]):
        up = manifold[manifold["normal"][:, 2] > 0.5]
        assert len(up) == 4 and np.allclose(up["separation"], -0.01, atol=1e-6)
    assert len(tandem.reduce_contacts(found[:0])) == 0


def test_intersections_and_curves(knot, rock, poses):
    for pose in poses[:20]:
        pairs = tandem.collide(knot, rock, pose)
        corners = np.concatenate([tandem.intersection(knot, rock, pose, pair) for pair in pairs] or
                                 [np.zeros((0, 3))])
        curves = tandem.contact_curves(knot, rock, pose, pairs)
        points = np.concatenate([points for points, _ in curves] or [np.zeros((0, 3))])
        for point in points:
            assert np.abs(corners - point).max(axis=1).min() < 1e-9


def test_triangles():
    a = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    b = [[0, 0, 1], [1, 0, 1], [0, 1, 1]]
    assert tandem.intersects(a, a) is True and tandem.intersects(a, b) is False
    assert tandem.distance(a, b)[0] == 1
    assert len(tandem.intersection(a, a)) == 3 and len(tandem.intersection(a, b)) == 0


def test_self_collision():
    mesh = tandem.make_soup(400, 3, 0.2)
    model = tandem.Model(mesh)
    pairs = tandem.self_collide(model)
    assert np.array_equal(pairs, tandem.self_collide(model, engine=BRUTE_FORCE)) and len(pairs) > 10
    assert tandem.self_count(model) == len(pairs) and tandem.self_intersects(model)
    seen = []
    tandem.self_collide(model, lambda a, b: seen.append([a, b]))
    assert sorted(seen) == pairs.tolist()


def test_relations(box):
    assert tandem.meeting(box, box, at(2)) == tandem.Meeting.touching
    assert tandem.meeting(box, box, at(1)) == tandem.Meeting.crossing
    assert tandem.meeting(box, box, at(9), [0, 0]) == tandem.Meeting.apart
    assert tandem.solid_relation(box, box, at(3)) == tandem.SolidRelation.apart


def test_rays(rock):
    random = np.random.default_rng(3)
    origins = random.normal(size=(300, 3)).astype(np.float32)
    origins *= 3 / np.linalg.norm(origins, axis=1, keepdims=True)
    directions = (random.normal(size=(300, 3)) * 0.7 - origins).astype(np.float32)
    statistics = tandem.RayStatistics()
    hits = tandem.closest_hits(rock, origins, directions, statistics=statistics, threads=2)
    assert statistics.rays == 300
    assert np.array_equal(hits, tandem.closest_hits(rock, tandem.make_rays(origins, directions)))
    assert np.array_equal(hits, tandem.closest_hits(rock, origins, directions,
                                                    engine=tandem.RayEngine(structure="triangles")))
    found = hits["triangle"] != tandem.no_triangle
    assert 30 < found.sum() < 300
    assert np.array_equal(found, tandem.any_hits(rock, origins, directions))
    # u and v give the same points as the distance does
    corners = rock.mesh.vertices[rock.mesh.triangles[hits["triangle"][found]]].astype(float)
    u, v = hits["u"][found, None], hits["v"][found, None]
    points = (1 - u - v) * corners[:, 0] + u * corners[:, 1] + v * corners[:, 2]
    along = origins[found] + hits["distance"][found, None] * directions[found]
    assert np.abs(points - along).max() < 1e-4
    # one ray at a time, and bounds per ray
    one = tandem.closest_hit(rock, origins[0], directions[0])
    assert one.distance == hits["distance"][0] and (one.triangle is None) == (not found[0])
    shorter = np.where(found, hits["distance"] * 0.5, 1).astype(np.float32)
    assert not tandem.any_hits(rock, origins[found], directions[found], 0.0, shorter[found]).any()
    rays, every = tandem.all_hits(rock, origins, directions)
    first = np.full(300, np.inf, np.float32)
    np.minimum.at(first, rays, every["distance"])
    assert np.array_equal(first, hits["distance"])


def test_points(rock):
    random = np.random.default_rng(4)
    points = random.normal(size=(200, 3))
    closest = tandem.closest_points(rock, points, threads=2)
    signed = tandem.signed_distances(rock, points)
    assert np.array_equal(np.abs(signed), closest["distance"])
    assert np.allclose(np.linalg.norm(closest["point"] - points, axis=1), closest["distance"])
    inside = np.array([tandem.any_hit(rock, [0, 0, 0], point) and
                       tandem.closest_hit(rock, [0, 0, 0], point).distance > 1 for point in points])
    assert np.array_equal(signed < 0, inside)


def test_cursors_resume(knot):
    for traversal, size in ("stackless", 16), ("trail", 24):
        model = tandem.Model(knot.mesh, structure="aabb")
        expected = tandem.collide(model, model, at(0.2))
        found, state = [], b""
        while True:
            cursor = tandem.Cursor(model, model, at(0.2), traversal, state)
            found.append(cursor.advance(500).pairs)
            state = cursor.state
            assert len(state) == size
            if cursor.finished:
                break
        pairs = np.concatenate(found)
        assert len(found) > 3
        assert np.array_equal(pairs[np.lexsort(pairs.T[::-1])], expected)


def test_witness_and_statistics(knot, rock, poses):
    witness, statistics = tandem.Witness(), tandem.Statistics()
    for pose in poses:
        touch = bool(tandem.intersects(knot, rock, pose))
        assert bool(tandem.intersects(knot, rock, pose, witness)) == touch
        tandem.count(knot, rock, pose, statistics=statistics)
    assert statistics.triangle_overlaps == tandem.count_batch(knot, rock, poses).sum()
    assert statistics.as_dict()["iterations"] > 0
    witness.clear()


def test_progress_never_falls(knot):
    shares = []
    big = tandem.Model(tandem.make_shape("knot", 20000), progress=shares.append)
    tandem.count(big, big, at(0.01), progress=shares.append)
    tandem.count_batch(knot, knot, [at(0.1)] * 50, progress=shares.append)
    assert shares and all(0 <= share <= 1 for share in shares)


def test_refit(knot):
    random = np.random.default_rng(8)
    moves = random.normal(scale=0.05, size=knot.mesh.vertices.shape)
    positions = knot.mesh.vertices + moves.astype(np.float32)
    older, newer = tandem.count(knot, knot, at(0.3)), knot.refit(positions, copy=True)
    anew = tandem.Model(positions, knot.mesh.triangles)
    assert np.shares_memory(newer.mesh.triangles, knot.mesh.triangles)
    expected = tandem.collide(anew, anew, at(0.3))
    assert np.array_equal(tandem.collide(newer, newer, at(0.3)), expected)
    assert tandem.count(knot, knot, at(0.3)) == older and newer.wear() > 0.5


def test_poses_compose():
    random = np.random.default_rng(6)
    for _ in range(50):
        a, b = random_matrix(random, 3), random_matrix(random, 3)
        product = tandem.Pose(a) @ tandem.Pose(b)
        assert np.allclose(product.matrix, a @ b, atol=1e-12)
        assert np.allclose(tandem.Pose(a).inverse().matrix, np.linalg.inv(a), atol=1e-12)
        assert np.allclose(tandem.relative_pose(a, b).matrix, np.linalg.inv(a) @ b, atol=1e-12)
        points = random.normal(size=(5, 3))
        assert np.allclose(tandem.transform_points(a, points), points @ a[:3, :3].T + a[:3, 3])
    half = np.sqrt(0.5)
    quarter = tandem.Pose.from_quaternion(half, 0, 0, half)
    assert np.allclose(quarter.rotation, [[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    assert np.array_equal(tandem.Pose.from_rotation(quarter.rotation).matrix, quarter.matrix)
