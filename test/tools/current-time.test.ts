import { describe, expect, it } from "vitest";
import { chatKey } from "../../src/core/chat.ts";
import { currentTimeTool } from "../../src/tools/current-time.ts";

const context = {
  chat: chatKey({ platform: "console", bot: "c", chat: "1" }),
  requester: { id: "console:1", name: "Ann" },
  idempotencyKey: "c/1.1.0",
  signal: new AbortController().signal,
};

// 2024-02-29, 23:30 UTC.
const tool = currentTimeTool(() => Date.UTC(2024, 1, 29, 23, 30, 5));

async function timeIn(given: object): Promise<string> {
  const { text } = await tool.run(tool.parameters.parse(given), context);
  return text;
}

describe("current_time", () => {
  it.each([
    [{}, "Thursday, 29 February 2024 at 23:30:05 UTC (UTC)"],
    [{ timeZone: "Asia/Tokyo" }, "Friday, 1 March 2024 at 08:30:05 GMT+9 (Asia/Tokyo)"],
    [
      { timeZone: "America/New_York" },
      "Thursday, 29 February 2024 at 18:30:05 GMT-5 (America/New_York)",
    ],
    [{ timeZone: "Asia/Kathmandu" }, "Friday, 1 March 2024 at 05:15:05 GMT+5:45 (Asia/Kathmandu)"],
    [{ timeZone: "europe/berlin" }, "Friday, 1 March 2024 at 00:30:05 CET (europe/berlin)"],
  ])("%j", async (given, expected) => {
    expect((await timeIn(given)).replaceAll("\u202f", " ")).toBe(expected);
  });

  it.each([
    { timeZone: "Tokyo" },
    { timeZone: "Mars/Olympus" },
    { timeZone: "" },
    { timeZone: " Asia/Tokyo" },
    { timeZone: "UTC; rm -rf /" },
    { timeZone: 9 },
    { timeZone: null },
    { zone: "UTC" },
  ])("refuses %j and says what it expects", (given) => {
    const parsed = tool.parameters.safeParse(given);
    expect(parsed.success).toBe(false);
    if (typeof given.timeZone === "string")
      expect(parsed.error?.issues[0]?.message).toContain("IANA");
  });

  it("reads, asks no one, and keeps only its newest result", () => {
    expect(tool).toMatchObject({ effect: "read", history: "state" });
    expect(tool.confirm({ timeZone: "UTC" })).toBe(false);
    expect(tool.repeatable).not.toBe(false);
  });
});
