import { messageOf } from "../../core/errors.ts";

/**
 * The server's memory is full (`maxmemory`): nothing new can be kept, while what is under way goes
 * on, since our scripts see to that. What was refused was not done.
 */
export const isOutOfMemory = (error: unknown): boolean =>
  sayings(error).some((each) => /\bOOM command not allowed\b/.test(each));

/** For `catch`: what to do without where the memory is full; every other error is thrown again. */
export const unlessOutOfMemory =
  <Instead>(instead: Instead) =>
  (error: unknown): Instead => {
    if (isOutOfMemory(error)) return instead;
    throw error;
  };

/**
 * The server answers but can't serve requests or take writes for now: it is
 * loading its file, became a replica, can't write to its disk, lacks replicas,
 * or its cluster is being reorganised. Redis reports this before a command or a
 * script has written anything, so the same command may be sent again. Before
 * Redis 7 the code is inside a script's own error.
 */
export const isPassingRefusal = (error: unknown): boolean => sayings(error).some(isPassing);

/**
 * The server can't be reached: an error of the operating system, or of the client that lost the
 * connection.
 */
export const isOutOfReach = (error: unknown): boolean =>
  (error instanceof Error && "code" in error && networkCodes.has(error.code)) ||
  /^(?:Connection is closed|Command timed out|Reached the max retries|Stream isn't writeable|None of startup nodes|All sentinels are unreachable|Failed to refresh slots cache|Cluster isn't ready)/.test(
    messageOf(error),
  );

const networkCodes: ReadonlySet<unknown> = new Set([
  "EAI_AGAIN",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
]);

const isPassing = (text: string): boolean =>
  /^(?:ERR Error running script.*-)?(?:READONLY|LOADING|MASTERDOWN|MISCONF|BUSY|NOREPLICAS|UNBLOCKED|CLUSTERDOWN|TRYAGAIN|Too many Cluster redirections)\b/.test(
    text,
  );

/** A sentence for the operator about a passing refusal. */
export function describeRefusal(error: unknown): string {
  const said = sayings(error).find(isPassing) ?? messageOf(error);
  const known = sentences.find(([pattern]) => pattern.test(said));
  return `Redis takes no writes for now: ${known?.[1] ?? said.slice(0, 200)}.`;
}

const sentences: readonly (readonly [RegExp, string])[] = [
  [/READONLY|UNBLOCKED/, "it is a read-only replica"],
  [/LOADING/, "it is loading its data"],
  [/MASTERDOWN/, "it is a replica that has lost its primary"],
  [/MISCONF/, "it cannot write to its disk"],
  [/NOREPLICAS/, "it has too few replicas (min-replicas-to-write)"],
  [/BUSY/, "it is busy with a script"],
  [/CLUSTERDOWN|TRYAGAIN|redirections/, "its cluster is not complete"],
];

/** The texts of an error and, for an aborted transaction, of its commands' errors. */
function sayings(error: unknown): string[] {
  const previous: unknown =
    typeof error === "object" && error !== null && "previousErrors" in error
      ? error.previousErrors
      : [];
  return [error, ...(Array.isArray(previous) ? previous : [])].map(messageOf);
}
