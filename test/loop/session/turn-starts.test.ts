import { describe, expect, it, vi } from "vitest";
import { TurnStarts } from "../../../src/loop/session/turn-starts.ts";

const never = new AbortController().signal;
const startMs = 1_000;

const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

/** Turns by name, in the order in which they may begin. */
function setup() {
  vi.useFakeTimers();
  const starts = new TurnStarts({ atOnce: 2, startMs, mostWaiting: 4 });
  const begun: string[] = [];
  const turns = new Map<string, Disposable>();
  const begin = (person: string, turn: string, signal = never): void => {
    const enter = async (): Promise<void> => {
      const start = await starts.enter(person, signal);
      if (start !== "throttled") turns.set(turn, start);
      begun.push(start === "throttled" ? `${turn} is too many` : turn);
    };
    void enter();
  };
  return {
    begin,
    begun,
    end: (turn: string) => turns.get(turn)?.[Symbol.dispose](),
    [Symbol.dispose]: () => vi.useRealTimers(),
  };
}

describe("turns of one person", () => {
  it("begin a few at a time, in their order", async () => {
    using scene = setup();
    for (const turn of ["a", "b", "c", "d", "e"]) scene.begin("1", turn);
    await pass(startMs - 1);
    expect(scene.begun).toEqual(["a", "b"]);
    await pass(1);
    expect(scene.begun).toEqual(["a", "b", "c", "d"]);
    await pass(startMs);
    expect(scene.begun).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("are as many as ever, however short each of them is", async () => {
    using scene = setup();
    for (const turn of ["a", "b", "c"]) scene.begin("1", turn);
    await pass(1);
    scene.end("a");
    await pass(startMs - 2);
    expect(scene.begun).toEqual(["a", "b"]);
    await pass(1);
    expect(scene.begun).toEqual(["a", "b", "c"]);
  });

  it("wait for none that has ended", async () => {
    using scene = setup();
    for (const turn of ["a", "b", "c", "d", "e", "f"]) {
      scene.begin("1", turn);
      await pass();
      scene.end(turn);
    }
    expect(scene.begun).toEqual(["a", "b", "c", "d", "e", "f"]);
  });

  it("come back later where very many wait already", async () => {
    using scene = setup();
    for (const turn of ["a", "b", "c", "d", "e", "f", "g"]) scene.begin("1", turn);
    await pass(1);
    expect(scene.begun).toEqual(["a", "b", "g is too many"]);
    await pass(startMs);
    scene.begin("1", "g");
    await pass(2 * startMs);
    expect(scene.begun.slice(3)).toEqual(["c", "d", "e", "f", "g"]);
  });

  it("keep no one else's waiting", async () => {
    using scene = setup();
    for (const turn of ["a", "b", "c"]) scene.begin("1", turn);
    for (const turn of ["x", "y"]) scene.begin("2", turn);
    await pass();
    expect(scene.begun).toEqual(["a", "b", "x", "y"]);
  });

  it("that are stopped while they wait go on at once, and take no place", async () => {
    using scene = setup();
    const stopped = new AbortController();
    for (const turn of ["a", "b"]) scene.begin("1", turn);
    scene.begin("1", "c", stopped.signal);
    scene.begin("1", "d");
    scene.begin("1", "e", AbortSignal.abort());
    await pass();
    expect(scene.begun).toEqual(["a", "b", "e"]);
    stopped.abort();
    await pass();
    expect(scene.begun).toEqual(["a", "b", "e", "c"]);
    scene.end("c");
    scene.end("e");
    await pass(startMs);
    expect(scene.begun).toEqual(["a", "b", "e", "c", "d"]);
  });

  it("leave nothing behind", async () => {
    using scene = setup();
    for (const turn of ["a", "b", "c"]) scene.begin("1", turn);
    await pass(startMs);
    for (const turn of ["a", "b", "c"]) scene.end(turn);
    await pass(startMs);
    for (const turn of ["d", "e"]) scene.begin("1", turn);
    await pass();
    expect(scene.begun).toEqual(["a", "b", "c", "d", "e"]);
    expect(vi.getTimerCount()).toBe(2);
  });
});
