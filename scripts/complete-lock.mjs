// Adds to package-lock.json the optional per-platform packages that the registry in use did not
// serve when the lock was made (some mirrors carry one platform only). Without their entries `npm
// ci` calls the lock out of sync. Run it after every `npm install` that changes the lock: node
// scripts/complete-lock.mjs
import { readFileSync, writeFileSync } from "node:fs";

const file = new URL("../package-lock.json", import.meta.url);
const lock = JSON.parse(readFileSync(file, "utf8"));
const systems = [
  "aix",
  "android",
  "darwin",
  "freebsd",
  "linux",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "win32",
];
const processors = [
  "arm64",
  "arm",
  "x64",
  "ia32",
  "loong64",
  "mips64el",
  "ppc64",
  "riscv64",
  "s390x",
  "wasm32",
];

const added = [];
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const places = [`${path}/node_modules/${name}`, `node_modules/${name}`];
    if (path === "" || places.some((place) => place in lock.packages)) continue;
    const os = systems.find((system) => name.includes(system));
    const cpu = processors.find((processor) => name.includes(processor));
    if (cpu === undefined || !/^\d/.test(version)) continue;
    lock.packages[places[1]] = {
      version,
      cpu: [cpu],
      ...(entry.dev ? { dev: true } : {}),
      optional: true,
      ...(os === undefined ? {} : { os: [os] }),
    };
    added.push(name);
  }
}
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)),
);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${added.length} entries added\n`);
