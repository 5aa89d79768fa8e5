import { messageOf } from "../core/errors.ts";

const sentences: readonly (readonly [RegExp, string])[] = [
  [
    /ECONNREFUSED/,
    "nothing listens there; start Redis, or correct the address",
  ],
  [/ENOTFOUND|EAI_AGAIN/, "the host's name can't be found"],
  [
    /NOAUTH|HELLO must be called/,
    "it needs a password; write it into the URL as redis://:password@host",
  ],
  [/WRONGPASS|invalid password/i, "it does not accept this user and password"],
  [
    /without any password configured|no password is set/i,
    "it has no password, but the URL names one",
  ],
  [
    /ERR_SSL|EPROTO|wrong version number|SSL routines/i,
    "TLS does not work there; use redis:// instead of rediss://, or correct the port",
  ],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|self.signed/i,
    "its TLS certificate is not trusted",
  ],
  [/ETIMEDOUT|timed? ?out/i, "it does not answer in time"],
  [/ECONNRESET|EPIPE|Connection is closed/i, "it closed the connection"],
  [/EHOSTUNREACH|ENETUNREACH/, "the network does not reach it"],
  [/max number of clients/i, "it takes no more connections (maxclients)"],
];

/** One sentence for the operator about why Redis can't be reached; the URL's password is not in it. */
export function describeConnectionError(error: unknown, url: string): string {
  const whole = textsOf(error).join(" ");
  const known = sentences.find(([pattern]) => pattern.test(whole));
  const shown = maskUrl(url);
  // A server without TLS waits for the rest of what it takes for a command.
  const hint =
    url.startsWith("rediss:") && /timed? ?out/i.test(whole)
      ? "; if it does not speak TLS, use redis:// instead of rediss://"
      : "";
  const reason = known?.[1] ?? messageOf(error).replaceAll(url, shown);
  return `Redis at ${shown} can't be used: ${reason}${hint}.`;
}

/** The messages and codes of an error, its causes and, when several addresses were tried, theirs. */
function textsOf(error: unknown, depth = 0): string[] {
  if (depth > 3 || typeof error !== "object" || error === null)
    return [String(error)];
  const { code, message, cause, errors, previousErrors } = error as Partial<
    Record<string, unknown>
  >;
  const inner = [cause, errors, previousErrors].flat().filter(Boolean);
  return [
    `${typeof code === "string" ? code : ""} ${typeof message === "string" ? message : ""}`,
    ...inner.flatMap((each) => textsOf(each, depth + 1)),
  ];
}

function maskUrl(url: string): string {
  if (!URL.canParse(url)) return "the configured address";
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
