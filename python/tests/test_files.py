"""Files and parts."""

import numpy as np
import pytest

import tandem


@pytest.mark.parametrize("ending", ["ply", "obj"])
def test_meshes_come_back_to_the_bit(tmp_path, ending, knot):
    path = tmp_path / f"knot.{ending}"
    tandem.write_mesh(knot.mesh, path)
    for name in path, str(path), bytes(path):
        mesh = tandem.read_mesh(name)
        assert np.array_equal(mesh.vertices, knot.mesh.vertices)
        assert np.array_equal(mesh.triangles, knot.mesh.triangles)
    from_bytes = tandem.read_mesh(path.read_bytes(), ending)
    assert np.array_equal(from_bytes.vertices, mesh.vertices)
    assert np.array_equal(tandem.Model(path).mesh.triangles, mesh.triangles)


def test_scale_pose_and_limits(tmp_path, box):
    path = tmp_path / "box.ply"
    tandem.write_mesh(box.mesh, path)
    moved = tandem.read_mesh(path, scale=0.5, pose=tandem.Pose.from_translation([1, 0, 0]))
    assert [corner.tolist() for corner in moved.bounds] == [[0.5, -0.5, -0.5], [1.5, 0.5, 0.5]]
    with pytest.raises(tandem.Error):
        tandem.read_mesh(path, max_elements=3)


def test_parts(tmp_path):
    path = tmp_path / "two.obj"
    path.write_text("o lid\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no can\nf 3 2 1\nf 1 3 2\n")
    assembly = tandem.read_assembly(path)
    assert [part.name for part in assembly.parts] == ["lid", "can"]
    assert [len(assembly.meshes[part.mesh]) for part in assembly.parts] == [1, 2]
    assert assembly.file_triangle(1, 1) == 2
    assert len(tandem.split_components(assembly)) == 2


def test_facts_of_a_mesh():
    info = tandem.describe(tandem.make_pipes(3, 8))
    assert info.closed and info.component_count == 3 and info.degenerate_triangle_count == 0
    assert not tandem.describe(tandem.make_plane(2)).closed
