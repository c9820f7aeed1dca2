"""tandem.cuda: says what is missing, or gives what the processor gives."""

import numpy as np
import pytest

import tandem
from tandem import cuda


@pytest.mark.skipif(cuda.built, reason="this build has CUDA")
@pytest.mark.parametrize("name", ["Collider", "closest_hits", "devices"])
def test_without_cuda_the_sentence_says_what_to_do(name):
    with pytest.raises(tandem.Error, match="TANDEM_CUDA=ON"):
        getattr(cuda, name)
    with pytest.raises(AttributeError):
        cuda.nothing_of_the_kind


@pytest.mark.skipif(not cuda.built, reason="this build has no CUDA")
def test_without_a_device_the_sentence_says_so(knot):
    if cuda.devices():
        cuda.require_device()
        return
    for call in cuda.require_device, lambda: cuda.Collider([knot]), lambda: cuda.DeviceModel(knot):
        with pytest.raises(tandem.Error, match="(?i)cuda|device"):
            call()


@pytest.mark.skipif(not cuda.built or not cuda.devices(), reason="there is no CUDA device")
def test_devices_answer_as_the_processor_does(knot, rock, poses):
    pairs = np.tile([0, 1], (len(poses), 1))
    collider = cuda.Collider([knot, rock])
    expected = tandem.collide_batch(knot, rock, poses)
    found = collider.collide(pairs, poses)
    assert np.array_equal(found.offsets, expected.offsets) and np.array_equal(found.pairs, expected.pairs)
    assert np.array_equal(collider.count(pairs, poses), tandem.count_batch(knot, rock, poses))
    assert np.array_equal(collider.intersects(pairs, poses), tandem.intersects_batch(knot, rock, poses))
    assert np.array_equal(collider.within(pairs, poses, 0.3), tandem.within_batch(knot, rock, poses, 0.3))
    distances = tandem.distance_batch(knot, rock, poses)["distance"]
    assert np.array_equal(collider.distance(pairs, poses)["distance"], distances)
    scene = tandem.Scene()
    for pose in poses:
        scene.add(rock, pose)
    result = cuda.SceneCollider().collide(scene)
    assert np.array_equal(result.objects, scene.touching()) and np.array_equal(result.pairs, scene.collide().pairs)
    rays = tandem.make_rays(np.full((100, 3), 3), np.random.default_rng(1).normal(-3, 0.5, (100, 3)))
    model = cuda.DeviceModel(rock)
    assert np.array_equal(cuda.closest_hits(model, rays), tandem.closest_hits(rock, rays))
    assert np.array_equal(cuda.any_hits(model, rays), tandem.any_hits(rock, rays))
