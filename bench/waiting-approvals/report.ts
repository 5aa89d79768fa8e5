import type { KindCost, PassCost } from "../idle-chats/measure.ts";
import type { JobCounts } from "./deployment.ts";

/** What was found where nothing waits, or where all of it does. */
export interface Side {
  /** Of all that Redis uses more than before. */
  readonly bytesPerChat: number;
  /** Of a chat's own keys; the shards' `wake` is shared out evenly. */
  readonly kinds: readonly Omit<KindCost, "ttlMs">[];
  readonly pass: PassCost;
  /** With `asked` cards more that its own processes have sent. */
  readonly jobs: JobCounts;
  /** Of a worker that sweeps. */
  readonly workerMegabytes: number;
  /** Each from a tap to the answer, in ms. */
  readonly tapsMs: readonly number[];
}

export interface WaitingReport {
  readonly chats: number;
  readonly perChat: number;
  /** Cards of the processes' own on each side, while `jobs` were counted. */
  readonly asked: number;
  readonly waiting: Side;
  /** As many chats after the same message, answered in words. */
  readonly idle: Side;
}

/** What one approval takes that its chat would not, in bytes of Redis. Pure. */
export const bytesPerApproval = ({ waiting, idle, perChat }: WaitingReport): number =>
  (waiting.bytesPerChat - idle.bytesPerChat) / perChat;

/** The report for people. Pure. */
export function describeReport(report: WaitingReport): string {
  const { chats, perChat, asked, waiting, idle } = report;
  const sides = (name: string, read: (side: Side) => string): string =>
    `${name.padEnd(38)}${read(waiting).padStart(22)}${read(idle).padStart(22)}`;
  return [
    `${chats * perChat} approvals wait, ${perChat} in a chat, beside as many chats of which none waits`,
    "",
    sides("", (side) => (side === waiting ? "waiting" : "none waits")),
    ...kindsOf(report).map((kind) =>
      sides(`bytes of a chat's ${kind}`, (side) => bytesOf(side, kind)?.toFixed(0) ?? "–"),
    ),
    sides("bytes a chat, all memory", (side) => side.bytesPerChat.toFixed(0)),
    sides(
      `jobs active, waiting, delayed (+${asked})`,
      ({ jobs: { active, waiting, delayed } }) => `${active}, ${waiting}, ${delayed}`,
    ),
    sides("a worker that sweeps", ({ workerMegabytes }) => `${workerMegabytes.toFixed(0)} MB`),
    sides(
      "a sweeper's pass",
      ({ pass: { commands, redisMs } }) => `${commands} commands, ${redisMs.toFixed(2)} ms`,
    ),
    sides(`tap to answer, p50 / p95 of ${waiting.tapsMs.length}`, tapsOf),
    "",
    `an approval costs ${bytesPerApproval(report).toFixed(0)} bytes of Redis beyond what its chat takes anyway`,
  ].join("\n");
}

const tapsOf = ({ tapsMs }: Side): string =>
  `${quantile(tapsMs, 0.5).toFixed(1)} / ${quantile(tapsMs, 0.95).toFixed(1)} ms`;

const kindsOf = ({ waiting, idle }: WaitingReport): string[] => [
  ...new Set([...waiting.kinds, ...idle.kinds].map(({ kind }) => kind)),
];

const bytesOf = ({ kinds }: Side, wanted: string): number | undefined =>
  kinds.find(({ kind }) => kind === wanted)?.bytesPerChat;

/** The value below which `share` of them lie. Pure. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const at = Math.min(sorted.length - 1, Math.floor(sorted.length * share));
  return sorted[at] ?? NaN;
}
