// Asks the engine, which runs in a worker (worker.mjs).

export class Engine {
  #worker;
  #waiting = new Map();
  #next = 0;
  /** Where objects are that have moved since the last update. */
  #moves = new Map();
  #updating = null;

  /** `found(update)` is called with what touches, `failed(sentence)` when nothing can be found. */
  constructor(script, { found, failed }) {
    Object.assign(this, { found, failed });
    const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    this.#worker = new Worker(address);
    this.#worker.onmessage = ({ data: { id, answer, problem } }) => {
      const { done, refuse } = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (problem === undefined) done(answer);
      else refuse(new Error(problem));
    };
    this.#worker.onerror = (event) => {
      const problem = new Error(event.message || "its worker does not start");
      for (const { refuse } of this.#waiting.values()) refuse(problem);
      this.#waiting.clear();
    };
  }

  /** Builds the models of all meshes. */
  start({ meshes, objects, allowed }, moduleText) {
    return this.ask("start", { meshes, objects, allowed }, moduleText);
  }

  ask(name, ...values) {
    return new Promise((done, refuse) => {
      this.#waiting.set(++this.#next, { done, refuse });
      this.#worker.postMessage({ id: this.#next, name, values });
    });
  }

  /** `pose` is either twelve numbers or a quaternion and a translation. */
  move(object, pose) {
    this.#moves.set(object, pose);
    this.update();
  }

  /** Finds what touches, once more for as long as something has moved meanwhile. */
  update() {
    this.#updating ??= this.#follow().finally(() => {
      this.#updating = null;
    });
    return this.#updating;
  }

  async #follow() {
    // All that moves in one go is asked for at once.
    await null;
    do {
      const moves = [...this.#moves];
      this.#moves.clear();
      try {
        this.found(await this.ask("update", moves));
      } catch (error) {
        this.failed(error.message);
      }
    } while (this.#moves.size > 0);
  }
}
