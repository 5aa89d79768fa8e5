import type { ModelFailure, ModelFailureKind } from "../core/model.ts";
import { wordedKind } from "./failure-words.ts";
import { saysTooLong } from "./overflow.ts";
import { waitIn } from "./retry-after.ts";

/** A vendor's error response, before or after the HTTP status 200. */
export interface VendorError {
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly type?: string | undefined;
  readonly message: string;
  /** More of what it said, as JSON: times to wait may be there. */
  readonly details?: string | undefined;
  readonly retryAfterMs?: number | undefined;
}

/**
 * The kind of a vendor's failure. Words come first where a status says too little: OpenAI answers
 * 400 to an overlong prompt as to a typing error, and 429 to an empty account as to a busy minute.
 */
export function vendorFailure(error: VendorError): ModelFailure {
  const { status } = error;
  const said = kindByWords(error);
  const kind =
    said ?? kindByStatus(status ?? numeric(error.code), error.message) ?? kindByLooseWords(error);
  const mayBeTooLong =
    said === undefined && kind === "invalid-request" && (status === 400 || status === 413);
  const mayWait = kind === "rate-limited" || kind === "overloaded";
  const retryAfterMs =
    error.retryAfterMs ??
    (mayWait ? waitIn(`${error.message}\n${error.details ?? ""}`) : undefined);
  return {
    kind,
    ...(kind === "timeout" ? { isReported: true } : {}),
    message: error.message,
    ...(mayBeTooLong ? { mayBeTooLong } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/**

/**
 * The model has no eyes, which its server says with any status. llama.cpp, Ollama and llamafile
 * answer 500: "image input is not supported", "this model is missing data required for image
 * input", "not compiled for multimodal". LM Studio says "does not support images", vLLM "is not a
 * multimodal model" or "At most 0 image(s) may be provided".
 */
const noImages =
  /(?:image|vision|multimodal) (?:inputs? )?(?:is|are) not supported|(?:not|n't) support (?:image|vision|multimodal)|required for image input|not a multimodal model|not compiled for multimodal|at most 0 image/i;

function kindByWords(error: VendorError): ModelFailureKind | undefined {
  const names = `${error.code ?? ""} ${error.type ?? ""}`.trim();
  const words = `${names} ${error.message}`;
  const maybeRequest =
    error.status === undefined || [400, 413, 422].includes(error.status) || error.status >= 500;
  // 429: one request with more tokens than a minute may have.
  const maybeLong = maybeRequest || (error.status === 429 && /too large/i.test(error.message));
  if (maybeLong && saysTooLong(words)) return "context-overflow";
  if (maybeRequest && noImages.test(error.message)) return "invalid-request";
  return wordedKind(error.status ?? numeric(error.code), { names, message: error.message });
}

function kindByStatus(status: number | undefined, message: string): ModelFailureKind | undefined {
  if (status === undefined || status < 400) return undefined;
  if (status === 402) return "no-credit";
  if (status === 401 || status === 403) return "auth";
  // It has no such address; or what it lacks is named, and not the model.
  if (status === 404) return lacksOther.test(message) ? "invalid-request" : "unknown-model";
  if (status === 408 || status === 504) return "timeout";
  if (status === 429) return "rate-limited";
  // StepFun's censor.
  if (status === 451) return "moderated";
  // A lock, and a request that came too early: OpenAI's own client repeats both.
  return status >= 500 || status === 409 || status === 425 ? "overloaded" : "invalid-request";
}

/** A 404 that isn't about the model. */
const lacksOther =
  /page not found|no endpoints found that|(?:invalid|unknown)(?: request)? url|cannot (?:get|post)|<html|"detail":\s*"not found"|^(?:404 )?not found$/i;

function kindByLooseWords(error: VendorError): ModelFailureKind {
  const words = `${error.code ?? ""} ${error.type ?? ""}`;
  // Without a status and a code its message is all that an error says.
  const all = error.status === undefined ? `${words} ${error.message}` : words;
  if (/rate[_ -]?limit|too[_ ]many/i.test(all)) return "rate-limited";
  if (/time_?d?_?out|timed out/i.test(all)) return "timeout";
  if (
    /authentication|permission|unauthori[sz]ed|(?:invalid|incorrect|missing) api[_ ]key/i.test(
      all,
    ) ||
    /api_key/i.test(words)
  )
    return "auth";
  if (
    /invalid_(?:request|image|base64)|not_found|bad_request|unsupported_|image_(?:too|parse|file)|empty_image/i.test(
      words,
    )
  )
    return "invalid-request";
  return "overloaded";
}

/** OpenRouter puts an HTTP status into `code` of an error that comes after status 200. */
function numeric(code: string | undefined): number | undefined {
  return code !== undefined && /^[45]\d\d$/.test(code) ? Number(code) : undefined;
}
