import { setImmediate } from "node:timers/promises";
import { KeywordIndex, type Hit } from "../text/keyword-index.ts";
import { synonymsOf } from "./search-words.ts";

/** What a search reads of a tool. */
export interface IndexedTool {
  /** As rules match it: `server.name`. */
  readonly name: string;
  readonly title?: string | undefined;
  readonly description: string;
  /** JSON Schema of type `object`; only the names of its properties are read. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** How much a word counts by where it is, once per place. */
const weights = { name: 5, server: 1, title: 2, description: 1, parameter: 0.3 };
/** How much more a word counts of a tool that has few. */
const lengthCounts = 0.5;
/** Of a tool's word in the place of an everyday one. */
const synonymWeight = 0.8;
/** Of other servers' tools where the words name a server. */
const otherServerWeight = 0.4;
/** For a tool whose whole name is wanted. */
const nameBonus = 0.5;
/** Parameters of one tool that are read. */
const maxParameters = 50;
/** Tools that are read in one slice, of a few milliseconds. */
const atOnce = 20;

/**
 * Ranks tools by BM25 over weighted words. Words that name a server prefer its tools.
 *
 * @returns a search by a sentence or keywords: the names of the tools that fit, best first, at most
 * `limit`, of those that `allows` accepts.
 */
export async function createToolIndex(tools: readonly IndexedTool[]) {
  const index = new KeywordIndex({ lengthCounts });
  for (const [at, tool] of tools.entries()) {
    // Other chats' turns go on while a thousand tools are read.
    if (at % atOnce === 0) await setImmediate();
    index.add(at, wordsOf(tool));
  }
  const servers = tools.map(({ name }) => serverOf(name).toLowerCase());
  const names = tools.map(({ name }) => stemsIn(name.slice(serverOf(name).length)));

  return (text: string, limit: number, allows: (name: string) => boolean = () => true) => {
    const given = wordsIn(text);
    const named = given.filter((word) => servers.includes(word));
    const wanted = new Map(given.flatMap(synonymsOf).map((word) => [stemOf(word), synonymWeight]));
    for (const word of stemsIn(text)) wanted.set(word, 1);
    const final = ({ id, score }: Hit) => {
      const name = names[id] ?? [];
      const bonus = nameBonus * (name.filter((word) => wanted.has(word)).length / name.length || 0);
      const isOther = named.length > 0 && !named.includes(servers[id] ?? "");
      return {
        name: tools[id]?.name ?? "",
        score: score * (1 + bonus) * (isOther ? otherServerWeight : 1),
      };
    };
    return index
      .score(wanted)
      .map(final)
      .filter(({ name }) => allows(name))
      .toSorted((one, other) => other.score - one.score)
      .slice(0, limit)
      .map(({ name }) => name);
  };
}

/** `files` of `files.read`; empty for a built-in tool. */
export const serverOf = (name: string): string => name.slice(0, Math.max(0, name.indexOf(".")));

function wordsOf({ name, title = "", description, parameters }: IndexedTool) {
  const words = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const word of stemsIn(text)) words.set(word, (words.get(word) ?? 0) + weight);
  };
  const server = serverOf(name);
  add(name.slice(server.length), weights.name);
  add(server, weights.server);
  add(title, weights.title);
  add(description, weights.description);
  for (const parameter of Object.keys(parameters["properties"] ?? {}).slice(0, maxParameters))
    add(parameter, weights.parameter);
  return words;
}

/** `createIssue`, `create_issue` and `create-issue` are two words each. */
const wordsIn = (text: string): readonly string[] =>
  text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .replaceAll(/\bto[ -]do\b/g, "todo")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");

const stemOf = (word: string): string =>
  word.length > 3 ? word.replace(/ies$/, "y").replace(/(?<!s)s$/, "") : word;

/** Each once. */
const stemsIn = (text: string): readonly string[] => [
  ...new Set(
    wordsIn(text)
      .filter((word) => !silent.has(word))
      .map(stemOf),
  ),
];

/** These say nothing about a tool. */
const silent = new Set(
  "a an and are as at be by can could did do does for from has have her his how i if in into is it its me my of on or our that the their them then there these they this to us use used using was we were what when where which who why will with you your".split(
    " ",
  ),
);
