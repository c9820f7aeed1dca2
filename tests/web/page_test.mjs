// The page of `tandem view` in Chromium: it opens without an error, shows what the program finds,
// and goes on finding it while objects are dragged.
//
//   node page_test.mjs CHROMIUM PACKAGES TANDEM PICTURES
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

const [chromium, packages, program, pictures] = process.argv.slice(2).map((path) => resolve(path));
const { chromium: launcher } = createRequire(join(resolve(packages), "package.json"))(
  "playwright-core",
);
const folder = mkdtempSync(join(tmpdir(), "tandem-page-"));
const tandem = (...words) => execFileSync(program, words, { cwd: folder, encoding: "utf8" });
const timeout = 120_000;
let browser;

before(async () => {
  mkdirSync(pictures, { recursive: true });
  browser = await launcher.launch({
    executablePath: chromium,
    timeout,
    args: [
      "--no-sandbox",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens a page that the program wrote. What goes wrong in it, and what it asks for, is kept. */
async function open(file, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 640 }, ...options });
  const page = await context.newPage();
  page.problems = [];
  page.on("console", (message) => {
    if (message.type() === "error") page.problems.push(message.text());
  });
  page.on("pageerror", (error) => page.problems.push(String(error)));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) page.problems.push(`asks for ${request.url()}`);
  });
  await page.goto(pathToFileURL(join(folder, file)).href, { timeout });
  await page.waitForSelector("html[data-ready]", { timeout });
  await settled(page);
  return page;
}

/** Waits until what touches was found for where the objects are, and is seen. */
const settled = (page) => page.evaluate(() => window.tandemPage.settled());
/** Where on the screen the middle of B's handles is. */
const handleOf = (page) =>
  page.evaluate(() => {
    const { view, objects } = window.tandemPage;
    const at = objects.objects[1].base.position.clone().project(view.camera);
    return [((at.x + 1) / 2) * innerWidth, ((1 - at.y) / 2) * innerHeight];
  });
const countShown = (page) => page.$eval("#pairs", (element) => Number(element.dataset.count));
const counted = (...words) => JSON.parse(tandem("collide", ...words, "--json")).pair_count;

/** What the program counts for the command line that the page shows. */
async function countedAsShown(page) {
  const words = wordsOf(await page.$eval("#command", (element) => element.value));
  assert.deepEqual(words.slice(0, 2), ["tandem", "collide"]);
  assert.ok(
    words.some((word) => word.includes("quat")),
    `B has moved: ${words.join(" ")}`,
  );
  return counted(...words.slice(2));
}

/** The words of a command line that the page shows. */
const wordsOf = (command) => [...command.matchAll(/'([^']*)'|(\S+)/g)].map((m) => m[1] ?? m[2]);

