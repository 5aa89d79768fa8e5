import { messageOf } from "../../core/errors.ts";
import type { ModelFailure } from "../../core/model.ts";
import { vendorFailure } from "../failure.ts";
import { redact } from "../redact.ts";
import { retryAfterMs } from "../retry-after.ts";
import { transportFailure } from "../transport.ts";
import { HttpError } from "./client.ts";
import { ErrorLineError } from "./lines.ts";

/** Whatever the client throws, as a failure. `secrets` are taken out of the message. */
export function ollamaFailure(
  error: unknown,
  options: {
    readonly model: string;
    readonly secrets: readonly string[];
    readonly nowMs: number;
  },
): ModelFailure {
  const failure = kindOf(error, options);
  return { ...failure, message: redact(failure.message, options.secrets) };
}

function kindOf(error: unknown, { model, nowMs }: { model: string; nowMs: number }): ModelFailure {
  if (error instanceof HttpError)
    return error.status === 404
      ? notFound(error.message, model)
      : vendorFailure({
          status: error.status,
          message: `${error.status} ${error.message}`,
          retryAfterMs: retryAfterMs(error.headers, nowMs),
        });
  if (error instanceof ErrorLineError) return vendorFailure({ message: error.message });
  // Everything else ended the stream before its last line.
  return transportFailure(error) ?? { kind: "network", message: messageOf(error) };
}

function notFound(message: string, model: string): ModelFailure {
  return /page not found/i.test(message)
    ? { kind: "invalid-request", message: `404 ${message}: no Ollama server at this address?` }
    : {
        kind: "unknown-model",
        message: `Ollama does not have the model "${model}"; fetch it with: ollama pull ${model}`,
      };
}
