import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { complete } from "../../../src/bots/console/receive/complete.ts";
import { openHistoryFile } from "../../../src/bots/console/receive/history-file.ts";
import { inputRows } from "../../../src/bots/console/screen/input-rows.ts";
import { approvalButtons, FakeParley, type FakeOptions } from "./fake-parley.ts";
import { FakeScreen } from "./fake-screen.ts";

const [tab, escape, ctrlC, backspace] = ["\t", "\u001b", "\u0003", "\u007f"];
const arrow = { up: "\u001b[A", left: "\u001b[D", right: "\u001b[C" };
const remove = "\u001b[3~";

const log = pino({ level: "silent" });

const eventually = (check: () => void) => vi.waitFor(check, { timeout: 20_000 });

/** A person at a terminal of 40 × 12. */
async function open(options: FakeOptions = {}) {
  const parley = new FakeParley({ isTerminal: true, width: () => 40, keyGuardMs: 0, ...options });
  Object.assign(parley.output, { columns: 40, rows: 12 });
  onTestFinished(() => parley.bot[Symbol.asyncDispose]());
  await parley.bot.start();
  const seen = () => {
    const screen = new FakeScreen(40, 12);
    screen.write(parley.written);
    return screen.text;
  };
  return {
    parley,
    seen,
    type: (...keys: string[]) => keys.forEach((key) => parley.input.write(key)),
    sees: (text: string) => eventually(() => expect(seen()).toContain(text)),
    says: (...texts: string[]) => eventually(() => expect(parley.texts).toEqual(texts)),
  };
}

function argument(name: string, choices?: readonly string[]) {
  return { name, description: "d", required: false, ...(choices && { choices }) };
}

