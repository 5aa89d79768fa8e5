import type { Logger } from "pino";
import { isFault, messageOf, PermanentError } from "../../../core/errors.ts";
import { unlessAborted } from "../../../util/abort.ts";
import { retried } from "../retry.ts";
import type { Held } from "./held.ts";

/** How long what the store cannot take is kept. */
const keepForMs = 15 * 60_000;

/** True if it was dropped, which is reported; false if this process ends first. */
export async function retryUntilAccepted<T>(
  {
    now,
    log,
    signal,
    held,
  }: {
    readonly now: () => number;
    readonly log: Logger;
    readonly signal: AbortSignal;
    readonly held: Pick<Held, "lost">;
  },
  {
    message,
    atMs,
    dropped,
  }: {
    readonly message: { readonly id: string };
    readonly atMs: number;
    readonly dropped: AbortSignal;
  },
  { waits, work }: { readonly waits: string; readonly work: () => Promise<T> },
): Promise<{ readonly value: T } | boolean> {
  try {
    // Async, so that what cannot be translated is a failure, too.
    const value = retried(async () => await work(), {
      signal: AbortSignal.any([signal, dropped]),
      firstDelayMs: 250,
      maxDelayMs: 5_000,
      again(failure, attempts) {
        if (attempts === 1) log.warn({ id: message.id, cause: messageOf(failure) }, waits);
        const isHopeless = failure instanceof PermanentError || isFault(failure);
        return !isHopeless && now() - atMs < keepForMs;
      },
    });
    return { value: await unlessAborted(value, dropped) };
  } catch (failure) {
    if (!dropped.aborted && signal.aborted) return false;
    held.lost();
    log[dropped.aborted ? "debug" : "error"](
      { id: message.id, cause: messageOf(failure) },
      "a message was lost",
    );
    return true;
  }
}
