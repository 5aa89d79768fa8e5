import { APIError } from "openai";
import { vendorFailure } from "../failure.ts";

type Body = Readonly<Record<string, unknown>>;

/** Optional fields for which servers are known to refuse a whole request. */
const dispensable = [
  "stream_options",
  "temperature",
  "max_tokens",
  "response_format",
  "reasoning_effort",
  "reasoning",
  "thinking",
  "chat_template_kwargs",
  "extra_body",
  "repeat_penalty",
  "repetition_penalty",
  "text",
];

const unknownField =
  /unsupported|unrecognized|unknown|unexpected|not (?:supported|permitted|allowed)|does not support|extra (?:inputs|fields)|must be one of|must be verified/i;

/**
 * The fields that one model's server has refused; they are not sent again. A server's list of
 * fields is nowhere to be asked for, and OpenAI's differs from model to model. `max_tokens` goes on
 * under its newer name.
 */
export class RefusedFields {
  readonly #refused = new Set<string>();

  without<Sent extends Body>(body: Sent): Sent {
    const { max_tokens: cap } = body;
    const renamed =
      this.#refused.has("max_tokens") && cap !== undefined ? { max_completion_tokens: cap } : {};
    const kept = Object.entries(body).filter(([field]) => !this.#refused.has(field));
    return { ...Object.fromEntries(kept), ...renamed } as Sent;
  }

  /**
   * Whether the error names a field of the body, so that the request without it may be answered.
   */
  learn(error: unknown, body: Body): boolean {
    if (!(error instanceof APIError)) return false;
    const { status, message } = error;
    const param: unknown = error.param;
    if (status !== 400 && status !== 422) return false;
    if (vendorFailure({ status, message }).kind !== "invalid-request") return false;
    if (!unknownField.test(message)) return false;
    const field = dispensable.find(
      (each) =>
        body[each] !== undefined &&
        (isOf(each, param) || new RegExp(`\\b${each}\\b`).test(message)),
    );
    if (field === undefined) return false;
    this.#refused.add(field);
    return true;
  }
}

/** `reasoning.summary` is part of `reasoning`. */
function isOf(field: string, param: unknown): boolean {
  return typeof param === "string" && (param === field || param.startsWith(`${field}.`));
}
