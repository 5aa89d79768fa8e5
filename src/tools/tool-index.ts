import { setImmediate } from "node:timers/promises";
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
/** BM25's parameters: how soon more of a word adds nothing, and how much length counts. */
const [k, b] = [1.2, 0.5];
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
  const words: ReturnType<typeof wordsOf>[] = [];
  for (const tool of tools) {
    // Other chats' turns go on while a thousand tools are read.
    if (words.length % atOnce === 0) await setImmediate();
    words.push(wordsOf(tool));
  }
  const lengths = words.map((each) => [...each.values()].reduce((sum, weight) => sum + weight, 0));
  const usual = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, tools.length);
  const places = new Map<string, { readonly at: number; readonly weight: number }[]>();
  for (const [at, each] of words.entries())
    for (const [word, count] of each) {
      const length = 1 - b + (b * (lengths[at] ?? 0)) / usual;
      const weight = (count * (k + 1)) / (count + k * length);
      if (places.get(word)?.push({ at, weight }) === undefined) places.set(word, [{ at, weight }]);
    }
  const servers = tools.map(({ name }) => serverOf(name).toLowerCase());
  const names = tools.map(({ name }) => stemsIn(name.slice(serverOf(name).length)));

  return (text: string, limit: number, allows: (name: string) => boolean = () => true) => {
    const given = wordsIn(text);
    const named = given.filter((word) => servers.includes(word));
    const wanted = new Map(given.flatMap(synonymsOf).map((word) => [stemOf(word), synonymWeight]));
    for (const word of stemsIn(text)) wanted.set(word, 1);
    const scores = new Map<number, number>();
    for (const [word, factor] of wanted) {
      const holders = places.get(word) ?? [];
      const rarity = Math.log(1 + (tools.length - holders.length + 0.5) / (holders.length + 0.5));
      for (const { at, weight } of holders)
        scores.set(at, (scores.get(at) ?? 0) + factor * rarity * weight);
    }
    const final = ([at, score]: readonly [number, number]) => {
      const name = names[at] ?? [];
      const bonus = nameBonus * (name.filter((word) => wanted.has(word)).length / name.length || 0);
      const isOther = named.length > 0 && !named.includes(servers[at] ?? "");
      return {
        name: tools[at]?.name ?? "",
        score: score * (1 + bonus) * (isOther ? otherServerWeight : 1),
      };
    };
    return [...scores]
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
