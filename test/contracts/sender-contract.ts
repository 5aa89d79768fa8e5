import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChatAddress } from "../../src/core/chat.ts";
import type {
  Chunk,
  OutgoingFile,
  Sender,
  SendOptions,
  SendOutcome,
} from "../../src/core/ports.ts";
import type { Decoration } from "../../src/core/refusal.ts";
import { sendUndecorated } from "../../src/core/send-undecorated.ts";

/** A message of the bot's as people see it. */
export interface VisibleMessage {
  readonly id: string;
  readonly text: string;
  /** Labels, in order. */
  readonly buttons: readonly string[];
  readonly file?: { readonly name: string; readonly bytes: Uint8Array };
}

/** A sender to try, and a chat where it may write. */
export interface SenderSubject extends AsyncDisposable {
  readonly sender: Sender;
  readonly address: ChatAddress;
  /** UTF-16 units of the platform's longest message. */
  readonly maxUnits: number;
  visible(): readonly VisibleMessage[] | Promise<readonly VisibleMessage[]>;
  /** Where there is a platform on the other side. */
  readonly remote?: {
    /** The next request goes wrong so that it must end like this. */
    injectFailure(kind: "retry" | "unknown" | "refused"): void | Promise<void>;
    /** Well-formed, and no message's. */
    readonly missingMessageId: string;
    /**
     * Parts of a message that the platform may refuse: from then on it refuses every request with
     * that part, in its own words.
     */
    readonly refuses: Readonly<Partial<Record<Decoration, () => void>>>;
    /** Every failure's secrets, e.g. the token; none may be in an outcome. */
    readonly secrets: readonly string[];
  };
}

interface Options {
  /** Whether `remote` is there, and messages can be edited and have buttons. */
  readonly isRemote: boolean;
  setup(): Promise<SenderSubject>;
}

const buttons = [
  { label: "Approve", data: "a:1-abc" },
  { label: "Deny", data: "d:1-abc" },
];

const idOf = (outcome: SendOutcome): string => {
  if (outcome.type !== "sent") throw new Error(`${outcome.type}: ${outcome.cause}`);
  return outcome.messageId;
};

let nonces = 0;
const nonce = (): string => {
  nonces += 1;
  return `contract-${nonces}`;
};

/** What delivery relies on, whatever the platform. */
export function senderContract(name: string, options: Options): void {
  describe(`sender contract: ${name}`, () => {
    let subject: SenderSubject;
    beforeEach(async () => {
      subject = await options.setup();
    });
    afterEach(async () => {
      await subject[Symbol.asyncDispose]();
    });

    says(() => subject);
    sendsFiles(() => subject);
    if (!options.isRemote) return;
    edits(() => subject);
    fails(() => subject);
    losesParts(() => subject);
    failsWithFiles(() => subject);
  });
}

/** The one chunk of a short text. */
function only(chunks: readonly Chunk[]): Chunk {
  expect(chunks).toHaveLength(1);
  return chunks[0] as Chunk;
}

const sendText = async (
  { sender, address }: SenderSubject,
  text: string,
  others: { buttons?: typeof buttons; replyTo?: string } = {},
): Promise<SendOutcome> =>
  await sender.send(address, only(sender.plain(text)), {
    nonce: nonce(),
    final: true,
    ...others,
  });

