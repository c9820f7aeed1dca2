"""A clash report: which parts of a machine cross or touch, and which come too close."""

import tandem

CLEARANCE = 0.05
assembly = tandem.split_components(tandem.make_shape("pipes", 3000), "pipe")

scene, names = tandem.Scene(), {}
models = [tandem.Model(mesh) for mesh in assembly.meshes]
for part in assembly.parts:
    names[scene.add(models[part.mesh], part.pose, name=part.name)] = part.name
# A bracket that somebody has put in the way.
bracket = tandem.Model(tandem.make_box(2, [0.2, 0.3, 0.3]))
in_world = tandem.Pose.from_translation([-0.5, 0.3, -0.6])
names[scene.add(bracket, in_world, name="bracket")] = "bracket"

rows = []
for row in scene.clearances(CLEARANCE, threads=0):
    a, b = (int(number) for number in row["objects"])
    b_in_a = tandem.relative_pose(scene.pose(a), scene.pose(b))
    kind, detail = "close", f"{1000 * row['distance']:.1f} mm"
    if row["distance"] == 0:
        kind = tandem.meeting(scene.model(a), scene.model(b), b_in_a).name
        detail = f"{tandem.count(scene.model(a), scene.model(b), b_in_a)} pairs of triangles"
    rows.append((kind, names[a], names[b], detail))

for kind, a, b, detail in sorted(rows):
    print(f"{kind:9} {a:10} {b:10} {detail}")
assert any(kind == "crossing" for kind, *_ in rows)
