// Tandem for JavaScript: models, queries and scenes over the module tandem.wasm. The contracts are
// in tandem.d.ts; what is promised of the answers, in docs/conventions.md.
//
// Objects of the module live until `free()` is called, or for as long as the module.

const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const text = new TextEncoder();

/** Compiles and starts the module: `source` is its bytes, or a compiled WebAssembly.Module. */
export async function loadTandem(source) {
  const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
  let memory;
  const imports = { tandem: { throw: (sentence) => raise(memory, sentence) } };
  // The C library can ask for files, clocks and the like. The library asks for none of it; the
  // one that runs at the start is told that there is nothing.
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    if (from === "tandem") continue;
    (imports[from] ??= {})[name] = () => {
      throw new Error(`the module asked its host for ${name}`);
    };
  }
  const instance = await WebAssembly.instantiate(module, imports);
  memory = instance.exports.memory;
  instance.exports._initialize();
  return new Tandem(instance.exports);
}

/** Makes an error of the sentence at that address. */
function raise(memory, address) {
  const bytes = new Uint8Array(memory.buffer, address);
  throw new Error(new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0))));
}

/** Twelve numbers: nine of the rotation, row by row, and the translation. */
function poseNumbers(pose) {
  const numbers = [...(pose.rotation ?? identity), ...(pose.translation ?? [0, 0, 0])];
  if (numbers.length !== 12)
    throw new Error("a pose has 9 numbers of a rotation and 3 of a translation");
  return numbers;
}

/** Origin, direction, and from where to where. */
function rayNumbers({ origin, direction, tMin = 0, tMax = Infinity }) {
  return [...origin, ...direction, tMin, tMax];
}

class Tandem {
  #exports;
  #scratch;

  constructor(exports) {
    this.#exports = exports;
    // Room for one pose or one ray, aligned for doubles.
    this.#scratch = exports.allocate(96);
  }

  /** Calls a function of the module. What it throws leaves the module's stack as it was. */
  call(name, ...values) {
    const stack = this.#exports.__stack_pointer;
    const before = stack.value;
    try {
      return this.#exports[name](...values);
    } catch (error) {
      stack.value = before;
      throw error;
    }
  }

