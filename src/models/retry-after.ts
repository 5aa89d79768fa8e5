/**
 * `retry-after-ms` (OpenAI, Azure), else `retry-after` as seconds or as a date, which is by the
 * clock of the reply's own. Milliseconds.
 */
export function retryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const ms = Number(headers.get("retry-after-ms") ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const text = headers.get("retry-after");
  if (text === null) return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const atMs = Date.parse(text);
  if (Number.isNaN(atMs)) return undefined;
  const repliedAtMs = Date.parse(headers.get("date") ?? "");
  return Math.max(0, atMs - (repliedAtMs || nowMs));
}

/** Milliseconds of each unit. */
const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const unit = String.raw`(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)`;
const amount = String.raw`\d{1,9}(?:\.\d{1,9})? ?${unit}(?![a-z])`;

/**
 * "Please try again in 1m26.4s" (OpenAI, Groq), "Please retry in 42.38s" (Google), "Please retry
 * after 26 seconds" (Azure).
 */
const sentence = new RegExp(
  String.raw`\b(?:try again|retry|wait)(?: your request)?(?: in| after| for| at least)? (?:about )?(${amount}(?:(?: and|,)? ?${amount}){0,3})`,
  "i",
);
/** `retryDelay`: Google's RetryInfo. `estimated_time`: Hugging Face, while it loads a model. */
const field =
  /"(?:retry_?(?:delay|after)|estimated_time)(?:_?in)?_?(ms|s|secs|seconds)?"\s*:\s*"?(\d{1,12}(?:\.\d{1,9})?)(ms|s)?"?\s*[,}]/i;

/** How long a server wants to be left alone, in milliseconds, as far as its words say. Pure. */
export function waitIn(words: string): number | undefined {
  const [, named, value, written] = field.exec(words) ?? [];
  if (value !== undefined) return Math.ceil(Number(value) * msOf(written ?? named ?? "s"));
  const said = sentence.exec(words)?.[1];
  if (said === undefined) return undefined;
  // "1m26.4s" has no space between its units.
  const parts = said.matchAll(/(\d+(?:\.\d+)?) ?([a-z]+)/gi);
  return Math.ceil([...parts].reduce((sum, [, n, of = "s"]) => sum + Number(n) * msOf(of), 0));
}

function msOf(name: string): number {
  const lower = name.toLowerCase();
  if (lower.startsWith("ms") || lower.startsWith("mil")) return units.ms;
  return units[lower.charAt(0) as "s" | "m" | "h" | "d"];
}
