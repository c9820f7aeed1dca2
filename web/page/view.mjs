// Camera, lights and the loop that draws.
import {
  AmbientLight,
  Box3,
  Color,
  DirectionalLight,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

/** Whether pictures are drawn without a graphics card, as far as the browser says so. */
function drawsInSoftware() {
  const context = document.createElement("canvas").getContext("webgl2");
  if (!context) throw new Error("this browser does not draw with WebGL 2, which the page needs");
  let name = context.getParameter(context.RENDERER);
  if (name === "WebKit WebGL") {
    const more = context.getExtension("WEBGL_debug_renderer_info");
    if (more) name = context.getParameter(more.UNMASKED_RENDERER_WEBGL);
  }
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

export class View {
  constructor(canvas) {
    this.canvas = canvas;
    /** How many pictures were drawn. */
    this.pictures = 0;
    // Pictures take long then: edges that are not smoothed take less than half the time.
    this.renderer = new WebGLRenderer({ canvas, antialias: !drawsInSoftware() });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.world = new Scene();
    this.camera = new PerspectiveCamera(40, 1, 0.01, 1000);
    this.camera.up.set(0, 0, 1);
    this.orbit = new OrbitControls(this.camera, canvas);
    this.orbit.zoomToCursor = true;
    this.world.add(new AmbientLight(0xffffff, 1.1));
    // The sun goes with the camera, so that what is looked at is lit.
    const sun = new DirectionalLight(0xffffff, 2.2);
    sun.position.set(-0.6, 0.9, 1);
    this.camera.add(sun);
    this.world.add(this.camera);
    this.needed = true;
    this.orbit.addEventListener("change", () => this.redraw());
    addEventListener("resize", () => this.resize());
    this.resize();
    const loop = () => {
      requestAnimationFrame(loop);
      this.beforeFrame?.();
      if (!this.needed) return;
      this.needed = false;
      this.renderer.render(this.world, this.camera);
      ++this.pictures;
    };
    requestAnimationFrame(loop);
  }

  redraw() {
    this.needed = true;
  }

  resize() {
    const { innerWidth: width, innerHeight: height } = window;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    // The panel covers a side: what is looked at stands in the middle of the rest.
    const panel = document.getElementById("panel").getBoundingClientRect();
    const narrow = width <= 520;
    const right = narrow ? 0 : panel.right;
    const below = narrow ? height - panel.top : 0;
    this.camera.setViewOffset(width, height, -right / 2, below / 2, width, height);
    this.free = [(width - right) / width, (height - below) / height];
    this.camera.updateProjectionMatrix();
    this.redraw();
  }

  /** Takes the colour of the ground from the style sheet. */
  applyTheme() {
    this.world.background = new Color(
      getComputedStyle(document.documentElement).getPropertyValue("--ground").trim(),
    );
    this.redraw();
  }

  /** Shows all of a box, from where the camera looks now, or from the front and above. */
  lookAt(box, keepDirection = true) {
    if (box.isEmpty()) box = new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
    const centre = box.getCenter(new Vector3());
    const direction = keepDirection
      ? this.camera.position.clone().sub(this.orbit.target).normalize()
      : new Vector3(0.55, -1, 0.6).normalize();
    // As far as the corner needs that would be cut off first.
    const right = new Vector3().crossVectors(this.camera.up, direction).normalize();
    const up = new Vector3().crossVectors(direction, right);
    const half = Math.tan((this.camera.fov * Math.PI) / 360);
    let distance = 1e-6;
    for (let bits = 0; bits < 8; ++bits) {
      const corner = new Vector3(
        (bits & 1 ? box.max : box.min).x,
        (bits & 2 ? box.max : box.min).y,
        (bits & 4 ? box.max : box.min).z,
      ).sub(centre);
      const across = Math.abs(corner.dot(right)) / (half * this.camera.aspect * this.free[0]);
      const along = Math.abs(corner.dot(up)) / (half * this.free[1]);
      distance = Math.max(distance, corner.dot(direction) + 1.08 * Math.max(across, along));
    }
    this.orbit.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(direction, distance);
    this.orbit.update();
    this.redraw();
  }

  /** Nothing of the world, whose box this is, is cut off near or far. */
  setDepth(box) {
    const size = box.isEmpty() ? 1 : box.getSize(new Vector3()).length();
    this.camera.near = size / 2000;
    this.camera.far = size * 50;
    this.camera.updateProjectionMatrix();
  }

  savePicture(name) {
    this.renderer.render(this.world, this.camera);
    this.canvas.toBlob((blob) => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(blob);
      link.download = name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
  }
}
