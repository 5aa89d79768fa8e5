import { mkdirSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parseSkill } from "../../src/skills/parse-skill.ts";
import { readSkills } from "../../src/skills/read-skills.ts";
import { walkFolders } from "../../src/skills/walk-folders.ts";
import { at } from "../support/shown-by.ts";
import { Deployment } from "./folder.ts";

const published = await readSkills(await walkFolders([fileURLToPath(at("test/skills/public"))]));
const found = (name: string) => {
  const skill = published.skills.find((each) => each.name === name);
  if (skill === undefined) throw new Error(`no ${name}`);
  return skill;
};

describe("skills in the shape of public ones", () => {
  it("are all read, sorted by name", () => {
    expect(published.skills.map(({ name }) => name)).toEqual([
      "brand-guidelines",
      "changelog",
      "code-review",
      "docx",
      "frontend-design",
      "internal-comms",
      "mcp-builder",
      "pdf",
      "skill-creator",
      "webapp-testing",
    ]);
  });

  it.each([
    ["pdf", "Use when: the user mentions PDFs, forms, or document extraction."],
    [
      "code-review",
      "Reviews diffs for bugs: correctness first, then security, then style: never the other way round",
    ],
    [
      "frontend-design",
      "Create distinctive, production-grade frontend interfaces with high design quality. Use this",
    ],
    ["changelog", "Creates user-facing changelogs from git commits 🚀 Use it before a release."],
    ["brand-guidelines", "Applies the brand's official colours"],
    ["docx", "Creates, edits and analyses Word documents"],
  ])("keep what their descriptions say: %s", (name, text) => {
    expect(found(name).description).toContain(text);
  });

  it.each([
    ["mcp-builder", "Bash(npm:*) Bash(python:*) Read Write"],
    ["webapp-testing", "Bash(python:*), Read, fetch_url"],
    ["code-review", "*"],
    ["pdf", undefined],
  ])("say which tools they ask for: %s", (name, tools) => {
    expect(found(name).allowedTools).toBe(tools);
  });

  it("have their texts, at any depth, and no binary file", () => {
    expect([...found("code-review").files.keys()]).toEqual([
      "SKILL.md",
      "references/checklists/security.md",
    ]);
    expect([...found("pdf").files.keys()]).toContain("scripts/fill_form.py");
    expect([...found("brand-guidelines").files.keys()]).toEqual(["SKILL.md"]);
    expect(found("brand-guidelines").leftOut).toBe(1);
  });

  it("have bodies without front matter, mark and with the line ends as they are", () => {
    expect(found("brand-guidelines").body.trim()).toMatch(/^# Brand styling/);
    expect(found("docx").body).toContain("\r\n");
    for (const { body } of published.skills) expect(body).not.toContain("description:");
  });

  it("are warned of where they aren't as they should be", () => {
    const text = published.problems.join("\n");
    expect(text).toMatch(/public\/pdf has a front matter that isn't valid YAML/);
    expect(text).toMatch(/public\/internal-comms should be named as its folder/);
    expect(text).toMatch(/public\/skill-creator has no name, so it is called skill-creator/);
    expect(text).toMatch(/public\/brand-guidelines has 1 files that are left out/);
    expect(text).not.toMatch(/docx|frontend-design|isn't used/);
  });
});

const parsed = (text: string) => parseSkill(text, "pdf");

describe("a SKILL.md", () => {
  it.each([
    ["no front matter", "# Just text\n"],
    ["an unclosed one", "---\nname: pdf\ndescription: x\n# Text\n"],
    ["no description", "---\nname: pdf\n---\nText\n"],
    ["an empty description", "---\nname: pdf\ndescription: '  '\n---\nText\n"],
    ["a list as front matter", "---\n- a\n- b\n---\nText\n"],
    ["something before it", "hello\n---\nname: pdf\ndescription: x\n---\n"],
    ["a huge front matter", `---\nname: pdf\ndescription: ${"x".repeat(20_000)}\n---\n`],
  ])("with %s isn't used", (_, text) => {
    expect(parsed(text)).toEqual({ problem: expect.stringMatching(/^has /) });
  });

  it.each([
    ["../x", "x"],
    ["__proto__", "proto"],
    ["/etc/passwd", "etc-passwd"],
    ["PDF  Tools", "pdf-tools"],
    ["a--b-", "a-b"],
    ["x".repeat(80), "x".repeat(64)],
    ["名前", "pdf"],
    ["[1, 2]", "1-2"],
    ["42", "42"],
  ])("named %s is called %s", (given, name) => {
    const skill = parsed(`---\nname: ${given}\ndescription: x\n---\n`);
    expect(skill).toMatchObject({ name, warnings: [expect.stringContaining(name)] });
  });

  it("may have rules in its text", () => {
    const body = "Read.\n---\nWrite.\n";
    expect(parsed(`---\nname: pdf\ndescription: x\n---\n${body}`)).toMatchObject({ body });
    // Its front matter is empty: the text must not become part of it.
    expect(parsed(`---\n---\ndescription: x\n---\n`)).toEqual({ problem: "has no description" });
  });

  it("that is too long in its parts is used with a warning, cut where it would be shown", () => {
    const skill = parsed(
      `---\nname: pdf\ndescription: ${"d".repeat(1_100)}\ncompatibility: ${"c".repeat(501)}\n---\n${"line\n".repeat(501)}`,
    );
    if ("problem" in skill) throw new Error(skill.problem);
    expect(skill.description).toHaveLength(1_024);
    expect(skill.warnings).toHaveLength(3);
  });
});

describe("folders with skills", () => {
  it("need not exist", async () => {
    using deployment = new Deployment();
    expect(await deployment.read()).toEqual({ skills: [], problems: [] });
  });

  it("are both read, and the first one with a name counts", async () => {
    using deployment = new Deployment();
    deployment.skill("one", "first");
    deployment.write(".agents/skills/one/SKILL.md", "---\ndescription: x\n---\nsecond\n");
    deployment.write(".agents/skills/two/SKILL.md", "---\ndescription: x\n---\n");
    const { skills, problems } = await deployment.read();
    expect(skills.map(({ name, body }) => [name, body.trim()])).toEqual([
      ["one", "first"],
      ["two", ""],
    ]);
    expect(problems.join()).toContain("another skill is called one");
  });

  it("hold skills down to the fourth level, and not within another skill", async () => {
    using deployment = new Deployment();
    const text = "---\ndescription: x\n---\n";
    deployment.write("skills/a/b/c/four/SKILL.md", text);
    deployment.write("skills/a/b/c/d/five/SKILL.md", text);
    deployment.skill("outer");
    deployment.write("skills/outer/inner/SKILL.md", text);
    const { skills, problems } = await deployment.read();
    expect(skills.map(({ name }) => name)).toEqual(["four", "outer"]);
    expect(problems.join()).toContain("too deep");
  });

  it("leave out hidden files, what package managers bring, and links to folders", async () => {
    using deployment = new Deployment();
    deployment.skill("one");
    deployment.write("skills/one/.git/config", "x");
    deployment.write("skills/one/node_modules/x/index.js", "x");
    mkdirSync(deployment.at("elsewhere/two"), { recursive: true });
    deployment.write("elsewhere/two/SKILL.md", "---\ndescription: x\n---\n");
    symlinkSync(deployment.at("elsewhere/two"), deployment.at("skills/two"));
    const { skills, problems } = await deployment.read();
    expect(skills.map(({ name, files }) => [name, ...files.keys()])).toEqual([["one", "SKILL.md"]]);
    expect(problems).toEqual(["skills/two is a link: it isn't followed."]);
  });

  it("may link files within a skill, as mounted volumes do, and nowhere else", async () => {
    using deployment = new Deployment();
    deployment.write("skills/one/..data/SKILL.md", "---\ndescription: x\n---\nlinked\n");
    symlinkSync("..data/SKILL.md", deployment.at("skills/one/SKILL.md"));
    deployment.write("secret.md", "a secret");
    symlinkSync(deployment.at("secret.md"), deployment.at("skills/one/notes.md"));
    const skill = await deployment.readOne();
    expect(skill.body.trim()).toBe("linked");
    expect([...skill.files.keys()]).toEqual(["SKILL.md"]);
  });

  it("hold at most 200 skills, and at most 100 files in each", async () => {
    using deployment = new Deployment();
    for (let count = 0; count < 205; count += 1)
      deployment.skill(`s${String(count).padStart(3, "0")}`);
    for (let count = 0; count < 105; count += 1)
      deployment.write(`skills/s000/f${String(count).padStart(3, "0")}.md`, "x");
    const { skills, problems } = await deployment.read();
    expect(skills).toHaveLength(200);
    expect(skills[0]?.files.size).toBe(100);
    expect(problems.join()).toMatch(/at most 100 files.*only the first 200 are used/);
  });

  it("are limited in size: a file is left out, a skill isn't used", async () => {
    using deployment = new Deployment();
    deployment.skill("large", "x".repeat(70_000));
    deployment.skill("with-large-file");
    deployment.write("skills/with-large-file/big.md", "x".repeat(262_145));
    deployment.write("skills/with-large-file/fits.md", "x".repeat(262_144));
    deployment.skill("with-many");
    for (let count = 0; count < 9; count += 1)
      deployment.write(`skills/with-many/${count}.md`, "x".repeat(250_000));
    const { skills, problems } = await deployment.read();
    expect(skills.map(({ name, files }) => [name, ...files.keys()])).toEqual([
      ["with-large-file", "SKILL.md", "fits.md"],
    ]);
    expect(problems.join("\n")).toMatch(/skills\/large isn't used.*64 KiB/);
    expect(problems.join("\n")).toMatch(/with-many isn't used: it has more than 2048 KiB/);
  });
});
