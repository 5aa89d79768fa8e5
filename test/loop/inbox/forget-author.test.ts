import { describe, expect, it } from "vitest";
import { logEntrySchema, type LogEntry, type Quote } from "../../../src/core/history.ts";
import { AuthorEraser } from "../../../src/loop/inbox/forget-author.ts";
import { deniedBecause } from "../../../src/loop/sentences.ts";
import { anna, ben, compaction, message, reset, said } from "../../store/support.ts";

/** What becomes of a history, and the turns that were theirs. */
function erase(history: readonly LogEntry[], personId = anna.id, first = 0) {
  const eraser = new AuthorEraser(personId);
  const changed: number[] = [];
  const left = history.map((entry, index) => {
    const position = first + index;
    const blank = eraser.next(position, entry);
    if (blank !== undefined) changed.push(position);
    return logEntrySchema.parse(blank ?? entry);
  });
  return { left, changed, turns: eraser.turns };
}

const called = (turn: number): LogEntry[] => [
  {
    kind: "assistant",
    v: 1,
    turn,
    round: 1,
    model: "test/model",
    text: "I look",
    reasoning: "she wants me to look",
    calls: [{ index: 0, wireId: "w", name: "look", arguments: '{"at":"home"}' }],
  },
  { kind: "tool", v: 1, turn, round: 1, index: 0, name: "look", text: "home" },
];

const read = (of: string): LogEntry => ({
  kind: "reading",
  v: 2,
  of,
  blob: "file-a",
  text: "dear diary",
});

const edit = (person = anna): LogEntry => ({
  kind: "edit",
  v: 2,
  id: "e1",
  edits: "1",
  person,
  text: "other words",
  atMs: 1,
});

const benSays = (id: string) => message(id, { person: ben });

const began = (authorId: string) =>
  message("m1", {
    person: ben,
    quote: { author: "Cat", authorId: "telegram:3", text: "Cat's" },
    opening: { title: "Her words", quote: { author: "Anna", authorId, text: "her words" } },
  });

