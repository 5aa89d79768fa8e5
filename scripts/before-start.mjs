// Runs before src/main.ts is read: an older Node would only say that it does not know the file extension, and what V8 has
// compiled before is of use from the first file on.
import { existsSync } from "node:fs";
import { join } from "node:path";

const [major] = process.versions.node.split(".").map(Number);
if (major < 24) {
  process.stderr.write(
    `Parley runs on Node 24 or newer; this is ${process.version}. "npm ci" brings Node 24 along unless development ` +
      "dependencies are left out (NODE_ENV=production, --omit=dev); then install Node 24 yourself.\n",
  );
  process.exit(2);
}
// In the data folder, where there is one already: whoever runs a sub-command, perhaps as another user, makes none. Where it
// cannot be written, src/main.ts tries once more, as the settings say.
const folder = process.env.PARLEY_DATA || "data";
if (process.env.NODE_COMPILE_CACHE || existsSync(folder)) {
  // An older Node does not know it.
  const { enableCompileCache } = await import("node:module");
  enableCompileCache(
    process.env.NODE_COMPILE_CACHE || join(folder, "compiled"),
  );
}
