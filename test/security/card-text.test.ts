import { describe, expect, it } from "vitest";
import { render as renderDiscord } from "../../src/bots/discord/format/render.ts";
import { formatMarkdown } from "../../src/bots/telegram/format/format.ts";
import { askingChunks } from "../../src/delivery/card-chunks.ts";
import { callOf } from "../../src/delivery/card.ts";
import { languages, localeFor } from "../../src/locales/locale-for.ts";

const mouths = [
  {
    name: "telegram",
    mouth: { render: (text: string) => Promise.resolve(formatMarkdown(text)) },
  },
  {
    name: "discord",
    mouth: { render: (text: string) => Promise.resolve(renderDiscord(text)) },
  },
];

const card = (given: unknown, tool = "web.post") =>
  callOf({
    approvalId: "s1-aB3dE0ghijklmnopqrstuv",
    tool,
    about: "Posts.",
    arguments: JSON.stringify(given),
    requesterName: "Ann",
    approvers: "requester-or-admins",
    expiresAtMs: 1_795_086_400_000,
  });

describe.each(mouths)("a card on $name", ({ mouth }) => {
  const shown = async (given: unknown, tool?: string, language?: string) =>
    (await askingChunks(mouth, [card(given, tool)], localeFor(language)))
      .map(({ text }) => text)
      .join("\n");

  it("warns of words whose letters look like others, and spells them out", async () => {
    const text = await shown({ url: "https://p\u0430ypal.com/login" });
    expect(text).toContain("Careful: ");
    expect(text).toContain(String.raw`p\u0430ypal.com`);
    expect(await shown({ url: "https://paypal.com" })).not.toContain("Careful: ");
    expect(await shown({ note: "Привет, report.pdf" })).not.toContain("Careful: ");
  });

  it("warns of them in a tool's name and in a field's, too", async () => {
    expect(await shown({}, "files.d\u0435lete")).toContain(String.raw`d\u0435lete`);
    expect(await shown({ "p\u0430th": "a" })).toContain(String.raw`p\u0430th`);
  });

  it.each(languages)("warns in %s", async (language) => {
    const warning = localeFor(language).cards.lookalikes("x");
    expect(await shown({ a: "p\u0430y" }, undefined, language)).toContain(
      warning.slice(0, warning.indexOf("x") - 2).trim(),
    );
  });

  it("shows every order of reading, every unseen letter and every line", async () => {
    const text = await shown({
      command: "ls \u202e;fr- mr\u2066 \u200b\u00ad\n\n\n\n\nrm -rf /",
    });
    for (const code of ["202e", "2066", "200b", "00ad"]) expect(text).toContain(`\\u${code}`);
    expect(text).toContain("rm -rf /");
    expect(text).not.toMatch(/[\u202e\u2066\u200b\u00ad]/u);
  });

  it.each(
    Array.from(
      "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\u2800\u3164\u115f\u1160\uffa0\u180e",
    ),
  )("shows the blank %j as its code", async (blank) => {
    const code = `\\u${(blank.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
    const text = await shown({
      path: `a${blank}b`,
      text: `rm${blank}-rf\n/`,
      [`k${blank}y`]: { deep: { x: blank } },
    });
    expect(text.split(code)).toHaveLength(5);
    expect(text).not.toContain(blank);
  });

  it("shows every language and emoji as people write it", async () => {
    const note =
      "Prix\u00a0: 25\u202f€, 田中\u3000花子, می\u200cخواهم, क्\u200dष, 👩\u200d🚀 1\ufe0f\u20e3";
    const text = await shown({ note, to: "👨\u200d👩\u200d👧\u200d👦 Ann" });
    expect(text).toContain(note);
    expect(text).toContain("👨\u200d👩\u200d👧\u200d👦 Ann");
    expect(text).not.toContain(String.raw`\u`);
  });

  it.each(languages)("shows no code of its own words in %s", async (language) => {
    const given = {
      text: "x\n".repeat(1_500),
      note: `sk-${"a1".repeat(900)}`,
    };
    const text = await shown(given, undefined, language);
    expect(text).toContain("••••");
    expect(text).not.toContain(String.raw`\u`);
  });

  it("hides nothing in the length of what it shows", async () => {
    const command = `echo ${"a".repeat(9_000)}; rm -rf /; echo ${"b".repeat(9_000)}`;
    expect(await shown({ command })).toContain("rm -rf /");
  });
});