describe("what a person wrote", () => {
  it("is blanked with what came with it, what that says and what it was edited to", () => {
    const file = {
      kind: "document",
      name: "diary.txt",
      mediaType: "text/plain",
      size: 5,
      blob: "file-a",
    } as const;
    const quote = { author: "Ben", text: "of Ben's" };
    const history = [
      message("m1", { messageId: "1", attachments: [file], quote }),
      edit(),
      read("m1"),
      said(1),
      message("m2", { person: ben, attachments: [file] }),
      edit(ben),
      read("m2"),
      said(2),
    ];
    const { left, changed } = erase(history);
    expect(changed).toEqual([0, 1, 2, 3]);
    expect(JSON.stringify(left.slice(0, 4))).not.toMatch(/diary|other words|of Ben/);
    expect(left.slice(4)).toEqual(history.slice(4));
  });

  it("is blanked with the name of the persona that answered, which may be theirs", () => {
    const answered = [{ ...said(1), persona: "annas-secret" }] as LogEntry[];
    for (const text of [undefined, "Sorry."]) {
      const ended = { kind: "end", v: 1, turn: 3, reason: "deadline", persona: "annas-secret" };
      const end = { ...ended, ...(text === undefined ? {} : { text }) } as LogEntry;
      const history = [message("m1", {}), ...answered, message("m2", {}), end];
      const { left, changed } = erase(history);
      expect(changed).toEqual([0, 1, 2, 3]);
      expect(JSON.stringify(left)).not.toContain("annas-secret");
      // Those of others keep theirs.
      const others = [benSays("m1"), ...answered, benSays("m2"), end];
      expect(erase(others).left).toEqual(others);
    }
  });

  it("is blanked where others quote it, with what may have been attached to it, and the rest stays", () => {
    const attachments = [
      {
        kind: "document",
        name: "diary.txt",
        mediaType: "text/plain",
        size: 5,
        blob: "file-b",
      } as const,
    ];
    const quoting = (id: string, quote: Quote) => message(id, { person: ben, quote, attachments });
    const history: LogEntry[] = [
      quoting("m1", { own: true, text: "not of hers" }),
      message("m2"),
      said(2),
      quoting("m3", { author: "Anna", authorId: anna.id, text: "her words" }),
      {
        kind: "reading",
        v: 2,
        of: "m3",
        blob: "file-b",
        text: "dear diary",
      },
      said(3),
      quoting("m4", { own: true, text: "the answer to her" }),
      said(4),
      {
        kind: "undo",
        v: 1,
        id: "u1",
        fromSeq: 3,
        ran: [],
        atMs: 1,
      },
      message("u1-0", { person: ben }),
      compaction(7),
      quoting("m5", { author: "Cat", authorId: "telegram:3", text: "Cat's" }),
    ];
    const { left, changed } = erase(history);
    expect(changed).toEqual([1, 2, 3, 4, 6, 10]);
    const [, , , third, read, , fourth] = left;
    expect(third).toEqual(message("m3", { person: ben, quote: { text: "[erased]" } }));
    expect(read).toMatchObject({ text: "[erased]" });
    expect(fourth).toEqual(
      message("m4", { person: ben, attachments, quote: { text: "[erased]" } }),
    );
    expect(erase(left).left).toEqual(left);
  });

  it("is blanked where others forward it, with its files and what repeats it", () => {
    const file = { kind: "voice", mediaType: "audio/ogg", size: 5, blob: "file-a" } as const;
    const words = "I'll quit my job at the bakery on Monday";
    const forwarded = (authorId: string) =>
      message("m1", {
        person: ben,
        text: words,
        forwarded: true,
        burst: "gesture",
        origin: { name: "Anna Smith", authorId },
        attachments: [file],
      });
    const history: LogEntry[] = [
      forwarded(anna.id),
      read("m1"),
      benSays("m2"),
      { ...said(1), text: `She says: ${words}` } as LogEntry,
      benSays("m3"),
      { ...said(4), text: "Something else" } as LogEntry,
    ];
    const { left, changed, turns } = erase(history);
    expect(changed).toEqual([0, 1, 3]);
    expect(JSON.stringify(left)).not.toMatch(/bakery|Smith|diary/);
    expect(left[0]).toMatchObject({ person: ben, text: "[erased]", forwarded: true });
    expect(left[0]).not.toHaveProperty("attachments");
    expect(turns).toEqual([1]);
    expect(erase(left).left).toEqual(left);
    expect(erase([forwarded("telegram:3"), ...history.slice(1)]).changed).toEqual([]);
  });

  it("is blanked where a thread began with it, and its title goes", () => {
    const { left, changed } = erase([began(anna.id), said(1)]);
    expect(changed).toContain(0);
    expect(left[0]).toEqual(
      message("m1", {
        person: ben,
        quote: { author: "Cat", authorId: "telegram:3", text: "Cat's" },
        opening: { quote: { text: "[erased]" } },
      }),
    );
    expect(erase([began("telegram:3"), said(1)]).changed).toEqual([]);
  });

  it("is blanked with all that came of it; others' turns stay as they are", () => {
    const history = [
      message("m1", {
        group: true,
        messageId: "1",
        preference: { tier: "deep" },
      }),
      message("m2"),
      ...called(2),
      said(2),
      benSays("m3"),
      ...called(3),
      said(3),
    ];
    const { left, changed, turns } = erase(history);
    expect(changed).toEqual([0, 1, 2, 3, 4]);
    expect(turns).toEqual([2]);
    expect(left.slice(5)).toEqual(history.slice(5));
    expect(left[0]).toEqual({
      kind: "message",
      v: 1,
      id: "m1",
      person: { id: "erased", name: "[erased]" },
      text: "[erased]",
      group: true,
      atMs: 1,
    });
    expect(left[2]).toMatchObject({
      text: "[erased]",
      calls: [{ name: "look", wireId: "w", arguments: '{"erased":true}' }],
    });
    expect(left[2]).not.toHaveProperty("reasoning");
    expect(left[3]).toMatchObject({ name: "look", text: "[erased]" });
  });

  it("is known in a message that was stopped before its turn, and in one that joined another's", () => {
    const history: LogEntry[] = [
      benSays("m1"),
      ...called(1),
      message("m2"),
      { kind: "end", v: 1, turn: 1, reason: "cancelled", text: "for Ben" },
      message("m3"),
      { kind: "end", v: 1, turn: 3, reason: "cancelled", text: "for Anna" },
    ];
    const { left, changed } = erase(history);
    expect(changed).toEqual([3, 5, 6]);
    expect(left[4]).toMatchObject({ text: "for Ben" });
    expect(left[6]).toMatchObject({ text: "[erased]" });
  });

  it("keeps the kind of a failure, which models read", () => {
    const [answer, result] = called(1) as [LogEntry, LogEntry & { kind: "tool" }];
    const failed = {
      ...result,
      failure: "timeout" as const,
      text: "timeout: at home",
    };
    const { left } = erase([message("m1"), answer, failed]);
    expect(left[2]).toMatchObject({
      failure: "timeout",
      text: "timeout: [erased]",
    });
  });

  it("is not looked for in an id that only begins alike", () => {
    const twelve = { id: `${anna.id}2`, name: "Another" };
    expect(erase([message("m1", { person: twelve }), said(1)]).changed).toEqual([]);
  });

  it("erased again is the same", () => {
    const history = [message("m1"), ...called(1), said(1), benSays("m2"), said(2)];
    const { left, turns } = erase(history);
    const again = erase(left);
    expect(again.left).toEqual(left);
    expect(again.changed).toEqual([]);
    // Who did it the first time may have died before the rest of these turns was erased.
    expect(again.turns).toEqual(turns);
  });
});