function says(get: () => SenderSubject): void {
  it("sends, and tells the message's id", async () => {
    const outcome = await sendText(get(), "Hello there");
    const seen = await get().visible();
    expect(seen).toMatchObject([{ text: "Hello there", buttons: [] }]);
    expect(seen[0]?.id).toBe(idOf(outcome));
  });

  it("sends in order, each message with an id of its own", async () => {
    const ids = [idOf(await sendText(get(), "one")), idOf(await sendText(get(), "two"))];
    const seen = await get().visible();
    expect(seen.map(({ text }) => text)).toEqual(["one", "two"]);
    expect(seen.map(({ id }) => id)).toEqual(ids);
  });

  it("takes what it renders: long, with code, in any script", async () => {
    const { sender, address, maxUnits } = get();
    const code = `const x = "y"; // ${"z".repeat(40)}\n`.repeat(150);
    const markdown = `# Title\n\n${"word 日本 👨‍👩‍👧‍👦 ".repeat(300)}\n\n\`\`\`ts\n${code}\`\`\`\n\n- **last**`;
    const chunks = await sender.render(markdown);
    if (markdown.length > maxUnits) expect(chunks.length).toBeGreaterThan(1);
    for (const chunk of chunks) {
      expect(chunk.text.length).toBeLessThanOrEqual(maxUnits);
      expect(chunk.text.isWellFormed()).toBe(true);
      idOf(await sender.send(address, chunk, { nonce: nonce(), final: true }));
    }
    const all = (await get().visible()).map(({ text }) => text).join("\n");
    expect(all.match(/const x/g)).toHaveLength(150);
    expect(all.match(/word/g)).toHaveLength(300);
    expect(all).toContain("last");
  });

  it.each(["text", "> quoted", "- **open", "```ts\nconst x = 1;", "$$\nx"])(
    "shows a note below %j, whatever that leaves open",
    async (markdown) => {
      const { sender, address } = get();
      const note = 'I stopped here; say "go on" for the rest.';
      const chunks = await (sender.renderFinal?.(markdown, note) ?? sender.render(markdown, note));
      for (const chunk of chunks)
        idOf(await sender.send(address, chunk, { nonce: nonce(), final: true }));
      const all = (await get().visible()).map(({ text }) => text).join("\n");
      const [above = "", ...below] = all.split(note);
      expect(below).toHaveLength(1);
      // A fence that is written down is closed before it; the console has a message of its own for
      // the note.
      if (sender.platform !== "console") expect(above.split("```").length % 2).toBe(1);
      expect(await sender.render(markdown)).not.toEqual([]);
    },
  );

  it("shows the line that names the tools once, below the last message of a long answer", async () => {
    const { sender, address, maxUnits } = get();
    const line = "⚙ fetch_url ✓ · server.calculate_it ✓✗";
    const markdown = "word ".repeat(Math.min(maxUnits, 5_000) / 2);
    const chunks = await (sender.renderFinal?.(markdown, line) ?? sender.render(markdown, line));
    for (const chunk of chunks)
      idOf(await sender.send(address, chunk, { nonce: nonce(), final: true }));
    const seen = (await get().visible()).map(({ text }) => text);
    expect(seen.filter((text) => text.includes("⚙"))).toHaveLength(1);
    expect(seen.at(-1)).toContain(line);
    // Discord's italics end behind it.
    expect(seen.at(-1)?.split(line)[1]).toMatch(/^[*\s]*$/);
    for (const text of seen) expect(text.length).toBeLessThanOrEqual(maxUnits);
  });

  it("splits plain words within the limit, too", () => {
    const { sender, maxUnits } = get();
    const chunks = sender.plain("word ".repeat(3_000));
    for (const { text } of chunks) expect(text.length).toBeLessThanOrEqual(maxUnits);
    const words = chunks.map(({ text }) => text).join(" ");
    expect(words.match(/word/g)).toHaveLength(3_000);
  });

  it.each(["", " \n\n "])("renders nothing for %j", async (blank) => {
    expect(await get().sender.render(blank)).toEqual([]);
    expect(get().sender.plain(blank)).toEqual([]);
  });

  it("renders something for whatever can be seen", async () => {
    for (const markdown of ["#", "***", "[]()", "```", "> ", "-", "x"])
      expect((await get().sender.render(markdown)).length).toBeGreaterThan(0);
  });

  it("tells how often a draft may change", () => {
    const { sender, address } = get();
    expect(sender.editIntervalMs(address)).toBeGreaterThanOrEqual(0);
  });

  it("shows that someone works", async () => {
    await get().sender.typing(get().address);
  });
}

function edits(get: () => SenderSubject): void {
  const edit = async (
    id: string,
    text: string,
    others: { buttons?: typeof buttons } = {},
  ): Promise<SendOutcome> => {
    const { sender, address } = get();
    const chunk = only(sender.plain(text));
    return await sender.edit(address, id, chunk, { final: false, ...others });
  };

  it("edits", async () => {
    const id = idOf(await sendText(get(), "Hel"));
    expect(idOf(await edit(id, "Hello"))).toBe(id);
    expect(await get().visible()).toMatchObject([{ id, text: "Hello" }]);
  });

  it("counts an edit without a change as sent", async () => {
    const id = idOf(await sendText(get(), "same", { buttons }));
    expect(idOf(await edit(id, "same", { buttons }))).toBe(id);
  });

  it("shows buttons, and takes them away", async () => {
    const id = idOf(await sendText(get(), "Run it?", { buttons }));
    const labels = async () => (await get().visible())[0]?.buttons;
    expect(await labels()).toEqual(["Approve", "Deny"]);
    idOf(await edit(id, "Approved", { buttons: [] }));
    expect(await labels()).toEqual([]);
    idOf(await edit(id, "Again?", { buttons }));
    expect(await labels()).toEqual(["Approve", "Deny"]);
    idOf(await edit(id, "Over"));
    expect(await labels()).toEqual([]);
  });

  it("replies to a message, and does without one that is gone", async () => {
    const id = idOf(await sendText(get(), "first"));
    idOf(await sendText(get(), "a reply", { replyTo: id }));
    const missing = get().remote?.missingMessageId ?? "";
    idOf(await sendText(get(), "another", { replyTo: missing }));
    expect(await get().visible()).toHaveLength(3);
  });

  it("tells when the message to edit is gone", async () => {
    const missing = get().remote?.missingMessageId ?? "";
    expect((await edit(missing, "Hello")).type).toBe("gone");
  });
}

