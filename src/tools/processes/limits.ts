/** Files that people send have 8 MiB at most, pages 2. */
export const maxInputBytes = 64 * 1_048_576;
/** A million characters as JSON, each escaped with six bytes, are less. */
export const maxReplyBytes = 8 * 1_048_576;

/** Of the pipe to the parent in a child. Standard output stays free for what libraries print. */
export const replyDescriptor = 3;

/** Loading a script, milliseconds: only an overloaded machine takes longer. */
export const startLimitMs = 20_000;

/** How long a child is kept for the next job, milliseconds. */
export const idleMs = 60_000;

/**
 * Of a child on Linux, KiB. Node 24 reserves 1.25 GiB without using them and starts from 1.4 GiB on
 * (x86-64, measured); 2 GiB leave 0.75 GiB for the heap and buffers together.
 */
export const addressSpaceKib = 2 * 1_048_576;

/** The most memory of Node and a script's libraries before a job, MiB; 60 to 110 measured. */
export const baseMemoryMb = 160;

/**
 * A child's own limit of processor time, seconds: the backstop where its parent was killed while a
 * job never ends. Far more than it can use otherwise, since it is replaced after jobs of half a
 * `limitMs` together. V8's helper thread counts too.
 */
export const cpuSeconds = (limitMs: number): number => 5 + Math.ceil((3 * limitMs) / 1_000);
