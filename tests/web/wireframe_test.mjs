// The edges of volumes that are given by slabs, against the corners that any three planes have.
//
//   node wireframe_test.mjs
import assert from "node:assert/strict";
import test from "node:test";
import { edgesOf } from "../../web/page/wireframe.mjs";

const axes = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const corners = [
  [1, 1, 1],
  [1, 1, -1],
  [1, -1, 1],
  [-1, 1, 1],
];
const sides = [
  [1, 1, 0],
  [1, -1, 0],
  [1, 0, 1],
  [1, 0, -1],
  [0, 1, 1],
  [0, 1, -1],
];
const kinds = {
  box: axes,
  dop14: [...axes, ...corners],
  dop24: [...axes, ...sides, ...corners.slice(1)],
};
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const far = (p, q) => Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);

/** Numbers as they come, the same for a seed. */
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The slabs of a volume around points: as tight as float32 has them. */
function slabsAround(directions, points) {
  return directions.flatMap((n) => {
    const along = points.map((p) => dot(n, p));
    return [...n, Math.fround(Math.min(...along)), Math.fround(Math.max(...along))];
  });
}

/** Points that are equal but for roundings, once each. */
function distinct(points, tolerance) {
  const kept = [];
  for (const p of points) if (kept.every((q) => far(p, q) > tolerance)) kept.push(p);
  return kept;
}

/** All points in which three planes meet and which no slab cuts off. */
function cornersOf(numbers, tolerance) {
  const planes = [];
  const slabs = [];
  for (let at = 0; at < numbers.length; at += 5) {
    const n = numbers.slice(at, at + 3);
    slabs.push([n, numbers[at + 3], numbers[at + 4]]);
    planes.push([n, numbers[at + 3]], [n, numbers[at + 4]]);
  }
  const cross = (a, b) => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
  ];
  const found = [];
  for (let i = 0; i < planes.length; ++i) {
    for (let j = i + 1; j < planes.length; ++j) {
      for (let k = j + 1; k < planes.length; ++k) {
        const [[a, ca], [b, cb], [c, cc]] = [planes[i], planes[j], planes[k]];
        const volume = dot(a, cross(b, c));
        if (Math.abs(volume) < 1e-9) continue;
        const [u, v, w] = [cross(b, c), cross(c, a), cross(a, b)];
        const p = axes.map((_, x) => (ca * u[x] + cb * v[x] + cc * w[x]) / volume);
        const isIn = ([n, low, high]) =>
          dot(n, p) > low - tolerance && dot(n, p) < high + tolerance;
        if (slabs.every(isIn)) found.push(p);
      }
    }
  }
  return distinct(found, 100 * tolerance);
}

function endsOf(edges) {
  return Array.from({ length: edges.length / 3 }, (_, i) => [...edges.subarray(3 * i, 3 * i + 3)]);
}

test("a box has its twelve edges, wherever it is", () => {
  const numbers = Float64Array.from(
    slabsAround(axes, [
      [1000, -2, 3],
      [1001, 5, 3.5],
    ]),
  );
  const ends = endsOf(edgesOf({ slabs: 3, numbers }));
  assert.equal(ends.length, 24);
  const lengths = [];
  for (let i = 0; i < ends.length; i += 2) lengths.push(far(ends[i], ends[i + 1]));
  lengths
    .sort((x, y) => x - y)
    .forEach((length, i) => {
      assert.ok(Math.abs(length - [0.5, 1, 7][Math.floor(i / 4)]) < 1e-3, String(lengths));
    });
});

test("edges end in all corners and nowhere else, and close", () => {
  const seed = 7;
  const random = randomOf(seed);
  for (let round = 0; round < 60; ++round) {
    for (const [kind, directions] of Object.entries(kinds)) {
      const where = `seed ${seed}, round ${round}, ${kind}`;
      // Anything; triangles, also in an axis plane; points on a grid, where planes only just touch.
      const points = Array.from({ length: [20, 3, 3, 6][round % 4] }, () =>
        [0, 1, 2].map((axis) => {
          const x = random() * 4 - 2;
          return round % 4 === 3 ? Math.round(x) : round % 4 === 2 && axis === 1 ? 0.5 : x;
        }),
      );
      const list = slabsAround(directions, points);
      const ends = endsOf(edgesOf({ slabs: directions.length, numbers: Float64Array.from(list) }));
      const corners = cornersOf(list, 1e-6);
      const flat = corners.length < 2;
      assert.ok(ends.length > 0 || flat, where);
      const isAmong = (point, others) => others.some((other) => far(point, other) < 1e-3);
      for (const end of ends) assert.ok(isAmong(end, corners), `${where}: ${end} is no corner`);
      for (const corner of corners)
        assert.ok(flat || isAmong(corner, ends), `${where}: ${corner} has no edge`);
      if (round % 4 !== 0) continue;
      // Euler: corners - edges + faces = 2; a face is a plane with three corners at least.
      const name = (p) => corners.findIndex((corner) => far(corner, p) < 1e-3);
      const edges = new Set();
      for (let i = 0; i < ends.length; i += 2)
        edges.add([name(ends[i]), name(ends[i + 1])].sort().join(" "));
      let faces = 0;
      for (let at = 0; at < list.length; at += 5) {
        for (const bound of [list[at + 3], list[at + 4]]) {
          const on = corners.filter((p) => Math.abs(dot(list.slice(at, at + 3), p) - bound) < 1e-4);
          faces += on.length > 2 ? 1 : 0;
        }
      }
      assert.equal(corners.length - edges.size + faces, 2, where);
    }
  }
});

test("volumes with axes of their own come one after the other", () => {
  const s = Math.SQRT1_2;
  const turned = [
    [s, s, 0],
    [-s, s, 0],
    [0, 0, 1],
  ];
  const boxes = [axes, turned].flatMap((directions) => directions.flatMap((n) => [...n, -1, 1]));
  const ends = endsOf(edgesOf({ slabs: 3, numbers: Float64Array.from(boxes) }));
  assert.equal(ends.length, 48);
  for (const [i, p] of ends.entries()) {
    const [x, y, z] = p.map(Math.abs);
    // The corners of the turned one are on the axes.
    const expected = i < 24 ? [1, 1, 1] : [x > y ? Math.SQRT2 : 0, x > y ? 0 : Math.SQRT2, 1];
    assert.ok(far([x, y, z], expected) < 1e-5, `${i}: ${p}`);
  }
});

test("nothing has no edges", () => {
  assert.equal(edgesOf({ slabs: 0, numbers: new Float64Array() }).length, 0);
});
