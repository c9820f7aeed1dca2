// The panel: how much touches, which objects, and the command line that says the same. Names come
// from files: they are set as text, never as markup.

const byId = (id) => document.getElementById(id);
const shown = 200;

export class Panel {
  constructor(data, { flyTo }) {
    this.data = data;
    this.flyTo = flyTo;
    byId("title").textContent = data.title;
    document.title = `${data.title} – Tandem`;
    byId("fold").onclick = () => this.fold();
  }

  fold() {
    const folded = byId("folded");
    folded.hidden = !folded.hidden;
    byId("fold").textContent = folded.hidden ? "+" : "–";
    byId("fold").setAttribute("aria-expanded", String(!folded.hidden));
  }

  notice(sentence) {
    byId("notice").textContent = sentence;
    byId("notice").hidden = !sentence;
  }

  /** What touches now; `milliseconds` is null for what the program wrote. */
  show(touching, milliseconds) {
    const pairs = touching.reduce((sum, each) => sum + each.pairs.length / 2, 0);
    byId("pairs").textContent = pairs.toLocaleString("en");
    byId("pairs").dataset.count = String(pairs);
    byId("unit").textContent =
      pairs === 1 ? "touching pair of triangles" : "touching pairs of triangles";
    const triangles = this.data.objects.reduce(
      (sum, { mesh }) => sum + this.data.meshes[mesh].indices.length / 3,
      0,
    );
    const of = `${this.data.objects.length} objects, ${triangles.toLocaleString("en")} triangles`;
    byId("timing").textContent =
      milliseconds === null ? of : `${of}, found in ${milliseconds.toFixed(1)} ms`;
    this.#list(touching);
  }

  /** The objects that touch, most pairs first. Two objects need no list. */
  #list(touching) {
    const list = byId("list");
    if (this.data.objects.length < 3) return;
    const sorted = [...touching].sort((x, y) => y.pairs.length - x.pairs.length);
    const rows = sorted.slice(0, shown).map((each) => {
      const row = document.createElement("li");
      const button = document.createElement("button");
      const count = document.createElement("b");
      count.textContent = (each.pairs.length / 2).toLocaleString("en");
      const { objects } = this.data;
      button.append(count, ` ${objects[each.a].name} × ${objects[each.b].name}`);
      button.onclick = () => {
        for (const other of list.children) other.removeAttribute("aria-current");
        row.setAttribute("aria-current", "true");
        this.flyTo(each);
      };
      row.append(button);
      return row;
    });
    if (sorted.length > shown) {
      const row = document.createElement("li");
      row.textContent = `and ${(sorted.length - shown).toLocaleString("en")} more`;
      rows.push(row);
    }
    list.replaceChildren(...rows);
  }

  /** `poses` has a pose for each object that was moved, else what the program was given. */
  showCommand(poses) {
    const written = ({ translation, quaternion }) =>
      `${translation.join(" ")} quat ${quaternion.join(" ")}`;
    const { data } = this;
    let command;
    if (data.pair) {
      const options = ["a", "b"].map((side, i) => {
        const pose = poses[i] ? written(poses[i]) : data.pair[`pose_${side}`];
        return pose ? ` --pose-${side} ${quoted(pose)}` : "";
      });
      const { a, b, read } = data.pair;
      command = `tandem collide ${quoted(a)} ${quoted(b)}${options.join("")}${read}`;
    } else {
      // A frame of `tandem scene --moves`.
      const moved = poses
        .map((pose, i) => pose && [data.objects[i].name, written(pose)])
        .filter(Boolean);
      command = JSON.stringify(Object.fromEntries(moved));
    }
    byId("command").value = command;
  }
}

/** A word as a shell reads it. */
function quoted(word) {
  return /^[\w./:,=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
