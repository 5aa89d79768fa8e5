import { PermanentError } from "../core/errors.ts";

/**
 * One problem in the settings: its path in the file or its name, the found value, and the expected
 * one.
 */
export type Problem = {
  readonly where: string;
  /**
   * As shown to the operator: never a secret. Undefined if there is no value, or if the key itself
   * is wrong.
   */
  readonly value: string | undefined;
  readonly expected: string;
};

/** Thrown when the settings can't be used; its message lists every problem, a line each. */
export class SettingsError extends PermanentError {
  override readonly name = "SettingsError";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const lines = problems.map((problem) => `  - ${sentence(problem)}`);
    super(["These settings don't work:", ...lines].join("\n"));
    this.problems = problems;
  }
}

export function sentence({ where, value, expected }: Problem): string {
  return value === undefined ? `${where}: ${expected}` : `${where} is ${value}: ${expected}`;
}

const secretName = /(?:key|secret|token|password|passphrase|authorization|cookie)$/i;
const secretFolders = new Set(["env", "headers"]);

/**
 * Whether the value at this path is secret: keys, tokens, and all of `env` and
 * `headers`.
 */
export function isSecretPath(path: readonly PropertyKey[]): boolean {
  return path.some(
    (segment) =>
      typeof segment === "string" && (secretFolders.has(segment) || secretName.test(segment)),
  );
}

/** A shorter text could be an ordinary word. */
const shortestSecret = 8;

/**
 * The same problems without the environment's secrets, which `${NAME}` may have put anywhere in the
 * file.
 */
export function withoutSecrets(
  problems: readonly Problem[],
  environment: Readonly<Record<string, string | undefined>>,
): readonly Problem[] {
  const secrets = Object.entries(environment).flatMap(([name, value = ""]) =>
    isSecretPath([name]) && value.length >= shortestSecret ? [value] : [],
  );
  const hide = (text: string): string =>
    secrets.reduce((shown, secret) => shown.replaceAll(secret, "***"), text);
  return problems.map(({ where, value, expected }) => ({
    where: hide(where),
    value: value === undefined ? undefined : hide(value),
    expected: hide(expected),
  }));
}

/**
 * Most characters that are searched, and shown of a longer text: the patterns look far ahead from
 * every position.
 */
const maxMasked = 1_000;
const maxShownOfLong = 200;

/**
 * Masks a URL's user, password and query, and everything that looks like a token. Cuts long texts.
 */
export function mask(text: string): string {
  if (text.length > maxMasked)
    // A secret that the cut shortened is after the shown part.
    return `${mask(text.slice(0, maxMasked)).slice(0, maxShownOfLong)}…`;
  return text
    .replace(/([a-z][a-z0-9+.-]*:\/\/)(?:\S*@|:\S*)/gi, "$1***@")
    .replace(/^[^/\s]*:\S*@/, "***@")
    .replace(/\?\S*/g, (query) => (query.includes("=") ? "?***" : query))
    .replace(/\b\d+:[A-Za-z0-9_-]{20,}/g, "***")
    .replace(/\b(?:sk|pk|rk|gsk|xai|AIza)[-_A-Za-z0-9]{10,}/g, "***")
    .replace(/[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{20,}/g, "***");
}

/**
 * A value as it may be shown in a message: short, on one line, masked; a list or a mapping is only
 * named.
 */
export function show(value: unknown): string {
  switch (typeof value) {
    case "string": {
      const masked = mask(value);
      const short = masked.length > 80 ? `${masked.slice(0, 80)}…` : masked;
      return JSON.stringify(short);
    }
    case "number":
    case "boolean":
    case "bigint":
      return String(value);
    default:
      if (value === null) return "empty";
      return Array.isArray(value) ? "a list" : "a mapping";
  }
}
