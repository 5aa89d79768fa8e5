import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { render as renderDiscord } from "../../src/bots/discord/format/render.ts";
import { formatMarkdown } from "../../src/bots/telegram/format/format.ts";
import type { Card } from "../../src/core/outbox.ts";
import type { Sender } from "../../src/core/ports.ts";
import { shortApprovalId } from "../../src/core/approval.ts";
import { askingChunks, changedChunk, closedChunk } from "../../src/delivery/card-chunks.ts";
import { cardButtons } from "../../src/delivery/card-buttons.ts";
import { callOf } from "../../src/delivery/card.ts";
import type { ShownCall } from "../../src/delivery/card-outcome.ts";
import { languages, localeFor } from "../../src/locales/locale-for.ts";

const locale = localeFor();

const mouths: readonly {
  readonly name: string;
  readonly limit: number;
  readonly mouth: Pick<Sender, "render" | "moment">;
}[] = [
  {
    name: "telegram",
    limit: 4_096,
    mouth: { render: (text) => Promise.resolve(formatMarkdown(text)) },
  },
  {
    name: "discord",
    limit: 2_000,
    mouth: {
      render: (text) => Promise.resolve(renderDiscord(text)),
      moment: (atMs) => `<t:${Math.floor(atMs / 1_000)}:R>`,
    },
  },
];

const id = (index: number): string => `s1-aB3dE${index}ghijklmnopqrstuv`;
const cardWith = (given: unknown, index = 0): Card => ({
  approvalId: id(index),
  tool: "files.write",
  about: "Writes *a* file.",
  arguments: JSON.stringify(given),
  requesterName: "Ann_",
  approvers: "requester-or-admins",
  askedAtMs: 1_795_000_000_000,
  expiresAtMs: 1_795_086_400_000,
});
const callsWith = (...given: readonly unknown[]): ShownCall[] =>
  given.map((each, index) => callOf(cardWith(each, index)));
const decided = (call: ShownCall | undefined, more: Partial<ShownCall>) => {
  if (call === undefined) throw new Error("no such call");
  return { ...call, ...more };
};

