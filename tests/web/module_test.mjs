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

test("curves, boxes and the steps of a search", () => {
  const { a, b, pose, pairs } = cases.collide.reduce((x, y) =>
    y.pairs.length > x.pairs.length ? y : x,
  );
  const curves = tandem.contactCurves(models[a], models[b], pose, Uint32Array.from(pairs));
  assert.ok(curves.length > 0 && curves.every(({ points }) => points.every(Number.isFinite)));

  const root = tandem.boxes(models[a], 0);
  assert.equal(root.length, 6);
  const level = tandem.boxes(models[a], 3);
  assert.equal(level.length, 8 * 6);
  for (let i = 0; i < level.length; ++i) {
    if (i % 6 < 3) assert.ok(level[i] >= root[i % 3]);
    else assert.ok(level[i] <= root[3 + (i % 3)]);
  }

  const { steps, boxes } = tandem.trace(models[a], models[b], pose, 1e7);
  const touching = steps.filter((outcome, i) => i % 3 === 2 && outcome === 3).length;
  assert.equal(touching, pairs.length / 2, "the search comes to all pairs");
  assert.equal(boxes.length, 4 * steps.length);
  assert.equal(tandem.trace(models[a], models[b], pose, 10).steps.length, 30);
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
