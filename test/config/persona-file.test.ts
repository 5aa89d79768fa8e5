import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  personaFile,
  readPersonaFile,
  uncheckedTools,
  type Offered,
} from "../../src/config/persona-file.ts";
import { readPersonasFolder } from "../../src/config/personas-folder.ts";
import { sentence } from "../../src/config/problems.ts";
import { maxPersonaPrompt } from "../../src/core/persona.ts";
import { at } from "../support/shown-by.ts";

const offered: Offered = {
  tools: ["calculate", "fetch_url", "read_notes", "files.read"],
  skills: ["bake", "fry"],
  models: ["demo/demo", "openai/gpt-5"],
  servers: ["tickets"],
};

const readChef = (head: string, body = "You are the chef.", file = "chef.md") =>
  readPersonaFile(`---\n${head}\n---\n\n${body}\n`, file, offered);

const problemsOf = (...given: Parameters<typeof readChef>): readonly string[] => {
  const read = readChef(...given);
  return "problems" in read ? read.problems.map(sentence) : [];
};

describe("a persona's file", () => {
  it("is front matter and a prompt", () => {
    const read = readChef(
      'description: Cooks\ntools: [calculate, "files.*", tickets.open]\nmodel: openai/gpt-5\ntemperature: 0.5\nmaxModelCalls: 4\nstarters: What now?\nskills: [bake]\nmemory: off',
      "You are the chef.\n\n---\n\nSalt it.",
    );
    expect(read).toEqual({
      persona: {
        name: "chef",
        description: "Cooks",
        prompt: "You are the chef.\n\n---\n\nSalt it.",
        tools: ["calculate", "files.*", "tickets.open"],
        model: "openai/gpt-5",
        temperature: 0.5,
        maxModelCalls: 4,
        starters: ["What now?"],
        skills: ["bake"],
        memory: "off",
      },
    });
    expect(
      "persona" in read && readPersonaFile(personaFile(read.persona), "chef.md", offered),
    ).toEqual(read);
  });

  it("may be a prompt alone", () => {
    expect(readPersonaFile("You are the chef.", "chef.md", offered)).toEqual({
      persona: {
        name: "chef",
        prompt: "You are the chef.",
        maxModelCalls: 15,
        starters: [],
        memory: "on",
      },
    });
  });

  it.each(["tickets.open", "tickets.*", "tick*", "*.open", "tickets*"])(
    "may name %s of a server whose tools aren't known yet, which is noted",
    (tool) => {
      expect(problemsOf(`tools: ["${tool}"]`)).toEqual([]);
      const known = { ...offered, servers: [] };
      const named = { name: "chef", tools: ["calculate", "files.*", tool] };
      expect(uncheckedTools(named, offered)).toEqual([
        `"${tool}" of chef.md isn't checked: the MCP server tickets isn't connected yet`,
      ]);
      expect(uncheckedTools(named, known)).toEqual([]);
    },
  );

  it("may name the tools that read skills, which each chat has for itself", () => {
    expect(problemsOf("tools: [activate_skill, read_skill_file, calculate]")).toEqual([]);
  });

  it.each([
    [
      "an unknown field",
      "tool: [calculate]",
      /^tool \(chef\.md\): unknown key; did you mean tools\?$/,
    ],
    [
      "an unknown tool",
      "tools: [calculat]",
      /^tools\[0\] \(chef\.md\) is "calculat": unknown tool; did you mean calculate\?$/,
    ],
    [
      "an unknown tool of a server whose tools are known",
      "tools: [files.raed]",
      /^tools\[0\] \(chef\.md\) is "files\.raed": unknown tool; did you mean files\.read\?$/,
    ],
    [
      "a tool of a server that isn't there",
      "tools: [server.x]",
      /^tools\[0\] \(chef\.md\) is "server\.x": no such tool is offered$/,
    ],
    ["a pattern that fits nothing", 'tools: ["fili*"]', /^tools\[0\] \(chef\.md\) is "fili\*": /],
    [
      "an unknown skill",
      "skills: [bake, fri]",
      /^skills\[1\] \(chef\.md\) is "fri": unknown skill; did you mean fry\?$/,
    ],
    [
      "an unknown model",
      "model: openai/gpt-6",
      /^model \(chef\.md\) is "openai\/gpt-6": unknown model; did you mean openai\/gpt-5\?$/,
    ],
    ["an unknown tier", "tier: huge", /^tier \(chef\.md\) is "huge": expected fast, balanced/],
    ["a model and a tier", "tier: fast\nmodel: demo/demo", /model or tier, not both$/],
    [
      "a temperature that is too high",
      "temperature: 3",
      /^temperature \(chef\.md\) is 3: expected a number from 0 to 2$/,
    ],
    ["no call", "maxModelCalls: 0", /whole number from 1 to 1000/],
    ["another name", "name: cook", /^name \(chef\.md\) is "cook": expected the file's name, chef/],
    [
      "a hidden character",
      'description: "Cooks\\u202e"',
      /^description \(chef\.md\): expected visible text/,
    ],
    ["broken YAML", "tools: [", /^chef\.md, line \d+, column \d+: expected valid YAML/],
    ["a list", "- name: chef", /^chef\.md.*expected a mapping/],
  ])("is left out with %s", (_, head, problem) => {
    const problems = problemsOf(head);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(problem);
  });

  it.each([
    ["no prompt", " ", "chef.md", /expected a prompt/],
    ["a prompt that is too long", "x".repeat(maxPersonaPrompt + 1), "chef.md", /at most 32000/],
    ["a name in capitals", "Hi.", "Chef.md", /lower-case/],
    ["a name that looks like another", "Hi.", "сhef.md", /lower-case/],
  ])("is left out with %s", (_, body, file, problem) => {
    expect(problemsOf("tier: fast", body, file).join()).toMatch(problem);
  });

  it("may have front matter without a field", () => {
    for (const prompt of ["You cook.", "You cook.\n---\nMore."])
      expect(readPersonaFile(`---\n---\n${prompt}\n`, "chef.md", offered)).toMatchObject({
        persona: { prompt },
      });
  });

  it("is left out while its front matter is half written", () => {
    for (const source of ["---\ntools: [calc", "---\ntools: []\n", "\n---\ntools: []\n---\nHi."]) {
      const read = readPersonaFile(source, "chef.md", offered);
      expect("problems" in read && read.problems.map(sentence).join()).toMatch(
        /front matter to end/,
      );
    }
  });

  it("never fails, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), fc.string(), (head, body) => {
        const read = readPersonaFile(`---\n${head}\n---\n${body}`, "chef.md", offered);
        expect("persona" in read || read.problems.length > 0).toBe(true);
      }),
    );
  });
});