  /** Where the module finds the pose, until the next call of this function. */
  poseAt(pose = {}) {
    const numbers = new Float64Array(this.#exports.memory.buffer, this.#scratch, 12);
    if (pose.quaternion) {
      numbers.set([...pose.quaternion, ...(pose.translation ?? [0, 0, 0])]);
      this.call("quaternion_pose", this.#scratch);
    } else {
      numbers.set(poseNumbers(pose));
    }
    return this.#scratch;
  }
  rayAt(ray) {
    new Float32Array(this.#exports.memory.buffer, this.#scratch, 8).set(rayNumbers(ray));
    return this.#scratch;
  }

  /** Copies arrays into the module for as long as `use(address...)` runs. */
  lend(arrays, use) {
    const addresses = [];
    try {
      for (const array of arrays) {
        const address = this.call("allocate", Math.max(array.byteLength, 1));
        addresses.push(address);
        new array.constructor(this.#exports.memory.buffer, address, array.length).set(array);
      }
      return use(...addresses);
    } finally {
      for (const address of addresses) this.call("release", address);
    }
  }

  /** The same for a text: its address and its size. */
  lendText(words, use) {
    const bytes = text.encode(words);
    return this.lend([bytes], (at) => use(at, bytes.length));
  }

  /** What the last query left behind. */
  numbers() {
    const { memory, numbers, number_count: count } = this.#exports;
    return new Uint32Array(memory.buffer, numbers(), count()).slice();
  }
  reals() {
    const { memory, reals, real_count: count } = this.#exports;
    return new Float64Array(memory.buffer, reals(), count()).slice();
  }

  model(positions, indices, options = {}) {
    const coordinates =
      positions instanceof Float32Array ? positions : Float32Array.from(positions);
    const corners = indices instanceof Uint32Array ? indices : Uint32Array.from(indices);
    const fast = options.builder === "fast" ? 1 : 0;
    return new Model(
      this,
      this.lend([coordinates, corners], (at, cornersAt) =>
        this.call("new_model", at, coordinates.length, cornersAt, corners.length, fast),
      ),
    );
  }

  collide(a, b, bInA) {
    this.call("collide", a.handle, b.handle, this.poseAt(bInA));
    return this.numbers();
  }
  count(a, b, bInA) {
    return this.call("count", a.handle, b.handle, this.poseAt(bInA));
  }
  intersects(a, b, bInA) {
    return this.call("intersects", a.handle, b.handle, this.poseAt(bInA)) !== 0;
  }
  selfCollide(model) {
    this.call("self_collide", model.handle);
    return this.numbers();
  }

  contactCurves(a, b, bInA, pairs) {
    this.lend([pairs], (at) =>
      this.call("contact_curves", a.handle, b.handle, this.poseAt(bInA), at, pairs.length / 2),
    );
    return this.curves();
  }

  /** The curves that the last query left behind. */
  curves() {
    const sizes = this.numbers();
    const points = this.reals();
    const curves = [];
    for (let i = 0, at = 0; i < sizes.length; i += 2) {
      const end = at + 3 * sizes[i];
      curves.push({ points: points.subarray(at, end), closed: sizes[i + 1] !== 0 });
      at = end;
    }
    return curves;
  }

  closestHit(model, ray) {
    this.call("closest_hit", model.handle, this.rayAt(ray));
    const [triangle] = this.numbers();
    if (triangle === undefined) return null;
    const [distance, u, v] = this.reals();
    return { triangle, distance, u, v };
  }

  distance(a, b, bInA, { limit = Infinity } = {}) {
    this.call("distance", a.handle, b.handle, this.poseAt(bInA), limit);
    const pair = this.numbers();
    const reals = this.reals();
    const [onA, onB, normal] = [1, 4, 7].map((at) => [...reals.subarray(at, at + 3)]);
    return { distance: reals[0], pair: pair.length > 0 ? [...pair] : null, onA, onB, normal };
  }
  within(a, b, bInA, distance) {
    return this.call("within", a.handle, b.handle, this.poseAt(bInA), distance) !== 0;
  }
  contacts(a, b, bInA, { within = 0 } = {}) {
    this.call("contacts", a.handle, b.handle, this.poseAt(bInA), within);
    const numbers = this.numbers();
    const reals = this.reals();
    return Array.from({ length: numbers.length / 3 }, (_, i) => {
      const real = (from, count) => [...reals.subarray(16 * i + from, 16 * i + from + count)];
      return {
        pair: [numbers[3 * i], numbers[3 * i + 1]],
        points: [real(0, 3), real(3, 3)],
        across: [real(6, 3), real(9, 3)],
        normal: real(12, 3),
        separation: reals[16 * i + 15],
        opposed: numbers[3 * i + 2] !== 0,
      };
    });
  }

  volumes(model, level, volume = "aabb") {
    this.lendText(volume, (at, size) => this.call("volumes", model.handle, level, at, size));
    const [slabs = 0] = this.numbers();
    return { slabs, numbers: this.reals() };
  }
  trace(a, b, bInA, { volume = "aabb", most = 10000 } = {}) {
    this.lendText(volume, (at, size) =>
      this.call("trace", a.handle, b.handle, this.poseAt(bInA), most, at, size),
    );
    return this.traced();
  }

  /** The search that the last query left behind. */
  traced() {
    const steps = this.numbers();
    const reals = this.reals();
    const [visits, overlaps, leafOverlaps, triangleOverlaps] = reals;
    const numbers = reals.subarray(4);
    const slabs = numbers.length / (2 * 5 * (steps.length / 3)) || 0;
    return { visits, overlaps, leafOverlaps, triangleOverlaps, steps, volumes: { slabs, numbers } };
  }

  scene() {
    return new Scene(this, this.call("new_scene"));
  }
}

class Model {
  constructor(tandem, handle) {
    this.tandem = tandem;
    this.handle = handle;
  }
  free() {
    this.tandem.call("delete_model", this.handle);
    this.handle = 0;
  }
}

class Scene {
  constructor(tandem, handle) {
    this.tandem = tandem;
    this.handle = handle;
  }
  free() {
    this.tandem.call("delete_scene", this.handle);
    this.handle = 0;
  }

  add(model, inWorld, { name = "", group = "" } = {}) {
    const labels = [text.encode(name), text.encode(group)];
    return this.tandem.lend(labels, (nameAt, groupAt) =>
      this.tandem.call(
        "scene_add",
        this.handle,
        model.handle,
        this.tandem.poseAt(inWorld),
        nameAt,
        labels[0].length,
        groupAt,
        labels[1].length,
      ),
    );
  }
  move(object, inWorld) {
    this.tandem.call("scene_move", this.handle, object, this.tandem.poseAt(inWorld));
  }
  remove(object) {
    this.tandem.call("scene_remove", this.handle, object);
  }
  allow(label, other) {
    const labels = [text.encode(label), text.encode(other)];
    this.tandem.lend(labels, (at, otherAt) =>
      this.tandem.call("scene_allow", this.handle, at, labels[0].length, otherAt, labels[1].length),
    );
  }

  collide() {
    this.tandem.call("scene_collide", this.handle);
    const numbers = this.tandem.numbers();
    const touching = [];
    for (let i = 0, at = 1 + 3 * numbers[0]; i < numbers[0]; ++i) {
      const [a, b, count] = numbers.subarray(1 + 3 * i, 4 + 3 * i);
      touching.push({ a, b, pairs: numbers.subarray(at, at + 2 * count) });
      at += 2 * count;
    }
    return touching;
  }

  contactCurves(a, b, pairs) {
    this.tandem.lend([pairs], (at) =>
      this.tandem.call("scene_contact_curves", this.handle, a, b, at, pairs.length / 2),
    );
    return this.tandem.curves();
  }
  trace(a, b, { volume = "aabb", most = 10000 } = {}) {
    this.tandem.lendText(volume, (at, size) =>
      this.tandem.call("scene_trace", this.handle, a, b, most, at, size),
    );
    return this.tandem.traced();
  }

  closestHit(ray) {
    this.tandem.call("scene_closest_hit", this.handle, this.tandem.rayAt(ray));
    const [object, triangle] = this.tandem.numbers();
    if (object === undefined) return null;
    const [distance, u, v] = this.tandem.reals();
    return { object, triangle, distance, u, v };
  }
}
