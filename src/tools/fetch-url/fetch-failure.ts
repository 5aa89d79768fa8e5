import { PermanentError, messageOf } from "../../core/errors.ts";

/** Texts for error codes; other errors show their code. */
const sentences: Readonly<Record<string, string>> = {
  ENOTFOUND: "there is no such host.",
  EAI_AGAIN: "the host's name could not be looked up.",
  ECONNREFUSED: "the connection was refused.",
  ECONNRESET: "the connection was cut off.",
  UND_ERR_SOCKET: "the connection was cut off.",
  UND_ERR_CONNECT_TIMEOUT: "the host did not answer.",
  UND_ERR_HEADERS_OVERFLOW: "its headers are too long.",
  CERT_HAS_EXPIRED: "its certificate has expired.",
};

/**
 * What `fetch` threw, as one sentence for the model that names no address inside our network:
 * `fetch` hides the reason in the causes.
 */
export function fetchFailure(error: unknown): PermanentError {
  const reasons = causesOf(error);
  const ours = reasons.find((each) => each instanceof PermanentError);
  if (ours !== undefined) return ours;
  const codes = reasons.map((each) =>
    each instanceof Error && "code" in each ? String(each.code) : "",
  );
  const code = codes.findLast((each) => each !== "");
  const why =
    code === undefined
      ? `the answer could not be read (${messageOf(reasons.at(-1)).slice(0, 100)}).`
      : (sentences[code] ?? `the connection failed (${code.slice(0, 50)}).`);
  return new PermanentError(why, { cause: error });
}

/** The error, its cause, and so on; of several at once the first. */
function causesOf(error: unknown): unknown[] {
  const found: unknown[] = [];
  let next = error;
  while (next !== undefined && found.length < 5) {
    found.push(next);
    if (next instanceof AggregateError && next.cause === undefined) next = next.errors[0];
    else next = next instanceof Error ? next.cause : undefined;
  }
  return found;
}
