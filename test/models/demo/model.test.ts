import { describe, expect, it } from "vitest";
import { createDemoModel } from "../../../src/models/demo/model.ts";
import { request } from "../helpers.ts";

describe("the demo's pace", () => {
  it("leaves ten seconds to stop a count to 100", async () => {
    const waits: number[] = [];
    const model = createDemoModel({
      sleep: (ms) => {
        waits.push(ms);
        return Promise.resolve();
      },
    });
    const never = new AbortController().signal;
    const waitedMs = async (text: string) => {
      waits.length = 0;
      await model.stream(request(text), never, { onEvent: () => undefined });
      return waits.reduce((sum, ms) => sum + ms, 0);
    };
    expect(await waitedMs("count to 100")).toBeGreaterThanOrEqual(10_000);
    expect(await waitedMs("hello")).toBeLessThan(2_000);
  });

  it("ends at once where it is stopped", async () => {
    const stopping = new AbortController();
    let count = 0;
    const model = createDemoModel({ sleep: () => Promise.resolve() });
    await model.stream(request("count to 100"), stopping.signal, {
      onEvent: () => {
        count += 1;
        if (count === 5) stopping.abort();
      },
    });
    expect(count).toBe(5);
  });
});
