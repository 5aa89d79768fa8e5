import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { unreachable } from "../../../core/errors.ts";
import type { Sender } from "../../../core/ports.ts";
import { sendUndecorated } from "../../../core/send-undecorated.ts";
import { sleepUnref } from "../../../util/sleep.ts";
import type { ReceiveDeps } from "../receive/deps.ts";

/** For as long as Discord knows the nonce, so that nothing is said twice. Milliseconds. */
const retryForMs = 110_000;
/** Behind an attempt whose fate is not known. */
const unknownRetryMs = 1_000;

/**
 * Sends a text that is in no outbox, so that no one else would repeat it: until
 * Discord takes it, refuses it, or would no longer recognise a repetition.
 */
export function sayUntilAccepted({
  sender,
  botId,
  log,
  signal,
}: {
  readonly sender: Pick<Sender, "send">;
  readonly botId: string;
  readonly log: Logger;
  readonly signal: AbortSignal;
}): ReceiveDeps["say"] {
  return async ({ channelId, replyTo }, text) => {
    const address = {
      platform: "discord",
      bot: botId,
      chat: channelId,
    } as const;
    const nonce = randomUUID().slice(0, 25);
    const reply = replyTo === undefined ? {} : { replyTo };
    const untilMs = performance.now() + retryForMs;
    for (;;) {
      const options = { nonce, final: true, ...reply };
      const outcome = await sendUndecorated(sender, address, { chunk: { text }, options });
      let waitMs: number;
      switch (outcome.type) {
        case "sent":
        case "refused":
        case "gone":
          return;
        case "retry":
          waitMs = outcome.retryAfterMs;
          break;
        case "unknown":
          waitMs = unknownRetryMs;
          break;
        default:
          waitMs = unreachable(outcome);
      }
      if (performance.now() + waitMs > untilMs) {
        log.warn({ cause: outcome.cause }, "an answer could not be sent");
        return;
      }
      try {
        await sleepUnref(waitMs, signal);
      } catch {
        return;
      }
    }
  };
}
