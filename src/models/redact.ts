import type { ModelEvent } from "../core/model.ts";

const maxLength = 500;

/**
 * A vendor's message as a log may hold it: without keys (vendors quote them, half masked) and
 * without userinfo.
 */
export function redact(message: string, secrets: readonly string[]): string {
  let text = message.toWellFormed();
  for (const secret of secrets) if (secret !== "") text = text.replaceAll(secret, "[secret]");
  text = text
    .replaceAll(/\/\/[^\s/@]+@/g, "//")
    .replaceAll(/\b(Bearer|Basic)\s+[\w.~+/=*-]+/gi, "$1 [secret]")
    .replaceAll(/\b(?:sk|pk|rk|gsk|xai)-[\w*.-]+/g, "[secret]");
  return text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed()}…` : text;
}

/** Servers repeat in a failure what they were sent, or anything else. */
export function withoutSecrets(event: ModelEvent, secrets: readonly string[]): ModelEvent {
  if (event.type !== "failure") return event;
  const { failure } = event;
  return { ...event, failure: { ...failure, message: redact(failure.message, secrets) } };
}
