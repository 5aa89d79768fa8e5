import { chmod, mkdir, rm, stat, statfs, writeFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { messageOf } from "../core/errors.ts";
import type { Settings } from "../config/settings.ts";
import { ownVersion } from "../util/version.ts";
import { ok, type Check, type Examined } from "./check.ts";
import { answerOf, ownAddress, takenPort } from "./port.ts";

const oldestNode = 24;

/** Pure, but for what it is given. */
export function nodeFinding(version: string): Examined {
  const major = Number(version.replace(/^v/, "").split(".", 1)[0]);
  return major >= oldestNode
    ? ok("node.version", `Node ${version}, Parley ${ownVersion()}.`)
    : {
        id: "node.version",
        status: "broken",
        what: `Node ${version} is too old.`,
        why: `Parley runs on Node ${oldestNode} or newer.`,
        fix: "npm ci   (it brings Node 24 along)",
      };
}

/** Names in the environment that were probably meant for Parley. */
const noticeFindings = (notices: readonly string[]): readonly Examined[] =>
  notices.map((notice) => ({
    id: "settings.name",
    status: "warning",
    what: notice,
    why: "Without the right name the setting has no effect.",
    fix: "Rename it in .env, or where the environment is set.",
  }));

export const machineCheck = (
  settings: Settings,
  workingFolder: string,
  notices: readonly string[],
): Check => ({
  id: "machine",
  what: "This machine",
  async run() {
    return [
      nodeFinding(process.version),
      ok("settings", `The settings can be used (${settings.configFile ?? "no parley.yaml"}).`),
      ...noticeFindings(notices),
      ...(await Promise.all([
        secretFile(join(workingFolder, ".env"), "files.env"),
        ...(settings.configFile === undefined
          ? []
          : [secretFile(settings.configFile, "files.config")]),
      ])),
      ...(await dataFolder(settings.dataFolder)),
    ].filter((found) => found !== undefined);
  },
});

/** A file that may hold secrets; undefined: there is none. */
async function secretFile(path: string, id: string): Promise<Examined | undefined> {
  const mode = await modeOf(path);
  if (mode === undefined) return undefined;
  if ((mode & 0o077) === 0) return ok(id, `Only its owner can read ${path}.`);
  // A file of settings without secrets in it is often meant to be shared.
  const isEnvironment = id === "files.env";
  return {
    id,
    status: isEnvironment ? "warning" : "note",
    what: `Other users of this machine can read ${path} (mode ${octal(mode)}).`,
    why: isEnvironment
      ? "It holds tokens and keys."
      : "That is fine as long as it holds no key itself.",
    fix: `chmod 600 ${path}`,
    ...(isEnvironment
      ? { repair: { did: `chmod 600 ${path}`, run: () => chmod(path, 0o600) } }
      : {}),
  };
}

/** Less than this is soon used up by the append-only file. Bytes. */
const scarce = 200 * 1_048_576;

async function dataFolder(folder: string): Promise<readonly Examined[]> {
  const mode = await modeOf(folder);
  if (mode === undefined)
    return [
      {
        id: "files.data",
        status: "note",
        what: `${folder} doesn't exist yet.`,
        why: "Parley makes it at its first start; another place is PARLEY_DATA.",
        fix: `mkdir -m 700 -p ${folder}`,
        repair: {
          did: `mkdir -m 700 -p ${folder}`,
          run: () => mkdir(folder, { recursive: true, mode: 0o700 }),
        },
      },
    ];
  return [...(await dataMode(folder, mode)), await writable(folder)];
}

async function dataMode(folder: string, mode: number): Promise<readonly Examined[]> {
  const inner = (await modeOf(join(folder, "redis"))) ?? 0;
  if ((inner & 0o077) === 0 && (mode & 0o022) === 0)
    return [ok("files.data", `Other users can't read the data in ${folder}.`)];
  const closed = [folder, ...(inner === 0 ? [] : [join(folder, "redis")])];
  return [
    {
      id: "files.data",
      status: "warning",
      what: `Other users of this machine can open ${folder} (mode ${octal(mode)}).`,
      why: "It holds conversations.",
      fix: `chmod 700 ${closed.join(" ")}`,
      repair: {
        did: `chmod 700 ${closed.join(" ")}`,
        run: () => Promise.all(closed.map((path) => chmod(path, 0o700))),
      },
    },
  ];
}

/** Writes and removes an empty-named file: a full disk takes a name, but no content. */
async function writable(folder: string): Promise<Examined> {
  const { bavail, bsize } = await statfs(folder);
  const freeBytes = bavail * bsize;
  const free = `${Math.floor(freeBytes / 1_048_576).toLocaleString("en")} MB free`;
  const probe = join(folder, `.doctor-${randomUUID()}`);
  try {
    await writeFile(probe, "Parley's doctor looks whether it can write here.\n".repeat(200), {
      mode: 0o600,
    });
  } catch (error) {
    return {
      id: "files.disk",
      status: "broken",
      what: `Nothing can be written to ${folder}: ${messageOf(error)} (${free}).`,
      why: "Parley's own Redis then refuses messages, and there is no log.",
      fix: `Free space: df -h ${folder} ; or set PARLEY_DATA to a folder on another disk.`,
    };
  } finally {
    await rm(probe, { force: true });
  }
  if (freeBytes >= scarce) return ok("files.disk", `${folder} can be written (${free}).`);
  return {
    id: "files.disk",
    status: "warning",
    what: `The disk of ${folder} is nearly full: ${free}.`,
    why: "When it is full, nothing new is kept and no one is answered.",
    fix: `Free space: df -h ${folder} ; or set PARLEY_DATA to a folder on another disk.`,
  };
}

/** Undefined: it does not exist. */
const modeOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ mode }) => mode & 0o777,
    () => undefined,
  );

const octal = (mode: number): string => mode.toString(8).padStart(4, "0");

/** Whether the port of probes and webhooks is free, or Parley's own. */
export const portCheck = ({ http }: Settings): Check => ({
  id: "http",
  what: "The HTTP port",
  async run(signal) {
    if (!http.enabled || http.port === 0) return [];
    const { host, port } = http;
    const url = ownAddress(host, port);
    const answer = await answerOf(`${url}/readyz`, signal);
    if (answer === "ECONNREFUSED")
      return [ok("http.port", `Port ${port} is free; Parley listens there when it runs.`)];
    const text = typeof answer === "object" ? answer.text : "";
    if (text.includes('"ready"')) return [ok("http.port", `Parley runs and is ready at ${url}.`)];
    if (!text.includes('"not ready"')) return [takenPort("http", http)];
    return [
      {
        id: "http.port",
        status: "warning",
        what: `Parley runs at ${url}, but isn't ready: ${text}`,
        why: "It doesn't answer people until it is.",
        fix: "Fix what is broken above; its log says the same.",
      },
    ];
  },
});
