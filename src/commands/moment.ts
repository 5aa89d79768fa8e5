/** A moment as every language reads it: `2026-11-20 08:15 UTC`. */
export const moment = (atMs: number): string => `${minute(atMs)} UTC`;

/** The same where it is said elsewhere that it is UTC. */
export const minute = (atMs: number): string =>
  new Date(atMs).toISOString().slice(0, 16).replace("T", " ");
