// How often a page of `tandem view` finds what touches while an object is dragged, in Chromium: real
// pointer events, 120 per second, that pull the middle of the chosen object's handles around.
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
while (performance.now() - begin < 1000 * Number(seconds)) {
  const turn = ++events / 25;
  // Not waited for: browsers answer when they draw.
  pointer("mouseMoved", { x: x - 40 + 40 * Math.cos(turn), y: y + 25 * Math.sin(turn) });
  await new Promise((done) => setTimeout(done, 1000 / 120));
}
const took = (performance.now() - begin) / 1000;
const after = await work();
await page.evaluate(() => window.tandemPage.settled());
const updates = after.updates - before.updates;
const text = await page.textContent("#timing");
console.log(
  `${(events / took).toFixed(0)} pointer events, ${(updates / took).toFixed(0)} updates and ` +
    `${((after.pictures - before.pictures) / took).toFixed(0)} pictures per second; an update is ` +
    `computed in ${((after.computing - before.computing) / updates).toFixed(2)} ms; opened in ` +
    `${((await page.evaluate(() => window.tandemPage.opened)) / 1000).toFixed(2)} s; ${text}`,
);
await browser.close();
