import { configKey } from "../keys.ts";
import { list, number, text, type Store } from "../redis/redis.ts";

/** A message that isn't taken: its inbox is full, or a limit is reached. */
export interface LeftOut {
  readonly eventId: string;
  /** Events with the same name are counted once, e.g. the pictures of an album. */
  readonly countedAs: string;
  /** The cause, the chat and the person: such messages are counted together. */
  readonly of: string;
  /** A notice answers it, unless one has answered an earlier message: `never`, `first`, or `always`. */
  readonly notice: "never" | "first" | "always";
}

export interface LeftOutSoFar {
  /** Messages since the notice, with its own; at most 1,000. */
  readonly count: number;
  /** The event that the notice answers; undefined: there is none yet. */
  readonly notice: string | undefined;
}

const maxCounted = 1_000;
/** A later message gets a notice of its own. Milliseconds. */
const countedForMs = 3_600_000;

export async function leaveOut(
  store: Store,
  { eventId, countedAs, of, notice }: LeftOut,
): Promise<LeftOutSoFar> {
  const [count, answered] = list(
    await store.run(
      "left-out",
      [configKey(`told:${of}`)],
      [eventId, countedAs, notice, maxCounted, countedForMs],
    ),
  );
  const noticed = text(answered);
  return { count: number(count), notice: noticed === "" ? undefined : noticed };
}