/** A call in Ben's turn, its result, and what the bot said next. */
const bens = (turn: number, result: Partial<LogEntry & { kind: "tool" }>): LogEntry[] => [
  message(`b${turn}`, { person: ben, group: true, text: "buy it" }),
  ...called(turn).map((entry) => (entry.kind === "tool" ? { ...entry, ...result } : entry)),
  { ...said(turn), text: "I tell Ben of it" } as LogEntry,
];

const denied = (more: object = {}) => ({
  failure: "confirmation-denied" as const,
  text: deniedBecause("too dear, says she"),
  ...more,
});
const changed = (more: object = {}) => ({
  text: 'A person changed the arguments to {"at":"the lake"}. The result of that:\nwet',
  changed: '{"at":"the lake"}',
  ...more,
});

describe("what a person gave in another's turn", () => {
  it.each([
    ["a reason", denied({ wordsOf: [anna.id] }), "confirmation-denied: "],
    ["changed arguments", changed({ wordsOf: ["telegram:9", anna.id] }), ""],
    ["a reason that says not whose it is", denied(), "confirmation-denied: "],
    ["changed arguments that say not whose they are", changed(), ""],
  ])("is blanked with the answer to it: %s", (_, result, kind) => {
    const history = [...bens(1, result), ...bens(5, {})];
    const { left, changed: positions, turns } = erase(history);
    expect(positions).toEqual([2, 3]);
    expect(left[2]).toEqual({
      ...called(1)[1],
      ...(kind === "" ? {} : { failure: "confirmation-denied" }),
      text: `${kind}[erased]`,
    });
    expect(left[3]).toMatchObject({ text: "[erased]" });
    // Whatever is on its way goes, also where the process that blanked this has died.
    expect(turns).toEqual([1]);
    expect(erase(left)).toEqual({ left, changed: [], turns });
  });

  it.each([
    ["another's reason", denied({ wordsOf: [ben.id] })],
    ["another's arguments", changed({ wordsOf: [`${anna.id}2`] })],
    ["a denial without a reason", denied({ text: "confirmation-denied: no" })],
  ])("is not: %s", (_, result) => {
    expect(erase(bens(1, result)).changed).toEqual([]);
  });

  it("is not looked for where no one but its person decides", () => {
    const alone = bens(1, denied()).map((entry) =>
      entry.kind === "message" ? { ...entry, group: false } : entry,
    );
    expect(erase(alone).changed).toEqual([]);
  });

  it("is lost to a message that quotes the bot's answer to it", () => {
    const quote = { own: true, text: "I tell Ben of it" };
    const history = [
      ...bens(1, denied({ wordsOf: [anna.id] })),
      message("m2", { person: ben, quote }),
    ];
    expect(erase(history).left[4]).toMatchObject({
      quote: { text: "[erased]" },
    });
    expect(erase(history.slice(4)).changed).toEqual([]);
  });

  it("is lost to summaries of it, to results that they cut, and to what /undo remembers", () => {
    const history: LogEntry[] = [
      ...bens(1, changed({ wordsOf: [anna.id] })),
      benSays("m2"),
      said(2),
      summed(5, { fromSeq: 4, results: [{ seq: 2, text: "wet" }] }),
      {
        kind: "undo",
        v: 1,
        id: "u1",
        fromSeq: 1,
        ran: [{ name: "look", arguments: '{"at":"the lake"}' }],
        atMs: 1,
      },
      // A turn of Ben's that is repeated is no turn of hers.
      message("u1-0", { person: ben, text: "buy it" }),
      reset("r1"),
      benSays("m3"),
      summed(3, { fromSeq: 0 }),
    ];
    const { left, changed: positions } = erase(history);
    expect(positions).toEqual([2, 3, 6, 7, 11]);
    expect(left[6]).toMatchObject({
      summary: "what was said up to 5",
      results: [{ seq: 2, text: "[erased]" }],
    });
    expect(left[7]).toMatchObject({ ran: [{ arguments: "[erased]" }] });
    expect(left[11]).toMatchObject({ summary: "[erased]", kept: [] });
  });
});

