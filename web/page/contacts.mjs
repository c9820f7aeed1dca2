// The objects of the page as a scene of the engine: what touches where, and what is inside.

/** Trees that are built faster make queries a little slower; large meshes open sooner so. */
const fastFrom = 300_000;

export class LiveContacts {
  constructor(tandem, { meshes, objects, allowed }) {
    this.tandem = tandem;
    this.models = meshes.map(({ positions, indices }) =>
      tandem.model(positions, indices, {
        builder: indices.length > 3 * fastFrom ? "fast" : "best",
      }),
    );
    this.scene = tandem.scene();
    this.objects = objects.map(({ mesh, pose, name, group }) => {
      return { mesh, id: this.scene.add(this.models[mesh], pose, { name, group }) };
    });
    for (const [label, other] of allowed) this.scene.allow(label, other);
  }

  /** `pose` is either twelve numbers or a quaternion and a translation. */
  move(object, pose) {
    this.scene.move(this.objects[object].id, pose);
  }

  /** The objects that touch, with pairs of triangles and segments of curves in the world. */
  find() {
    const begin = performance.now();
    const touching = this.scene.collide();
    const milliseconds = performance.now() - begin;
    // The curves of many pairs take longer than the pairs.
    const total = touching.reduce((sum, each) => sum + each.pairs.length / 2, 0);
    for (const each of touching)
      each.curves = total > 200_000 ? new Float32Array() : this.curves(each);
    return { touching, milliseconds, all: performance.now() - begin };
  }

  curves({ a, b, pairs }) {
    const curves = this.scene.contactCurves(a, b, pairs);
    const length = curves.reduce(
      (sum, { points, closed }) => sum + points.length / 3 - (closed ? 0 : 1),
      0,
    );
    const segments = new Float32Array(6 * length);
    let at = 0;
    for (const { points, closed } of curves) {
      const last = points.length - (closed ? 0 : 3);
      for (let i = 0; i < last; i += 3) {
        const next = i + 3 < points.length ? i + 3 : 0;
        for (let axis = 0; axis < 3; ++axis) {
          segments[at + axis] = points[i + axis];
          segments[at + 3 + axis] = points[next + axis];
        }
        at += 6;
      }
    }
    return segments;
  }

  /** The object under a ray of the world, or null. */
  hit(origin, direction) {
    return this.scene.closestHit({ origin, direction })?.object ?? null;
  }

  volumes(mesh, level, volume) {
    return this.tandem.volumes(this.models[mesh], level, volume);
  }

  /** The search between two objects, step by step. */
  trace(a, b, options) {
    return this.scene.trace(a, b, options);
  }
}
