// Runs before src/main.ts is read: an older Node would only say that it does not know the file extension, and what V8 has
// compiled before is of use from the first file on.
import { join } from "node:path";

const [major] = process.versions.node.split(".").map(Number);
if (major < 24) {
  process.stderr.write(
    `Parley runs on Node 24 or newer; this is ${process.version}. "npm ci" brings Node 24 along unless development ` +
      "dependencies are left out (NODE_ENV=production, --omit=dev); then install Node 24 yourself.\n",
  );
  process.exit(2);
}
// An older Node does not know it. Where it cannot be written, src/main.ts tries once more, as the settings say.
const { enableCompileCache } = await import("node:module");
enableCompileCache(
  process.env.NODE_COMPILE_CACHE ??
    join(process.env.PARLEY_DATA || "data", "compiled"),
);