describe.each(mouths)("a card on $name", ({ name, limit, mouth }) => {
  const textOf = async (calls: readonly ShownCall[]) =>
    (await askingChunks(mouth, calls, locale)).map(({ text }) => text);

  it("says what will happen first, then with which tool, who decides, and until when", async () => {
    const [text = "", ...others] = await textOf(callsWith({ path: "a.txt" }));
    expect(others).toEqual([]);
    expect(text).toMatch(/^\*{0,2}files: Write\*{0,2}\?\n+(?:```\n)?path: a\.txt[^]*files\.write/);
    expect(text).toMatch(/“Writes \\?\*a\\?\* file\.”/);
    expect(text).toContain("path: a.txt");
    expect(text).toMatch(/It's up to Ann\\?_ or an admin\./);
    expect(text).toContain(name === "discord" ? "Expires <t:1795086400:R>." : "Expires in 24 h.");
    expect(text).toMatch(new RegExp(`ID: \`?${shortApprovalId(id(0))}`));
    expect(text).not.toContain("/approve");
  });

  it("in a private chat says that it is up to you", async () => {
    const calls = callsWith({ path: "a.txt" });
    const direct = calls.map((call) => ({
      ...call,
      card: { ...call.card, direct: true as const },
    }));
    expect((await textOf(direct)).join("")).toContain("It's up to you.");
  });

  it("of a long call shows all of it above, and a part of it with the buttons", async () => {
    const lines = Array.from({ length: 900 }, (_, index) => `line ${index}.`);
    const calls = callsWith({ path: "a.txt", content: lines.join("\n") });
    const texts = await textOf(calls);
    expect(texts.length).toBeGreaterThan(1);
    for (const text of texts) expect(text.length).toBeLessThanOrEqual(limit);
    const above = texts.slice(0, -1).join("\n");
    for (const line of lines) expect(above).toContain(line);
    expect(texts.at(-1)).toMatch(/line 0\.[^]*characters …\][^]*line 899\./);
    expect(texts.at(-1)).toContain("It's up to");
    const [call] = calls;
    const closed = await closedChunk(
      mouth,
      { card: call?.card ?? cardWith({}), outcome: "Denied by B." },
      locale,
    );
    expect(closed?.text).toMatch(
      /^Denied by B\.\n`?files\.write`? path: a\.txt, content: "line 0\./,
    );
  });

  it("says how to see what is masked only while the call can be decided", async () => {
    const how = "Secrets are partly shown as";
    const calls = callsWith({ token: "abcdefghijkl" }, { token: "mnopqrstuvwx" });
    const [first, second] = calls;
    if (first === undefined) throw new Error("expected two calls");
    expect((await textOf([first])).join("")).toContain(how);
    const outcome = "Denied by B.";
    const closed = await closedChunk(mouth, { card: first.card, outcome }, locale);
    expect(closed?.text).toContain("ab••••l");
    expect(closed?.text).not.toContain(how);
    const denied = decided(first, { status: "denied", decidedBy: "B" });
    const half = await changedChunk(mouth, [denied, decided(second, {})], locale);
    expect(half?.text.split(how)).toHaveLength(2);
  });

  it("of several calls numbers them, and stays one message while they are decided", async () => {
    const calls = callsWith(...Array.from({ length: 8 }, (_, n) => ({ n })));
    const [text = "", ...others] = await textOf(calls);
    expect(others).toEqual([]);
    for (let n = 0; n < 8; n += 1) expect(text).toContain(`n: ${n}`);
    expect(text).toContain("Approval needed for 8 actions");
    expect(text.match(/Writes/g)).toHaveLength(1);
    const mixed = calls.map((call, index) =>
      index === 7
        ? call
        : decided(call, {
            status: index % 2 === 0 ? "approved" : "denied",
            decidedBy: `Somebody with a very *long* name ${index}`.repeat(3),
            reason: index === 1 ? "far too dear ".repeat(20) : "",
          }),
    );
    const changed = (await changedChunk(mouth, mixed, locale))?.text ?? "";
    expect(changed.length).toBeLessThanOrEqual(limit);
    // What is still to be decided is still shown, whole.
    for (let n = 0; n < 8; n += 1) expect(changed).toContain(`n: ${n}`);
    expect(changed).toMatch(/✓ 1 approved by Somebody/);
    expect(changed).toMatch(/✗ 2 denied by Somebody[^]*: far too dear/);
    expect(changed).toContain("It's up to");
  });

  it("hides nothing of what is still to be decided when what was decided takes up room", async () => {
    for (const less of [60, 120, 180, 240]) {
      const length = limit / 4 - less;
      const calls = callsWith(
        ...Array.from({ length: 4 }, (_, n) => ({ a: `${n}`.repeat(length) })),
      );
      if ((await textOf(calls)).length > 1) continue;
      const decision = {
        status: "denied",
        decidedBy: "m".repeat(64),
        reason: "m".repeat(100),
      } as const;
      const chunk = await changedChunk(
        mouth,
        calls.map((call, n) => (n === 3 ? call : decided(call, decision))),
        locale,
      );
      expect(chunk?.text).toContain("3".repeat(length));
    }
  });

  it("of several long calls shows all of each above", async () => {
    const calls = callsWith(
      ...Array.from({ length: 8 }, (_, n) => ({
        text: `begin${n} ${"w ".repeat(700)}end${n}`,
      })),
    );
    const texts = await textOf(calls);
    expect(texts.at(-1)).toContain("Approval needed for 8 actions");
    const above = texts.slice(0, -1).join("\n");
    for (let n = 0; n < 8; n += 1) {
      expect(above).toContain(`begin${n}`);
      expect(above).toContain(`end${n}`);
    }
    expect(above.match(/w /g)?.length).toBeGreaterThanOrEqual(8 * 700 - texts.length * 2);
  });

  it("says of each call what became of it, and nothing of deciding once all are", async () => {
    const [a, b, c, d, e] = callsWith({ n: 0 }, { n: 1 }, { n: 2 }, { n: 3 }, { n: 4 });
    const text =
      (
        await changedChunk(
          mouth,
          [
            decided(a, { status: "approved", decidedBy: "Ann" }),
            decided(b, { status: "denied", decidedBy: "Ben", reason: "no" }),
            decided(c, { status: "expired" }),
            decided(d, { status: "superseded" }),
            decided(e, { status: "cancelled" }),
          ],
          locale,
        )
      )?.text ?? "";
    expect(text).toContain(
      [
        "✓ 1 approved by Ann",
        "✗ 2 denied by Ben: no",
        "✗ 3 expired, no one decided in time",
        "✗ 4 cancelled because of a newer message",
        "✗ 5 cancelled",
      ].join("\n"),
    );
    expect(text).not.toContain("It's up to");
    expect(text).not.toContain("Expires");
  });

  it("lets no name, tool or reason become markup, nor hide anything", async () => {
    const card = {
      ...cardWith({ path: "```\n# x" }),
      tool: "a`b\u202ec",
      about: "**Safe** [click](https://evil.example)\u200b",
      requesterName: "**Ann**\n# Admin\u202e",
    };
    const [text = ""] = await textOf([callOf(card)]);
    expect(text).toContain(String.raw`a'b\u202ec`);
    // Discord knows no fence within a fence: its renderer breaks up the inner one.
    expect(text.replace("`\u200b``", "")).not.toMatch(/[\u202e\u200b]/);
    expect(text).toContain("# x");
    if (name === "telegram") {
      expect(text).toContain("**Safe** [click](https://evil.example)");
      expect(text).toContain("**Ann** # Admin");
    }
  });
});

