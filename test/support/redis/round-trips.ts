/**
 * A command that some client has written. Moments are counted, not measured: the n-th thing that
 * happened.
 */
export interface AskedCommand {
  /** A number for each. */
  readonly connection: number;
  /** In lower case; of a script its own, e.g. `parley-ingest`, `moveToActive`. */
  readonly name: string;
  /** What follows it. */
  readonly parts: readonly string[];
  readonly writtenAt: number;
  /** When its caller had the reply; absent: not yet. */
  readonly reply?: { readonly at: number; readonly isEmpty: boolean };
}

/** What was written between two waits; never empty. */
export type RoundTrip = readonly [AskedCommand, ...AskedCommand[]];

/**
 * The waits behind each other that these commands were: a round trip begins with what was written
 * while no other of them was unanswered. Pure. @param commands in the order in which they were
 * written
 */
export function roundTripsOf(commands: readonly AskedCommand[]): RoundTrip[] {
  let answeredAt = -Infinity;
  const roundTrips: [AskedCommand, ...AskedCommand[]][] = [];
  for (const command of commands) {
    const isFirst = answeredAt < command.writtenAt;
    answeredAt = Math.max(answeredAt, command.reply?.at ?? Infinity);
    if (isFirst) roundTrips.push([command]);
    else roundTrips.at(-1)?.push(command);
  }
  return roundTrips;
}
