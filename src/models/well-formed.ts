/**
 * A lone surrogate is half a character: it cannot be sent as UTF-8, and vendors refuse it. It
 * becomes U+FFFD.
 */
export function wellFormed<Value>(value: Value): Value {
  return isWhole(value) ? value : (repaired(value) as Value);
}

/** Rarely malformed, so it is checked without a copy: a request contains a whole chat. */
function isWhole(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isWhole);
  const fields = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(fields))
    if (!key.isWellFormed() || !isWhole(fields[key])) return false;
  return true;
}

function repaired(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(repaired);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key.toWellFormed(), repaired(child)]),
  );
}

const surrogateEscape = /\\ud[89a-f]/i;

/** The same for a JSON text, whose escapes can hide a lone surrogate. */
export function wellFormedJson(text: string): string {
  if (!surrogateEscape.test(text)) return text.toWellFormed();
  try {
    return JSON.stringify(wellFormed(JSON.parse(text)));
  } catch {
    return text.toWellFormed();
  }
}

/** Joins surrogate pairs that arrive in two pieces; its output is always well-formed. */
export class SurrogateJoiner {
  #half = "";

  push(text: string): string {
    const joined = this.#half + text;
    const endsInHalf = /[\ud800-\udbff]$/.test(joined);
    this.#half = endsInHalf ? joined.slice(-1) : "";
    return (endsInHalf ? joined.slice(0, -1) : joined).toWellFormed();
  }

  /** The remaining text. */
  flush(): string {
    const rest = this.#half.toWellFormed();
    this.#half = "";
    return rest;
  }
}
