import { monitorEventLoopDelay, performance } from "node:perf_hooks";

export interface ProcessLoad {
  /**
   * How late 99 of 100 timers were at most; absent: none was due. Milliseconds.
   */
  readonly lagP99Ms?: number;
  /** The share of the time in which the event loop was busy: 0 to 1. */
  readonly busy: number;
  readonly memoryBytes: number;
}

/** Between two timers that are measured: the histogram has the time from one to the next. Milliseconds. */
const resolutionMs = 20;

/** What this process had to do since the last reading, or since the start. */
export function measureLoad(): Disposable & { read(): ProcessLoad } {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  let before = performance.eventLoopUtilization();
  return {
    read() {
      const now = performance.eventLoopUtilization();
      const { utilization: busy } = performance.eventLoopUtilization(now, before);
      before = now;
      const lag =
        delays.count === 0
          ? {}
          : { lagP99Ms: Math.max(0, delays.percentile(99) / 1e6 - resolutionMs) };
      delays.reset();
      return { ...lag, busy, memoryBytes: process.memoryUsage.rss() };
    },
    [Symbol.dispose]: () => void delays.disable(),
  };
}
