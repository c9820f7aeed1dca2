"""Two knots: where they touch, as curves, and a picture of them where matplotlib is installed."""

import tandem

knot = tandem.Model(tandem.make_shape("knot", 4000))
b_in_a = tandem.Pose.from_axis_angle([1, 2, 3], 0.7, [0.6, 0.3, 0.1])

pairs = tandem.collide(knot, knot, b_in_a)
curves = tandem.contact_curves(knot, knot, b_in_a, pairs)
print(f"{len(pairs)} pairs of triangles, {len(curves)} curves:")
for points, closed in curves:
    print(f"  {len(points)} points, {'closed' if closed else 'open'}")

try:
    import matplotlib.pyplot as plt
except ImportError:
    raise SystemExit("no matplotlib, so there is no picture")

vertices, triangles = knot.mesh.vertices, knot.mesh.triangles
moved = tandem.transform_points(b_in_a, vertices)
axes = plt.figure(figsize=(6, 6)).add_subplot(projection="3d")
axes.plot_trisurf(*vertices.T, triangles=triangles, color="tab:blue", alpha=0.15, linewidth=0)
axes.plot_trisurf(*moved.T, triangles=triangles, color="tab:orange", alpha=0.15, linewidth=0)
for points, closed in curves:
    if closed:
        points = points[[*range(len(points)), 0]]
    axes.plot(*points.T, color="black", linewidth=2)
axes.set_aspect("equal")
axes.set_title("Where two knots touch")
plt.savefig("contact_curve.png", dpi=100)
print("contact_curve.png shows them")