function fails(get: () => SenderSubject): void {
  const secretsIn = (outcome: SendOutcome): readonly string[] =>
    (get().remote?.secrets ?? []).filter((secret) => JSON.stringify(outcome).includes(secret));

  it.each(["retry", "unknown", "refused"] as const)("tells of a failure: %s", async (kind) => {
    await get().remote?.injectFailure(kind);
    const outcome = await sendText(get(), "Hello");
    expect(outcome.type).toBe(kind);
    if (outcome.type === "retry") expect(outcome.retryAfterMs).toBeGreaterThan(0);
    expect(secretsIn(outcome)).toEqual([]);
    idOf(await sendText(get(), "works again"));
  });

  it("leaves nothing behind where it says so", async () => {
    for (const kind of ["retry", "refused"] as const) {
      await get().remote?.injectFailure(kind);
      await sendText(get(), "Hello");
    }
    expect(await get().visible()).toEqual([]);
  });

  it("never calls the fate of an edit unknown, as it can be repeated", async () => {
    const id = idOf(await sendText(get(), "Hel"));
    await get().remote?.injectFailure("unknown");
    const { sender, address } = get();
    const chunk = only(sender.plain("Hello"));
    const outcome = await sender.edit(address, id, chunk, { final: true });
    expect(outcome.type).toBe("retry");
    idOf(await sender.edit(address, id, chunk, { final: true }));
    expect(await get().visible()).toMatchObject([{ id, text: "Hello" }]);
  });

  it.each(["retry", "unknown", "refused"] as const)("never lets typing fail: %s", async (kind) => {
    await get().remote?.injectFailure(kind);
    await get().sender.typing(get().address);
  });
}

function losesParts(get: () => SenderSubject): void {
  const options = async () => ({
    replyTo: idOf(await sendText(get(), "first")),
    silent: true,
    buttons,
  });

  it("names the part of a message that is refused, and sends the words without it", async () => {
    const { sender, address, remote } = get();
    const markdown = "some **bold** words";
    const [formatted] = await (sender.renderFinal?.(markdown) ?? sender.render(markdown));
    const chunk = formatted ?? only(sender.plain("some words"));
    const given = await options();
    const left = new Set<Decoration>();
    for (const [part, refuse] of Object.entries(remote?.refuses ?? {}) as [
      Decoration,
      () => void,
    ][]) {
      refuse();
      if (part === "file") continue;
      const tried = { ...given, nonce: nonce(), final: true, without: new Set(left) };
      expect(await sender.send(address, chunk, tried)).toMatchObject({
        type: "refused",
        about: part,
      });
      left.add(part);
      idOf(await sender.send(address, chunk, { ...tried, without: new Set(left) }));
    }
    expect(left.size).toBeGreaterThan(1);
    const words = (await get().visible()).filter(({ text }) => /bold.* words/.test(text));
    expect(words).toHaveLength(left.size);
  });

  it("does the same with a file, of which the words are left in the end", async () => {
    const { remote } = get();
    const given = await options();
    for (const refuse of Object.values(remote?.refuses ?? {})) refuse();
    const without = new Set<Decoration>();
    for (;;) {
      const outcome = await sendFile(get(), {}, { ...given, without: new Set(without) });
      expect(outcome.type).toBe("refused");
      const about = outcome.type === "refused" ? outcome.about : undefined;
      if (about === undefined || about === "file") break;
      expect(without).not.toContain(about);
      without.add(about);
    }
    const chunk = only(get().sender.plain("the file's words"));
    const bare = { ...given, nonce: nonce(), final: true };
    idOf(await sendUndecorated(get().sender, get().address, { chunk, options: bare }));
    expect(await get().visible()).toMatchObject([{}, { text: "the file's words" }]);
  });

  it("edits without buttons that are refused", async () => {
    const { sender, address, remote } = get();
    const id = idOf(await sendText(get(), "Run it?"));
    remote?.refuses.buttons?.();
    const chunk = only(sender.plain("Run this?"));
    const tried = { final: true, buttons };
    expect(await sender.edit(address, id, chunk, tried)).toMatchObject({
      type: "refused",
      about: "buttons",
    });
    idOf(await sender.edit(address, id, chunk, { ...tried, without: new Set(["buttons"]) }));
    expect(await get().visible()).toMatchObject([{ id, text: "Run this?", buttons: [] }]);
  });
}

