// The module finds what the library finds natively.
//
//   node module_test.mjs TANDEM.wasm CASES.json VIEW.md
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { loadTandem } from "../../web/js/tandem.mjs";

const [modulePath, casesPath, documentPath] = process.argv.slice(2);
const tandem = await loadTandem(readFileSync(modulePath));
const cases = JSON.parse(readFileSync(casesPath));
const models = cases.meshes.map(({ positions, indices }) =>
  tandem.model(Float32Array.from(positions), Uint32Array.from(indices)),
);
const seed = `seed ${cases.seed}`;

test("all pairs are those of the native library", () => {
  let touching = 0;
  for (const { a, b, pose, pairs } of cases.collide) {
    const where = `${seed}, meshes ${a} and ${b}, pose ${JSON.stringify(pose)}`;
    const found = tandem.collide(models[a], models[b], pose);
    assert.deepEqual([...found], pairs, where);
    assert.equal(tandem.count(models[a], models[b], pose), pairs.length / 2, where);
    assert.equal(tandem.intersects(models[a], models[b], pose), pairs.length > 0, where);
    touching += pairs.length > 0 ? 1 : 0;
  }
  assert.ok(touching > 50, `only ${touching} of ${cases.collide.length} cases touch`);
});

test("pairs within a mesh are those of the native library", () => {
  cases.self.forEach((pairs, i) => {
    assert.deepEqual([...tandem.selfCollide(models[i])], pairs, `${seed}, mesh ${i}`);
  });
});

test("hits of rays are those of the native library, to the bit", () => {
  let hits = 0;
  for (const { model, origin, direction, hit } of cases.rays) {
    const found = tandem.closestHit(models[model], { origin, direction });
    const where = `${seed}, mesh ${model}, from ${origin} along ${direction}`;
    assert.deepEqual(
      found && [found.triangle, found.distance, found.u, found.v],
      hit ?? null,
      where,
    );
    hits += hit ? 1 : 0;
  }
  assert.ok(hits > 50, `only ${hits} rays hit`);
});

test("a scene finds the same objects and triangles", () => {
  const scene = tandem.scene();
  for (const { model, quaternion, translation } of cases.scene.objects) {
    scene.add(models[model], { quaternion, translation }, { name: "object", group: "all" });
  }
  const found = scene.collide().map(({ a, b, pairs }) => ({ a, b, pairs: [...pairs] }));
  assert.deepEqual(found, cases.scene.touching, seed);
  assert.ok(found.length > 5);

  // One that moves away touches nothing, one that is allowed to is not reported.
  scene.move(found[0].a, { translation: [1000, 0, 0] });
  assert.ok(scene.collide().every(({ a, b }) => a !== found[0].a && b !== found[0].a));
  scene.allow("all", "all");
  assert.deepEqual(scene.collide(), []);
  scene.free();
});

test("distances and contacts are those of the native library, to the bit", () => {
  let apart = 0;
  let contacts = 0;
  const numbers = ({ distance = Infinity, ...rest }) => ({ distance, ...rest });
  for (const { a, b, pose, far, near, within, contacts: expected } of cases.close) {
    const where = `${seed}, meshes ${a} and ${b}, pose ${JSON.stringify(pose)}`;
    const query = [models[a], models[b], pose];
    const found = tandem.distance(...query);
    // Of models that touch, any pair that does so is right.
    const expectedFar = numbers(far);
    if (found.distance === 0) {
      assert.equal(expectedFar.distance, 0, where);
    } else {
      assert.deepEqual(found, expectedFar, where);
      assert.deepEqual(tandem.distance(...query, { limit: within / 2 }), numbers(near), where);
    }
    assert.equal(tandem.within(...query, within), expected.length > 0, where);
    if (found.distance > 0) {
      const less = Math.min(0.999 * found.distance, 1e9);
      assert.equal(tandem.within(...query, less), false, where);
    }
    assert.deepEqual(tandem.contacts(...query, { within }), expected, where);
    apart += found.distance > 0 ? 1 : 0;
    contacts += expected.length;
  }
  assert.ok(apart > 10 && apart < cases.close.length - 10, `${apart} of ${cases.close.length}`);
  assert.ok(contacts > 1000, `only ${contacts} contacts`);
});

/** The corners of a mesh's triangles, as points. */
function* pointsOf({ positions, indices }) {
  for (const i of indices) yield positions.slice(3 * i, 3 * i + 3);
}
/** By how much a point is outside of a volume, whose slabs begin there. */
function outside({ slabs, numbers }, volume, [x, y, z]) {
  let most = -Infinity;
  for (let at = 5 * slabs * volume; at < 5 * slabs * (volume + 1); at += 5) {
    const along = numbers[at] * x + numbers[at + 1] * y + numbers[at + 2] * z;
    most = Math.max(most, numbers[at + 3] - along, along - numbers[at + 4]);
  }
  return most;
}

const volumes = ["aabb", "obb", "dop14", "dop24", "boxtree"];

