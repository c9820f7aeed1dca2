// A look inside the search: the boxes of a level of the hierarchies, and the search itself, step by
// step: which two boxes it compares, and whether they let it go on.
import { BufferAttribute, BufferGeometry, Color, LineBasicMaterial, LineSegments } from "three";

const byId = (id) => document.getElementById(id);
const most = 10_000;
/** By what came of a step (js/tandem.d.ts). */
const outcomes = [
  ["apart: nothing below them is looked at", 0x3f8fd6],
  ["they overlap: on to their children", 0xf2a01e],
  ["two triangles, which are apart", 0x8a94a0],
  ["two triangles, which touch", 0xe0362c],
];

/** The twelve edges of each box, as ends of segments. */
function edgesOf(boxes) {
  const points = new Float32Array((boxes.length / 6) * 72);
  let at = 0;
  for (let box = 0; box < boxes.length; box += 6) {
    const corner = (bits) => [0, 1, 2].map((axis) => boxes[box + axis + ((bits >> axis) & 1) * 3]);
    for (let from = 0; from < 8; ++from) {
      for (let axis = 0; axis < 3; ++axis) {
        if ((from >> axis) & 1) continue;
        points.set(corner(from), at);
        points.set(corner(from | (1 << axis)), at + 3);
        at += 6;
      }
    }
  }
  return points;
}

function lines(color, opacity) {
  const result = new LineSegments(
    new BufferGeometry(),
    new LineBasicMaterial({ color, transparent: true, opacity }),
  );
  result.frustumCulled = false;
  return result;
}

function setBoxes(segments, boxes) {
  segments.geometry.dispose();
  segments.geometry = new BufferGeometry();
  segments.geometry.setAttribute("position", new BufferAttribute(edgesOf(boxes), 3));
}

export class Inside {
  constructor(view, objects, engine, touching) {
    Object.assign(this, { view, objects, engine, touching, trace: null });
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
    byId("level").oninput = () => this.showLevel(Number(byId("level").value));
    byId("replay").onclick = () => this.begin();
    byId("step").oninput = () => this.showStep(Number(byId("step").value));
    byId("next").onclick = () => this.showStep(this.step + 1);
    byId("back").onclick = () => this.showStep(this.step - 1);
  }

  /** The boxes that many levels below the roots; -1 for none. */
  showLevel(level) {
    byId("level-text").textContent = level < 0 ? "none" : String(level);
    this.levels.forEach((segments, i) => {
      setBoxes(segments, level < 0 ? [] : this.engine.boxes(i, level));
    });
    this.view.redraw();
  }

  /** Records the search between two objects as they stand now. */
  begin() {
    const [first] = this.touching();
    const { a, b } = first ?? { a: 0, b: 1 };
    this.trace = this.engine.trace(a, b, most);
    this.objects.objects[a].base.add(this.pair[0]);
    this.objects.objects[b].base.add(this.pair[1]);
    byId("step").max = String(Math.max(0, this.count - 1));
    byId("step").disabled = this.count === 0;
    this.showStep(0);
  }

  /** Objects have moved: what was recorded is not so any more. */
  end() {
    if (!this.trace) return;
    this.trace = null;
    for (const segments of this.pair) segments.removeFromParent();
    for (const id of ["step", "next", "back"]) byId(id).disabled = true;
    byId("step-text").textContent = "";
  }

  get count() {
    return this.trace.steps.length / 3;
  }

  showStep(step) {
    this.step = Math.max(0, Math.min(step, this.count - 1));
    byId("step").value = String(this.step);
    byId("back").disabled = this.step === 0;
    byId("next").disabled = this.step >= this.count - 1;
    const [a, b, outcome] = this.trace.steps.subarray(3 * this.step, 3 * this.step + 3);
    const [words, colour] = outcomes[outcome];
    const whole = this.count === most ? "the first " : "";
    byId("step-text").textContent =
      `step ${(this.step + 1).toLocaleString("en")} of ` +
      `${whole}${this.count.toLocaleString("en")}: ` +
      `node ${a} of A and node ${b} of B: ${words}`;
    this.pair.forEach((segments, side) => {
      const at = 12 * this.step + 6 * side;
      setBoxes(segments, this.trace.boxes.subarray(at, at + 6));
      segments.material.color = new Color(colour);
    });
    this.view.redraw();
  }
}
