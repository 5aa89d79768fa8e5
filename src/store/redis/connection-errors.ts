import { messageOf, RetryableError } from "../../core/errors.ts";
import { parseRedisUrl, showRedisAddress } from "../../core/redis-address.ts";
import { UnsuitableRedisError } from "./check-server.ts";

/** The first match is reported: Sentinels' errors come before those of any server. */
const sentences: readonly (readonly [RegExp, string])[] = [
  [
    /sentinel \S+ because .*(?:NOAUTH|HELLO must)/,
    "a Sentinel needs a password; add ?sentinelPassword=… to the URL",
  ],
  [
    /sentinel \S+ because .*(?:WRONGPASS|invalid password)/i,
    "a Sentinel doesn't accept its user and password",
  ],
  [
    /invalid reply: null|No such master/,
    "its Sentinels know no master of this name; correct the last part of the URL",
  ],
  [/ECONNREFUSED/, "nothing is listening there; start Redis or check REDIS_URL"],
  [/ENOENT/, "there is no such socket; start Redis, or correct the path"],
  [/EACCES/, "this user must not open its socket; see unixsocketperm in Redis' settings"],
  [/ENOTFOUND|EAI_AGAIN/, "the host's name can't be found"],
  [
    /NOAUTH|HELLO must be called/,
    "it needs a password; write it into the URL as redis://:password@host",
  ],
  [/WRONGPASS|invalid password/i, "it doesn't accept this user and password"],
  [
    /without any password configured|no password is set/i,
    "it has no password, but the URL names one",
  ],
  [
    /ERR_SSL|EPROTO|wrong version number|SSL routines/i,
    "TLS doesn't work there; use redis:// instead of rediss://, or correct the port",
  ],
  [/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|self.signed/i, "its TLS certificate is not trusted"],
  [/All sentinels are unreachable/, "none of its Sentinels answers"],
  [/ETIMEDOUT|timed? ?out/i, "it doesn't answer in time"],
  [/ECONNRESET|EPIPE|Connection is closed/i, "it closed the connection"],
  [/EHOSTUNREACH|ENETUNREACH/, "it can't be reached over the network"],
  [/max number of clients/i, "it takes no more connections (maxclients)"],
];

/**
 * One sentence for the operator about why Redis can't be reached; the URL's password is not in it.
 */
export function describeConnectionError(error: unknown, url: string): string {
  const whole = textsOf(error).join(" ");
  const known = sentences.find(([pattern]) => pattern.test(whole));
  const shown = maskUrl(url);
  const isTls = /^rediss\b/.test(url);
  // A server without TLS waits for the rest of the supposed command.
  const hint =
    isTls && /timed? ?out/i.test(whole)
      ? "; if it doesn't speak TLS, use redis:// instead of rediss://"
      : "";
  const reason = known?.[1] ?? messageOf(error).replaceAll(url, shown);
  return `Can't use Redis at ${shown}: ${reason}${hint}.`;
}

/**
 * The messages and codes of an error, its causes and, when several addresses were tried, theirs.
 */
function textsOf(error: unknown, depth = 0): string[] {
  if (depth > 3 || typeof error !== "object" || error === null) return [String(error)];
  const { code, message, cause, errors, previousErrors, lastNodeError } = error as Partial<
    Record<string, unknown>
  >;
  const inner = [cause, errors, previousErrors, lastNodeError].flat().filter(Boolean);
  return [
    `${typeof code === "string" ? code : ""} ${typeof message === "string" ? message : ""}`,
    ...inner.flatMap((each) => textsOf(each, depth + 1)),
  ];
}

function maskUrl(url: string): string {
  const reading = parseRedisUrl(url);
  return "expected" in reading ? "the configured address" : showRedisAddress(reading.address);
}

const retryAfterMs = 1_000;

/**
 * The error of a failed attempt to connect: Redis can't be used as configured, or can't be reached
 * now.
 * @param errors all errors of the attempt, the most specific first.
 */
export function connectionError(
  errors: readonly unknown[],
  url: string,
): UnsuitableRedisError | RetryableError {
  const known = errors.find((error) => error instanceof UnsuitableRedisError);
  if (known) return known;
  const cause = errors.length === 1 ? errors[0] : new AggregateError(errors, messageOf(errors[0]));
  const sentence = describeConnectionError(cause, url);
  const isRefused =
    /NOAUTH|WRONGPASS|NOPERM|HELLO must|invalid password|without any password/i.test(
      textsOf(cause).join(" "),
    );
  return isRefused
    ? new UnsuitableRedisError(sentence, { cause })
    : new RetryableError(sentence, { cause, retryAfterMs });
}
