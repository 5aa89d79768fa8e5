import { describe, expect, it, onTestFinished, vi } from "vitest";
import { approvalButtons, FakeParley, type FakeOptions } from "./fake-parley.ts";
import { FakeScreen } from "./fake-screen.ts";

const ctrlC = "\u0003";
const ctrlD = "\u0004";
const up = "\u001b[A";
/** Its frame and its seconds are a matter of time. */
const spinner = /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] \d+ (?:s|с) · Ctrl-C to stop\n+/gm;
const header = { version: "1.2.3", model: undefined, folder: "~/data" };

/** A person at a terminal of 40 × 12. */
async function open(options: FakeOptions = {}) {
  const parley = new FakeParley({
    isTerminal: true,
    width: () => 40,
    ...options,
  });
  Object.assign(parley.output, { columns: 40, rows: 12 });
  onTestFinished(() => parley.bot[Symbol.asyncDispose]());
  await parley.bot.start();
  const seen = () => {
    const screen = new FakeScreen(40, 12);
    screen.write(parley.written);
    return screen.text.replaceAll(spinner, "");
  };
  return {
    parley,
    seen,
    type: (text: string) => parley.input.write(text),
    sees: (text: string) =>
      vi.waitFor(() => expect(seen()).toContain(text), {
        timeout: 20_000,
        interval: 5,
      }),
    does: (...actions: string[]) =>
      vi.waitFor(() => expect(parley.actions).toEqual(actions), {
        timeout: 20_000,
        interval: 5,
      }),
  };
}