function file(): string {
  const folder = mkdtempSync(join(tmpdir(), "parley-lines-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "lines");
}

const filled = (parley: FakeParley) =>
  parley.arrivals.flatMap((each) => (each.type === "tap" && each.filled ? [each.filled] : []));

describe("a line being typed", () => {
  it("breaks between words, and follows its cursor", async () => {
    const { type, sees, seen } = await open();
    type("Please break this line between words only");
    await sees("> Please break this line between words\n  only");
    for (let times = 0; times < 8; times += 1) type(arrow.left);
    type("! ");
    await sees("> Please break this line between wo!\n  rds only");
    expect(seen().split("\n")).toHaveLength(2);
  });

  it("breaks inside a word that fills a row, and shows the end of what fills the screen", async () => {
    const { type, sees, seen } = await open();
    type("x".repeat(45));
    await sees(`> ${"x".repeat(37)}\n  ${"x".repeat(8)}`);
    type(" word".repeat(100), " end");
    await sees("end");
    expect(seen().split("\n").length).toBeLessThanOrEqual(12);
  });

  it("keeps white space at the ends of its rows", () => {
    const { rows, row, column } = inputRows("one two   three", 15, 7);
    expect(rows).toEqual(["one two   ", "three"]);
    expect([row, column]).toEqual([1, 5]);
    expect(inputRows("你好世界", 4, 5)).toMatchObject({ rows: ["你好", "世界"], column: 4 });
    expect(inputRows("", 0, 5)).toMatchObject({ rows: [""], row: 0, column: 0 });
  });

  it.each(["👍🏽", "👨‍👩‍👧", "🇫🇷", "e\u0301", "한"])("removes all of %s at once", async (character) => {
    const { type, says } = await open();
    type("a", character, backspace, "b\r");
    type(character, "c", arrow.left, arrow.left, remove, "d\r");
    type("e", character, arrow.left, arrow.right, backspace, "f\r");
    await says("ab", "dc", "ef");
  });
});

describe("Tab", () => {
  const commands = [
    { name: "language", description: "d", arguments: [argument("language", ["de", "en", "es"])] },
    { name: "model", description: "d", arguments: [argument("model")] },
    { name: "help", description: "d", arguments: [argument("command")] },
  ];

  it("completes a command and its value, and shows what is left to choose", async () => {
    const { parley, type, sees } = await open({ commands });
    type("/la", tab);
    await sees("> /language");
    type(tab);
    await sees("> /language\nde  en  es");
    type("d");
    await eventually(() => expect(parley.written).not.toBe(""));
    type(tab);
    await sees("> /language de");
    type("\r");
    await eventually(() => expect(parley.actions).toEqual(["/language de"]));
  });

  it("completes values that are no fixed choices, and the commands of /help", async () => {
    const suggest = vi.fn(() =>
      Promise.resolve(["openai/gpt-4o", "openai/gpt-4o-mini", "default"]),
    );
    const lineOf = async (line: string) => await complete(line, commands, suggest);
    expect(await lineOf("/model o")).toEqual({
      line: "/model openai/gpt-4o",
      choices: ["openai/gpt-4o", "openai/gpt-4o-mini"],
    });
    expect(suggest).toHaveBeenCalledWith({
      command: "model",
      argument: "model",
      typed: "o",
      given: {},
    });
    expect((await lineOf("/help mo")).line).toBe("/help model ");
    for (const line of ["hello", "/model a b", "/nonsense x", "/xyz", "/language x"])
      expect(await lineOf(line)).toEqual({ line, choices: [] });
  });

  it("does nothing where values cannot be read", async () => {
    const { type, says } = await open({
      commands,
      suggest: () => Promise.reject(new Error("no store")),
    });
    type("/model x", tab, backspace, backspace, "\r", "hi\r");
    await says("hi");
  });
});

describe("earlier lines", () => {
  it("are recalled after a restart, from a file for the person alone", async () => {
    const path = file();
    const first = await open({ history: await openHistoryFile(path, log) });
    first.type("one\r", "two\r", "\u001b[200~a\nb\u001b[201~\r");
    await first.says("one", "two", "a\nb");
    await eventually(() => expect(readFileSync(path, "utf8")).toBe("one\ntwo\n"));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const second = await open({ history: await openHistoryFile(path, log) });
    second.type(arrow.up, arrow.up, "\r");
    await second.says("one");
  });

  it("are bounded, and none where the file can't be read", async () => {
    const path = file();
    writeFileSync(path, Array.from({ length: 500 }, (_, index) => `line ${index}\n`).join(""));
    const { lines } = await openHistoryFile(path, log);
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([200, "line 499", "line 300"]);
    expect(readFileSync(path, "utf8").split("\n")).toHaveLength(201);
    const lost = await openHistoryFile(join(path, "nowhere"), log);
    lost.add("still goes on");
    expect(lost.lines).toEqual([]);
  });

  it("are gone from /forget on", async () => {
    const { parley, type, says } = await open();
    type("secret\r");
    await says("secret");
    type("/forget\r", arrow.up, arrow.up, "then\r");
    await eventually(() => expect(parley.actions).toEqual(["secret", "/forget", "then"]));
  });
});

describe("e at a question", () => {
  const fields = [
    { id: "=to", label: "to", value: "Ann", long: false },
    { id: "=note", label: "note", value: "tea\nmilk", long: true },
  ];
  const form = { data: "e:x", title: "Change", fields };
  const askingWith = (given: typeof form): FakeOptions => ({
    turn: async (self) => void (await self.ask("x")),
    refuse: (inbound) => {
      if (inbound.type !== "tap" || !inbound.data.startsWith("e:")) return undefined;
      return inbound.filled
        ? { type: "answered", text: "Changed.", isPrivate: true }
        : { type: "form", form: given, text: "" };
    },
  });
  const asking = askingWith(form);

  async function openForm(key = "e") {
    const session = await open(asking);
    session.type("x\r");
    await session.sees("Approve? [y/n/e]");
    session.type(key);
    await session.sees("to: Ann");
    return session;
  }

  it.each(["e", "edit\r"])("changes the arguments, line by line: %j", async (key) => {
    const { parley, type, sees } = await openForm(key);
    type("a\r");
    await sees("note: tea⏎milk");
    type("⏎bread\r");
    await eventually(() =>
      expect(filled(parley)).toEqual([{ "=to": "Anna", "=note": "tea\nmilk\nbread" }]),
    );
    await sees("to: Anna\nnote: tea⏎milk⏎bread");
    // Nothing of it is recalled: the newest line is the message.
    type(arrow.up, "\r");
    await eventually(() => expect(parley.texts).toEqual(["x", "x"]));
  });

  it("of a card of several asks for the number first, and leaves the others open", async () => {
    const choice = { id: "call", label: "Which action? [1/3]", value: "", long: false };
    const chooses = { data: "es:x", title: "Change", fields: [choice] };
    const changed = { type: "answered", text: "Changed.", isPrivate: true } as const;
    const { parley, type, sees } = await open({
      refuse: (inbound) => {
        if (inbound.type !== "tap") return undefined;
        const { data, filled: given } = inbound;
        if (data === "e:x3" && given) return changed;
        const isChosen = data === "e:x3" || given?.["call"] === "3";
        const opened = isChosen ? { ...form, data: "e:x3" } : chooses;
        return data.startsWith("e") ? { type: "form", form: opened, text: "" } : undefined;
      },
    });
    await parley.send("Three calls", {
      buttons: [
        { label: "Approve all", data: "aa:x" },
        { label: "Deny all", data: "da:x" },
      ],
    });
    await sees("Approve all? [y/n/e]");
    type("e");
    await sees("Which action? [1/3]:");
    type("9\r");
    await eventually(() => expect(filled(parley)).toEqual([{ call: "9" }]));
    type("3\r");
    await sees("to: Ann");
    type("a\r", "\r");
    await sees("Changed.");
    expect(filled(parley).at(-1)).toEqual({ "=to": "Anna", "=note": "tea\nmilk" });
    type("n");
    await eventually(() => expect(parley.actions.at(-1)).toBe("tap da:x"));
  });

  it.each([
    ["a pipe", {}],
    ["a terminal without escape sequences", { isTerminal: true, isDumb: true }],
  ])("in %s says what to type, and the card waits", async (_, more) => {
    const parley = new FakeParley({
      ...more,
      turn: async (self) => void (await self.ask("x")),
      refuse: (inbound) =>
        inbound.type === "tap" && inbound.data === "e:x"
          ? { type: "form", form, text: "Type /edit ABC to=…" }
          : undefined,
    });
    onTestFinished(() => parley.bot[Symbol.asyncDispose]());
    await parley.bot.start();
    parley.input.write("x\n");
    await parley.until("Approve? [y/n");
    parley.input.write("e\n");
    await parley.until("Type /edit ABC to=…");
    parley.input.write("n\n");
    await parley.until("x was denied");
    expect(parley.actions).toEqual(["x", "tap e:x", "tap d:x"]);
  });

  it.each([
    ["unchanged fields", ["\r", "\r"]],
    ["Escape", ["zz", escape]],
    ["Ctrl-C", ["zz", ctrlC]],
  ])("asks again after %s", async (_, keys) => {
    const { parley, type, seen } = await openForm();
    type(...keys);
    await eventually(() => expect(seen().split("\n").at(-1)).toBe("Approve? [y/n/e]"));
    expect(filled(parley)).toEqual([]);
    type("n");
    await eventually(() => expect(parley.actions).toEqual(["x", "tap e:x", "tap d:x"]));
  });

  it("keeps every character of a value, and obeys none", async () => {
    const value = "keep\u2028this\r\n\u2029⏎<U+2028>\u001b[2Jall\u202e";
    const { parley, type, seen, sees } = await open(
      askingWith({ ...form, fields: [{ id: "=text", label: "text", value, long: true }] }),
    );
    type("x\r");
    await sees("Approve? [y/n/e]");
    type("e");
    await sees("keep<U+2028>");
    const shown =
      "text:keep<U+2028>this<U+000D>⏎<U+2029><U+23CE><U+003C>U+2028>\\u001b[2Jall\\u202e";
    expect(seen().replaceAll(/\s/g, "")).toContain(shown);
    type("!\r");
    await eventually(() => expect(filled(parley)).toEqual([{ "=text": `${value}!` }]));
    await eventually(() => expect(seen().replaceAll(/\s/g, "")).toContain(`${shown}!`));
    for (const raw of ["\u001b[2J", "\u202e", "\u2028", "\u2029"])
      expect(parley.written).not.toContain(raw);
  });

  it("takes a paste of several lines for a value", async () => {
    const { parley, type, sees } = await openForm();
    type("\u001b[200~, Bob\r\nCid\u2028Dan\u001b[201~");
    await sees("to: Ann[paste 1: 3 lines]");
    type("\r");
    await sees("note: tea⏎milk");
    type("\r");
    await eventually(() =>
      expect(filled(parley)).toEqual([{ "=to": "Ann, Bob\nCid\nDan", "=note": "tea\nmilk" }]),
    );
  });

  it("takes no words of a value for an earlier paste", async () => {
    const value = "[paste 1: 2 lines]";
    const { parley, type, sees } = await open(
      askingWith({ ...form, fields: [{ id: "=text", label: "text", value, long: false }] }),
    );
    type("\u001b[200~x\ny\u001b[201~\r");
    await sees("Approve? [y/n/e]");
    type("e");
    await sees("text: <U+005B>paste 1: 2 lines]");
    type("!\r");
    await eventually(() => expect(filled(parley)).toEqual([{ "=text": `${value}!` }]));
  });

  it("ends with its question, and takes no message for a value", async () => {
    const { parley, type, sees, seen } = await open({ ...asking, turn: () => Promise.resolve() });
    const card = await parley.send("Run x?", { buttons: approvalButtons("x") });
    type("e");
    await sees("to: Ann");
    type("zz");
    await parley.edit(card, "x has expired");
    await sees("x has expired\n\nThis is no longer waiting");
    await eventually(() => expect(seen().split("\n").at(-1)).toBe(">"));
    type("hello\r", "again\r");
    await eventually(() => expect(parley.texts).toEqual(["hello", "again"]));
    expect(filled(parley)).toEqual([]);
  });

  it("goes on while another question is decided elsewhere", async () => {
    const { parley, type, sees, seen } = await open({ ...asking, turn: () => Promise.resolve() });
    await parley.send("Run x?", { buttons: approvalButtons("x") });
    const other = await parley.send("Run z?", { buttons: approvalButtons("z") });
    type("e");
    await sees("to: Ann");
    type("a");
    await parley.edit(other, "z has expired");
    await eventually(() => expect(seen().split("\n").at(-1)).toBe("to: Anna"));
    expect(seen()).toContain("z has expired");
    type("\r", "\r");
    await eventually(() =>
      expect(filled(parley)).toEqual([{ "=to": "Anna", "=note": "tea\nmilk" }]),
    );
  });

  it("says why it can't be changed", async () => {
    const { type, sees, seen } = await open({
      ...asking,
      refuse: (inbound) =>
        inbound.type === "tap" ? { type: "refused", text: "Too long." } : undefined,
    });
    type("x\r");
    await sees("Approve? [y/n/e]");
    type("e");
    await sees("Too long.");
    expect(seen().split("\n").at(-1)).toBe("Approve? [y/n/e]");
  });
});

describe("what goes on", () => {
  it("is counted in seconds, below what has grown", async () => {
    let nowMs = 10_000;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => nowMs);
    onTestFinished(() => clock.mockRestore());
    const { parley, type, sees } = await open({ turn: () => Promise.resolve() });
    type("x\r");
    await sees("0 s · Ctrl-C to stop");
    nowMs += 61_000;
    const id = await parley.send("grow", { final: false });
    await sees("grow\n\n");
    await sees("61 s · Ctrl-C to stop");
    // What is typed on top of that work doesn't begin it.
    type("y\r");
    await eventually(() => expect(parley.texts).toEqual(["x", "y"]));
    nowMs += 1_000;
    await sees("62 s · Ctrl-C to stop");
    await parley.edit(id, "grow");
    const { written } = parley;
    expect(written.slice(written.lastIndexOf("62 s"))).toContain("\u001b[J");
  });

  it.each([
    ["Ctrl-C", ctrlC],
    ["/stop", "/stop\r"],
  ])("is stopped by %s, and what was said so far says so", async (_, typed) => {
    const { parley, type, sees, seen } = await open({ turn: () => Promise.resolve() });
    type("x\r");
    await eventually(() => expect(parley.texts).toEqual(["x"]));
    const id = await parley.send("1 2 3", { final: false });
    parley.activity = "running";
    type(typed);
    await eventually(() => expect(parley.actions).toEqual(["x", "/stop"]));
    const [words, note] = await parley.bot.sender.render("1 2 3", "(stopped)");
    if (!words || !note) throw new Error("words and a note");
    const address = { platform: "console", bot: "local", chat: "main" } as const;
    await parley.bot.sender.edit(address, id, words, { final: true });
    await parley.bot.sender.send(address, note, { nonce: "n", final: true });
    await sees("1 2 3\n\n(stopped)\n\n>");
    expect(seen()).not.toContain("stop answered");
  });
});

it("Ctrl-C says what else it has dropped", async () => {
  const text = "Stopped. I also discarded 1 waiting message.";
  const { parley, type, sees } = await open({
    turn: () => Promise.resolve(),
    refuse: ({ type: kind }) =>
      kind === "command" ? { type: "answered", text, isPrivate: false, closes: "all" } : undefined,
  });
  type("x\r");
  await eventually(() => expect(parley.texts).toEqual(["x"]));
  await parley.send("1 2 3", { final: false });
  parley.activity = "running";
  type(ctrlC);
  await sees("Stopped. I also discarded 1");
});

describe("a terminal's beginning", () => {
  const header = { version: "1.2.3", model: "openai/gpt_4_o", folder: "~/my_data_1" };

  it("reminds of what was said before", async () => {
    const { seen } = await open({
      header,
      recap: () =>
        Promise.resolve([
          { by: "person", text: "What\nis **it**?" },
          { by: "bot", text: `## So\n\nIt \u001b[2Jis **very** ${"long ".repeat(100)}` },
        ]),
    });
    expect(seen()).toMatch(
      /^Parley 1\.2\.3 · openai\/gpt_4_o ·\n~\/my_data_1\nType[^>]*\n\nEarlier:\n> What is \*\*it\*\*\?\n {2}So It is very long[ long]*\n(?: {2}long[ long]*\n)+ {2}long[ long]*…\n\n>$/,
    );
  });

  it.each([80, 200])("of %i columns says more in a row than one of none", async (columns) => {
    const said = "word ".repeat(60).trim();
    const rowsAt = async (size: { readonly columns: number; readonly rows: number }) => {
      const { input, output, bot } = new FakeParley({
        isTerminal: true,
        recap: () => Promise.resolve([{ by: "person", text: said }]),
      });
      const written: string[] = [];
      output.on("data", (data: Buffer) => written.push(data.toString()));
      Object.assign(output, size);
      onTestFinished(() => bot[Symbol.asyncDispose]());
      await bot.start();
      await eventually(() => expect(written.join("")).toContain("…"));
      input.end();
      return Math.max(
        ...written
          .join("")
          .split(/\r?\n/)
          .map((row) => row.length),
      );
    };
    // A pseudo-terminal around a pipe reports no size: 80 columns are a guess that can be read.
    expect(await rowsAt({ columns: 0, rows: 0 })).toBeGreaterThan(70);
    const widest = await rowsAt({ columns, rows: 24 });
    expect(widest).toBeGreaterThan(70);
    expect(widest).toBeLessThan(Math.min(columns, 122));
  });

  it("goes on where that can't be read", async () => {
    const { seen } = await open({ header, recap: () => Promise.reject(new Error("no store")) });
    expect(seen()).toContain("/quit leaves.\n\n>");
  });
});

describe("a terminal without escape sequences", () => {
  const dumb: FakeOptions = {
    isTerminal: true,
    isDumb: true,
    header: { version: "1.2.3", model: undefined, folder: "~/data" },
  };

  it("is written to line by line, and answers questions", async () => {
    const parley = new FakeParley({
      ...dumb,
      turn: async (self, text) => {
        const id = await self.send("**grow", { final: false });
        await self.edit(id, `**grown** ${text}: ${await self.ask("x")}`);
      },
    });
    onTestFinished(() => parley.bot[Symbol.asyncDispose]());
    await parley.bot.start();
    parley.input.write("hello\n");
    await parley.until("Approve? [y/n/e]");
    parley.input.write("y\n");
    await parley.until("grown hello: approved");
    parley.input.write("/quit\n");
    await parley.bot.ended;
    expect(parley.written).toBe(
      "Parley 1.2.3 · demo model · ~/data\nType a message. /help lists the commands, /quit leaves.\n\nRun x?\n\nApprove? [y/n/e]\nx was approved\n\ngrown hello: approved\n\n",
    );
  });
});
