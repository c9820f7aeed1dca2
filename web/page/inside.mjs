// A look inside the search: the volumes of a level of the hierarchies, and the search itself, step
// by step: which two volumes it compares, and whether they let it go on.
import { BufferAttribute, BufferGeometry, Color, LineBasicMaterial, LineSegments } from "three";
import { edgesOf } from "./wireframe.mjs";

const byId = (id) => document.getElementById(id);
const most = 10_000;
/** By what came of a step (js/tandem.d.ts). */
const outcomes = [
  ["apart: nothing below them is looked at", 0x3f8fd6],
  ["they overlap: on to their children", 0xf2a01e],
  ["two triangles, which are apart", 0x8a94a0],
  ["two triangles, which touch", 0xe0362c],
  ["apart, while boxes around the same triangles overlap: nothing below is looked at", 0x2fae66],
];
const unlikeBoxes = 4;

function lines(color, opacity) {
  const result = new LineSegments(
    new BufferGeometry(),
    new LineBasicMaterial({ color, transparent: true, opacity }),
  );
  result.frustumCulled = false;
  return result;
}

function geometryOf(edges) {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(edges, 3));
  return geometry;
}

/** Shows what went wrong: large meshes may need more memory than there is. */
const say = (id) => (error) => {
  byId(id).textContent = error.message;
};
const counted = (n) => n.toLocaleString("en");

export class Inside {
  constructor(view, objects, engine, touching) {
    Object.assign(this, { view, objects, engine, touching, trace: null });
    /** How often a level and a search were asked for: what comes for an earlier time is late. */
    this.asked = { level: 0, search: 0 };
    this.levels = objects.objects.map(({ base }, i) => {
      const of = lines(i % 2 ? 0xb58a2a : 0x2f7f93, 0.7);
      base.add(of);
      return of;
    });
    this.pair = [lines(0, 1), lines(0, 1)];
    for (const segments of this.pair) {
      segments.material.depthTest = false;
      segments.renderOrder = 3;
    }
    const show = () => this.showLevel().catch(say("level-text"));
    const begin = () => this.begin().catch(say("step-text"));
    byId("level").oninput = show;
    byId("volume").onchange = () => {
      show();
      if (this.trace) begin();
    };
    byId("replay").onclick = begin;
    byId("step").oninput = () => this.showStep(Number(byId("step").value));
    byId("next").onclick = () => this.showStep(this.step + 1);
    byId("back").onclick = () => this.showStep(this.step - 1);
    byId("unlike").onclick = () => this.showStep(this.#nextUnlike());
  }

  get volume() {
    return byId("volume").value;
  }

  /** The volumes that many levels below the roots; none for -1. */
  async showLevel() {
    const level = Number(byId("level").value);
    const { volume } = this;
    const words = level < 0 ? "none" : String(level);
    byId("level-text").textContent = words;
    const asked = ++this.asked.level;
    const { meshes } = this.objects;
    const shown = await Promise.all(
      meshes.map((_, mesh) => (level < 0 ? null : this.engine.ask("volumes", mesh, level, volume))),
    );
    if (asked !== this.asked.level) return;
    if (level >= 0) {
      const count = this.objects.objects.reduce((sum, { mesh }) => sum + shown[mesh].count, 0);
      byId("level-text").textContent = `${words}: ${counted(count)} volumes`;
    }
    const geometries = shown.map((of) => geometryOf(of ? of.edges : new Float32Array()));
    this.levels.forEach((segments, i) => {
      segments.geometry.dispose();
      segments.geometry = geometries[this.objects.objects[i].mesh];
    });
    this.view.redraw();
  }

  /** Records the search between two objects as they stand now. */
  async begin() {
    const [first] = this.touching();
    const { a, b } = first ?? { a: 0, b: 1 };
    const { volume } = this;
    byId("step-text").textContent = "searching…";
    const asked = ++this.asked.search;
    // For where the objects are, not for where they were.
    await this.engine.update();
    const trace = await this.engine.ask("trace", a, b, { volume, most });
    if (asked !== this.asked.search) return;
    this.trace = trace;
    this.objects.objects[a].base.add(this.pair[0]);
    this.objects.objects[b].base.add(this.pair[1]);
    byId("step").max = String(Math.max(0, this.count - 1));
    byId("step").disabled = this.count === 0;
    this.#addTotals(volume);
    this.showStep(0);
  }

  /** What the whole search does, in a row beside those of other volumes. */
  #addTotals(volume) {
    const { visits, overlaps, leafOverlaps, triangleOverlaps } = this.trace;
    const row = document.createElement("tr");
    row.dataset.volume = volume;
    const cells = [visits, visits - overlaps, leafOverlaps, triangleOverlaps].map(counted);
    [volume, ...cells].forEach((words, i) => {
      const cell = document.createElement(i === 0 ? "th" : "td");
      cell.textContent = words;
      row.append(cell);
    });
    const rows = byId("searches").tBodies[0];
    rows.querySelector(`[data-volume="${volume}"]`)?.remove();
    rows.append(row);
    byId("searches").hidden = false;
  }

  /** Objects have moved: what was recorded is not so any more. */
  end() {
    ++this.asked.search;
    byId("step-text").textContent = "";
    byId("searches").tBodies[0].replaceChildren();
    byId("searches").hidden = true;
    if (!this.trace) return;
    this.trace = null;
    for (const segments of this.pair) segments.removeFromParent();
    for (const id of ["step", "next", "back", "unlike"]) byId(id).disabled = true;
  }

  get count() {
    return this.trace.steps.length / 3;
  }

  /** The next step in which boxes would have gone on, or -1. */
  #nextUnlike() {
    const { steps } = this.trace;
    for (let step = this.step + 1; step < this.count; ++step)
      if (steps[3 * step + 2] === unlikeBoxes) return step;
    return -1;
  }

  showStep(step) {
    this.step = Math.max(0, Math.min(step, this.count - 1));
    byId("step").value = String(this.step);
    byId("back").disabled = this.step === 0;
    byId("next").disabled = this.step >= this.count - 1;
    byId("unlike").disabled = this.#nextUnlike() < 0;
    const { steps, visits, volumes } = this.trace;
    const [a, b, outcome] = steps.subarray(3 * this.step, 3 * this.step + 3);
    const [words, colour] = outcomes[outcome ?? 0];
    const whole =
      this.count < visits
        ? `the first ${counted(this.count)} of ${counted(visits)}`
        : counted(visits);
    byId("step-text").textContent =
      this.count === 0
        ? "nothing to compare"
        : `step ${counted(this.step + 1)} of ${whole}: node ${a} of A and node ${b} of B: ${words}`;
    const size = 5 * volumes.slabs;
    this.pair.forEach((segments, side) => {
      const at = (2 * this.step + side) * size;
      const edges = edgesOf({ ...volumes, numbers: volumes.numbers.subarray(at, at + size) });
      segments.geometry.dispose();
      segments.geometry = geometryOf(edges);
      segments.material.color = new Color(colour);
    });
    this.view.redraw();
  }
}
