import { readFileSync, writeFileSync } from "node:fs";

/*
 * Preloaded into a process of a test (`node --import`): its wall clock is off by what a file says,
 * in milliseconds, and is set again whenever the file changes. `<file>.seen` then says the same.
 * The monotonic clock goes on as it does.
 */

const file = process.env["TEST_CLOCK_FILE"] ?? "";
const RealDate = Date;
let offMs = 0;

class SkewedDate extends RealDate {
  constructor(...given: readonly []) {
    if (given.length === 0) super(SkewedDate.now());
    else super(...given);
  }

  static override now(): number {
    return RealDate.now() + offMs;
  }
}

function look(): void {
  const text = readFileSync(file, "utf8");
  // Another process is writing it.
  if (text === "" || Number(text) === offMs) return;
  offMs = Number(text);
  writeFileSync(`${file}.seen`, text);
}

look();
setInterval(look, 10).unref();
globalThis.Date = SkewedDate as DateConstructor;
