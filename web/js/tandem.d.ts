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
  trace(a: number, b: number, options?: TraceOptions): Trace;
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

  /**
   * How far apart the surfaces are. Nothing as far as the limit is found: the distance is infinite
   * then, and there is no pair.
   */
  distance(a: Model, b: Model, bInA?: Pose, options?: { limit?: number }): Distance;
  /** Whether any two triangles are at most so far apart. */
  within(a: Model, b: Model, bInA: Pose | undefined, distance: number): boolean;
  /** A contact of each two triangles that touch, or are at most `within` apart; sorted. */
  contacts(a: Model, b: Model, bInA?: Pose, options?: { within?: number }): Contact[];

  /** The volumes that many levels below the root of a hierarchy, and of leaves above that. */
  volumes(model: Model, level: number, volume?: Volume): Slabs;
  /** What the recursive traversal of two hierarchies does, and its first steps. */
  trace(a: Model, b: Model, bInA?: Pose, options?: TraceOptions): Trace;
}

export type Vector = [number, number, number];

/** Points and direction in A's frame. */
export interface Distance {
  distance: number;
  /** The triangles of A and of B that are as close. */
  pair: [number, number] | null;
  onA: Vector;
  onB: Vector;
  /** Of length 1, from A to B; zero where they touch. */
  normal: Vector;
}

/** What two triangles share, in A's frame; as `tandem::Contact` (include/tandem/contact.h). */
export interface Contact {
  pair: [number, number];
  /** The ends of the segment that they share; of a polygon, the corners farthest apart. */
  points: [Vector, Vector];
  /** On each side of that segment the corner of the polygon farthest from it, or `points` again. */
  across: [Vector, Vector];
  /** Of length 1, from A to B. */
  normal: Vector;
  /** Minus the depth; positive where they do not touch. */
  separation: number;
  /** False where they are in one plane and face the same way. */
  opposed: boolean;
}

/**
 * The hierarchies to look into: boxes, oriented boxes, polytopes of 14 and of 24 directions, and
 * restricted boxes of one plane per node. They are made when they are first asked for.
 */
export type Volume = "aabb" | "obb" | "dop14" | "dop24" | "boxtree";

/**
 * Convex volumes in their model's frame, one after the other. Each has as many slabs, and each slab
 * five numbers: it is the points x with lower <= direction · x <= upper.
 */
export interface Slabs {
  /** Per volume. */
  slabs: number;
  numbers: Float64Array;
}

export interface TraceOptions {
  volume?: Volume;
  /** How many steps are recorded; 10,000 unless it is given. */
  most?: number;
}

export interface Trace {
  /** How many pairs of nodes the whole search visits, and how many of them overlap. */
  visits: number;
  overlaps: number;
  /** How many pairs of leaves it comes to, and how many triangles touch. */
  leafOverlaps: number;
  triangleOverlaps: number;
  /**
   * Of each step the node of A, that of B, and what came of it: 0 the volumes are apart, 1 they
   * overlap, 2 they are leaves whose triangles are apart, 3 whose triangles touch, 4 the volumes
   * are apart, while the boxes around the same triangles overlap.
   */
  steps: Uint32Array;
  /** Of each step A's volume, then B's. */
  volumes: Slabs;
}

/** Compiles and starts the module: `source` is its bytes, or a compiled WebAssembly.Module. */
export function loadTandem(source: BufferSource | WebAssembly.Module): Promise<Tandem>;
