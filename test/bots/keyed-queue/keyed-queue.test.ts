import { describe, expect, it } from "vitest";
import {
  KeyedQueue,
  type Priority,
  type Queued,
} from "../../../src/bots/keyed-queue/keyed-queue.ts";

/** Work that the test ends, and what happened. */
function scene() {
  const queue = new KeyedQueue();
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const give = (
    name: string,
    priority?: Priority,
    also: (queued: Parameters<Parameters<KeyedQueue["run"]>[1]>[0]) => void = () => undefined,
  ): Promise<void> => {
    const end = Promise.withResolvers<void>();
    ends.set(name, end);
    return queue.run(
      "key",
      (queued) => {
        begun.push(name);
        also(queued);
        return end.promise;
      },
      { ...(priority === undefined ? {} : { priority }), id: name },
    );
  };
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.resolve();
    // What waits for it begins some microtasks later.
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, begun, give, end, ends };
}

describe("the queue of a key", () => {
  it("does one thing after another, the first of them at once", async () => {
    const { queue, begun, give, end } = scene();
    void give("a");
    expect(begun).toEqual(["a"]);
    void give("b");
    void queue.run("other", () => Promise.resolve(begun.push("elsewhere")));
    expect(begun).toEqual(["a", "elsewhere"]);
    await end("a");
    expect(begun).toEqual(["a", "elsewhere", "b"]);
    expect(queue.isBusy("key")).toBe(true);
    await end("b");
    expect(queue.isBusy("key")).toBe(false);
    expect(queue.size).toBe(0);
  });

  it("goes on behind what fails, and tells of the failure", async () => {
    const { begun, give, ends } = scene();
    const failed = give("a");
    const after = give("b");
    ends.get("a")?.reject(new Error("no"));
    ends.get("b")?.resolve();
    await expect(failed).rejects.toThrow("no");
    await after;
    expect(begun).toEqual(["a", "b"]);
  });

  it("lets what is quick overtake what is slow, and all that waits behind it", async () => {
    const { queue, begun, give, end } = scene();
    void give("file", "slow");
    void give("text");
    expect(queue.isHeldUp("key")).toBe(true);
    void give("stop", "overtaking");
    expect(begun).toEqual(["file", "stop"]);
    await end("stop");
    await end("file");
    expect(begun).toEqual(["file", "stop", "text"]);
    await end("text");
    expect(queue.isHeldUp("key")).toBe(false);
  });

  it("lets nothing overtake what is not held up, or another that overtakes", async () => {
    const { begun, give, end } = scene();
    void give("text");
    void give("file", "slow");
    void give("first", "overtaking");
    void give("second", "overtaking");
    expect(begun).toEqual(["text"]);
    await end("text");
    expect(begun).toEqual(["text", "file", "first"]);
    await end("first");
    expect(begun).toEqual(["text", "file", "first", "second"]);
  });

  it("does what comes behind an overtaker after it, though nothing is slow any more", async () => {
    const { begun, give, end } = scene();
    void give("file", "slow");
    void give("stop", "overtaking");
    void give("text");
    await end("file");
    expect(begun).toEqual(["file", "stop"]);
    await end("stop");
    expect(begun).toEqual(["file", "stop", "text"]);
  });

  it("drops only what is of one person, where one is named", async () => {
    const queue = new KeyedQueue();
    const { promise, resolve } = Promise.withResolvers<void>();
    const dropped: string[] = [];
    const wait =
      (name: string) =>
      async ({ dropped: signal }: Queued): Promise<void> => {
        signal.addEventListener("abort", () => dropped.push(name));
        await promise;
      };
    const ofAnn = { priority: "slow", personId: "ann" } as const;
    const ofBen = { priority: "slow", personId: "ben" } as const;
    const running = queue.run("key", wait("a"), { ...ofAnn, id: "a" });
    void queue.run("key", wait("b"), { ...ofBen, id: "b" });
    const ids = await queue.run("key", ({ dropEarlier }) => Promise.resolve(dropEarlier("ann")), {
      priority: "overtaking",
    });
    expect(ids).toEqual(["a"]);
    expect(dropped).toEqual(["a"]);
    resolve();
    await running;
    await queue.idle();
  });

  it("drops what was overtaken, once, and nothing that came later; what has no id is no part of the answer", async () => {
    const { queue, give, end } = scene();
    const dropped: string[] = [];
    const note =
      (name: string) =>
      ({ dropped: signal }: { readonly dropped: AbortSignal }) => {
        if (signal.aborted) dropped.push(name);
        signal.addEventListener("abort", () => dropped.push(name));
      };
    const named: (readonly string[])[] = [];
    void give("file", "slow", note("file"));
    void give("text", "in order", note("text"));
    queue.start("key", () => Promise.resolve());
    void give("stop", "overtaking", ({ dropEarlier }) => {
      // A caller that could not write it down asks again.
      named.push([...dropEarlier()], [...dropEarlier()]);
    });
    void give("later", "in order", note("later"));
    expect(named).toEqual([
      ["file", "text"],
      ["file", "text"],
    ]);
    for (const name of ["stop", "file", "text", "later"]) await end(name);
    expect(dropped).toEqual(["file", "text"]);
  });

  it("takes a flood while nothing goes on, and lets what is quick through", async () => {
    const { queue, begun, give, end } = scene();
    void give("file", "slow");
    const count = 20_000;
    let last = -1;
    for (let index = 0; index < count; index += 1)
      queue.start("key", () => {
        expect(index).toBe(last + 1);
        last = index;
        return Promise.resolve();
      });
    void give("stop", "overtaking");
    expect(begun).toEqual(["file", "stop"]);
    expect(queue.size).toBe(count + 2);
    await end("stop");
    await end("file");
    await queue.idle();
    expect(last).toBe(count - 1);
  });

  it("is idle when all keys are", async () => {
    const { queue, give, end } = scene();
    let isIdle = false;
    void give("a", "slow");
    queue.start("key", async () => {
      queue.start("another", () => Promise.resolve());
    });
    const watch = async (): Promise<void> => {
      await queue.idle();
      isIdle = true;
    };
    const idle = watch();
    expect(isIdle).toBe(false);
    await end("a");
    await idle;
    expect(queue.size).toBe(0);
  });
});