describe.each(mouths)("a card on $name in another language", ({ mouth }) => {
  it("says all of it in that language", async () => {
    const de = localeFor("de");
    const calls = callsWith({ password: "swordfish", text: "a\nb" });
    const [text = ""] = (await askingChunks(mouth, calls, de)).map((each) => each.text);
    expect(text).toMatch(/^\*{0,2}files: Write\*{0,2}\?/);
    expect(text).toMatch(/Entscheiden kann Ann\\?_ oder ein Admin\./);
    expect(text).toMatch(/(?:Läuft ab: <t:|Gültig für 24 h\.)/);
    expect(text).toContain("s••••h (9 Zeichen)");
    expect(text).toContain("text (3 Zeichen)");
    expect(text).not.toMatch(/Approv|Expires|up to|character|an admin/);
    expect(cardButtons(calls, de).map(({ label }) => label)).toEqual([
      "Freigeben",
      "Ablehnen",
      "Verdecktes zeigen",
    ]);
    const [first, second, third] = callsWith({}, {}, {});
    const changed = await changedChunk(
      mouth,
      [
        decided(first, { status: "approved", decidedBy: "Ann" }),
        decided(second, { status: "denied", decidedBy: "Ben", reason: "nö" }),
        decided(third, { status: "cancelled" }),
      ],
      de,
    );
    expect(changed?.text).toContain(
      "✓ 1 freigegeben von Ann\n✗ 2 abgelehnt von Ben: nö\n✗ 3 abgebrochen",
    );
  });

  it.each(languages)("stays one message in %s while its calls are decided", async (language) => {
    const calls = callsWith(...Array.from({ length: 8 }, (_, n) => ({ n })));
    const theirs = localeFor(language);
    expect(await askingChunks(mouth, calls, theirs)).toHaveLength(1);
    const changed = await changedChunk(
      mouth,
      calls.map((call) => decided(call, { status: "denied", decidedBy: "Ann", reason: "no" })),
      theirs,
    );
    // The last piece of several would not have its heading.
    expect(changed?.text.startsWith(theirs.cards.calls(8))).toBe(true);
  });
});

/** The most characters with which a card is one message. */
async function mostThatFit(fits: (length: number) => Promise<boolean>): Promise<number> {
  let [most, tooMany] = [1, 5_000];
  expect([await fits(most), await fits(tooMany)]).toEqual([true, false]);
  while (tooMany - most > 1) {
    const middle = Math.floor((most + tooMany) / 2);
    if (await fits(middle)) most = middle;
    else tooMany = middle;
  }
  return most;
}

const callOfTwo = (length: number): ShownCall =>
  callOf({ ...cardWith({ a: "x".repeat(length) }), persons: 2 });
const callsOf = (length: number): readonly ShownCall[] =>
  callsWith({ a: "x".repeat(length) }, { b: 1 }, { c: 1 }, { d: 1 });