describe("a terminal", () => {
  it("speaks the system's language, or the one that was chosen", async () => {
    const { parley, seen } = await open({ header, locale: "fr-CA" });
    expect(seen()).toContain("Écris un message.");
    parley.input.write("\u0003");
    await vi.waitFor(() => expect(seen()).toContain("Ctrl-C pour"));
    const chosen = await open({
      header,
      locale: "fr-CA",
      language: () => Promise.resolve("de"),
    });
    expect(chosen.seen()).toContain("Schreib eine Nachricht.");
    chosen.type("hello\r");
    await chosen.sees("answer to hello");
    // What the system says goes with what is typed; what was chosen counts at ingress.
    expect(chosen.parley.arrivals[0]?.person.language).toBe("fr-CA");
    const lost = await open({
      header,
      language: () => Promise.reject(new Error("no store")),
    });
    expect(lost.seen()).toContain("Type a message.");
    const waiting = await open({
      header,
      locale: "es",
      language: () => new Promise(() => undefined),
    });
    expect(waiting.seen()).toContain("Escribe un mensaje.");
  });

  it("greets, prompts, and shows the conversation as it was", async () => {
    const { parley, type, sees, seen } = await open({ header });
    expect(seen()).toBe(
      "Parley 1.2.3 · demo model · ~/data\nType a message. /help lists the\ncommands, /quit leaves.\n\n>",
    );
    type("hello\r");
    await sees("answer to hello");
    expect(seen()).toBe(
      "Parley 1.2.3 · demo model · ~/data\nType a message. /help lists the\ncommands, /quit leaves.\n\n> hello\nanswer to hello\n\n>",
    );
    expect(parley.arrivals[0]).toMatchObject({
      type: "message",
      direct: true,
      answersItself: true,
    });
  });

  it("keeps the line being typed below an answer that streams", async () => {
    const { parley, type, sees, seen } = await open();
    type("half a line");
    await sees("half a line");
    const id = await parley.send("⚙ tool {}", { final: false });
    expect(seen()).toBe("⚙ tool {}\n\n> half a line");
    await parley.edit(id, "⚙ tool {} ✓\n\nThe answer is", false);
    await parley.edit(id, "⚙ tool {} ✓\n\nThe answer is long enough to be wrapped here", false);
    expect(seen()).toBe(
      "⚙ tool {} ✓\n\nThe answer is long enough to be wrapped\nhere\n\n> half a line",
    );
    await parley.edit(id, "The answer.");
    expect(seen()).toBe("The answer.\n\n> half a line");
    type(" more\r");
    await vi.waitFor(() => expect(parley.texts).toEqual(["half a line more"]));
  });

  it("keeps a line of several rows whole while the answer grows", async () => {
    const { parley, type, sees, seen } = await open();
    const line = "word ".repeat(20).trim();
    type(line);
    const id = await parley.send("one", { final: false });
    await parley.edit(id, "one\ntwo", false);
    await parley.edit(id, "one\ntwo\nthree");
    await sees("three");
    const typed = seen().split("\n").slice(4).join("");
    expect(typed.replace(/\s+/g, "")).toBe(`>${line}`.replace(/\s+/g, ""));
  });

  it("puts a line that is entered above the answer that still grows", async () => {
    const { parley, type, sees, seen } = await open({
      turn: () => Promise.resolve(),
    });
    const id = await parley.send("grow", { final: false });
    type("next\r");
    await sees("> next");
    await parley.edit(id, "grown");
    expect(seen()).toBe("> next\ngrown\n\n>");
  });

  it("leaves exactly the final text of an answer longer than the screen", async () => {
    const { parley, seen } = await open();
    const lines = Array.from({ length: 40 }, (_, index) => `row ${index}`);
    const id = await parley.send("row 0", { final: false });
    for (let count = 2; count <= 40; count += 3)
      await parley.edit(id, lines.slice(0, count).join("\n"), false);
    await parley.edit(id, lines.join("\n"));
    expect(seen()).toBe(`${lines.join("\n")}\n\n>`);
  });

  it("lets no answer obey itself", async () => {
    const { parley, seen } = await open();
    await parley.send("a\u001b[2J\u001b]0;t\u0007b\u009b1mc");
    expect(seen()).toBe("abc\n\n>");
    expect(parley.written).not.toContain("\u001b]");
    expect(parley.written).not.toContain("\u001b[2J");
  });

  it("styles with colour, and only then", async () => {
    const styled = await open({ color: true });
    await styled.parley.send("**b**");
    expect(styled.parley.written).toContain("\u001b[1mb\u001b[22m");
    const plain = await open();
    await plain.parley.send("**b**");
    expect(plain.seen()).toBe("b\n\n>");
    // oxlint-disable-next-line no-control-regex -- those are what is looked for
    expect(plain.parley.written).not.toMatch(/\u001b\[[0-9;]*m/);
  });

  it("shows that someone works on it until there is something to see", async () => {
    const { parley, seen } = await open();
    await parley.bot.sender.typing({
      platform: "console",
      bot: "local",
      chat: "main",
    });
    await vi.waitFor(() => {
      const screen = new FakeScreen(40, 12);
      screen.write(parley.written);
      expect(screen.text).toMatch(/^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] 0 s · Ctrl-C to stop\n\n>$/);
    });
    await parley.send("done");
    expect(seen()).toBe("done\n\n>");
  });

  it("hands commands over, prints their answers and refusals, and completes their names", async () => {
    const { type, sees, does } = await open({
      refuse: (inbound) =>
        inbound.type === "message" ? { type: "refused", text: "You are not allowed." } : undefined,
    });
    type("/he\tme\r");
    await sees("help answered");
    type("/st\tx\r");
    await sees("stx answered");
    type("hi\r");
    await sees("You are not allowed.");
    await does("/help me", "/stx", "hi");
  });

  it("recalls lines by the arrow keys", async () => {
    const { parley, type, sees } = await open();
    type("first\r");
    await sees("answer to first");
    type(`${up}\r`);
    await vi.waitFor(() => expect(parley.texts).toEqual(["first", "first"]));
  });

  it("sends a paste of several lines as one message", async () => {
    const { parley, type, sees } = await open();
    type("see: \u001b[20");
    type("0~one\rtwo\r\nthree\u001b[201~");
    await sees("> see: [paste 1: 3 lines]");
    type(" end\r");
    await vi.waitFor(() => expect(parley.texts).toEqual(["see: one\ntwo\nthree end"]));
  });

  it("takes 100,000 characters", async () => {
    const { parley, type } = await open({
      turn: async (self, text) => void (await self.send(`${text.length}`)),
    });
    type(`${"x".repeat(100_000)}\r`);
    await parley.until("100000");
  });

  it("says what an earlier process left open", async () => {
    const parley = new FakeParley({ isTerminal: true });
    onTestFinished(() => parley.bot[Symbol.asyncDispose]());
    parley.activity = "waiting";
    await parley.bot.start();
    await parley.until("still waiting from last time");
  });
});

const turn = async (self: FakeParley, text: string) => {
  if (text === "x") await self.send(`done: ${await self.ask("x")}`);
  else await self.send(`answer to ${text}`);
};

const two = async (self: FakeParley) => {
  const said = await Promise.all([self.ask("1"), self.ask("2")]);
  await self.send(`done: ${said.join(" ")}`);
};

