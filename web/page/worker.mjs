// The engine's side of the page: it runs in a worker of its own, so that the page draws and follows
// the pointer while it computes. Messages are asked and answered by engine.mjs.
import { loadTandem } from "../js/tandem.mjs";
import { LiveContacts } from "./contacts.mjs";
import { bytesOf } from "./data.mjs";
import { edgesOf } from "./wireframe.mjs";

let contacts = null;

const answers = {
  async start(data, moduleText) {
    const unpacked = new Blob([bytesOf(moduleText)])
      .stream()
      .pipeThrough(new DecompressionStream("gzip"));
    const tandem = await loadTandem(await new Response(unpacked).arrayBuffer());
    contacts = new LiveContacts(tandem, data);
    // The first query compiles code and fills caches; what is shown is what others take.
    contacts.find();
  },
  update(moves) {
    for (const [object, pose] of moves) contacts.move(object, pose);
    return contacts.find();
  },
  hit: (origin, direction) => contacts.hit(origin, direction),
  /** How many volumes there are, and their edges. */
  volumes(mesh, level, volume) {
    const found = contacts.volumes(mesh, level, volume);
    const count = found.slabs && found.numbers.length / (5 * found.slabs);
    return { count, edges: edgesOf(found) };
  },
  trace: (a, b, options) => contacts.trace(a, b, options),
};

/** The memory of all arrays in an answer: it is handed over, not copied. */
function buffersOf(answer, buffers = new Set()) {
  if (ArrayBuffer.isView(answer)) buffers.add(answer.buffer);
  else if (answer && typeof answer === "object")
    for (const part of Object.values(answer)) buffersOf(part, buffers);
  return buffers;
}

onmessage = async ({ data: { id, name, values } }) => {
  try {
    const answer = await answers[name](...values);
    postMessage({ id, answer }, [...buffersOf(answer)]);
  } catch (error) {
    postMessage({ id, problem: error.message });
  }
};
