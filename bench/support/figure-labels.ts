/** How a figure is called for people, with its unit. */
export interface FigureLabel {
  readonly label: string;
  readonly unit: "ms" | "MB" | "kB" | "/s" | "";
}

const labels: Readonly<Record<string, FigureLabel>> = {
  turns: { label: "turns", unit: "" },
  p50Ms: { label: "median", unit: "ms" },
  p95Ms: { label: "p95", unit: "ms" },
  p99Ms: { label: "p99", unit: "ms" },
  perSecond: { label: "turns a second", unit: "/s" },
  cpuMsPerTurn: { label: "CPU per turn", unit: "ms" },
  botsCpuMsPerTurn: { label: "CPU per turn, bots", unit: "ms" },
  workerCpuMsPerTurn: { label: "CPU per turn, workers", unit: "ms" },
  farEndsCpuMsPerTurn: { label: "CPU per turn, far ends", unit: "ms" },
  redisCpuMsPerTurn: { label: "Redis' CPU per turn", unit: "ms" },
  redisCommandsPerTurn: { label: "Redis' commands per turn", unit: "" },
  redisCpuMsPerSecond: { label: "Redis' CPU a second, then", unit: "ms" },
  redisCommandsPerSecond: { label: "Redis' commands a second, then", unit: "" },
  sentPerTurn: { label: "commands sent per turn", unit: "" },
  redisReadsPerTurn: { label: "Redis' reads per turn", unit: "" },
  rssMegabytes: { label: "memory", unit: "MB" },
  rssMegabytesPerProcess: { label: "memory per process", unit: "MB" },
  workerRssMegabytes: { label: "a worker's memory", unit: "MB" },
  requestKilobytes: { label: "model request", unit: "kB" },
  modelCallsPerTurn: { label: "model calls per turn", unit: "" },
  lost: { label: "not answered", unit: "" },
  doubled: { label: "answered twice", unit: "" },
  inFlight: { label: "in flight", unit: "" },
  readyMs: { label: "to the first poll", unit: "ms" },
  lateP99Ms: { label: "p99 beyond the model's time", unit: "ms" },
  lastAfterMs: { label: "last answer after the kill", unit: "ms" },
  eventLoopLagP99Ms: { label: "a worker's event loop lag, p99", unit: "ms" },
  workers: { label: "workers", unit: "" },
  lanes: { label: "people at once", unit: "" },
  coresElsewhere: { label: "cores used by others", unit: "" },
  busiestWorker: { label: "busiest worker ÷ mean", unit: "" },
};

/** What is counted or set rather than measured: how it compares with the floor says nothing. */
const counted: ReadonlySet<string> = new Set([
  "turns",
  "lost",
  "doubled",
  "inFlight",
  "workers",
  "lanes",
  "modelCallsPerTurn",
  "busiestWorker",
  "coresElsewhere",
]);

/** Whether a ratio of two of them means something. Pure. */
export const isCompared = (figure: string): boolean => !counted.has(figure);

/** Pure; a figure without a label is shown by its name. */
export const labelOf = (figure: string): FigureLabel =>
  labels[figure] ?? { label: figure, unit: "" };

/** `median (ms)`. Pure. */
export const headOf = (figure: string): string => {
  const { label, unit } = labelOf(figure);
  return unit === "" || unit === "/s" ? label : `${label} (${unit})`;
};

/** Three digits that count: `1,234`, `12.3`, `1.23`, `0.12`. Pure. */
export function shownNumber(value: number): string {
  const size = Math.abs(value);
  const digits = Number.isInteger(value) || size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return value.toLocaleString("en", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}
