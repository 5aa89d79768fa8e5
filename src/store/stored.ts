import type { z } from "zod";
import { PermanentError, RetryableError } from "../core/errors.ts";

/**
 * Parses a value that a Parley wrote to Redis. @param newest the highest version that is known
 * @throws RetryableError when a newer version wrote it: another process of that version will take
 * it.
 * @throws PermanentError when it is not JSON or not of the expected shape; the message names the
 * key and the path, never the value.
 */
export function parseStored<T>(schema: z.ZodType<T>, key: string, json: string, newest = 1): T {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw new PermanentError(`the value at ${key} is not JSON`, { cause });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  if (
    typeof value === "object" &&
    value !== null &&
    "v" in value &&
    typeof value.v === "number" &&
    value.v > newest
  ) {
    throw new RetryableError(
      `the value at ${key} has version ${value.v}, newer than this process knows`,
      { retryAfterMs: 5_000 },
    );
  }
  throw unexpectedShape(key, parsed.error);
}

/** For what is only shown. Undefined: there is none, it's broken, or another version's. Pure. */
export function readable<T>(schema: z.ZodType<T>, json: string | null | undefined): T | undefined {
  try {
    return typeof json === "string" ? schema.safeParse(JSON.parse(json)).data : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Parses a value that is stored directly, e.g. a hash's field.
 * @throws PermanentError, which names the key and never the value.
 */
export function checkStored<T>(schema: z.ZodType<T>, key: string, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw unexpectedShape(key, parsed.error);
}

function unexpectedShape(key: string, error: z.ZodError): PermanentError {
  const where = error.issues
    .map((issue) => `${issue.path.join(".") || "value"}: ${issue.message}`)
    .join("; ");
  return new PermanentError(`the value at ${key} has an unexpected shape (${where})`);
}
