import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { indexed, measured, readQuestions, readTools } from "../../bench/tool-search/read.ts";
import { createToolIndex } from "../../src/tools/tool-index.ts";

const tools = readTools();
const search = await createToolIndex(tools.map(indexed));
const tool = (name: string, more = {}) => ({ name, description: "", parameters: {}, ...more });

const plain = (text: string): string => text.replaceAll(/[-_]/g, " ").toLowerCase();

describe("the search among 575 tools of ten public servers", () => {
  it("has a right one among the first five for 95 of 100 questions", () => {
    expect(tools).toHaveLength(575);
    const questions = readQuestions("questions");
    const found = measured(questions, ({ ask }) => search(ask, 5));
    expect(found.of).toBe(100);
    expect(found.five).toBeGreaterThanOrEqual(95);
  });

  it.each(["held-out", "unseen"] as const)("does so for %s ones, asked with keywords", (file) => {
    const found = measured(readQuestions(file), ({ ask, words = ask }) => search(words, 5));
    expect(found.five / found.of).toBeGreaterThanOrEqual(0.95);
  });

  it("is asked without the name of any right tool", () => {
    const all = (["questions", "held-out", "unseen"] as const).flatMap(readQuestions);
    const names = new Set(tools.map(({ name }) => name));
    for (const question of all)
      for (const name of question.tools) {
        // The name for rules differs where a server's own name has other signs.
        expect(names).toContain(name);
        expect(plain(question.ask)).not.toContain(plain(name.slice(name.indexOf(".") + 1)));
      }
  });
});

describe("a search", () => {
  it("reads names, titles, descriptions and the names of parameters", async () => {
    const find = await createToolIndex([
      tool("a.sendMailNow"),
      tool("b.x", { title: "Weather forecast" }),
      tool("c.x", { description: "Books a train" }),
      tool("d.x", { parameters: { properties: { postalCode: {} } } }),
      tool("shop.x"),
    ]);
    expect(find("mail", 5)).toEqual(["a.sendMailNow"]);
    expect(find("forecasts", 5)).toEqual(["b.x"]);
    expect(find("trains", 5)).toEqual(["c.x"]);
    expect(find("postal", 5)).toEqual(["d.x"]);
    expect(find("the shop", 5)).toEqual(["shop.x"]);
    expect(find("zebra", 5)).toEqual([]);
    expect(find("", 5)).toEqual([]);
  });

  it("prefers the server that is named, and has everyday words for those of tools", async () => {
    const find = await createToolIndex([
      tool("red.create_issue"),
      tool("blue.create_issue"),
      tool("blue.delete_issue"),
    ]);
    expect(find("make a bug in blue", 1)).toEqual(["blue.create_issue"]);
    expect(find("throw away a ticket", 1)).toEqual(["blue.delete_issue"]);
  });

  it("finds at most so many, and only what is allowed", async () => {
    const find = await createToolIndex([1, 2, 3].map((each) => tool(`a.mail_${each}`)));
    expect(find("mail", 2)).toHaveLength(2);
    expect(find("mail", 5, (name) => name !== "a.mail_2")).toEqual(["a.mail_1", "a.mail_3"]);
    expect((await createToolIndex([]))("mail", 5)).toEqual([]);
  });

  it("lets others go on while its index is made of many tools", async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => tool(`a.mail_${index}`));
    let others = 0;
    const made = new AbortController();
    const going = (async () => {
      for (; !made.signal.aborted; others += 1) await setImmediate();
    })();
    const find = await createToolIndex(many);
    made.abort();
    await going;
    expect(others).toBeGreaterThanOrEqual(many.length / 50);
    expect(find("mail", 1)).toHaveLength(1);
  });

  it("takes any words", () => {
    for (const words of ["constructor __proto__", "日本語 поиск", "\u{D800}", "-- [x](y) \n"])
      expect(search(words, 5).length).toBeLessThanOrEqual(5);
  });
});
