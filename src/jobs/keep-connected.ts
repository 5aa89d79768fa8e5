import type { Logger } from "pino";
import { messageOf } from "../core/errors.ts";
import { connectedForMs, type ConnectedBots } from "../store/operations/connected-bots.ts";

/** Several may fail before the bot counts as offline. Milliseconds. */
const intervalMs = connectedForMs / 24;
/** After a failure, such as a full memory. Milliseconds. */
const retryMs = 60_000;

export interface KeepConnected extends Disposable {
  /**
   * Says that this process is connected as this bot (`platform:bot`), now and for as long as it is.
   */
  add(bot: string): Promise<void>;
}

/** Lets all processes know which bots this one is connected as. */
export function keepConnected({
  connectedBots,
  log,
}: {
  readonly connectedBots: ConnectedBots;
  readonly log: Pick<Logger, "warn">;
}): KeepConnected {
  const bots: string[] = [];
  let retry: NodeJS.Timeout | undefined;
  const note = (which: readonly string[]): Promise<void> =>
    connectedBots.note(which).catch((error: unknown) => {
      log.warn(
        { error: messageOf(error) },
        "other processes don't know for now which bots are connected",
      );
      clearTimeout(retry);
      retry = setTimeout(() => void note(bots), retryMs).unref();
    });
  const timer = setInterval(() => void note(bots), intervalMs).unref();
  return {
    async add(bot) {
      bots.push(bot);
      await note([bot]);
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      clearTimeout(retry);
    },
  };
}
