// The page: puts its pieces together.
import { Box3, Vector3 } from "three";
import { readData } from "./data.mjs";
import { Engine } from "./engine.mjs";
import { Handles, poseOfObject } from "./handles.mjs";
import { Inside } from "./inside.mjs";
import { Objects } from "./objects.mjs";
import { Panel } from "./panel.mjs";
import { Player } from "./player.mjs";
import { View } from "./view.mjs";

const byId = (id) => document.getElementById(id);

const data = readData(byId("data").textContent);
const view = makeView();
const objects = new Objects(data, view.world);
const poses = data.objects.map(() => null);
let touching = data.touching;
const hasEngine = byId("module").textContent !== "";
/** Null until it is ready, and where there is none. */
let engine = null;
let inside = null;
let handles = null;
/** How often the engine has found what touches, and how many milliseconds that took it. */
let updates = 0;
let computing = 0;
/** The last of these, until it is shown. */
let newest = null;

function makeView() {
  try {
    return new View(byId("view"));
  } catch (error) {
    byId("notice").textContent = `Nothing can be drawn: ${error.message}.`;
    byId("notice").hidden = false;
    throw error;
  }
}

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
  if (!hasEngine) showTouching([], null);
  view.redraw();
});
view.beforeFrame = () => {
  player.advance();
  showUpdate();
};

function showTouching(found, milliseconds) {
  touching = found;
  objects.show(found);
  panel.show(found, milliseconds);
  view.redraw();
}

/** The engine has found what touches: the next picture shows it. */
function keepUpdate(update) {
  ++updates;
  computing += update.all;
  newest = update;
  view.redraw();
}

function showUpdate() {
  if (!newest) return;
  showTouching(newest.touching, newest.milliseconds);
  newest = null;
  panel.showCommand(poses);
}

function moved(i) {
  const pose = poseOfObject(objects.objects[i]);
  if (JSON.stringify(pose) === JSON.stringify(poses[i])) return;
  poses[i] = pose;
  engine.move(i, poses[i]);
  inside.end();
}

function reset() {
  data.objects.forEach(({ pose }, i) => {
    objects.setPose(i, pose);
    engine?.move(i, pose);
    poses[i] = null;
  });
  inside?.end();
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
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/TEXTAREA|SELECT/.test(event.target.tagName)) return;
    keys[event.key]?.();
  });
}

/** Null where the page has no engine. */
async function startEngine() {
  if (!hasEngine) return null;
  const started = new Engine(byId("worker").textContent, {
    found: keepUpdate,
    failed: (sentence) => panel.notice(`What touches cannot be found: ${sentence}`),
  });
  await started.start(data, byId("module").textContent);
  return started;
}

async function start() {
  view.applyTheme();
  view.setDepth(objects.wholeBox());
  view.lookAt(objects.wholeBox(), false);
  connect();
  showTouching(data.touching, null);
  panel.showCommand(poses);
  try {
    engine = await startEngine();
  } catch (error) {
    panel.notice(`The engine does not run here: ${error.message}`);
  }
  if (engine) {
    inside = new Inside(view, objects, engine, () => touching);
    handles = new Handles(view, objects, {
      moved,
      hit: (origin, direction) => engine.ask("hit", origin, direction),
    });
    const count = data.objects.length;
    if (!data.frames && count > 0) handles.choose(Math.min(1, count - 1));
    byId("replay").disabled = count < 2;
    // A run may be playing by now.
    if (player.frame > 0) player.go(player.frame);
    await engine.update();
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
    touching: () => touching,
    opened: performance.now(),
    /** How many updates there were, what they took in milliseconds, and how many pictures. */
    work: () => ({ updates, computing, pictures: view.pictures }),
    /** Resolves when what touches has been found for where the objects are, and is seen. */
    async settled() {
      await engine?.update();
      const drawn = view.pictures;
      view.redraw();
      while (view.pictures === drawn) await new Promise(requestAnimationFrame);
    },
  };
  document.documentElement.dataset.ready = "true";
}

start();
