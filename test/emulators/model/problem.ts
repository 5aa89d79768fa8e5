/**
 * One broken rule, with the fields of OpenAI's error body: which parameter, what is wrong, and the
 * vendor's code.
 */
export interface Problem {
  readonly param: string | null;
  readonly message: string;
  readonly code: string | null;
}

export type JsonObject = Record<string, unknown>;

export function problem(
  param: string | null,
  message: string,
  code: string | null = null,
): Problem {
  return { param, message, code };
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function parseJson(
  text: string,
): { ok: true; value: unknown } | { ok: false; reason: string } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, reason: String(error) };
  }
}

/**
 * Half a character (a lone surrogate) can't be encoded as UTF-8: it arrives as U+FFFD or is
 * refused.
 */
export function surrogateProblems(value: unknown, path: string): Problem[] {
  if (typeof value === "string") {
    return value.isWellFormed()
      ? []
      : [problem(path, `Invalid '${path}': the text has a lone surrogate.`)];
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => surrogateProblems(item, `${path}[${index}]`));
  }
  if (isObject(value)) {
    return Object.entries(value).flatMap(([key, item]) => [
      ...surrogateProblems(key, `${path}.${key}`),
      ...surrogateProblems(item, `${path}.${key}`),
    ]);
  }
  return [];
}

export function isBase64(text: string): boolean {
  return text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}
