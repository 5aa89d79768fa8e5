import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Card } from "../../src/core/outbox.ts";
import { outcomeLines, titleOf } from "../../src/delivery/card-outcome.ts";
import { cardButtons } from "../../src/delivery/card-buttons.ts";
import { callMarkdown, callOf, cardsMarkdown, type CardStyle } from "../../src/delivery/card.ts";
import { languages, localeFor } from "../../src/locales/locale-for.ts";

const styleIn = (language: string): CardStyle => ({
  maxArguments: Infinity,
  asksBelow: false,
  moment: undefined,
  locale: localeFor(language),
});
const card = (more: Partial<Card> = {}): Card => ({
  approvalId: "s1-abcdefghijklmnopqrstuv",
  tool: "write_note",
  about: "Writes a note into this chat's notes.",
  arguments: '{"note":"Buy milk"}',
  requesterName: "Ann",
  approvers: "requester",
  expiresAtMs: 1,
  ...more,
});

/** Every name that a built-in tool's definition has. */
const ours = [
  "current_time",
  "calculate",
  "fetch_url",
  "web_search",
  "read_notes",
  "write_note",
  "remember",
  "recall",
  "read_more",
  "todo_list",
  "todo_write",
  "find_tools",
  "schedule",
  "activate_skill",
  "read_skill_file",
];

