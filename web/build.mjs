// Makes the page of `tandem view` as one file, from page/ and, where there is one, the module.
//
//   node build.mjs PACKAGES PAGE.html [TANDEM.wasm]
//
// PACKAGES is the folder that has node_modules. The program puts its data where the page says
// <!--tandem-data-->.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const [packages, output, module] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const esbuild = createRequire(join(resolve(packages), "package.json"))("esbuild");

/** What begins with that file, as one script. Nothing in it may end it. */
function bundled(file, format) {
  const bundle = esbuild.buildSync({
    entryPoints: [join(here, file)],
    bundle: true,
    minify: true,
    format,
    target: "es2022",
    legalComments: "none",
    nodePaths: [join(resolve(packages), "node_modules")],
    write: false,
  });
  return bundle.outputFiles[0].text
    .replaceAll("</script", "<\\/script")
    .replaceAll("<!--", "<\\!--");
}
const script = bundled("page/main.mjs", "esm");

// Only this script runs, whatever a name in a mesh says, and the worker that it starts from the
// page's own text; nothing is fetched.
const hash = createHash("sha256").update(script).digest("base64");
const policy =
  `default-src 'none'; script-src 'sha256-${hash}' 'wasm-unsafe-eval'; worker-src blob:; ` +
  "style-src 'unsafe-inline'; img-src blob: data:; base-uri 'none'; form-action 'none'";

const parts = {
  policy,
  style: readFileSync(join(here, "page/page.css"), "utf8"),
  module: module ? gzipSync(readFileSync(module), { level: 9 }).toString("base64") : "",
  worker: module ? bundled("page/worker.mjs", "iife") : "",
  script,
};
const page = readFileSync(join(here, "page/index.html"), "utf8").replace(
  /@(policy|style|module|worker|script)@/g,
  (_, name) => parts[name],
);
writeFileSync(output, page);
