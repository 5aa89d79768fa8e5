import { describe, expect, it } from "vitest";
import { Threads, type ThreadJob } from "../../src/tools/threads/threads.ts";
import { watchThreads } from "./support/live-threads.ts";

const jobs = new URL("./support/threads/jobs.ts", import.meta.url);
const quitter = new URL("./support/threads/quitter.ts", import.meta.url);

const job = (input: string, more: Partial<ThreadJob> = {}): ThreadJob => ({
  script: jobs,
  input,
  limitMs: 20_000,
  maxMemoryMb: 64,
  signal: new AbortController().signal,
  ...more,
});

const live = watchThreads();

describe("a thread", () => {
  it("works and is gone", async () => {
    const threads = new Threads(1);
    expect(await threads.run(job("größe"))).toEqual({
      type: "done",
      text: "GRÖSSE",
    });
    expect([live.begun(), live.now()]).toEqual([1, 0]);
  });

  it("that does not end is ended", async () => {
    const threads = new Threads(1);
    expect(await threads.run(job("loop", { limitMs: 100 }))).toEqual({
      type: "out-of-time",
    });
    expect([live.begun(), live.now()]).toEqual([1, 0]);
  });

  it("that grows without end is ended", async () => {
    expect(await new Threads(1).run(job("grow", { maxMemoryMb: 32 }))).toEqual({
      type: "out-of-memory",
    });
  });

  it.each([
    ["throw", "thrown inside"],
    ["recurse", "Maximum call stack size exceeded"],
  ])("that fails (%s) rejects with its reason", async (input, reason) => {
    await expect(new Threads(1).run(job(input))).rejects.toThrow(reason);
  });

  it("that says nothing rejects", async () => {
    const silent = job("", { script: quitter });
    await expect(new Threads(1).run(silent)).rejects.toThrow("too early");
  });

  it("whose file is missing rejects", async () => {
    const script = new URL("missing.ts", jobs);
    await expect(new Threads(1).run(job("", { script }))).rejects.toThrow(
      "missing.ts",
    );
  });

  it("knows no environment", async () => {
    expect(process.env["PATH"]).toBeDefined();
    expect(await new Threads(1).run(job("environment"))).toEqual({
      type: "done",
      text: "{}",
    });
  });

  it("is ended by its signal, with the signal's reason", async () => {
    const controller = new AbortController();
    const running = new Threads(1).run(
      job("loop", { signal: controller.signal }),
    );
    const failed = expect(running).rejects.toThrow("enough");
    await live.nextOnline();
    controller.abort(new Error("enough"));
    await failed;
    expect([live.begun(), live.now()]).toEqual([1, 0]);
  });
});

describe("threads", () => {
  it("run so many at once and no more", async () => {
    const threads = new Threads(2);
    const all = await Promise.all(
      ["a", "b", "c", "d"].map((input) => threads.run(job(input))),
    );
    expect(all).toEqual(
      ["A", "B", "C", "D"].map((text) => ({ type: "done", text })),
    );
    expect([live.begun(), live.most()]).toEqual([4, 2]);
  });

  it("take those that wait in their order", async () => {
    const threads = new Threads(1);
    const ended: string[] = [];
    await Promise.all(
      ["wait", "b", "c"].map(async (input) => {
        await threads.run(job(input));
        ended.push(input);
      }),
    );
    expect(ended).toEqual(["wait", "b", "c"]);
  });

  it("let go of one that no longer wants to wait, and lose no place by it", async () => {
    const threads = new Threads(1);
    const controller = new AbortController();
    const first = threads.run(job("wait"));
    const second = threads.run(job("second", { signal: controller.signal }));
    const third = threads.run(job("third"));
    const refused = expect(second).rejects.toThrow("changed my mind");
    controller.abort(new Error("changed my mind"));
    await refused;
    expect(await first).toEqual({ type: "done", text: "waited" });
    expect(await third).toEqual({ type: "done", text: "THIRD" });
    expect(await threads.run(job("fourth"))).toMatchObject({ text: "FOURTH" });
  });

  it("start nothing for a signal that is aborted already", async () => {
    const threads = new Threads(1);
    const signal = AbortSignal.abort(new Error("too late"));
    await expect(threads.run(job("x", { signal }))).rejects.toThrow("too late");
    expect(await threads.run(job("x"))).toMatchObject({ text: "X" });
  });

  it("give a failed one's place to the next", async () => {
    const threads = new Threads(1);
    const failing = expect(threads.run(job("throw"))).rejects.toThrow();
    expect(await threads.run(job("next"))).toMatchObject({ text: "NEXT" });
    await failing;
  });
});
