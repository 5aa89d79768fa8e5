// Runs before src/main.ts is read: an older Node would only say that it does not know the file
// extension, and what V8 has compiled before is of use from the first file on.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as util from "node:util";

const [major] = process.versions.node.split(".").map(Number);
if (major < 24) {
  process.stderr.write(
    `Parley runs on Node 24 or newer; this is ${process.version}. "npm ci" brings Node 24 along unless development ` +
      "dependencies are left out (NODE_ENV=production, --omit=dev); then install Node 24 yourself.\n",
  );
  process.exit(2);
}
// What is compiled is run: no other user may read or write there.
process.umask(0o077);

// In the data folder: of the main job, which makes it anyway; a sub-command, which another user may
// run, makes none. Where it cannot be written, everything is compiled again.
const own = process.env.PARLEY_DATA ?? dotEnv().PARLEY_DATA;
const folder = own || "data";
const isMainJob = process.argv.length === 2;
if (process.env.NODE_COMPILE_CACHE || isMainJob || existsSync(folder)) {
  // An older Node does not know it.
  const { enableCompileCache } = await import("node:module");
  enableCompileCache(process.env.NODE_COMPILE_CACHE || join(folder, "compiled"));
}

/** What is wrong with the file src/main.ts says. */
function dotEnv() {
  try {
    return util.parseEnv(readFileSync(".env", "utf8"));
  } catch {
    return {};
  }
}
