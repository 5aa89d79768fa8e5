import { setImmediate } from "node:timers/promises";

/** Milliseconds of work after which the event loop gets to do other work. */
const sliceMs = 2;

/** Work in steps, none of which takes long. */
export type Steps<Result> = Generator<undefined, Result>;

/** The result of all steps. The event loop runs between them. Rejects with what a step throws. */
export async function inSlices<Result>(steps: Steps<Result>): Promise<Result> {
  let startedMs = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - startedMs < sliceMs) continue;
    await setImmediate();
    startedMs = performance.now();
  }
}

/** The same at once, for short texts. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
