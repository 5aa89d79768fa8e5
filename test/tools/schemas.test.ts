import { describe, expect, it } from "vitest";
import { z } from "zod";
import { calculateTool } from "../../src/tools/calculate/calculate.ts";
import { currentTimeTool } from "../../src/tools/current-time.ts";
import { fetchUrlTool } from "../../src/tools/fetch-url/fetch-url.ts";
import { notesTools } from "../../src/tools/notes.ts";
import { scheduleTool } from "../../src/tools/schedule.ts";
import { readMoreTool } from "../../src/tools/read-more.ts";
import { ChildProcesses } from "../../src/tools/processes/child-processes.ts";
import { todoTools } from "../../src/tools/todo.ts";
import { webSearchTool } from "../../src/tools/web-search/web-search.ts";
import { toolProblems } from "../emulators/model/tool-rules.ts";

const unused = (): Promise<never> => Promise.reject(new Error("not here"));
const processes = new ChildProcesses();
const tools = [
  calculateTool({ processes }),
  currentTimeTool(Date.now),
  fetchUrlTool({ processes }),
  ...notesTools({ read: unused, write: unused }),
  readMoreTool({ keep: unused, read: unused }),
  scheduleTool({
    schedules: { list: unused, read: unused, save: unused, remove: unused },
    findTool: () => undefined,
    keepZone: unused,
    usdPerTurn: unused,
    now: Date.now,
    log: { warn: () => undefined },
  }),
  ...todoTools({ read: unused, replace: unused }),
  webSearchTool({ provider: "tavily" }, { error: () => undefined }),
];

describe("the built-in tools", () => {
  it("have these names", () => {
    expect(tools.map(({ name }) => name)).toEqual([
      "calculate",
      "current_time",
      "fetch_url",
      "read_notes",
      "write_note",
      "read_more",
      "schedule",
      "todo_list",
      "todo_write",
      "web_search",
    ]);
  });

  it("are declared as providers take them", () => {
    const declared = tools.map(({ name, description, parameters }) => ({
      type: "function",
      function: {
        name,
        description,
        parameters: z.toJSONSchema(parameters, { io: "input" }),
      },
    }));
    expect(toolProblems(declared)).toEqual([]);
    for (const { function: each } of declared)
      expect(each.parameters).toMatchObject({
        type: "object",
        additionalProperties: false,
      });
  });

  it("say little", () => {
    for (const { description } of tools) expect(description.length).toBeLessThan(160);
  });
});
