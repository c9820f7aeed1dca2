// Plays a recorded run.

const byId = (id) => document.getElementById(id);

export class Player {
  /** `show(poses)` is called with the poses of all objects when another frame is to be seen. */
  constructor(frames, show) {
    Object.assign(this, { frames, show, frame: 0, playing: false, last: 0 });
    if (!frames) return;
    byId("player").hidden = false;
    byId("frame").max = String(frames.count - 1);
    byId("frame").oninput = () => this.go(Number(byId("frame").value));
    byId("play").onclick = () => this.play(!this.playing);
    this.#text();
    addEventListener("keydown", (event) => {
      const onControl = /INPUT|TEXTAREA|BUTTON|SUMMARY|SELECT/.test(event.target.tagName);
      if (event.key !== " " || onControl) return;
      event.preventDefault();
      this.play(!this.playing);
    });
  }

  play(on) {
    this.playing = on;
    if (on && this.frame === this.frames.count - 1) this.frame = 0;
    byId("play").textContent = on ? "pause" : "play";
    byId("play").setAttribute("aria-pressed", String(on));
  }

  go(frame) {
    this.frame = frame;
    byId("frame").value = String(frame);
    this.#text();
    this.show(this.frames.poses(frame));
  }

  /** Called for each picture: thirty frames per second. */
  advance() {
    if (!this.playing) return;
    const now = performance.now();
    if (now - this.last < 1000 / 30) return;
    this.last = now;
    if (this.frame === this.frames.count - 1) this.play(false);
    else this.go(this.frame + 1);
  }

  #text() {
    byId("frame-text").textContent = `${this.frame + 1} of ${this.frames.count}`;
  }
}