describe("an approval in a terminal", () => {
  it.each([
    ["y", "approved", "tap a:x"],
    ["n", "denied", "tap d:x"],
  ])("is decided by %s", async (key, decision, tap) => {
    const { type, sees, seen, does } = await open({ turn });
    type("x\r");
    // Below the card: a key that comes before it is drawn would stay above it.
    await sees("Run x?\n\nApprove? [y/n/e]");
    type(`${key}\r`);
    await sees(`done: ${decision}`);
    await does("x", tap);
    expect(seen()).toBe(
      `> x\nRun x?\n\nApprove? [y/n/e] ${key}\nx was ${decision}\n\ndone: ${decision}\n\n>`,
    );
  });

  it.each([
    ["y", "approved", "tap a:x"],
    ["N", "denied", "tap d:x"],
  ])("is decided by the key %s alone", async (key, decision, tap) => {
    const { parley, type, sees, seen, does } = await open({
      turn,
      keyGuardMs: 0,
    });
    type("x\r");
    await sees("Approve? [y/n/e]");
    type(key);
    await sees(`done: ${decision}`);
    await does("x", tap);
    expect(seen()).toContain(`Approve? [y/n/e] ${key}\n`);
    // Nothing of it is left for the next line, nor to be recalled.
    type(`${up}\r`);
    await vi.waitFor(() => expect(parley.texts).toEqual(["x", "x"]));
  });

  it("is asked after the outcome of the one before, directly above its prompt", async () => {
    const { parley, type, sees, seen, does } = await open({ turn: two });
    type("x\r");
    await sees("Run 1?");
    await sees("Approve? [y/n/e]");
    type("n\r");
    await sees("Run 2?");
    await vi.waitFor(() =>
      expect(seen()).toBe(
        "> x\nRun 1?\n\nApprove? [y/n/e] n\n1 was denied\n\nRun 2?\n\nApprove? [y/n/e]",
      ),
    );
    type("y\r");
    await sees("done: denied approved");
    await does("x", "tap d:1", "tap a:2");
    expect(parley.written.match(/Run 2\?/g)).toHaveLength(1);
  });

  it("is not asked for the first time when /stop has closed it already", async () => {
    const { parley, type, sees, seen } = await open();
    const send = (id: string) => parley.send(`Run ${id}?`, { buttons: approvalButtons(id) });
    const [first, second] = [await send("1"), await send("2")];
    type("/stop\r");
    await sees("stop answered");
    // One after the other, as they are delivered.
    await parley.edit(first, "1 was stopped");
    await parley.edit(second, "2 was stopped");
    await vi.waitFor(() => expect(seen().split("\n").at(-1)).toBe(">"));
    expect(seen()).toContain("1 was stopped\n\n2 was stopped");
    expect(parley.written).not.toContain("Run 2?");
  });

  it.each(["1", "2"])(
    "that a command decides is answered by its card alone: %s of two",
    async (id) => {
      const { parley, type, seen, sees, does } = await open({
        refuse: (inbound) =>
          inbound.type === "command"
            ? {
                type: "answered",
                text: "Approved.",
                isPrivate: false,
                closes: id,
                isOnCard: true,
              }
            : undefined,
      });
      const send = (each: string) =>
        parley.send(`Run ${each}?`, { buttons: approvalButtons(each) });
      const cards = { "1": await send("1"), "2": await send("2") };
      type(`/approve ${id}\r`);
      await does(`/approve ${id}`);
      await parley.edit(cards[id as "1" | "2"], `${id} was approved by you`);
      const other = id === "1" ? "2" : "1";
      await sees(`${id} was approved by you`);
      await vi.waitFor(() =>
        expect(seen()).toMatch(
          new RegExp(`${id} was approved by you\n\nRun ${other}\\?\n\nApprove\\? \\[y/n/e\\]$`),
        ),
      );
      expect(parley.written).not.toContain("Approved.");
    },
  );

  it("takes nothing that is typed before the next card is shown", async () => {
    const { parley, type, sees, does } = await open({ turn: two });
    type("x\r");
    await sees("Approve? [y/n/e]");
    type("y\ry\rok\r");
    await sees("Run 2?");
    await does("x", "tap a:1");
    expect(parley.actions).toEqual(["x", "tap a:1"]);
    type("n\r");
    await sees("done: approved denied");
  });

  it("is shown again below the outcome of another one", async () => {
    const { parley, seen } = await open();
    const send = (id: string) => parley.send(`Run ${id}?`, { buttons: approvalButtons(id) });
    await send("1");
    const second = await send("2");
    await parley.edit(second, "2 has expired");
    await vi.waitFor(() =>
      expect(seen()).toBe("Run 1?\n\n2 has expired\n\nRun 1?\n\nApprove? [y/n/e]"),
    );
  });

  it("takes no answer that was begun for the one before", async () => {
    const { parley, type, seen } = await open();
    const send = (id: string) => parley.send(`Run ${id}?`, { buttons: approvalButtons(id) });
    const first = await send("1");
    await send("2");
    for (const key of "ye") type(key);
    await parley.edit(first, "1 has expired");
    await vi.waitFor(() => expect(seen()).toContain("Run 2?"));
    for (const key of "s\r") type(key);
    await vi.waitFor(() => expect(seen().split("\n").at(-1)).toBe("Approve? [y/n/e]"));
    expect(parley.actions).toEqual([]);
  });

  it("is decided by its first letter, and the rest of the word is no message", async () => {
    const { parley, type, sees, does } = await open({
      turn: two,
      keyGuardMs: 0,
    });
    type("x\r");
    await sees("Approve? [y/n/e]");
    for (const key of "no\r") type(key);
    await sees("Run 2?");
    await does("x", "tap d:1");
    for (const key of "yes\r") type(key);
    await sees("done: denied approved");
    expect(parley.actions).toEqual(["x", "tap d:1", "tap a:2"]);
  });

  it.each([
    ["ok", "tap a:x"],
    ["👍🏽", "tap a:x"],
    ["Nein danke!", "tap d:x"],
  ])("is decided by the word %s", async (word, tap) => {
    const { type, sees, does } = await open({ turn });
    type("x\r");
    await sees("Approve? [y/n/e]");
    type(`${word}\r`);
    await does("x", tap);
  });

  it("takes a key that follows others, or comes at once with the question, for a letter", async () => {
    const { parley, type, sees, does } = await open({ turn, keyGuardMs: 1e9 });
    type("x\r");
    await sees("Approve? [y/n/e]");
    for (const key of "yes, but") type(key);
    await sees("[y/n/e] yes, but");
    type("\r");
    await sees("answer to yes, but");
    await does("x", "yes, but");
    expect(parley.written).toContain("superseded");
  });

  it("is replaced by a message, which is said", async () => {
    const { parley, type, sees, does } = await open({ turn });
    type("x\r");
    await sees("Approve? [y/n/e]");
    type("rather this\r");
    await sees("answer to rather this");
    await does("x", "rather this");
    expect(parley.written).toContain("superseded");
  });

  it("says that a message replaces it where its card does not yet", async () => {
    const { parley, type, sees, seen } = await open({
      turn: () => Promise.resolve(),
    });
    await parley.send("Run it?", {
      buttons: [
        { label: "Approve", data: "a:1" },
        { label: "Deny", data: "d:1" },
      ],
    });
    type("rather this\r");
    await sees("Cancelled the pending action");
    expect(seen().split("\n").at(-1)).toBe(">");
  });

  it("stays open when the decision is refused, and during commands", async () => {
    const { type, sees, does, seen } = await open({
      turn,
      refuse: (inbound) =>
        inbound.type === "tap" ? { type: "refused", text: "You are not allowed." } : undefined,
    });
    type("x\r");
    await sees("Approve? [y/n/e]");
    type("y\r");
    await sees("You are not allowed.");
    type("/status\r");
    await sees("status answered");
    await does("x", "tap a:x", "/status");
    expect(seen().split("\n").at(-1)).toBe("Approve? [y/n/e]");
  });
});

