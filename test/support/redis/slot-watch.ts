import { createHash } from "node:crypto";
import { Command, Redis } from "ioredis";

/**
 * What one server was asked, with the keys of each command and script, including those that scripts
 * build themselves.
 */
export interface SlotWatch extends Disposable {
  /** SHA-1 of every script that ran. */
  readonly scripts: ReadonlySet<string>;
  /** Commands, scripts and transactions that touched keys with different hash tags. */
  readonly problems: readonly string[];
}

interface Unit {
  readonly shown: string;
  readonly tags: Set<string>;
}

/** Watches with MONITOR, where what a script does follows its call. */
export async function watchSlots(url: string): Promise<SlotWatch> {
  const client = new Redis(url);
  const monitor = await client.monitor();
  client.disconnect();
  const scripts = new Set<string>();
  const problems: string[] = [];
  const transactions = new Map<string, Unit>();
  let script: Unit | undefined;

  const touch = (unit: Unit, command: string, keys: readonly string[]) => {
    const known = unit.tags.size;
    for (const key of keys) unit.tags.add(tagOf(key));
    if (unit.tags.size > Math.max(known, 1))
      problems.push(
        `${unit.shown}: ${command} touches ${keys.join(", ")} of ${[...unit.tags].join(", ")}`,
      );
  };
  monitor.on("monitor", (_time: string, line: string[], source: string) => {
    const [name = "", ...given] = line;
    const command = name.toLowerCase();
    const keys = keysOf(command, given);
    if (source === "lua") {
      if (script) touch(script, command, keys);
      return;
    }
    const unit = { shown: command, tags: new Set<string>() };
    touch(unit, command, keys);
    script = undefined;
    if (command === "eval" || command === "evalsha") {
      const [code = ""] = given;
      const sha = command === "eval" ? sha1(unescaped(code)) : code;
      scripts.add(sha);
      script = { ...unit, shown: `script ${sha}` };
    }
    if (command === "multi") transactions.set(source, unit);
    const transaction = transactions.get(source);
    if (transaction) touch(transaction, command, keys);
    if (command === "exec") transactions.delete(source);
  });
  return { scripts, problems, [Symbol.dispose]: () => monitor.disconnect() };
}

/** MONITOR writes what is not printable as in C; ioredis takes back the quotes only. */
function unescaped(text: string): Buffer {
  const whole = text.replaceAll(
    /\\(?:x([\da-f]{2})|(.))/g,
    (_all, hex: string | undefined, one: string) =>
      hex === undefined
        ? ({ n: "\n", r: "\r", t: "\t" }[one] ?? one)
        : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(whole, "latin1");
}

export const sha1 = (code: string | Buffer): string =>
  createHash("sha1").update(code).digest("hex");

/**
 * What decides about a key's slot; two tags may share a slot by chance, which is no reason to rely
 * on it.
 */
function tagOf(key: string): string {
  const [, tag] = /^[^{]*\{([^}]+)\}/.exec(key) ?? [];
  return tag ?? key;
}

function keysOf(command: string, given: readonly string[]): string[] {
  return new Command(command, [...given]).getKeys().map(String);
}
