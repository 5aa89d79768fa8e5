import { createHash } from "node:crypto";

const maxLength = 64;
const hashLength = 8;

/**
 * The names that a model sees, by the names that rules match: `server.tool` becomes `server_tool`,
 * at most 64 characters of `[A-Za-z0-9_-]`. Names that would be too long or the same get the start
 * of a hash of the whole name; one that is valid already always stays as it is, so that no
 * stranger's tool can rename ours. Pure; the order does not matter.
 */
export function wireNames(names: Iterable<string>): Map<string, string> {
  const sorted = [...new Set(names)].toSorted();
  const valid = sorted.filter((name) => plain(name) === name);
  const others = sorted.filter((name) => plain(name) !== name);
  const taken = new Set(valid);
  const wanted = Map.groupBy(others, plain);
  const wire = new Map(valid.map((name) => [name, name]));
  for (const name of others) {
    const request = plain(name);
    const free = request !== undefined && wanted.get(request)?.length === 1 && !taken.has(request);
    const given = free ? request : hashed(name, taken);
    taken.add(given);
    wire.set(name, given);
  }
  return wire;
}

/** Undefined: too long, or nothing is left. */
function plain(name: string): string | undefined {
  const replaced = name.replaceAll(/[^A-Za-z0-9_-]/g, "_");
  return replaced !== "" && replaced.length <= maxLength ? replaced : undefined;
}

function hashed(name: string, taken: ReadonlySet<string>): string {
  const start = name.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, maxLength - hashLength - 1);
  for (let attempt = 0; ; attempt += 1) {
    const hash = createHash("sha256")
      .update(attempt === 0 ? name : `${name}\n${attempt}`)
      .digest("hex")
      .slice(0, hashLength);
    const given = `${start}_${hash}`;
    if (!taken.has(given)) return given;
  }
}
