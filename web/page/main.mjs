// The page: puts its pieces together.
import { Box3, Vector3 } from "three";
import { startEngine } from "./contacts.mjs";
import { readData } from "./data.mjs";
import { Handles, poseOfObject } from "./handles.mjs";
import { Inside } from "./inside.mjs";
import { Objects } from "./objects.mjs";
import { Panel } from "./panel.mjs";
import { Player } from "./player.mjs";
import { View } from "./view.mjs";

const byId = (id) => document.getElementById(id);

const data = readData(byId("data").textContent);
const view = new View(byId("view"));
const objects = new Objects(data, view.world);
const poses = data.objects.map(() => null);
let touching = data.touching;
let engine = null;
let inside = null;
let handles = null;
let dirty = false;

/** The box of curves and touched objects. */
function boxOf({ a, b, curves }) {
  const box = new Box3();
  for (let i = 0; i < curves.length; i += 3) box.expandByPoint(new Vector3().fromArray(curves, i));
  if (box.isEmpty()) box.union(objects.box(a)).union(objects.box(b));
  const room =
    box.getSize(new Vector3()).length() * 0.3 +
    objects.wholeBox().getSize(new Vector3()).length() * 0.02;
  return box.expandByScalar(room);
}

const panel = new Panel(data, { flyTo: (each) => view.lookAt(boxOf(each)) });
const player = new Player(data.frames, (all) => {
  all.forEach((pose, i) => {
    objects.setPose(i, pose);
    engine?.move(i, pose);
    poses[i] = null;
  });
  inside?.end();
  dirty = engine !== null;
  if (!engine) showTouching([], null);
  view.redraw();
});

function showTouching(found, milliseconds) {
  touching = found;
  objects.show(found);
  panel.show(found, milliseconds);
  view.redraw();
}

/** Asks the engine once per picture, however often an object moved. */
view.beforeFrame = () => {
  player.advance();
  if (!dirty || !engine) return;
  dirty = false;
  const found = engine.find();
  showTouching(found.touching, found.milliseconds);
  panel.showCommand(poses);
};

function moved(i) {
  poses[i] = poseOfObject(objects.objects[i]);
  engine.move(i, poses[i]);
  inside.end();
  dirty = true;
}

function reset() {
  data.objects.forEach(({ pose }, i) => {
    objects.setPose(i, pose);
    engine?.move(i, pose);
    poses[i] = null;
  });
  inside?.end();
  dirty = true;
  view.redraw();
}

function setMode(mode) {
  handles.setMode(mode);
  for (const button of document.querySelectorAll("[data-mode]")) {
    button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
  }
}

function switchTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  view.applyTheme();
}

function connect() {
  byId("theme").onclick = switchTheme;
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => view.applyTheme());
  byId("fit").onclick = () => view.lookAt(objects.wholeBox());
  byId("home").onclick = reset;
  byId("solid").onchange = ({ target }) => {
    objects.setSeeThrough(target.checked);
    view.redraw();
  };
  byId("picture").onclick = () => view.savePicture("tandem.png");
  byId("copy").onclick = () => {
    byId("command").select();
    navigator.clipboard?.writeText(byId("command").value).catch(() => document.execCommand("copy"));
  };
  for (const button of document.querySelectorAll("[data-mode]")) {
    button.onclick = () => setMode(button.dataset.mode);
  }
  const keys = {
    m: () => engine && setMode("translate"),
    t: () => engine && setMode("rotate"),
    f: byId("fit").onclick,
    h: () => panel.fold(),
    Home: reset,
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "TEXTAREA")
      return;
    keys[event.key]?.();
  });
}

async function start() {
  view.applyTheme();
  view.setDepth(objects.wholeBox());
  view.lookAt(objects.wholeBox(), false);
  connect();
  showTouching(data.touching, null);
  panel.showCommand(poses);
  try {
    engine = await startEngine(data, byId("module").textContent.trim());
  } catch (error) {
    panel.notice(`The engine does not run here: ${error.message}`);
  }
  if (engine) {
    inside = new Inside(view, objects, engine, () => touching);
    handles = new Handles(view, objects, {
      moved,
      hit: (origin, direction) => engine.hit(origin, direction),
    });
    // The first query compiles code and fills caches; what is shown is what others take.
    engine.find();
    const count = data.objects.length;
    if (!data.frames && count > 0) handles.choose(Math.min(1, count - 1));
    byId("replay").disabled = count < 2;
    dirty = true;
  } else {
    if (byId("notice").hidden)
      panel.notice(
        "This page has no engine: it shows what touched when it was made; dragging is not live.",
      );
    byId("modes").hidden = true;
    byId("inside").hidden = true;
  }
  // For tests, and for those who look at the page from the console. The time is since the page was
  // asked for.
  window.tandemPage = {
    engine,
    view,
    objects,
    handles,
    data,
    player,
    moved,
    opened: performance.now(),
  };
  document.documentElement.dataset.ready = "true";
}

start();
