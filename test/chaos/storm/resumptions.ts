/** A process that was taken from its turns, and when each of them went on elsewhere. */
export interface Disruption {
  readonly kind: "kill" | "term";
  readonly member: string;
  readonly atMs: number;
  /** Keys of processes whose requests do not count. */
  readonly key: string;
  /** Marks of turns that had a request under way. */
  readonly waiting: Set<string>;
  readonly resumed: Map<string, number>;
}

/**
 * Measures from outside: from the signal to the next request, of a model or a tool, that another
 * process makes for the turn.
 */
export class Resumptions {
  readonly all: Disruption[] = [];

  begin(disruption: Pick<Disruption, "kind" | "member" | "key">, marks: Iterable<string>): void {
    this.all.push({
      ...disruption,
      atMs: Date.now(),
      waiting: new Set(marks),
      resumed: new Map(),
    });
  }

  heard(mark: string, caller: string): void {
    for (const each of this.all) {
      if (caller === each.key || !each.waiting.delete(mark)) continue;
      each.resumed.set(mark, Date.now() - each.atMs);
    }
  }
}
