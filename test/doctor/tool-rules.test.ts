import { expect, it } from "vitest";
import type { OfferedTool } from "../../src/core/tool.ts";
import { toolRulesCheck } from "../../src/doctor/tool-rules.ts";
import { load } from "../config/support.ts";
import { inEnglish } from "./in-english.ts";

const tool = (name: string, effect: OfferedTool["effect"]): OfferedTool => ({
  name,
  description: "x",
  asks: "always",
  effect,
});
const tools = [tool("pay.send", "once"), tool("pay.list", "read"), tool("note", undefined)];

async function examine(...rules: readonly object[]) {
  const settings = load({ yaml: JSON.stringify({ tools: { rules } }) });
  const check = toolRulesCheck(settings, () => Promise.resolve(tools));
  const found = inEnglish(await check.run(new AbortController().signal));
  return found.map(({ id, status, what }) => `${id} ${status} ${what}`);
}

it("doctor names the calls that can't be repeated and run by auto, and a rule for every tool", async () => {
  expect(await examine({ match: "pay.*", auto: "1h" })).toEqual([
    "tools.auto note The rule for pay.* allows auto for pay.send.",
  ]);
  expect(await examine({ match: "*", auto: "allowed" })).toEqual([
    "tools.auto note The rule for * allows auto for every tool.",
  ]);
  expect(await examine({ match: "pay.list", auto: "1h" }, { match: "note", auto: "1h" })).toEqual(
    [],
  );
  expect(await examine({ match: "*", confirm: "always" })).toEqual([]);
});