/** Every byte, and what could pass for the end of a part of a form. */
const bytes = Uint8Array.from(
  Buffer.concat([
    Buffer.from(Uint8Array.from({ length: 256 }, (_, byte) => byte)),
    Buffer.from("\r\n--boundary--\r\n\r\n日本"),
  ]),
);

const sendFile = async (
  { sender, address }: SenderSubject,
  file: Partial<OutgoingFile> = {},
  options: Partial<SendOptions> = {},
): Promise<SendOutcome> =>
  await sender.sendFile(
    address,
    { name: "notes.md", mediaType: "text/markdown", bytes, ...file },
    { nonce: nonce(), final: true, ...options },
  );

const contentsOf = async (subject: SenderSubject) =>
  (await subject.visible()).map(({ file }) => file && Buffer.from(file.bytes));

function sendsFiles(get: () => SenderSubject): void {
  it("sends a file as it is, with its name and words, and tells the message's id", async () => {
    const [caption] = get().sender.plain("Here it is, all of it");
    const id = idOf(await sendFile(get(), caption ? { caption } : {}));
    const [seen, ...others] = await get().visible();
    expect(others).toEqual([]);
    expect(seen).toMatchObject({
      id,
      text: expect.stringContaining("Here it is, all of it") as string,
      file: { name: "notes.md" },
    });
    expect(await contentsOf(get())).toEqual([Buffer.from(bytes)]);
  });

  it("sends a file without words, in order with what is said", async () => {
    const ids = [
      idOf(await sendText(get(), "one")),
      idOf(await sendFile(get())),
      idOf(await sendText(get(), "three")),
    ];
    const seen = await get().visible();
    expect(seen.map(({ id }) => id)).toEqual(ids);
    expect(seen.map(({ file }) => file?.name)).toEqual([undefined, "notes.md", undefined]);
  });

  it("sends a file of 8 MiB", async () => {
    const large = Buffer.alloc(8 * 1_048_576, "0123456789abcdef");
    idOf(await sendFile(get(), { bytes: large }));
    const [seen] = await contentsOf(get());
    expect(seen?.equals(large)).toBe(true);
  });

  it("sends a file with more words than there is room for", async () => {
    const [caption] = get().sender.plain("word ".repeat(300));
    idOf(await sendFile(get(), caption ? { caption } : {}));
    const [seen] = await get().visible();
    expect(seen?.text).toMatch(/^word word/);
    expect(seen?.file?.name).toBe("notes.md");
  });
}

function failsWithFiles(get: () => SenderSubject): void {
  it.each(["retry", "unknown", "refused"] as const)(
    "tells of a failure of a file: %s",
    async (kind) => {
      await get().remote?.injectFailure(kind);
      const outcome = await sendFile(get());
      expect(outcome.type).toBe(kind);
      if (kind !== "unknown") expect(await get().visible()).toEqual([]);
      const said = JSON.stringify(outcome);
      for (const secret of get().remote?.secrets ?? []) expect(said).not.toContain(secret);
      idOf(await sendFile(get()));
    },
  );

  it("sends a file of unknown fate again: once where nonces count, else labelled", async () => {
    const options = { nonce: nonce() };
    await get().remote?.injectFailure("unknown");
    expect((await sendFile(get(), {}, options)).type).toBe("unknown");
    const { deduplicates } = get().sender;
    const again = deduplicates ? options : { ...options, repeated: true };
    const id = idOf(await sendFile(get(), {}, again));
    const seen = await get().visible();
    expect(seen.at(-1)?.id).toBe(id);
    expect(seen.map(({ file }) => file?.name)).toEqual(
      deduplicates ? ["notes.md"] : ["notes.md", "notes.md"],
    );
    if (!deduplicates)
      expect(seen.map(({ text }) => text)).toEqual(["", expect.stringMatching(/again/) as string]);
  });

  it("shows a file's buttons, rings or not, and answers a message or does without", async () => {
    const first = idOf(await sendText(get(), "first"));
    const missing = get().remote?.missingMessageId ?? "";
    idOf(await sendFile(get(), {}, { replyTo: first, silent: true, buttons }));
    idOf(await sendFile(get(), {}, { replyTo: missing }));
    const seen = await get().visible();
    expect(seen.map((message) => message.buttons)).toEqual([[], ["Approve", "Deny"], []]);
  });
}