describe("a folder of personas", () => {
  it("leaves out what can't be used, and keeps the others", async () => {
    const folder = mkdtempSync(join(tmpdir(), "parley-personas-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "chef.md"), "You are the chef.");
    writeFileSync(join(folder, "cook.md"), "---\ntools: [oven]\n---\nYou cook.");
    writeFileSync(join(folder, "README.md"), "Not one.");
    writeFileSync(join(folder, "large.md"), "x".repeat(300_000));
    const read = await readPersonasFolder(folder, offered);
    expect(read.personas.map(({ name }) => name)).toEqual(["chef"]);
    expect(read.unusable).toEqual(["cook", "large"]);
    expect(read.problems.map(sentence)).toEqual([
      'tools[0] (cook.md) is "oven": no such tool is offered',
      "large.md: expected at most 200000 bytes",
    ]);
  });

  it("need not be there", async () => {
    expect(await readPersonasFolder(join(tmpdir(), "parley-no-such-folder"), offered)).toEqual({
      personas: [],
      problems: [],
      unusable: [],
    });
  });
});

describe("the personas that Parley comes with", () => {
  const tools =
    "current_time calculate fetch_url read_notes write_note read_more todo_list todo_write";
  const names = readdirSync(at("personas"));

  it.each(names)("%s can be used without any setting", (file) => {
    const read = readPersonaFile(readFileSync(at(`personas/${file}`), "utf8"), file, {
      tools: tools.split(" "),
      skills: [],
      models: ["demo/demo"],
      servers: [],
    });
    expect(read).toMatchObject({ persona: { name: file.slice(0, -3) } });
  });

  it("are three", () => expect(names).toHaveLength(3));
});
