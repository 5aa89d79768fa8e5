import { describe, expect, it } from "vitest";
import { FairSlots } from "../../src/util/fair-slots.ts";

/** What begins and ends as the test says. */
function scene(limits: { perProcess: number; perPerson: number }) {
  const slots = new FairSlots(limits);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const give = (name: string, signal?: AbortSignal): Promise<void> => {
    const [person = ""] = name;
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.set(name, resolve);
    const work = (): Promise<void> => {
      begun.push(name);
      return promise;
    };
    return slots.run(person, work, signal);
  };
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, give, end };
}

describe("work is done for", () => {
  it("so many people at once, and the next when there is room", async () => {
    const { begun, give, end } = scene({ perProcess: 2, perPerson: 2 });
    for (const name of ["a1", "b1", "c1", "d1"]) void give(name);
    expect(begun).toEqual(["a1", "b1"]);
    await end("b1");
    expect(begun).toEqual(["a1", "b1", "c1"]);
    await end("a1");
    expect(begun).toEqual(["a1", "b1", "c1", "d1"]);
  });

  it("so many of one person, whose others wait while someone else goes ahead", async () => {
    const { begun, give, end } = scene({ perProcess: 3, perPerson: 2 });
    for (const name of ["a1", "a2", "a3", "a4", "b1"]) void give(name);
    expect(begun).toEqual(["a1", "a2", "b1"]);
    await end("b1");
    expect(begun).toEqual(["a1", "a2", "b1"]);
    await end("a1");
    expect(begun).toEqual(["a1", "a2", "b1", "a3"]);
  });

  it("a caller that stops waiting gives up its place", async () => {
    const { begun, give, end } = scene({ perProcess: 1, perPerson: 1 });
    void give("a1");
    const over = new AbortController();
    const waiting = give("b1", over.signal);
    void give("c1");
    over.abort(new Error("dropped"));
    await expect(waiting).rejects.toThrow("dropped");
    await expect(give("d1", AbortSignal.abort(new Error("late")))).rejects.toThrow("late");
    await end("a1");
    expect(begun).toEqual(["a1", "c1"]);
  });

  it("people in turn, however many pieces of work one of them has", async () => {
    const { begun, give, end } = scene({ perProcess: 1, perPerson: 1 });
    for (const name of ["a1", "a2", "a3", "b1", "b2", "c1"]) void give(name);
    for (const name of ["a1", "a2", "b1", "c1", "a3"]) await end(name);
    expect(begun).toEqual(["a1", "a2", "b1", "c1", "a3", "b2"]);
  });

  it("and a failure gives its place back", async () => {
    const slots = new FairSlots({ perProcess: 1, perPerson: 1 });
    const failed = slots.run("a", () => Promise.reject(new Error("no")));
    await expect(failed).rejects.toThrow("no");
    expect(await slots.run("b", () => Promise.resolve("yes"))).toBe("yes");
  });
});
