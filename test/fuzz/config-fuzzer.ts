import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { SettingsError } from "../../src/config/problems.ts";
import { loadSettings } from "../../src/config/load.ts";
import type { Random } from "../chaos/storm/random.ts";
import { evilString } from "./evil.ts";
import { must, type Fuzzer, type FuzzResult } from "./fuzzer.ts";
import { mutated, type Json } from "./mutate.ts";

const environment = {
  NAME: "value",
  OPENAI_API_KEY: "sk-planted-in-the-environment",
};

/** Every example of the settings' own page: real keys with real values. */
const examples: readonly Json[] = [
  ...readFileSync(new URL("../../docs/settings.md", import.meta.url), "utf8").matchAll(
    /^```yaml\n([\s\S]*?)^```$/gm,
  ),
].flatMap(([, text = ""]) => {
  try {
    const value = parse(text) as Json;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? [value] : [];
  } catch {
    return [];
  }
});

const words = [
  "off",
  "15m",
  "20/min",
  "5usd/day",
  "200k tokens/day",
  "$5",
  "always",
  "never",
  "auto",
  "pairing",
  "openai",
  "ollama",
  "telegram:1",
  "${NAME}",
  "${OPENAI_API_KEY}",
  "${UNSET}",
  "files.*",
  "*",
  "****************************************a",
  "http://user:password@127.0.0.1:1/x",
  "1e99d",
  "0",
  "-1",
];

/** `parley.yaml`, from its text to the settings. */
export function configFuzzer(): Promise<Fuzzer> {
  const workingFolder = mkdtempSync(join(tmpdir(), "parley-fuzz-"));
  return Promise.resolve({
    name: "config",
    covers:
      "text → YAML → interpolation → schema → settings; accepted, or refused by a SettingsError that repeats no secret",
    mustReach: ["accepted", "refused"],
    make: (random) => makeText(random),
    run: (input) => Promise.resolve(tried(input, workingFolder)),
    [Symbol.asyncDispose]() {
      rmSync(workingFolder, { recursive: true });
      return Promise.resolve();
    },
  });
}

function tried(text: string, workingFolder: string): FuzzResult {
  const passed = isMapping(text);
  try {
    writeFileSync(join(workingFolder, "parley.yaml"), text);
    loadSettings({ environment, workingFolder });
    return { passed, outcome: "accepted" };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    must(error.message !== "", "a refusal says nothing");
    must(!error.message.includes(environment.OPENAI_API_KEY), "a refusal repeats a secret");
    return { passed, outcome: "refused" };
  }
}

/** More than this is refused before it is parsed. */
const parsable = (text: string): boolean => (text.match(/[[{]/g)?.length ?? 0) <= 100;

function isMapping(text: string): boolean {
  if (!parsable(text)) return false;
  try {
    const value: unknown = parse(text, {
      // With errors, `silent` would go on with what was understood.
      logLevel: "error",
      maxAliasCount: 100,
    });
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function makeText(random: Random): string {
  const first = random.pick(examples);
  const whole = random.chance(0.3)
    ? { ...(first as object), ...(random.pick(examples) as object) }
    : first;
  const text = stringify(mutated(whole, { random, words }));
  if (!random.chance(0.2)) return text;
  const lines = text.split("\n");
  const at = random.whole(0, lines.length - 1);
  lines.splice(
    at,
    random.whole(0, 1),
    random.pick([
      "a: &a [*a]",
      "a: &a [1]\nb: [*a, *a, *a]",
      "<<: {limits: {}}",
      "? [complex]\n: 1",
      "!!js/function 'x'",
      "--- ",
      "\tx: 1",
      "x: !!binary aGVsbG8=",
      evilString(random, "key: value"),
    ]),
  );
  return lines.join("\n");
}