test("two meshes: dragging shows what the program finds there", async () => {
  const meshes = ["shape:knot:20000", "shape:torus:5000"];
  tandem("view", ...meshes, "--pose-b", "0.5,0.2,0", "-o", "two.html");
  const page = await open("two.html");
  assert.equal(await countShown(page), counted(...meshes, "--pose-b", "0.5,0.2,0"));
  await page.screenshot({ path: join(pictures, "two-light.png") });

  // Drag a handle
  const [x, y] = await handleOf(page);
  await page.mouse.move(x, y);
  await settled(page);
  await page.mouse.down();
  for (let i = 1; i <= 8; ++i) {
    await page.mouse.move(x + 6 * i, y - 3 * i);
    await settled(page);
  }
  await page.mouse.up();
  await settled(page);
  assert.equal(await countShown(page), await countedAsShown(page));

  // Keys move it too, again and again
  await page.locator("#view").focus();
  for (const key of ["ArrowRight", "ArrowRight", "ArrowUp", "Shift+ArrowDown"]) {
    await page.keyboard.press(key);
    await settled(page);
    assert.equal(await countShown(page), await countedAsShown(page), key);
  }

  // Back to the beginning
  await page.click("#home");
  await settled(page);
  assert.equal(await countShown(page), counted(...meshes, "--pose-b", "0.5,0.2,0"));

  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("look inside: levels and searches of each volume, as the program counts them", async () => {
  const pose = "0.5 0.2 0 axis 1 1 0 angle 20";
  const words = ["shape:knot:20000", "shape:torus:5000", "--pose-b", pose];
  tandem("view", ...words, "-o", "inside.html");
  const page = await open("inside.html");
  await page.click("#inside summary");
  const overlaps = {
    aabb: "fifteen-axes",
    obb: "fifteen-axes",
    dop14: "intervals",
    dop24: "intervals",
    boxtree: "six-axes",
  };
  for (const [structure, overlap] of Object.entries(overlaps)) {
    await page.selectOption("#volume", structure);
    await page.fill("#level", "3");
    await page.waitForFunction(
      () => document.getElementById("level-text").textContent === "3: 16 volumes",
      null,
      { timeout },
    );
    // The others follow when they are chosen.
    if (structure === "aabb") await page.click("#replay");
    const row = page.locator(`#searches tr[data-volume="${structure}"]`);
    await row.waitFor({ timeout });
    const shown = (await row.locator("td").allTextContents()).map((text) =>
      Number(text.replaceAll(",", "")),
    );
    const engine = ["--structure", structure, "--traversal", "recursive", "--overlap", overlap];
    const done = JSON.parse(tandem("collide", ...words, ...engine, "--statistics", "--json"));
    const { iterations, overlaps: met, leaf_overlaps, triangle_overlaps } = done.statistics;
    const expected = [iterations, iterations - met, leaf_overlaps, triangle_overlaps];
    assert.deepEqual(shown, expected, structure);
    const stepText = () => page.textContent("#step-text");
    assert.match(await stepText(), /^step 1 of .*: node 0 of A and node 0 of B: they overlap/);
    for (let i = 0; i < 5; ++i) await page.click("#next");
    assert.match(await stepText(), /^step 6 of .*: node \d+ of A and node \d+ of B/);
    // Where boxes would have gone on
    const differs = ["obb", "dop14", "dop24"].includes(structure);
    assert.equal(await page.isEnabled("#unlike"), differs, structure);
    if (differs) {
      await page.click("#unlike");
      assert.match(await stepText(), /apart, while boxes around the same triangles overlap/);
    }
    await settled(page);
    await page.screenshot({ path: join(pictures, `inside-${structure}.png`) });
  }
  assert.equal(await page.locator("#searches tbody tr").count(), 5);
  // What was recorded ends when something moves.
  await page.keyboard.press("Home");
  await settled(page);
  assert.equal(await page.isVisible("#searches"), false);
  assert.equal(await page.isEnabled("#next"), false);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("dark and small, with fingers", async () => {
  tandem(
    "view",
    "shape:knot:20000",
    "shape:knot:20000",
    "--pose-b",
    "0.5 0 0 axis 1 1 0 angle 30",
    "-o",
    "dark.html",
  );
  const dark = await open("dark.html", { colorScheme: "dark" });
  await dark.screenshot({ path: join(pictures, "two-dark.png") });
  const ground = () => dark.evaluate(() => window.tandemPage.view.world.background.getHexString());
  assert.equal(await ground(), "12161c");
  await dark.click("#theme");
  assert.equal(await ground(), "e9edf2");
  assert.deepEqual(dark.problems, []);
  await dark.context().close();

  const small = await open("dark.html", {
    viewport: { width: 390, height: 780 },
    hasTouch: true,
    isMobile: true,
  });
  // A tap chooses the object under it, and a finger drags B by its handles.
  const [x, y] = await handleOf(small);
  const devTools = await small.context().newCDPSession(small);
  const touch = (type, ...touchPoints) =>
    devTools.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", { x, y });
  for (let i = 1; i <= 6; ++i) await touch("touchMove", { x: x - 5 * i, y: y + 4 * i });
  await touch("touchEnd");
  await settled(small);
  assert.equal(await countShown(small), await countedAsShown(small));
  await small.screenshot({ path: join(pictures, "small.png") });
  await small.touchscreen.tap(20, 20);
  await small.waitForFunction(() => window.tandemPage.handles.chosen === null, null, { timeout });
  assert.deepEqual(small.problems, []);
  await small.context().close();
});

test("parts with hostile names are listed as text", async () => {
  const names = [
    "</script><script>window.hacked=1</script>",
    "<img src=x onerror=window.hacked=1>",
    'a & "b" \'<!--',
  ];
  const box = (i) => {
    const corner = [0, 1, 2, 3].map((k) => `v ${i * 0.5 + (k === 1)} ${+(k === 2)} ${+(k === 3)}`);
    const at = 4 * i;
    return (
      `g ${names[i]}\n${corner.join("\n")}\n` +
      `f ${at + 1} ${at + 2} ${at + 3}\nf ${at + 1} ${at + 2} ${at + 4}\n` +
      `f ${at + 1} ${at + 3} ${at + 4}\nf ${at + 2} ${at + 3} ${at + 4}\n`
    );
  };
  writeFileSync(join(folder, "bad.obj"), names.map((_, i) => box(i)).join(""));
  tandem("view", "bad.obj", "-o", "bad.html");
  const page = await open("bad.html");
  const rows = await page.$$eval("#list button", (buttons) =>
    buttons.map((button) => button.textContent),
  );
  assert.equal(rows.length, 3);
  for (const name of names)
    assert.ok(
      rows.some((row) => row.includes(name)),
      `${name} in ${rows}`,
    );
  // A click flies to where two parts touch.
  const looksAt = () => page.evaluate(() => window.tandemPage.view.orbit.target.toArray());
  const before = await looksAt();
  await page.click("#list button");
  const [x, y, z] = await looksAt();
  assert.notDeepEqual([x, y, z], before);
  const inside = await page.evaluate(
    (point) => {
      const [each] = window.tandemPage.touching();
      const axis = (k) => each.curves.filter((_, i) => i % 3 === k);
      return point.every((p, k) => p >= Math.min(...axis(k)) && p <= Math.max(...axis(k)));
    },
    [x, y, z],
  );
  assert.ok(inside, `looks at ${[x, y, z]}`);
  assert.equal(await page.$$eval("#list li[aria-current]", (rows) => rows.length), 1);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.$$eval("img", (images) => images.length), 0);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a scene with moves plays", async () => {
  writeFileSync(
    join(folder, "scene.json"),
    JSON.stringify({
      meshes: { ball: "shape:sphere:500", block: "shape:box" },
      objects: [{ mesh: "block" }, { mesh: "ball", pose: "5 0 0" }, { name: "free", mesh: "ball" }],
      allowed: [["block", "free"]],
    }),
  );
  writeFileSync(join(folder, "moves.txt"), '{"ball": "1 0 0"}\n{"ball": "9 0 0"}\n');
  const rows = JSON.parse(tandem("scene", "scene.json", "--moves", "moves.txt", "--json", "-"));
  tandem("view", "scene.json", "--moves", "moves.txt", "-o", "scene.html");
  const page = await open("scene.html");
  assert.equal(await countShown(page), 0);
  for (let frame = 1; frame <= 2; ++frame) {
    await page.evaluate((to) => window.tandemPage.player.go(to), frame);
    await settled(page);
    const expected = rows[frame - 1].touching.reduce((sum, each) => sum + each.triangle_pairs, 0);
    assert.equal(await countShown(page), expected);
  }
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a simulation plays", async () => {
  tandem("simulate", "stack", "--objects", "8", "--frames", "12", "-o", "run.html", "--quiet");
  const page = await open("run.html");
  const lowest = () =>
    page.evaluate(() => {
      const { objects } = window.tandemPage.objects;
      return Math.min(...objects.slice(1).map(({ base }) => base.position.z));
    });
  assert.equal(await page.textContent("#frame-text"), "1 of 7");
  const before = await lowest();
  await page.click("#play");
  await page.waitForFunction(
    () => document.getElementById("frame-text").textContent === "7 of 7",
    null,
    { timeout },
  );
  assert.notEqual(await lowest(), before);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("without an engine the page shows what the program found, and says so", async () => {
  const words = ["shape:knot:2000", "shape:torus:2000", "--pose-b", "0.5,0.2,0"];
  tandem("view", ...words, "-o", "still.html");
  const text = readFileSync(join(folder, "still.html"), "utf8");
  writeFileSync(join(folder, "still.html"), text.replace(/(id="module">)[^<]*/, "$1"));
  const page = await open("still.html");
  assert.equal(await countShown(page), counted(...words));
  assert.match(await page.textContent("#notice"), /dragging is not live/);
  assert.equal(await page.isVisible("#modes"), false);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a page is small, and nothing in it names a host", () => {
  tandem("view", "shape:box", "shape:box", "-o", "box.html");
  const text = readFileSync(join(folder, "box.html"), "utf8");
  assert.ok(statSync(join(folder, "box.html")).size < 2_000_000);
  assert.match(text, /"default-src 'none'; script-src 'sha256-[^' ]+' 'wasm-unsafe-eval'; /);
  assert.match(text, /; worker-src blob:; /);
  assert.doesNotMatch(text, /<(script|link|img)[^>]+(src|href)=/);
  const lock = readFileSync(new URL("../../web/package-lock.json", import.meta.url), "utf8");
  assert.doesNotMatch(lock, /:\/\/|resolved/);
});