describe("a card's title", () => {
  it.each([
    ["en", "**Write note**?"],
    ["de", "**Notiz schreiben**?"],
    ["fr", "**Écrire une note** ?"],
    ["es", "¿**Escribir una nota**?"],
    ["ru", "**Записать заметку**?"],
    ["zh", "**写笔记**？"],
  ])("of a built-in tool is in %s, and nothing else of the tool is English", (language, title) => {
    const shown = callMarkdown(callOf(card()), styleIn(language));
    expect(shown.startsWith(`${title}\n\n`)).toBe(true);
    expect(shown).toContain("`write_note`");
    expect(shown).not.toContain("Writes a note");
  });

  it("is known for every built-in tool in every language", () => {
    for (const language of languages) {
      const { toolTitles, toolDescriptions } = localeFor(language);
      expect(Object.keys(toolTitles)).toEqual(ours);
      expect(Object.keys(toolDescriptions)).toEqual(ours);
    }
  });

  it.each([
    [{ tool: "github.create_issue", title: "Create issue" }, "github: Create issue"],
    [{ tool: "github.create_issue" }, "github: Create issue"],
    [{ tool: "github.write_note" }, "github: Write note"],
    [{ tool: "send-mail" }, "Send mail"],
    [{ tool: "toString" }, "ToString"],
  ])("of %j is %s", (more, title) => {
    expect(titleOf(card(more), localeFor("en"))).toBe(title);
  });

  it("of a server can be no markup, no second line, and take no room", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (title) => {
        const shown = callMarkdown(callOf(card({ tool: "a.b", title })), styleIn("en"));
        const [first = ""] = shown.split("\n\n");
        expect(first).not.toContain("\n");
        expect(first).toMatch(/^\*\*a: [^]*\*\*\?$/);
        expect(first.slice(2, -3)).not.toMatch(/(?<!\\)(?:\\\\)*[*`[]/);
        expect(shown).toContain("note: Buy milk");
        expect(shown).toContain("`a.b`");
      }),
    );
  });
});

/** Leaves and names of arguments that hold no secret: nothing may be left out. */
const words = fc.stringMatching(/^[a-z]{1,12}$/);

it("a card hides no tool and no argument, in whatever order it has them", () => {
  const given = fc.dictionary(words, fc.oneof(words, fc.integer(), fc.array(words)), {
    minKeys: 1,
  });
  fc.assert(
    fc.property(given, fc.constantFrom(...languages), (values, language) => {
      const call = callOf(card({ tool: "a.b_c", arguments: JSON.stringify(values) }));
      for (const shown of [
        callMarkdown(call, styleIn(language)),
        cardsMarkdown([call, call], styleIn(language)),
      ]) {
        expect(shown).toContain("`a.b_c`");
        for (const [name, value] of Object.entries(values)) {
          expect(shown).toContain(name);
          for (const each of Array.isArray(value) ? value : [value])
            expect(shown).toContain(String(each));
        }
      }
    }),
  );
});

it("what says where a call goes comes first, and what is long comes last", () => {
  const values = { body: "a\nb", dry: true, subject: "Hi", to: "bob@example.org" };
  const shown = callMarkdown(callOf(card({ arguments: JSON.stringify(values) })), styleIn("en"));
  const at = ["to: bob", "dry: true", "subject: Hi", "`body"].map((each) => shown.indexOf(each));
  expect(at.every((each) => each > 0)).toBe(true);
  expect(at).toEqual(at.toSorted((one, other) => one - other));
});

it("a decided card is its outcome in one line, and what it was about in another", () => {
  const approved = { ...callOf(card()), status: "approved", decidedBy: "Ana" } as const;
  expect(callMarkdown(approved, styleIn("en"))).toBe(
    "✓ **Write note** · approved by Ana\n`write_note` note: Buy milk",
  );
  const denied = { ...approved, status: "denied", reason: "too *dear*\nthis time" } as const;
  expect(callMarkdown(denied, styleIn("en"))).toMatch(
    /^✗ \*\*Write note\*\* · denied by Ana: too \\\*dear\\\* this time\n`write_note`/,
  );
  const both = cardsMarkdown([approved, denied], styleIn("en"));
  expect(both).toContain("**2** **Write note** · `write_note` note: Buy milk");
  expect(both).toContain("✓ 1 approved by Ana\n✗ 2 denied by Ana: too");
});

const labels = (language: string, tool: string): readonly string[] =>
  cardButtons([callOf(card({ tool }))], localeFor(language), { hasForms: true }).map(
    ({ label }) => label,
  );

it("a fact's card asks whether to keep it, in every language, and no other card does", () => {
  expect(labels("en", "remember")).toEqual(["Keep", "Don't", "Edit"]);
  expect(labels("en", "write_note")).toEqual(["Approve", "Deny", "Edit"]);
  expect(labels("en", "evil.remember")).toEqual(["Approve", "Deny", "Edit"]);
  for (const language of languages)
    expect(labels(language, "remember")).not.toEqual(labels(language, "write_note"));
});

const groupFactCard = (given: object, more: Partial<Card> = {}): Card =>
  card({ tool: "remember", arguments: JSON.stringify(given), ...more });
const factCard = (given: object): Card => groupFactCard(given, { direct: true });

it("a fact's card reads as a question, and says for what it is kept, in every language", () => {
  const given = { about: "me", fact: "My *sister* is Ida.", supersedes: "0a1b2c3d" };
  const shown = callMarkdown(callOf(factCard(given)), styleIn("en"));
  expect(shown).toContain(
    "**Remember**?\n\n> My \\*sister\\* is Ida.\n\nAbout you. I use it only in your direct chats with me. It replaces 0a1b2c3d.",
  );
  expect(shown).not.toMatch(/about: |fact: |```/);
  const inGroup = (about: string) =>
    callMarkdown(callOf(groupFactCard({ ...given, about })), styleIn("en"));
  expect(inGroup("me")).toContain("About Ann. I use it only in their direct chats");
  expect(inGroup("chat")).toContain("About this chat. Everyone here can see it.");
  const texts = languages.map((language) =>
    callMarkdown(callOf(factCard(given)), styleIn(language)),
  );
  expect(new Set(texts).size).toBe(languages.length);
  for (const text of texts) expect(text).toContain("> My \\*sister\\* is Ida.");
});

it("a fact's card hides no argument that it doesn't know, and masks secrets", () => {
  const unknown = factCard({ about: "me", fact: "x", to: "eve@example.org" });
  expect(callMarkdown(callOf(unknown), styleIn("en"))).toContain("to: eve@example.org");
  const secret = `sk-${"a1B2c3D4".repeat(5)}`;
  const masked = callMarkdown(
    callOf(factCard({ about: "me", fact: `key ${secret}` })),
    styleIn("en"),
  );
  expect(masked).not.toContain(secret);
  expect(masked).toContain("••••");
  expect(masked).toContain("Secrets are partly shown");
});

it("a fact that was decided is kept or not, in every language", () => {
  const fact = factCard({ about: "me", fact: "I like\ntea" });
  const kept = { ...callOf(fact), status: "approved", decidedBy: "Ana" } as const;
  expect(callMarkdown(kept, styleIn("en"))).toBe("✓ **Remember** · kept by Ana\nI like tea");
  const denied = { ...kept, status: "denied" } as const;
  expect(callMarkdown(denied, styleIn("en"))).toBe("✗ **Remember** · not saved\nI like tea");
  expect(outcomeLines([denied], localeFor("en"))).toBe("✗ Remember · not saved");
  expect(outcomeLines([kept], localeFor("en"))).toBe("✓ Remember · kept");
  const other = { ...callOf(card()), status: "approved", decidedBy: "Ana" } as const;
  const ends = (call: typeof kept | typeof denied, language: string) =>
    callMarkdown(call, styleIn(language)).split("\n")[0]?.split(" · ")[1];
  for (const language of languages) expect(ends(kept, language)).not.toBe(ends(other, language));
});
