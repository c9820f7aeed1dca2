// What touches where: asked of the engine when it is in the page, else as the program wrote it.
import { loadTandem } from "../js/tandem.mjs";
import { bytesOf } from "./data.mjs";

/** Trees that are built faster make queries a little slower; large meshes open sooner so. */
const fastFrom = 300_000;

/** Builds the models of all meshes, or returns null where the page has no engine. */
export async function startEngine(data, moduleText) {
  if (!moduleText) return null;
  const unpacked = new Blob([bytesOf(moduleText)])
    .stream()
    .pipeThrough(new DecompressionStream("gzip"));
  const tandem = await loadTandem(await new Response(unpacked).arrayBuffer());
  const models = data.meshes.map(({ positions, indices }) =>
    tandem.model(positions, indices, { builder: indices.length > 3 * fastFrom ? "fast" : "best" }),
  );
  return new LiveContacts(tandem, models, data);
}

/** The scene, in the page. */
class LiveContacts {
  constructor(tandem, models, data) {
    this.tandem = tandem;
    this.models = models;
    this.scene = tandem.scene();
    this.objects = data.objects.map((object) => {
      const { mesh, pose, name, group } = object;
      return { mesh, id: this.scene.add(models[mesh], pose, { name, group }) };
    });
    for (const [label, other] of data.allowed) this.scene.allow(label, other);
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
    return { touching, milliseconds };
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
      const count = points.length / 3;
      for (let i = 0; i + (closed ? 0 : 1) < count; ++i) {
        segments.set(points.subarray(3 * i, 3 * i + 3), at);
        const next = (i + 1) % count;
        segments.set(points.subarray(3 * next, 3 * next + 3), at + 3);
        at += 6;
      }
    }
    return segments;
  }

  /** The object under a ray of the world, or null. */
  hit(origin, direction) {
    return this.scene.closestHit({ origin, direction })?.object ?? null;
  }

  boxes(object, level) {
    return this.tandem.boxes(this.models[this.objects[object].mesh], level);
  }

  /** The search between two objects, step by step. */
  trace(a, b, most) {
    return this.scene.trace(a, b, most);
  }
}