describe("leaving a terminal", () => {
  it.each(["/quit\r", "/EXIT\r", ctrlD])("works with %j", async (keys) => {
    const { parley, type } = await open();
    type(keys);
    await parley.bot.ended;
    expect(parley.arrivals).toEqual([]);
    expect(parley.written.endsWith("\n\u001b[?2004l")).toBe(true);
  });

  it("waits until what was typed before is accepted", async () => {
    const { parley, type } = await open({ turn: () => Promise.resolve() });
    type("one\rtwo\r/quit\r");
    await parley.bot.ended;
    expect(parley.texts).toEqual(["one", "two"]);
  });

  it("takes two Ctrl-C when nothing runs", async () => {
    const { parley, type, sees } = await open();
    type("half a line");
    type(ctrlC);
    await sees("Press Ctrl-C again to quit");
    expect(parley.arrivals).toEqual([]);
    type(ctrlC);
    await parley.bot.ended;
  });

  it("stops the running turn with the first Ctrl-C, and quits with the second", async () => {
    const { parley, type, sees, does } = await open({
      turn: async (self) => void (await self.ask("x")),
    });
    type("x\r");
    await sees("Approve? [y/n/e]");
    type(ctrlC);
    await sees("stop answered");
    await does("x", "/stop");
    type(ctrlC);
    await parley.bot.ended;
  });

  it("ends with its input, and when its output breaks", async () => {
    const first = await open();
    first.parley.input.end();
    await first.parley.bot.ended;
    const second = await open();
    second.parley.output.destroy(new Error("EIO"));
    await second.parley.bot.ended;
  });

  it("keeps what is delivered later for the next start", async () => {
    const { parley, type } = await open();
    type(ctrlD);
    await parley.bot.ended;
    await parley.bot[Symbol.asyncDispose]();
    expect(await parley.edit("0-1", "late")).toMatchObject({ type: "gone" });
    await expect(parley.send("late")).rejects.toThrow("retry");
  });
});