describe.each(mouths)("a card on $name that just fits", ({ mouth }) => {
  const longName = "m".repeat(64);

  it.each(languages)(
    "shows all of it in %s when the first of two has approved",
    async (language) => {
      const theirs = localeFor(language);
      const most = await mostThatFit(async (length) => {
        const chunks = await askingChunks(mouth, [callOfTwo(length)], theirs);
        return chunks.length === 1;
      });
      const half = decided(callOfTwo(most), { approvedFirst: longName });
      const { text = "" } = (await changedChunk(mouth, [half], theirs)) ?? {};
      expect(text).toContain("x".repeat(most));
      expect(text).toContain("mmm");
    },
  );

  it.each(languages)(
    "shows all of its last call in %s when the others were denied at length",
    async (language) => {
      const theirs = localeFor(language);
      const most = await mostThatFit(async (length) => {
        const chunks = await askingChunks(mouth, callsOf(length), theirs);
        return chunks.length === 1;
      });
      const calls = callsOf(most).map((call, index) =>
        index === 0
          ? call
          : decided(call, {
              status: "denied",
              decidedBy: longName,
              reason: "m".repeat(100),
            }),
      );
      const { text = "" } = (await changedChunk(mouth, calls, theirs)) ?? {};
      expect(text).toContain("x".repeat(most));
      expect(text).toContain("mmm");
    },
  );
});

const labels = (calls: readonly ShownCall[]) =>
  cardButtons(calls, locale).map(({ label }) => label);

describe("the buttons of a card", () => {
  it("of one call are Approve and Deny", async () => {
    expect(cardButtons(callsWith({}), locale)).toEqual([
      { label: "Approve", data: `a:${id(0)}` },
      { label: "Deny", data: `d:${id(0)}` },
    ]);
  });

  it("of a card that hides something show it, once", () => {
    expect(cardButtons(callsWith({ token: "abcdef" }), locale).at(-1)).toEqual({
      label: "Show hidden values",
      data: `v:${id(0)}`,
    });
    const two = callsWith({ a: 1 }, { token: "abcdef" });
    expect(labels(two)).toEqual([
      "Approve all",
      "Deny all",
      "✓ 1",
      "✗ 1",
      "✓ 2",
      "✗ 2",
      "Show hidden values",
    ]);
    const [a, b] = two;
    expect(labels([decided(a, {}), decided(b, { status: "denied" })])).toEqual(["✓ 1", "✗ 1"]);
  });

  it("of several are for all and for each that waits", () => {
    const calls = callsWith({}, {}, {});
    expect(labels(calls)).toEqual([
      "Approve all",
      "Deny all",
      "✓ 1",
      "✗ 1",
      "✓ 2",
      "✗ 2",
      "✓ 3",
      "✗ 3",
    ]);
    const [a, b, c] = calls;
    const approved = { status: "approved" } as const;
    expect(labels([decided(a, approved), decided(b, {}), decided(c, {})])).toEqual([
      "Approve all",
      "Deny all",
      "✓ 2",
      "✗ 2",
      "✓ 3",
      "✗ 3",
    ]);
    expect(labels([decided(a, approved), decided(b, approved), decided(c, {})])).toEqual([
      "✓ 3",
      "✗ 3",
    ]);
    expect(labels(calls.map((call) => decided(call, approved)))).toEqual([]);
    const eight = cardButtons(callsWith(...Array.from({ length: 8 }, () => ({}))), locale);
    expect(eight).toHaveLength(18);
    for (const { data } of eight) expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
  });
});

it("a long card lets other work run each time it is written", async () => {
  let turns = 0;
  const over = new AbortController();
  const counting = (async () => {
    for (; !over.signal.aborted; turns += 1) await setImmediate();
  })();
  let rendered = 0;
  // Never fits.
  const render: Sender["render"] = (text) => {
    rendered += 1;
    return Promise.resolve([{ text }, { text }]);
  };
  await askingChunks({ render }, [callOf(cardWith({ text: "a" }))], locale);
  over.abort();
  await counting;
  expect(rendered).toBeGreaterThan(4);
  expect(turns).toBeGreaterThanOrEqual(rendered - 2);
});
