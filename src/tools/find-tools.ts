import { z } from "zod";
import type { Tool } from "../core/tool.ts";
import { defineTool } from "./define-tool.ts";
import { createToolIndex, serverOf, type IndexedTool } from "./tool-index.ts";

/** The name of the tool that finds others. */
export const findTools = "find_tools";

export interface SearchedTool extends IndexedTool {
  /** The name that the model sees. */
  readonly wireName: string;
}

const usualCount = 5;
const maxCount = 10;
/** Characters of a description in a result. */
const maxLineLength = 160;
/** Servers that are named. */
const maxServers = 30;
const head = "Found. From your next step on you can call:";

/** Finds those of the tools that the turn may use. Its index is made with the first search. */
export function findToolsTool(tools: readonly SearchedTool[]): Tool {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  let search: ReturnType<typeof createToolIndex> | undefined;
  return defineTool({
    name: findTools,
    description:
      "Finds more tools by what they do: only a few are offered at first. Use it before you say that you can't do something.",
    parameters: z.strictObject({
      words: z
        .string()
        .min(1)
        .max(300)
        .describe(
          "English keywords as a tool's name would have them, with synonyms: the service, the action, the thing, e.g. `github create issue ticket bug`.",
        ),
      count: z
        .int()
        .min(1)
        .max(maxCount)
        .optional()
        .describe(`At most so many; ${usualCount} if absent`),
    }),
    effect: "read",
    confirm: "never",
    history: "action",
    async run({ words, count = usualCount }, { mayUse }) {
      search ??= createToolIndex(tools);
      const found = (await search)(words, count, mayUse);
      const lines = found.map((name) => lineOf(byName.get(name)));
      const allowed = tools.filter(({ name }) => mayUse?.(name) ?? true);
      const text =
        found.length > 0
          ? [head, ...lines].join("\n")
          : `No tool fits these words. Try others: a service, an action and a thing. ${serversOf(allowed)}`;
      return { text };
    },
  });
}

const lineOf = (tool: SearchedTool | undefined): string =>
  `- ${tool?.wireName}: ${tool?.description.replaceAll(/\s+/g, " ").trim().slice(0, maxLineLength).toWellFormed()}`;

/** For the model: which servers there are tools of. */
export function serversOf(tools: readonly { readonly name: string }[]): string {
  const servers = [...new Set(tools.map(({ name }) => serverOf(name)))];
  const more = servers.length > maxServers ? ", …" : "";
  return `There are tools of: ${servers.slice(0, maxServers).join(", ") || "no server"}${more}.`;
}

/** The names on the wire in a result of `find_tools`. */
export const toolsFoundIn = (text: string): readonly string[] =>
  text.startsWith(head)
    ? [...text.matchAll(/^- ([A-Za-z0-9_-]{1,64}): /gm)].flatMap(([, name]) => name ?? [])
    : [];

/** What a compaction keeps of found tools begins with this; no model reads it. */
const keptHead = `Result of ${findTools}, by name:\n`;
export const isKeptTools = (kept: string): boolean => kept.startsWith(keptHead);
export const keptToolsText = (names: readonly string[]): string => keptHead + names.join(" ");
export const namesKept = (kept: string): readonly string[] =>
  isKeptTools(kept) ? kept.slice(keptHead.length).split(" ") : [];
