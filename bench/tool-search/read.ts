import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Tool } from "../../src/core/tool.ts";
import { declareTools } from "../../src/tools/mcp/declare-tool.ts";
import type { IndexedTool } from "../../src/tools/tool-index.ts";

const listed = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: z.record(z.string(), z.unknown()),
});
const lists = z.array(
  z.object({
    name: z.string(),
    package: z.string(),
    version: z.string(),
    license: z.string(),
    tools: z.array(listed),
  }),
);

/** A wish, and the tools that fulfil it; `words`: as a model would search for them. */
const questions = z.array(
  z.object({ ask: z.string(), words: z.string().optional(), tools: z.array(z.string()).min(1) }),
);
export type Question = z.infer<typeof questions>[number];

const read = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"));

export const readQuestions = (file: "questions" | "held-out" | "unseen"): readonly Question[] =>
  questions.parse(read(`${file}.json`));

/** The tools of the ten servers, as Parley declares them. */
export const readTools = (): readonly Tool[] =>
  lists.parse(read("tools.json")).flatMap(({ name, tools }) => {
    const { tools: declared } = declareTools(tools, {
      server: name,
      settings: {
        transport: "http",
        url: "",
        headers: {},
        timeoutMs: 60_000,
        trusted: false,
        elicitation: "off",
      },
      run: () => Promise.resolve({ text: "done" }),
    });
    return [...declared.values()].map(({ tool }) => tool);
  });

export const indexed = ({ name, title, description, jsonSchema = {} }: Tool): IndexedTool => ({
  name,
  title,
  description,
  parameters: jsonSchema,
});

/** How many of the questions have a right tool first, and among the first five. */
export function measured(
  questions: readonly Question[],
  search: (question: Question) => readonly string[],
) {
  const places = questions.map((question) =>
    search(question).findIndex((name) => question.tools.includes(name)),
  );
  return {
    first: places.filter((place) => place === 0).length,
    five: places.filter((place) => place >= 0 && place < 5).length,
    of: questions.length,
  };
}
