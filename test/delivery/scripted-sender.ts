import type { ChatAddress } from "../../src/core/chat.ts";
import { unreachable } from "../../src/core/errors.ts";
import type {
  Chunk,
  OutgoingFile,
  Sender,
  SendOptions,
  SendOutcome,
} from "../../src/core/ports.ts";
import type { Decoration, RefusalReason } from "../../src/core/refusal.ts";

/**
 * `arrived`: it is shown, but no one learns it; `lost`: it is not, and no one learns that either.
 */
export type Fault = "retry" | "arrived" | "lost" | "refused" | "gone";

export interface Request {
  readonly did: "send" | "send-file" | "edit" | "typing";
  readonly chat: string;
  readonly text: string;
  readonly options: Partial<SendOptions>;
}

export interface Shown {
  readonly id: string;
  readonly chat: string;
  text: string;
  buttons: readonly string[];
  /** Says of itself that it may be a repetition. */
  readonly repeated: boolean;
}

const labelsOf = ({ buttons = [], without }: Partial<SendOptions>): readonly string[] =>
  without?.has("buttons") ? [] : buttons.map(({ label }) => label);

/**
 * A platform that people can look at. `|` separates chunks. Everything succeeds unless a fault is
 * planned.
 */
export class ScriptedSender implements Sender {
  readonly platform = "telegram";
  readonly deduplicates: boolean;
  deduplicatesForMs: number;
  readonly requests: Request[] = [];
  readonly shown: Shown[] = [];
  /** Files are not allowed here; words are. */
  refusesFiles = false;
  /** Parts that requests must come without. */
  readonly refuses = new Set<Decoration>();
  /** Why it refuses what the fault `refused` hits. */
  reason: RefusalReason | undefined;
  /** It does so for good. */
  isChatDead = false;
  /** Only a reply to its messages keeps the next one in the thread. */
  threadsByReply = false;
  /** For the coming requests that send or edit, in order. */
  readonly faults: (Fault | undefined)[] = [];
  retryAfterMs = 5_000;
  /** The fault `retry` is about all of the bot's chats. */
  wholeBot = false;
  /** The fault `retry` is the platform's limit. */
  throttled = false;
  intervalMs = 0;
  /** Called when a request has arrived here, before anything happens. */
  onRequest: (request: Request) => Promise<void> = () => Promise.resolve();
  readonly #byNonce = new Map<string, Shown>();

  constructor(
    options: {
      readonly deduplicates?: boolean;
      readonly deduplicatesForMs?: number;
    } = {},
  ) {
    this.deduplicates = options.deduplicates ?? false;
    this.deduplicatesForMs = options.deduplicatesForMs ?? Infinity;
  }

  /** Texts as people read them, `+` before what says that it may be a repetition. */
  get texts(): string[] {
    return this.shown.map(({ text, repeated }) => (repeated ? `+${text}` : text));
  }

  get did(): string[] {
    return this.requests.map(({ did, text }) => `${did} ${text}`);
  }

  editIntervalMs(): number {
    return this.intervalMs;
  }

  /** A note is shown as `(note)` at the end of the last chunk. */
  render(markdown: string, note?: string): Promise<readonly Chunk[]> {
    const below = note === undefined ? "" : `(${note})`;
    return Promise.resolve(this.plain(`${markdown}${below}`));
  }

  plain(text: string): readonly Chunk[] {
    return text
      .split("|")
      .filter((part) => part.trim() !== "")
      .map((part) => ({ text: part }));
  }

  async send({ chat }: ChatAddress, { text }: Chunk, options: SendOptions): Promise<SendOutcome> {
    await this.#note({ did: "send", chat, text, options });
    return this.#say(chat, text, options);
  }

  /** Seen as `[name: content] caption`. */
  async sendFile(
    { chat }: ChatAddress,
    { name, bytes, caption }: OutgoingFile,
    options: SendOptions,
  ): Promise<SendOutcome> {
    const content = Buffer.from(bytes).toString();
    const text = `[${name}: ${content}] ${caption?.text ?? ""}`.trimEnd();
    await this.#note({ did: "send-file", chat, text, options });
    return this.refusesFiles ? this.#fail("refused") : this.#say(chat, text, options);
  }

  #say(chat: string, text: string, options: SendOptions): SendOutcome {
    const fault = this.faults.shift();
    if (fault !== undefined && fault !== "arrived") return this.#fail(fault);
    const refused = this.#refused(options);
    if (refused) return refused;
    const known = this.#byNonce.get(options.nonce);
    const message =
      this.deduplicates && known
        ? known
        : {
            id: String(this.shown.length + 1),
            chat,
            text,
            buttons: labelsOf(options),
            repeated: options.repeated ?? false,
          };
    if (!this.shown.includes(message)) this.shown.push(message);
    this.#byNonce.set(options.nonce, message);
    if (fault === "arrived") return this.#fail(fault);
    const threaded = this.threadsByReply ? { threadedByReply: true as const } : {};
    return { type: "sent", messageId: message.id, ...threaded };
  }

  #refused({ replyTo, buttons, without }: Partial<SendOptions>): SendOutcome | undefined {
    const has: Partial<Record<Decoration, boolean>> = {
      markup: true,
      reply: replyTo !== undefined,
      buttons: (buttons ?? []).length > 0,
    };
    const about = [...this.refuses].find((each) => has[each] && !without?.has(each));
    return about && { type: "refused", cause: `no ${about} here`, about };
  }

  async edit(
    address: ChatAddress,
    messageId: string,
    chunk: Chunk,
    options: Pick<SendOptions, "buttons" | "final" | "without">,
  ): Promise<SendOutcome> {
    const { chat } = address;
    await this.#note({ did: "edit", chat, text: chunk.text, options });
    const fault = this.faults.shift();
    if (fault !== undefined && fault !== "arrived") return this.#fail(fault);
    const refused = this.#refused(options);
    if (refused) return refused;
    const message = this.shown.find(({ id }) => id === messageId);
    if (!message) return { type: "gone", cause: "no such message" };
    message.text = chunk.text;
    message.buttons = labelsOf(options);
    return fault === "arrived" ? this.#fail(fault) : { type: "sent", messageId };
  }

  async typing({ chat }: ChatAddress): Promise<void> {
    await this.#note({ did: "typing", chat, text: "", options: {} });
  }

  async #note(request: Request): Promise<void> {
    this.requests.push(request);
    await this.onRequest(request);
  }

  #fail(fault: Fault): SendOutcome {
    switch (fault) {
      case "retry":
        return {
          type: "retry",
          retryAfterMs: this.retryAfterMs,
          cause: "too many requests",
          ...(this.wholeBot ? { wholeBot: true } : {}),
          ...(this.throttled ? { throttled: true } : {}),
        };
      case "arrived":
      case "lost":
        return { type: "unknown", cause: "connection lost" };
      case "refused":
        return {
          type: "refused",
          cause: "blocked",
          ...(this.reason === undefined ? {} : { reason: this.reason }),
          ...(this.isChatDead ? { isChatDead: true } : {}),
        };
      case "gone":
        return { type: "gone", cause: "deleted" };
      default:
        return unreachable(fault);
    }
  }
}
