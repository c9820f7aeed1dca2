// What the program wrote into the page: meshes, objects, what touches, and a recorded run.

/** Bytes of a text in base64. */
export function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** Numbers of the machine that wrote them: little-endian, as every browser's. */
const numbersOf = (Type, base64) => new Type(bytesOf(base64).buffer);

/** A pose as twelve numbers, nine of the rotation row by row, and the translation. */
function poseOf(numbers) {
  return { rotation: numbers.slice(0, 9), translation: numbers.slice(9, 12) };
}

/** Reads the page's data. */
export function readData(json) {
  const data = JSON.parse(json);
  return {
    ...data,
    meshes: data.meshes.map((mesh) => ({
      positions: numbersOf(Float32Array, mesh.positions),
      indices: numbersOf(Uint32Array, mesh.indices),
    })),
    objects: data.objects.map((object) => ({ ...object, pose: poseOf(object.pose) })),
    touching: data.touching.map((each) => ({
      ...each,
      pairs: numbersOf(Uint32Array, each.pairs),
      curves: numbersOf(Float32Array, each.curves),
    })),
    frames: readFrames(data),
  };
}

/** The poses of all objects in each frame of a recorded run. */
function readFrames(data) {
  if (!data.frames) return null;
  const numbers = numbersOf(Float64Array, data.frames.poses);
  const perFrame = 12 * data.objects.length;
  return {
    count: data.frames.count,
    poses: (frame) =>
      data.objects.map((_, i) => {
        const at = frame * perFrame + 12 * i;
        return poseOf(numbers.slice(at, at + 12));
      }),
  };
}
