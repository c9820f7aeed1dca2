// Choosing an object and dragging it: by handles, by keys, with fingers too.
import { Raycaster, Vector2, Vector3 } from "three";
import { TransformControls } from "three/addons/controls/TransformControls.js";

export class Handles {
  /** `moved(i)` is called when object i has another pose; `hit(origin, direction)` promises the
   * object under a ray. */
  constructor(view, objects, { moved, hit }) {
    Object.assign(this, { view, objects, moved, hit, chosen: null });
    this.controls = new TransformControls(view.camera, view.canvas);
    this.controls.setSize(0.8);
    view.world.add(this.controls.getHelper());
    this.controls.addEventListener("dragging-changed", ({ value }) => {
      view.orbit.enabled = !value;
    });
    this.controls.addEventListener("change", () => view.redraw());
    this.controls.addEventListener("objectChange", () => moved(this.chosen));
    this.#followPointer();
    this.#chooseByClick();
    addEventListener("keydown", (event) => this.#key(event));
  }

  choose(i) {
    this.chosen = i;
    if (i === null) this.controls.detach();
    else this.controls.attach(this.objects.objects[i].base);
    this.view.redraw();
  }

  setMode(mode) {
    this.controls.setMode(mode);
    this.view.redraw();
  }

  /** Browsers tell where the pointer is once per picture. While dragging, what touches is to be
   * found as often as it moves, however long a picture takes to draw. */
  #followPointer() {
    const { canvas } = this.view;
    canvas.addEventListener("pointerrawupdate", (event) => {
      if (this.controls.dragging) canvas.dispatchEvent(new PointerEvent("pointermove", event));
    });
  }

  /** A click that did not drag anything chooses what is under it. */
  #chooseByClick() {
    const { canvas, camera } = this.view;
    let down = null;
    canvas.addEventListener("pointerdown", (event) => {
      down = this.controls.axis ? null : [event.clientX, event.clientY];
    });
    canvas.addEventListener("pointerup", async (event) => {
      if (!down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 4) return;
      const at = new Vector2(
        (2 * event.clientX) / innerWidth - 1,
        1 - (2 * event.clientY) / innerHeight,
      );
      const caster = new Raycaster();
      caster.setFromCamera(at, camera);
      this.choose(await this.hit(caster.ray.origin.toArray(), caster.ray.direction.toArray()));
    });
  }

  /** Arrows move the chosen object along x and y, with shift along x and z, a hundredth of its size
   * at a time. */
  #key(event) {
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      /INPUT|TEXTAREA|SELECT/.test(event.target.tagName)
    )
      return;
    if (event.key === "Escape") this.choose(null);
    const across = { ArrowLeft: -1, ArrowRight: 1 }[event.key] ?? 0;
    const along = { ArrowDown: -1, ArrowUp: 1 }[event.key] ?? 0;
    if (this.chosen === null || (!across && !along)) return;
    event.preventDefault();
    const { base } = this.objects.objects[this.chosen];
    const step = this.objects.box(this.chosen).getSize(new Vector3()).length() / 100;
    base.position.x += step * across;
    base.position[event.shiftKey ? "z" : "y"] += step * along;
    this.moved(this.chosen);
    this.view.redraw();
  }
}

/** Where an object stands, in the digits in which queries compute. */
export function poseOfObject({ base }) {
  const { w, x, y, z } = base.quaternion;
  return { quaternion: [w, x, y, z], translation: base.position.toArray() };
}