const repeats = (turn: number) => ({ ...said(turn), text: "she said 0791234567" }) as LogEntry;

describe("what the bot repeats of a person's words", () => {
  const secret = "my number is 0791234567";

  it.each<[string, LogEntry]>([
    ["an answer", { ...said(5), text: "It's 0791234567." } as LogEntry],
    ["a thought", { ...said(5), reasoning: "hers: 0791234567" } as LogEntry],
    [
      "a call",
      {
        ...said(5),
        calls: [{ index: 0, wireId: "w", name: "dial", arguments: '["0791234567"]' }],
      } as LogEntry,
    ],
    ["a result", { ...called(5)[1], text: "dialled 0791234567" } as LogEntry],
    ["a turn's end", { kind: "end", v: 1, turn: 5, reason: "deadline", text: "0791234567" }],
  ])("is blanked in others' turns: %s", (_, entry) => {
    const history = [
      message("m1", { text: secret, group: true }),
      said(1),
      benSays("m5"),
      entry,
      { ...said(5), text: "anything else" } as LogEntry,
      message("m6", { person: ben, quote: { own: true, text: "07912" } }),
    ];
    const { left, changed: positions } = erase(history);
    expect(positions).toEqual([0, 1, 3, 5]);
    expect(JSON.stringify(left)).not.toContain("07912");
    expect(erase(left).left).toEqual(left);
  });

  it("is found by what a file, an edit, a reason or a quotation said, too", () => {
    const sources: LogEntry[][] = [
      [message("m1"), { ...read("m1"), text: secret } as LogEntry],
      [message("m1"), { ...edit(), text: secret } as LogEntry],
      bens(1, denied({ text: deniedBecause(secret), wordsOf: [anna.id] })),
      bens(1, changed({ changed: `{"a":"${secret}"}`, wordsOf: [anna.id] })),
      [
        message("m1", {
          person: ben,
          quote: { author: "Anna", authorId: anna.id, text: secret },
        }),
      ],
    ];
    // Another's arguments, too, where they repeat hers.
    const later = bens(7, changed({ changed: `{"a":"${secret}"}`, wordsOf: [ben.id] }));
    expect(erase([message("m1", { text: secret }), ...later]).left[3]).toMatchObject({
      text: "[erased]",
    });
    for (const source of sources) {
      const { left } = erase([...source, benSays("m7"), repeats(7)]);
      expect(left.at(-1)).toMatchObject({ text: "[erased]" });
    }
    // Whatever others said first stays: nothing came from her.
    expect(erase([message("m1", { person: ben, text: secret }), repeats(1)]).changed).toEqual([]);
  });
});

