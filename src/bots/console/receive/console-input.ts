import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { ChatAddress, Person } from "../../../core/chat.ts";
import { messageOf } from "../../../core/errors.ts";
import type { Accept, Acceptance, Inbound } from "../../../core/inbound.ts";
import { backoffMs } from "../../../util/backoff.ts";
import { sleep } from "../../../util/sleep.ts";

export const consoleAddress: ChatAddress = {
  platform: "console",
  bot: "local",
  chat: "main",
};

const retry = { firstMs: 250, maxMs: 5_000 };

export interface ConsoleInputDeps {
  readonly accept: Accept;
  /** Milliseconds since the epoch, by the clock that all processes share. */
  readonly now: () => number;
  readonly log: Logger;
  readonly userName: string;
  /** BCP 47: in which the system talks to the person. */
  readonly locale: string | undefined;
  /** Aborted when the console closes. */
  readonly signal: AbortSignal;
  /** Called at the first failure of each arrival: it is kept, and tried again. */
  readonly onRetry: () => void;
}

/**
 * Passes on what the user typed until it is accepted; undefined when the
 * console has closed before.
 */
export class ConsoleInput {
  readonly #deps: ConsoleInputDeps;
  readonly #person: Person;

  constructor(deps: ConsoleInputDeps) {
    this.#deps = deps;
    const { userName: name, locale } = deps;
    this.#person = {
      id: "console:local",
      name,
      ...(locale === undefined ? {} : { language: locale }),
    };
  }

  async message(text: string): Promise<Acceptance | undefined> {
    return await this.#hand({
      ...this.#arrival(),
      type: "message",
      text,
      answersItself: true,
    });
  }

  async command(name: string, argument = ""): Promise<Acceptance | undefined> {
    return await this.#hand({
      ...this.#arrival(),
      type: "command",
      name,
      argument,
      answersItself: true,
    });
  }

  /** @param filled the fields of the form that the same tap has opened. */
  async tap(
    messageId: string,
    data: string,
    filled?: Readonly<Record<string, string>>,
  ): Promise<Acceptance | undefined> {
    return await this.#hand({
      ...this.#arrival(),
      type: "tap",
      messageId,
      data,
      ...(filled === undefined ? {} : { filled }),
    });
  }

  #arrival() {
    return {
      id: randomUUID(),
      address: consoleAddress,
      person: this.#person,
      direct: true,
      atMs: this.#deps.now(),
    };
  }

  /**
   * The same id at every attempt: an arrival whose acceptance got lost is a duplicate, not a second
   * one.
   */
  async #hand(inbound: Inbound): Promise<Acceptance | undefined> {
    const { accept, log, signal, onRetry } = this.#deps;
    for (let failures = 1; !signal.aborted; failures += 1) {
      try {
        return await accept(inbound);
      } catch (error) {
        log.warn({ err: error, id: inbound.id }, "not accepted, trying again");
        if (failures === 1) onRetry();
        const waitMs = backoffMs(failures, retry);
        await sleep(waitMs, signal).catch((error: unknown) => log.debug(messageOf(error)));
      }
    }
    return undefined;
  }
}
