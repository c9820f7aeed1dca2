// Tandem for JavaScript. Bad input throws an Error with a sentence that says what was wrong.

/** `point_in_world = rotation * point + translation`; the rotation row by row. */
export interface Pose {
  rotation?: ArrayLike<number> & Iterable<number>;
  /** Instead of a rotation: w, x, y, z, of any length but 0. */
  quaternion?: Iterable<number>;
  translation?: ArrayLike<number> & Iterable<number>;
}

/** A mesh made ready for queries. */
export interface Model {
  /** Gives its memory back; the model cannot be used afterwards. Scenes keep what they show. */
  free(): void;
}

export interface Ray {
  origin: Iterable<number>;
  direction: Iterable<number>;
  tMin?: number;
  tMax?: number;
}

/** `distance` is the value of t: in units of the ray's direction. */
export interface Hit {
  triangle: number;
  distance: number;
  u: number;
  v: number;
}

export interface ContactCurve {
  /** x, y, z of point after point, in A's frame. */
  points: Float64Array;
  /** The last point is followed by the first. */
  closed: boolean;
}

export interface TouchingObjects {
  a: number;
  b: number;
  pairs: Uint32Array;
}

/** Objects that move. Of two, A is the one with the lower id. */
export interface Scene {
  free(): void;
  add(model: Model, inWorld?: Pose, labels?: { name?: string; group?: string }): number;
  move(object: number, inWorld: Pose): void;
  remove(object: number): void;
  /** Objects with the one label, a name or a group, may touch those with the other. */
  allow(label: string, other: string): void;
  /** The objects that touch, sorted, with their pairs of triangles. */
  collide(): TouchingObjects[];
  closestHit(ray: Ray): (Hit & { object: number }) | null;
  /** As those of two models, for two objects as they stand; curves in the world. */
  contactCurves(a: number, b: number, pairs: Uint32Array): ContactCurve[];
  trace(a: number, b: number, most?: number): Trace;
}

export interface Tandem {
  /** x, y, z of vertex after vertex, and three vertices for each triangle. They are copied. */
  model(
    positions: Float32Array | number[],
    indices: Uint32Array | number[],
    options?: { builder?: "best" | "fast" },
  ): Model;

  /** All pairs of triangles that touch, sorted: of each that of `a`, then that of `b`. */
  collide(a: Model, b: Model, bInA?: Pose): Uint32Array;
  /** How many there are. */
  count(a: Model, b: Model, bInA?: Pose): number;
  intersects(a: Model, b: Model, bInA?: Pose): boolean;
  /** Pairs of one mesh that meet in more than the corners and edges that they share. */
  selfCollide(model: Model): Uint32Array;
  /** What these pairs share, joined into curves, in A's frame. */
  contactCurves(a: Model, b: Model, bInA: Pose | undefined, pairs: Uint32Array): ContactCurve[];
  closestHit(model: Model, ray: Ray): Hit | null;
  scene(): Scene;

  /** The boxes of that level of a tree of boxes, six numbers each: the lower corner, the upper. */
  boxes(model: Model, level: number): Float64Array;
  /** The first pairs of nodes that the recursive traversal of two trees of boxes visits. */
  trace(a: Model, b: Model, bInA?: Pose, most?: number): Trace;
}

export interface Trace {
  /**
   * Of each step the node of A, that of B, and what came of it: 0 the boxes are apart, 1 they
   * overlap, 2 they are leaves whose triangles are apart, 3 whose triangles touch.
   */
  steps: Uint32Array;
  /** Of each step both boxes, A's and B's, each in its own frame: lower corner, upper corner. */
  boxes: Float64Array;
}

/** Compiles and starts the module: `source` is its bytes, or a compiled WebAssembly.Module. */
export function loadTandem(source: BufferSource | WebAssembly.Module): Promise<Tandem>;