const summed = (toSeq: number, more = {}): LogEntry => ({
  ...compaction(toSeq),
  kept: ["word for word"],
  ...more,
});

describe("a summary", () => {
  it("of theirs is blanked, and those made of it, up to the next conversation", () => {
    const history = [
      message("m1"),
      said(1),
      summed(1),
      benSays("m2"),
      said(2),
      summed(4, { fromSeq: 3 }),
      reset("r1"),
      benSays("m3"),
      said(3),
      summed(8, { fromSeq: 7 }),
    ];
    const { left } = erase(history);
    expect(left[2]).toMatchObject({ summary: "[erased]", kept: [] });
    expect(left[5]).toMatchObject({ summary: "[erased]", kept: [] });
    expect(left[9]).toEqual(history[9]);
  });

  it("of what is gone is blanked, since it may be theirs", () => {
    const history = [
      benSays("m1"),
      said(1),
      summed(11, { fromSeq: 3 }),
      summed(12, { fromSeq: 10 }),
      reset("r1"),
      benSays("m2"),
      said(2),
      summed(16, { fromSeq: 15 }),
    ];
    expect(erase(history, anna.id, 10).changed).toEqual([12, 13]);
    expect(erase(history, anna.id, 3).changed).toEqual([]);
  });

  it("of others that quotes theirs is blanked", () => {
    const quote = { author: "Anna", authorId: anna.id, text: "her words" };
    const history = [message("m1", { person: ben, quote }), said(1), summed(1)];
    expect(erase(history).changed).toEqual([0, 2]);
    expect(erase(history).left[2]).toMatchObject({ summary: "[erased]" });
  });

  it("of others stays, but for results of theirs that it cuts", () => {
    const results = [
      { seq: 1, text: "of Ben" },
      { seq: 4, text: "of Anna" },
    ];
    const history = [benSays("m1"), said(1), message("m2"), ...called(2), summed(1, { results })];
    expect(erase(history).left[5]).toMatchObject({
      summary: "what was said up to 1",
      results: [
        { seq: 1, text: "of Ben" },
        { seq: 4, text: "[erased]" },
      ],
    });
  });
});

it("what /undo remembers of their calls is blanked, and what someone else's /retry repeats of theirs", () => {
  const history: LogEntry[] = [
    message("m1"),
    ...called(1),
    said(1),
    {
      kind: "undo",
      v: 1,
      id: "m2-retry",
      fromSeq: 0,
      ran: [{ name: "look", arguments: '{"at":"home"}' }],
      atMs: 1,
    },
    message("m2-retry-0", { person: ben }),
    said(2),
    benSays("m3"),
    said(3),
  ];
  const { left, changed, turns } = erase(history);
  expect(changed).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(turns).toEqual([1, 2]);
  expect(left[4]).toMatchObject({ ran: [{ arguments: "[erased]" }] });
});

it("what someone else's /retry repeats of theirs is blanked where the rest of the history is gone", () => {
  const { left } = erase([message("m2-retry-0", { person: ben, author: anna.id }), said(2)]);
  expect(left).toMatchObject([{ text: "[erased]" }, { text: "[erased]" }]);
  expect(JSON.stringify(left)).not.toContain(anna.id);
});

it("images in the results of their turns go, and those of others stay", () => {
  const image = {
    kind: "image" as const,
    mediaType: "image/png",
    size: 1,
    blob: "file-home",
  };
  const withImage = (turn: number): LogEntry[] =>
    called(turn).map((entry) => (entry.kind === "tool" ? { ...entry, images: [image] } : entry));
  const { left } = erase([
    message("m1", { person: anna }),
    ...withImage(1),
    message("m2", { person: ben }),
    ...withImage(2),
  ]);
  expect(left.flatMap((entry) => (entry.kind === "tool" ? [entry.images?.length] : []))).toEqual([
    undefined,
    1,
  ]);
});
