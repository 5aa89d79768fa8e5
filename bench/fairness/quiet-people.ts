import { setTimeout as sleep } from "node:timers/promises";
import type { Person } from "../../test/emulators/telegram/person.ts";
import type { TelegramServer } from "../../test/emulators/telegram/telegram-server.ts";

/** How long each waits between an answer and the next question. */
const questionEveryMs = 1_000;

/** What people waited for their answers. Milliseconds. */
export interface Waits {
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** How many answers these are of. */
  readonly count: number;
}

/**
 * Everybody asks in their own time until `until` is over. Every question is answered by its own
 * words.
 * @param leftMs how long may still be waited.
 * @throws where an answer does not come in time.
 */
export async function askUntil(
  telegram: TelegramServer,
  people: readonly Person[],
  { until, leftMs }: { readonly until: Promise<unknown>; readonly leftMs: () => number },
): Promise<number[]> {
  const flood = { isOver: false };
  const over = async (): Promise<void> => {
    await until;
    flood.isOver = true;
  };
  const waits: number[] = [];
  const ask = async (person: Person, index: number): Promise<void> => {
    const chat = telegram.privateChat(person);
    await sleep((index * questionEveryMs) / people.length);
    while (!flood.isOver) {
      const known = telegram.botMessages(chat).length;
      const word = `hello ${person.id} ${known}`;
      const atMs = performance.now();
      person.send(chat, `say ${word}`);
      await telegram.waitFor(() => telegram.botMessages(chat).at(-1)?.text === word, {
        what: `an answer to ${word}`,
        timeoutMs: leftMs(),
      });
      waits.push(performance.now() - atMs);
      await sleep(questionEveryMs);
    }
  };
  await Promise.all([over(), ...people.map(ask)]);
  return waits;
}

/** Pure. */
export function waitsOf(measured: readonly number[]): Waits {
  const waits = measured.toSorted((one, other) => one - other);
  const at = (share: number): number =>
    waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0;
  return {
    medianMs: at(0.5),
    p95Ms: at(0.95),
    p99Ms: at(0.99),
    count: waits.length,
  };
}
