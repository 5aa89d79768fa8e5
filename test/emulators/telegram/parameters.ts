import { badRequest } from "./api-error.ts";

/**
 * Parameters of one call. A form sends everything as text, JSON sends types: both are read alike,
 * as the server does.
 */
export type Payload = Readonly<Record<string, unknown>>;

export function textField(payload: Payload, name: string): string {
  const value = payload[name];
  if (value === undefined || value === null) return "";
  if (typeof value === "string") {
    // A lone surrogate can't be written in UTF-8; JSON smuggles it as an escape and TDLib refuses
    // it.
    if (!value.isWellFormed()) throw badRequest("strings must be encoded in UTF-8");
    return value;
  }
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw badRequest(`field "${name}" must be of type String`);
}

/** Undefined when absent or not an integer, as `td::to_integer` falls back to a default. */
export function integerField(payload: Payload, name: string): number | undefined {
  const value = payload[name];
  if (value === undefined || value === null || value === "") return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

export function booleanField(payload: Payload, name: string): boolean {
  const value = payload[name];
  return (
    value === true || value === 1 || (typeof value === "string" && /^(true|yes|1)$/i.test(value))
  );
}

/** An object or array, sent as such or as its JSON text. */
export function jsonField(payload: Payload, name: string, what: string): unknown {
  const value = payload[name];
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    throw badRequest(`can't parse ${what} JSON object`);
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
