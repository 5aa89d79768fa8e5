import { describe, expect, it } from "vitest";
import type { Call, UsedTool } from "../../../src/core/turn.ts";
import { toolLine, withoutToolLine, withUsed } from "../../../src/loop/machine/tool-line.ts";

const call = (name: string, status: Call["status"] = "done"): Call => ({
  index: 0,
  wireId: "w",
  name,
  arguments: "{}",
  status,
  effect: "read",
});

const line = (used: readonly UsedTool[]): string => toolLine(used, (name) => name);

describe("the line that names a turn's tools", () => {
  it("says of each tool, in the order of their first calls, how its calls ended", () => {
    const first = withUsed(undefined, [call("fetch_url"), call("calculate")]);
    const all = withUsed(first, [call("calculate", "failed"), call("pay", "denied")]);
    expect(line(all)).toBe("⚙ fetch_url ✓ · calculate ✓✗ · pay ✗");
    expect(line([])).toBe("");
  });

  it("stays short, however many calls and whatever their names", () => {
    const many = Array.from({ length: 60 }, () => call("look"));
    const used = withUsed(undefined, many);
    expect(line(used)).toBe("⚙ look ✓×60");
    const invented = Array.from({ length: 60 }, (_, index) =>
      call(`${index}${"x".repeat(1_000)}`, "failed"),
    );
    const all = line(withUsed(used, invented));
    expect(all.length).toBeLessThan(700);
    expect(all).toMatch(/ · … ✗×49$/);
  });

  it("is left out where the bot is quoted", () => {
    expect(withoutToolLine("It is 9.\n\n⚙ calculate ✓")).toBe("It is 9.");
    expect(withoutToolLine("It is 9.\n\n*⚙ calculate ✓*")).toBe("It is 9.");
    expect(withoutToolLine("⚙ is a gear\nindeed")).toBe("⚙ is a gear\nindeed");
  });
});