test("each search visits what the native one visits", () => {
  let unlike = 0;
  for (const { a, b, pose, volumes: expected } of cases.searches) {
    for (const volume of volumes) {
      const where = `${seed}, ${volume}, meshes ${a} and ${b}, pose ${JSON.stringify(pose)}`;
      const trace = tandem.trace(models[a], models[b], pose, { volume, most: 1e6 });
      const { steps, volumes: shown, ...counts } = trace;
      assert.deepEqual(counts, expected[volume], where);
      // The steps are what is counted
      const outcomes = [0, 0, 0, 0, 0];
      for (let i = 2; i < steps.length; i += 3) ++outcomes[steps[i]];
      const [apart, overlap, leavesApart, touch, apartUnlikeBoxes] = outcomes;
      assert.equal(steps.length / 3, counts.visits, where);
      assert.equal(apart + apartUnlikeBoxes, counts.visits - counts.overlaps, where);
      assert.equal(overlap, counts.overlaps - counts.leafOverlaps, where);
      assert.equal(leavesApart + touch, counts.leafOverlaps, where);
      assert.equal(shown.numbers.length, 2 * 5 * shown.slabs * counts.visits, where);
      assert.equal(touch, counts.triangleOverlaps, where);
      if (volume === "aabb") assert.equal(apartUnlikeBoxes, 0, where);
      unlike += apartUnlikeBoxes;
      const few = tandem.trace(models[a], models[b], pose, { volume, most: 10 });
      assert.equal(few.visits, counts.visits, where);
      assert.deepEqual(few.steps, steps.slice(0, 30), where);
    }
  }
  assert.ok(unlike > 1000, `only ${unlike} pairs are apart that boxes do not tell apart`);
});

test("the volumes of a level enclose the mesh, each its part of it", () => {
  cases.meshes.forEach((mesh, i) => {
    const count = mesh.indices.length / 3;
    for (const volume of volumes) {
      const where = `${seed}, ${volume}, mesh ${i}`;
      if (count === 0) {
        assert.equal(tandem.volumes(models[i], 3, volume).numbers.length, 0, where);
        continue;
      }
      const root = tandem.volumes(models[i], 0, volume);
      assert.equal(root.numbers.length, 5 * root.slabs, where);
      for (const point of pointsOf(mesh)) assert.ok(outside(root, 0, point) < 1e-6, where);
      const level = tandem.volumes(models[i], 3, volume);
      const there = level.numbers.length / 5 / level.slabs;
      assert.ok(there > 1 && there <= 8, `${where}: ${there}`);
      for (const point of pointsOf(mesh)) {
        const isIn = (_, volume) => outside(level, volume, point) < 1e-6;
        assert.ok(Array.from({ length: there }, isIn).includes(true), where);
      }
      // At the bottom there is a volume for each triangle.
      const leaves = tandem.volumes(models[i], 62, volume);
      assert.equal(leaves.numbers.length, 5 * leaves.slabs * count, where);
    }
  });
  assert.throws(() => tandem.volumes(models[1], 0, "ball"), { message: /no volumes 'ball'/ });
});

test("contact curves are finite", () => {
  const { a, b, pose, pairs } = cases.collide.reduce((x, y) =>
    y.pairs.length > x.pairs.length ? y : x,
  );
  const curves = tandem.contactCurves(models[a], models[b], pose, Uint32Array.from(pairs));
  assert.ok(curves.length > 0 && curves.every(({ points }) => points.every(Number.isFinite)));
});

test("what is wrong is said, and the module goes on", () => {
  const bad = [
    [() => tandem.model([0, 0, NaN], [0, 0, 0]), /vertex 0 has a coordinate that is not finite/],
    [() => tandem.model([0, 0, 0], [0, 0, 1]), /triangle 0/],
    [
      () => tandem.count(models[1], models[2], { rotation: [2, 0, 0, 0, 1, 0, 0, 0, 1] }),
      /not rigid/,
    ],
    [() => tandem.count(models[1], models[2], { rotation: [1] }), /9 numbers/],
    [() => tandem.scene().move(7, {}), /7/],
  ];
  for (let round = 0; round < 2000; ++round) {
    for (const [action, sentence] of bad) assert.throws(action, { message: sentence });
  }
  const { a, b, pose, pairs } = cases.collide.at(-1);
  assert.equal(tandem.count(models[a], models[b], pose), pairs.length / 2);
});

test("the document's code runs", () => {
  const [, code] = /```js\n([^]*?)```/.exec(readFileSync(documentPath, "utf8"));
  const folder = mkdtempSync(join(tmpdir(), "tandem-module-"));
  copyFileSync(modulePath, join(folder, "tandem.wasm"));
  copyFileSync(new URL("../../web/js/tandem.mjs", import.meta.url), join(folder, "tandem.mjs"));
  writeFileSync(join(folder, "code.mjs"), code);
  const output = execFileSync(process.execPath, ["code.mjs"], { cwd: folder, encoding: "utf8" });
  assert.equal(output, "1 pairs touch\n");
  rmSync(folder, { recursive: true });
});
