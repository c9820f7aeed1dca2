// The edges of convex volumes that are given by slabs (js/tandem.d.ts): boxes, oriented boxes and
// polytopes alike.

/** What all volumes with these directions share: their pairs, and the line of each two. */
function pairsOf(directions) {
  const n = directions.length / 3;
  const of = (i) => directions.subarray(3 * i, 3 * i + 3);
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const cross = (a, b) => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
  ];
  const pairs = [];
  for (let i = 0; i < n; ++i) {
    for (let j = i + 1; j < n; ++j) {
      const along = cross(of(i), of(j));
      const square = dot(along, along);
      // The point at heights c and d along directions i and j is c u + d v.
      const u = cross(of(j), along).map((x) => x / square);
      const v = cross(along, of(i)).map((x) => x / square);
      const others = [];
      for (let k = 0; k < n; ++k) {
        if (k !== i && k !== j)
          others.push({ k, u: dot(of(k), u), v: dot(of(k), v), along: dot(of(k), along) });
      }
      pairs.push({ i, j, along, u, v, others, length: Math.sqrt(square) });
    }
  }
  return pairs;
}

/**
 * The edges of each volume as ends of segments, six numbers each. An edge is what is left of the
 * line in which the planes of two slabs meet once all other slabs have cut it. Where more than two
 * planes meet in a line, it comes more than once.
 */
export function edgesOf({ slabs, numbers }) {
  const directions = new Float64Array(3 * slabs);
  let pairs = null;
  const points = [];
  for (let at = 0; at < numbers.length; at += 5 * slabs) {
    let same = pairs !== null;
    for (let s = 0; s < slabs; ++s) {
      for (let axis = 0; axis < 3; ++axis) {
        const x = numbers[at + 5 * s + axis];
        same &&= directions[3 * s + axis] === x;
        directions[3 * s + axis] = x;
      }
    }
    if (!same) pairs = pairsOf(directions);
    addEdges(pairs, slabs, numbers.subarray(at, at + 5 * slabs), points);
  }
  return Float32Array.from(points);
}

function addEdges(pairs, slabs, numbers, points) {
  const bound = (slab, side) => numbers[5 * slab + 3 + side];
  let size = 0;
  let largest = 0;
  for (let s = 0; s < slabs; ++s) {
    size = Math.max(size, bound(s, 1) - bound(s, 0));
    largest = Math.max(largest, Math.abs(bound(s, 0)), Math.abs(bound(s, 1)));
  }
  // Bounds are rounded to float32: what only just touches is on either side.
  const rounding = 1e-6 * size + 2e-7 * largest;
  for (const { i, j, along, u, v, others, length } of pairs) {
    for (let sides = 0; sides < 4; ++sides) {
      const c = bound(i, sides & 1);
      const d = bound(j, sides >> 1);
      let from = -Infinity;
      let to = Infinity;
      for (const other of others) {
        const height = other.u * c + other.v * d;
        const low = bound(other.k, 0) - rounding - height;
        const high = bound(other.k, 1) + rounding - height;
        if (Math.abs(other.along) < 1e-9) {
          if (low > 0 || high < 0) to = -Infinity;
        } else {
          const first = low / other.along;
          const second = high / other.along;
          from = Math.max(from, Math.min(first, second));
          to = Math.min(to, Math.max(first, second));
        }
        if (to <= from) break;
      }
      // Nothing is left, or next to nothing; the difference of infinities is no number.
      if (!((to - from) * length > 4 * rounding)) continue;
      for (const t of [from, to]) {
        for (let axis = 0; axis < 3; ++axis)
          points.push(c * u[axis] + d * v[axis] + t * along[axis]);
      }
    }
  }
}
