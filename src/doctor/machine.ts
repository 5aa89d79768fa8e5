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
    ? ok("node.version", () => `Node ${version}, Parley ${ownVersion()}.`)
    : {
        id: "node.version",
        status: "broken",
        say({ findings: { machine } }) {
          const { what, why, fix } = machine.oldNode;
          return { what: what(version), why: why(String(oldestNode)), fix };
        },
      };
}

export const machineCheck = (settings: Settings, workingFolder: string): Check => ({
  id: "machine",
  what: ({ machine }) => machine,
  async run() {
    return [
      nodeFinding(process.version),
      ok("settings", ({ machine }) => machine.settings(settings.configFile ?? machine.noFile)),
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
  if ((mode & 0o077) === 0) return ok(id, ({ files }) => files.closed(path));
  // A file of settings without secrets in it is often meant to be shared.
  const isEnvironment = id === "files.env";
  return {
    id,
    status: isEnvironment ? "warning" : "note",
    say: ({ findings: { files } }) => ({
      what: files.open(path, octal(mode)),
      why: isEnvironment ? files.holdsSecrets : files.mayBeShared,
      fix: `chmod 600 ${path}`,
    }),
    ...(isEnvironment
      ? { repair: { did: `chmod 600 ${path}`, run: () => chmod(path, 0o600) } }
      : {}),
  };
}

/** Less than this is soon used up by the append-only file. Bytes. */
const scarce = 200 * 1_048_576;

async function dataFolder(folder: string): Promise<readonly Examined[]> {
  const mode = await modeOf(folder);
  if (mode !== undefined) return [...(await dataMode(folder, mode)), await writable(folder)];
  const command = `mkdir -m 700 -p ${folder}`;
  return [
    {
      id: "files.data",
      status: "note",
      say: ({ findings: { files } }) => ({
        ...files.noFolder,
        what: files.noFolder.what(folder),
        fix: command,
      }),
      repair: { did: command, run: () => mkdir(folder, { recursive: true, mode: 0o700 }) },
    },
  ];
}

async function dataMode(folder: string, mode: number): Promise<readonly Examined[]> {
  const inner = (await modeOf(join(folder, "redis"))) ?? 0;
  if ((inner & 0o077) === 0 && (mode & 0o022) === 0)
    return [ok("files.data", ({ files }) => files.folderClosed(folder))];
  const closed = [folder, ...(inner === 0 ? [] : [join(folder, "redis")])];
  const command = `chmod 700 ${closed.join(" ")}`;
  return [
    {
      id: "files.data",
      status: "warning",
      say: ({ findings: { files } }) => ({
        ...files.folderOpen,
        what: files.folderOpen.what(folder, octal(mode)),
        fix: command,
      }),
      repair: { did: command, run: () => Promise.all(closed.map((path) => chmod(path, 0o700))) },
    },
  ];
}

/** Writes and removes an empty-named file: a full disk takes a name, but no content. */
async function writable(folder: string): Promise<Examined> {
  const { bavail, bsize } = await statfs(folder);
  const freeBytes = bavail * bsize;
  const freeMb = Math.floor(freeBytes / 1_048_576);
  const probe = join(folder, `.doctor-${randomUUID()}`);
  try {
    await writeFile(probe, "Parley's doctor looks whether it can write here.\n".repeat(200), {
      mode: 0o600,
    });
  } catch (error) {
    return {
      id: "files.disk",
      status: "broken",
      say: ({ findings: { files } }) => ({
        ...files.cannotWrite,
        what: files.cannotWrite.what(folder, messageOf(error), freeMb),
        fix: files.freeSpace(folder),
      }),
    };
  } finally {
    await rm(probe, { force: true });
  }
  if (freeBytes >= scarce) return ok("files.disk", ({ files }) => files.canWrite(folder, freeMb));
  return {
    id: "files.disk",
    status: "warning",
    say: ({ findings: { files } }) => ({
      ...files.scarce,
      what: files.scarce.what(folder, freeMb),
      fix: files.freeSpace(folder),
    }),
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
  what: ({ httpPort }) => httpPort,
  async run(signal) {
    if (!http.enabled || http.port === 0) return [];
    const { host, port } = http;
    const url = ownAddress(host, port);
    const answer = await answerOf(`${url}/readyz`, signal);
    if (answer === "ECONNREFUSED")
      return [ok("http.port", (findings) => findings.port.free(String(port)))];
    const text = typeof answer === "object" ? answer.text : "";
    if (text.includes('"ready"')) return [ok("http.port", (findings) => findings.port.ready(url))];
    if (!text.includes('"not ready"')) return [takenPort("http", http)];
    return [
      {
        id: "http.port",
        status: "warning",
        say: ({ findings: { port: said } }) => ({
          ...said.notReady,
          what: said.notReady.what(url, text),
        }),
      },
    ];
  },
});
