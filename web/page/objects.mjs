// The objects as they are drawn: each mesh once on the graphics card, however many objects show it;
// over each object its touched triangles in colour, and over all the curves of contact.
import {
  Box3,
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  Vector3,
} from "three";

/** First and second object; others go on through the list. */
const colours = [0x6f93b8, 0x9aa687, 0xa58fb5, 0xb49a7c, 0x7fa6a3, 0xa88a8a];
/** Touched triangles of the object with the lower id, and of the other. */
const touchedColours = [0xd8342a, 0xf2b01e];

/** A matrix of three from a pose. */
export function matrixOf({ rotation: r, translation: t }) {
  return new Matrix4().set(
    r[0],
    r[1],
    r[2],
    t[0],
    r[3],
    r[4],
    r[5],
    t[1],
    r[6],
    r[7],
    r[8],
    t[2],
    0,
    0,
    0,
    1,
  );
}

/** Lets what is behind be seen, as much as the opacity says. */
function seeThrough(material, opacity) {
  material.transparent = opacity < 1;
  material.opacity = opacity;
  material.depthWrite = opacity === 1;
  material.needsUpdate = true;
}

export class Objects {
  constructor(data, world) {
    this.meshes = data.meshes.map(({ positions, indices }) => {
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(positions, 3));
      geometry.setIndex(new BufferAttribute(indices, 1));
      geometry.computeBoundingBox();
      return { positions, indices, geometry };
    });
    this.group = new Group();
    this.objects = data.objects.map((object, i) => this.#make(object, i));
    world.add(this.group);
    // Where a curve is behind something, it shines through a little.
    this.curves = [
      [1, true],
      [0.25, false],
    ].map(([opacity, depthTest]) => {
      const lines = new LineSegments(
        new BufferGeometry(),
        new LineBasicMaterial({ color: 0xffffff, opacity, depthTest, transparent: true }),
      );
      lines.renderOrder = 2;
      lines.frustumCulled = false;
      world.add(lines);
      return lines;
    });
  }

  #make({ mesh, pose, name, faint = false }, i) {
    const { geometry } = this.meshes[mesh];
    const base = new Mesh(
      geometry,
      new MeshLambertMaterial({
        color: colours[i % colours.length],
        flatShading: true,
        side: DoubleSide,
        polygonOffset: true,
        polygonOffsetFactor: 2,
        polygonOffsetUnits: 2,
      }),
    );
    if (faint) seeThrough(base.material, 0.12);
    pose = matrixOf(pose);
    pose.decompose(base.position, base.quaternion, base.scale);
    const touched = touchedColours.map((color) => {
      const overlay = new Mesh(
        new BufferGeometry(),
        new MeshBasicMaterial({
          color,
          side: DoubleSide,
          polygonOffset: true,
          polygonOffsetFactor: 1,
          polygonOffsetUnits: 1,
        }),
      );
      // A wall has large triangles, which would hide all behind them.
      if (faint) seeThrough(overlay.material, 0.18);
      overlay.geometry.setAttribute("position", geometry.getAttribute("position"));
      overlay.frustumCulled = false;
      overlay.visible = false;
      base.add(overlay);
      return overlay;
    });
    this.group.add(base);
    return { name, mesh, base, touched, faint };
  }

  setPose(i, pose) {
    const { base } = this.objects[i];
    matrixOf(pose).decompose(base.position, base.quaternion, base.scale);
    base.updateMatrixWorld();
  }

  /** Lets what is behind be seen. */
  setSeeThrough(on) {
    for (const { base, faint } of this.objects) {
      if (!faint) seeThrough(base.material, on ? 0.35 : 1);
    }
  }

  /** Colours the triangles that touch and draws the curves. */
  show(touching) {
    const lists = this.objects.map(() => [[], []]);
    for (const { a, b, pairs } of touching) {
      lists[a][0].push([pairs, 0]);
      lists[b][1].push([pairs, 1]);
    }
    this.objects.forEach((object, i) => {
      object.touched.forEach((overlay, side) => this.#colour(object, overlay, lists[i][side]));
    });
    const length = touching.reduce((sum, { curves }) => sum + curves.length, 0);
    const points = new Float32Array(length);
    let at = 0;
    for (const { curves } of touching) {
      points.set(curves, at);
      at += curves.length;
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(points, 3));
    for (const lines of this.curves) {
      lines.geometry.dispose();
      lines.geometry = geometry;
    }
  }

  /** Of the pairs in the lists, the triangles at that side, each once. */
  #colour(object, overlay, lists) {
    overlay.visible = lists.length > 0;
    if (!overlay.visible) return;
    const touched = new Set();
    for (const [pairs, side] of lists) {
      for (let i = side; i < pairs.length; i += 2) touched.add(pairs[i]);
    }
    const { indices } = this.meshes[object.mesh];
    const corners = new Uint32Array(3 * touched.size);
    let at = 0;
    for (const triangle of touched) {
      corners.set(indices.subarray(3 * triangle, 3 * triangle + 3), at);
      at += 3;
    }
    const geometry = overlay.geometry;
    // Room that grows, so that the graphics card gets a new buffer now and then only.
    if (!geometry.index || geometry.index.array.length < corners.length) {
      geometry.setIndex(new BufferAttribute(new Uint32Array(2 * corners.length), 1));
    }
    geometry.index.array.set(corners);
    geometry.index.clearUpdateRanges();
    geometry.index.addUpdateRange(0, corners.length);
    geometry.index.needsUpdate = true;
    geometry.setDrawRange(0, corners.length);
  }

  box(i) {
    const { base, mesh } = this.objects[i];
    base.updateMatrixWorld();
    return this.meshes[mesh].geometry.boundingBox.clone().applyMatrix4(base.matrixWorld);
  }
  wholeBox() {
    const box = new Box3();
    const point = new Vector3();
    // By its vertices: the box of a turned box is too large.
    for (const { base, mesh } of this.objects) {
      base.updateMatrixWorld();
      const { positions } = this.meshes[mesh];
      for (let i = 0; i < positions.length; i += 3) {
        box.expandByPoint(point.fromArray(positions, i).applyMatrix4(base.matrixWorld));
      }
    }
    return box;
  }
}
