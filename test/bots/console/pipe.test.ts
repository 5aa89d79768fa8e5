import { PassThrough, Writable } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import { chat, FakeParley } from "./fake-parley.ts";

const lines = (written: string) => written.trimEnd().split("\n");

async function run(parley: FakeParley, input: string): Promise<string[]> {
  parley.input.end(input);
  await parley.bot.start();
  await parley.bot.ended;
  return lines(parley.written);
}

describe("the console in a pipe", () => {
  it("prints answers only, one turn after the other", async () => {
    let running = 0;
    const parley = new FakeParley({
      header: { version: "1.2.3", model: undefined, folder: "~/data" },
      turn: async (self, text) => {
        running += 1;
        expect(running).toBe(1);
        const id = await self.send("answer", { final: false });
        await self.edit(id, `⚙ tool {} ✓\nanswer to`, false);
        await new Promise((resolve) => setImmediate(resolve));
        await self.edit(id, `answer to ${text}`);
        running -= 1;
      },
    });
    expect(await run(parley, "one\n\n   \ntwo\r\nthree")).toEqual([
      "answer to one",
      "answer to two",
      "answer to three",
    ]);
    expect(parley.texts).toEqual(["one", "two", "three"]);
    expect(new Set(parley.arrivals.map(({ id }) => id)).size).toBe(3);
    expect(parley.arrivals[0]).toMatchObject({
      address: chat,
      person: { id: "console:local", name: "you" },
      direct: true,
    });
  });

  it("reads the next line as soon as the answer is printed, without looking again and again", async () => {
    let looks = 0;
    const parley: FakeParley = new FakeParley({
      activity: () => {
        looks += 1;
        return Promise.resolve(parley.activity);
      },
    });
    await run(parley, "one\ntwo\nthree");
    expect(parley.texts).toEqual(["one", "two", "three"]);
    // An answer that isn't noticed costs a dozen looks for each line.
    expect(looks).toBeLessThanOrEqual(15);
  });

  it("prints Markdown as it is", async () => {
    const parley = new FakeParley({
      color: true,
      turn: async (self) => void (await self.send("# **a**\n- `b`")),
    });
    expect(await run(parley, "x\n")).toEqual(["# **a**", "- `b`"]);
  });

  it("prints nothing that a terminal would obey", async () => {
    const parley = new FakeParley({
      turn: async (self) => void (await self.send("\u001b[2Ja\u001b]0;title\u0007b\u009bc\r\n")),
    });
    await run(parley, "x\n");
    // oxlint-disable-next-line no-control-regex -- those are what is looked for
    expect(parley.written).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f]/);
  });

  it("reads nothing after /quit", async () => {
    const parley = new FakeParley();
    expect(await run(parley, "one\n/quit\ntwo\n")).toEqual(["answer to one"]);
    expect(parley.texts).toEqual(["one"]);
  });

  it("ends at once when there is nothing to read", async () => {
    expect(await run(new FakeParley(), "")).toEqual([""]);
  });

  it("hands commands over, and prints what they answer", async () => {
    const parley = new FakeParley();
    const written = await run(parley, "/Help me now\n/etc/hosts is a file\n");
    expect(parley.actions).toEqual(["/help me now", "/etc/hosts is a file"]);
    expect(parley.arrivals[0]).toMatchObject({ answersItself: true });
    expect(written).toEqual(["help answered", "answer to /etc/hosts is a file"]);
  });

  it("prints the buttons of an answer as what can be typed instead", async () => {
    const parley = new FakeParley({
      refuse: () => ({
        type: "answered",
        text: "Which one?",
        isPrivate: false,
        buttons: [
          { label: "✓ fast", data: "t:p:fast", typed: "/tier fast" },
          { label: "sm\u001b[2Jart", data: "t:p:smart", typed: "/tier smart" },
        ],
      }),
    });
    expect(await run(parley, "/tier\n")).toEqual(["Which one?", "• /tier fast ✓", "• /tier smart"]);
  });

  it("prints refusals", async () => {
    const parley = new FakeParley({
      refuse: () => ({ type: "refused", text: "You are not allowed." }),
    });
    expect(await run(parley, "one\ntwo\n")).toEqual([
      "You are not allowed.",
      "You are not allowed.",
    ]);
  });

  it("takes a line of 100,000 characters, and many lines", async () => {
    const parley = new FakeParley({
      turn: async (self, text) => void (await self.send(`${text.length}`)),
    });
    expect(await run(parley, `${"ä".repeat(100_000)}\n`)).toEqual(["100000"]);
    const many = new FakeParley();
    const input = Array.from({ length: 3_000 }, (_, index) => `${index}`);
    await run(many, input.map((each) => `/help ${each}`).join("\n"));
    expect(many.actions).toEqual(input.map((each) => `/help ${each}`));
  });

  it("tries again with the same id when ingress cannot be reached", async () => {
    const ids: string[] = [];
    const parley = new FakeParley({
      accept: (inbound) => {
        ids.push(inbound.id);
        return ids.length === 1
          ? Promise.reject(new Error("no store"))
          : Promise.resolve({ type: "refused", text: "no" });
      },
    });
    expect(await run(parley, "one\n")).toEqual(["no"]);
    expect(ids).toHaveLength(2);
    expect(ids[0]).toBe(ids[1]);
  });

  it("does not wait for what an earlier process left waiting", async () => {
    const parley = new FakeParley();
    parley.activity = "waiting";
    expect(await run(parley, "one\n")).toEqual(["answer to one"]);
  });

  it("waits for a turn that an earlier process left running", async () => {
    const parley = new FakeParley();
    parley.activity = "running";
    parley.input.end("");
    await parley.bot.start();
    await parley.send("an earlier answer");
    parley.activity = "idle";
    await parley.bot.ended;
    expect(lines(parley.written)).toEqual(["an earlier answer"]);
  });
});

