import type OpenAI from "openai";
import { APIError } from "openai";
import type { Found } from "../card-source.ts";

/** A GET relative to the base URL; rejects when it fails. */
export type Ask = (
  url: string,
  /** Null: without this header. */
  headers?: Readonly<Record<string, string | null>>,
) => Promise<unknown>;

/** A server's endpoint for model properties, and its format. */
export type Catalog = (context: {
  readonly ask: Ask;
  /** The base URL without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** As the server calls it. */
  readonly model: string;
}) => Promise<Found>;

export const nothingKnown: Found = { card: {}, final: true };

/** The question must not keep the answer waiting. */
const askWithinMs = 5000;

/**
 * Undefined if the server has no such page, which is an answer, too. @throws if the server doesn't
 * answer.
 */
export function askThrough(client: OpenAI): Ask {
  return async (url, headers = {}) => {
    try {
      return await client.get<unknown>(url, {
        headers,
        timeout: askWithinMs,
        maxRetries: 0,
      });
    } catch (error) {
      if (error instanceof APIError && isFinal(error.status as unknown)) return undefined;
      throw error;
    }
  };
}

function isFinal(status: unknown): boolean {
  return status === 400 || status === 404 || status === 405 || status === 501;
}
