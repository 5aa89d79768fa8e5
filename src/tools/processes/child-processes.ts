import { FairSlots } from "../../util/fair-slots.ts";
import { ChildProcess, type Outcome, type Work } from "./child-process.ts";
import { idleMs } from "./limits.ts";

export interface Job {
  readonly work: Work;
  /** Called when there is room for the job, so that a job that waits holds no memory. */
  readonly input: () => Promise<string | Uint8Array> | string | Uint8Array;
  /** Whose job it is. */
  readonly person: string;
  readonly signal: AbortSignal;
}

/** Of each kind of work in one process: jobs at the same time, of all people and of one. */
const atOnce = { perProcess: 2, perPerson: 1 };

interface Given {
  readonly given: string | Uint8Array;
  readonly signal: AbortSignal;
}

interface Kind {
  readonly slots: FairSlots;
  /** Warm, for the next job; ends when there is none for a while. */
  idle?: { readonly child: ChildProcess; readonly timer: NodeJS.Timeout };
}

/**
 * Processes untrusted content, each kind in a separate child process, which is
 * started when first needed, reused for the next job, and replaced when it has
 * ended. Disposing ends all.
 */
export class ChildProcesses implements Disposable {
  /** By script. */
  readonly #kinds = new Map<string, Kind>();
  readonly #working = new Set<ChildProcess>();
  readonly #idleMs: number;

  constructor({ idleMs: keptMs = idleMs } = {}) {
    this.#idleMs = keptMs;
  }

  /** @throws the signal's reason; what `input` throws; an `Error` when no child can be started. */
  async run({ work, input, person, signal }: Job): Promise<Outcome> {
    const kind = this.#kindOf(work);
    return await kind.slots.run(
      person,
      async () => {
        const given = await input();
        signal.throwIfAborted();
        const runIn = (child: ChildProcess) => this.#runIn(kind, child, { given, signal });
        const outcome = await runIn(this.#take(kind) ?? new ChildProcess(work));
        if (outcome !== "not-begun") return outcome;
        // A warm child had ended, and we did not know yet.
        const again = await runIn(new ChildProcess(work));
        return again === "not-begun" ? { type: "died" } : again;
      },
      signal,
    );
  }

  async #runIn(
    kind: Kind,
    child: ChildProcess,
    { given, signal }: Given,
  ): Promise<Outcome | "not-begun"> {
    this.#working.add(child);
    try {
      return await child.run(given, signal);
    } finally {
      this.#working.delete(child);
      this.#keep(kind, child);
    }
  }

  [Symbol.dispose](): void {
    for (const kind of this.#kinds.values()) this.#take(kind)?.kill();
    for (const child of this.#working) child.kill();
  }

  #kindOf({ script }: Work): Kind {
    const known = this.#kinds.get(script.href);
    if (known !== undefined) return known;
    const kind: Kind = { slots: new FairSlots(atOnce) };
    this.#kinds.set(script.href, kind);
    return kind;
  }

  #take(kind: Kind): ChildProcess | undefined {
    const { idle } = kind;
    delete kind.idle;
    clearTimeout(idle?.timer);
    return idle?.child.isUsable === true ? idle.child : undefined;
  }

  #keep(kind: Kind, child: ChildProcess): void {
    if (kind.idle !== undefined || !child.isUsable) {
      child.kill();
      return;
    }
    const end = (): void => this.#take(kind)?.kill();
    kind.idle = { child, timer: setTimeout(end, this.#idleMs).unref() };
  }
}