const turn = async (self: FakeParley, text: string) => {
  const decision = await self.ask(text);
  await self.send(`done: ${decision}`);
};

describe("an approval in a pipe", () => {
  it.each([
    ["y", "approved", "a"],
    ["YES", "approved", "a"],
    ["n", "denied", "d"],
    ["deny", "denied", "d"],
  ])("is answered by the line %s", async (line, decision, kind) => {
    const parley = new FakeParley({ turn });
    expect(await run(parley, `x\n${line}\nz\ny\n`)).toEqual([
      "Run x?",
      "Approve? [y/n]",
      `x was ${decision}`,
      `done: ${decision}`,
      "Run z?",
      "Approve? [y/n]",
      "z was approved",
      "done: approved",
    ]);
    expect(parley.actions).toEqual(["x", `tap ${kind}:x`, "z", "tap a:z"]);
  });

  it("is denied at the end of input", async () => {
    const parley = new FakeParley({ turn });
    const written = await run(parley, "x\n");
    expect(parley.actions).toEqual(["x", "tap d:x"]);
    expect(written.at(-1)).toBe("done: denied");
  });

  it("of a turn that a command began is denied at the end of input too", async () => {
    const work = async () => {
      await parley.send(`done: ${await parley.ask("x")}`);
      parley.activity = "idle";
    };
    const parley: FakeParley = new FakeParley({
      refuse: (inbound) => {
        if (inbound.type !== "command") return undefined;
        parley.activity = "waiting";
        // Asked only after the command was answered.
        setImmediate(() => void work());
        return {
          type: "answered",
          text: "I work on it.",
          isPrivate: false,
          startsTurn: true,
        };
      },
    });
    const written = await run(parley, "/auto tidy up\n");
    expect(parley.actions).toEqual(["/auto tidy up", "tap d:x"]);
    expect(written.at(-1)).toBe("done: denied");
  });

  it("is denied by /quit", async () => {
    const parley = new FakeParley({ turn });
    await run(parley, "x\n/quit\ny\n");
    expect(parley.actions).toEqual(["x", "tap d:x"]);
  });

  it("is replaced by a message", async () => {
    const parley = new FakeParley({
      turn: async (self, text) => {
        if (text === "x") await turn(self, text);
        else await self.send(`answer to ${text}`);
      },
    });
    expect(await run(parley, "x\nno, rather this\n")).toEqual([
      "Run x?",
      "Approve? [y/n]",
      "x was superseded",
      "done: superseded",
      "answer to no, rather this",
    ]);
  });

  it("is asked one after another", async () => {
    const parley = new FakeParley({
      turn: async (self) => {
        const decisions = await Promise.all([self.ask("1"), self.ask("2")]);
        await self.send(decisions.join(" "));
      },
    });
    const written = await run(parley, "x\nn\ny\n");
    expect(parley.actions).toEqual(["x", "tap d:1", "tap a:2"]);
    expect(written).toEqual([
      "Run 1?",
      "Approve? [y/n]",
      "1 was denied",
      "Run 2?",
      "Approve? [y/n]",
      "2 was approved",
      "denied approved",
    ]);
  });

  it("stops the turn when no one here may decide", async () => {
    const parley = new FakeParley({
      turn,
      refuse: (inbound) =>
        inbound.type === "tap" ? { type: "refused", text: "You are not allowed." } : undefined,
    });
    const written = await run(parley, "x\n");
    expect(parley.actions).toEqual(["x", "tap d:x", "/stop"]);
    expect(written).toContain("You are not allowed.");
    expect(written.at(-1)).toBe("done: cancelled");
  });

  it("prints a decision's answer when the card does not tell it", async () => {
    const parley = new FakeParley({
      refuse: (inbound) =>
        inbound.type === "tap"
          ? { type: "answered", text: "already by Ann", isPrivate: true }
          : undefined,
      turn: async (self) => {
        void self.ask("1");
        await vi.waitFor(() => expect(self.arrivals).toHaveLength(2));
        await self.send("done");
      },
    });
    const written = await run(parley, "x\ny\n");
    expect(written.slice(-2)).toEqual(["already by Ann", "done"]);
  });
});

describe("a pipe that breaks", () => {
  it("ends quietly when its reader has gone", async () => {
    const output = new Writable({
      write: (_chunk, _encoding, done) =>
        done(Object.assign(new Error("write EPIPE"), { code: "EPIPE" })),
    });
    const parley = new FakeParley({
      output,
      turn: async (self) => {
        await self.bot.sender.send(chat, { text: "x" }, { nonce: "1", final: true });
      },
    });
    parley.input.write("one\ntwo\n");
    await parley.bot.start();
    await parley.bot.ended;
    expect(
      await parley.bot.sender.send(chat, { text: "x" }, { nonce: "2", final: true }),
    ).toMatchObject({ type: "retry" });
    await parley.bot[Symbol.asyncDispose]();
  });

  it("ends when its input breaks", async () => {
    const input = new PassThrough();
    const parley = new FakeParley({ input });
    await parley.bot.start();
    input.destroy(new Error("EIO"));
    await parley.bot.ended;
  });

  it("ends when it is disposed of in the middle of a turn", async () => {
    const parley = new FakeParley({
      turn: (self) => self.ask("x").then(() => undefined),
    });
    parley.input.write("one\n");
    await parley.bot.start();
    await parley.until("Approve?");
    await parley.bot[Symbol.asyncDispose]();
    await parley.bot.ended;
  });
});
