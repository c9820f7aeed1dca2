// What finding what touches takes in a page of `tandem view` in Chromium, and how often it does so
// while an object is dragged: real pointer events, 120 per second, pull the middle of the chosen
// object's handles around.
//
//   tandem view A B -o page.html
//   node bench/web/drag.mjs CHROMIUM PACKAGES page.html [SECONDS]
//
// PACKAGES is the folder web/packages of a build. Chromium draws without a graphics card here.
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [chromium, packages, file, seconds = "5"] = process.argv.slice(2);
const { chromium: launcher } = createRequire(join(resolve(packages), "package.json"))(
  "playwright-core",
);
const browser = await launcher.launch({
  executablePath: chromium,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
const page = await browser.newPage({ viewport: { width: 1000, height: 640 } });
await page.goto(pathToFileURL(file).href);
await page.waitForSelector("html[data-ready]", { timeout: 120_000 });

// Alone, without drawing
const least = await page.evaluate(async () => {
  const { engine } = window.tandemPage;
  const best = { pairs: 0, milliseconds: Infinity, all: Infinity };
  for (let i = 0; i < 300; ++i) {
    const { touching, milliseconds, all } = await engine.ask("update", []);
    best.pairs = touching.reduce((sum, { pairs }) => sum + pairs.length / 2, 0);
    best.milliseconds = Math.min(best.milliseconds, milliseconds);
    best.all = Math.min(best.all, all);
  }
  return best;
});

const [x, y] = await page.evaluate(() => {
  const { view, objects, handles } = window.tandemPage;
  const at = objects.objects[handles.chosen].base.position.clone().project(view.camera);
  return [((at.x + 1) / 2) * innerWidth, ((1 - at.y) / 2) * innerHeight];
});
const devTools = await page.context().newCDPSession(page);
const pointer = (type, at) =>
  devTools.send("Input.dispatchMouseEvent", { type, button: "left", buttons: 1, ...at });
await page.mouse.move(x, y);
await page.evaluate(() => window.tandemPage.settled());
await pointer("mousePressed", { x, y, clickCount: 1 });

const work = () => page.evaluate(() => window.tandemPage.work());
const before = await work();
const begin = performance.now();
let events = 0;
for (let passed = 0; passed < 1000 * Number(seconds); passed = performance.now() - begin) {
  while (events < 0.12 * passed) {
    const turn = ++events / 25;
    // Not waited for: browsers answer when they draw.
    pointer("mouseMoved", { x: x - 40 + 40 * Math.cos(turn), y: y + 25 * Math.sin(turn) });
  }
  await new Promise((done) => setTimeout(done, 4));
}
const took = (performance.now() - begin) / 1000;
const after = await work();
await page.evaluate(() => window.tandemPage.settled());
const updates = after.updates - before.updates;
const perSecond = (count) => (count / took).toFixed(0);
const opened = await page.evaluate(() => window.tandemPage.opened);
const average = (after.computing - before.computing) / updates;
console.log(`opened in          ${(opened / 1000).toFixed(2)} s
where it begins    ${least.pairs} pairs, found in ${least.milliseconds.toFixed(1)} ms at best,
                   with curves in ${least.all.toFixed(1)} ms
per second         ${perSecond(events)} pointer events
                   ${perSecond(updates)} updates, computed in ${average.toFixed(1)} ms on average
                   ${perSecond(after.pictures - before.pictures)} pictures`);
await browser.close();
