import { PassThrough } from "node:stream";
import { pino } from "pino";
import { vi } from "vitest";
import {
  createConsoleBot,
  type ConsoleBotDeps,
} from "../../../src/bots/console/create-console-bot.ts";
import type { Acceptance, Inbound, InboundMessage } from "../../../src/core/inbound.ts";
import { approveData, denyData } from "../../../src/core/outbox.ts";
import type { Bot, SendOutcome } from "../../../src/core/ports.ts";

export const chat = {
  platform: "console",
  bot: "local",
  chat: "main",
} as const;

export const approvalButtons = (id: string) => [
  { label: "Approve", data: approveData(id) },
  { label: "Deny", data: denyData(id) },
];

export interface FakeOptions extends Partial<ConsoleBotDeps> {
  /**
   * A turn, from a message to its end; what it sends is the answer. By default `answer to <text>`.
   */
  readonly turn?: (parley: FakeParley, text: string) => Promise<void>;
  /** Instead of the usual acceptance. */
  readonly refuse?: (inbound: Inbound) => Acceptance | undefined;
}

/**
 * Everything behind the console's ingress: turns one after the other, decisions, and a sender that
 * delivers.
 */
export class FakeParley {
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  readonly arrivals: Inbound[] = [];
  readonly bot: Bot;
  activity: "idle" | "running" | "waiting" = "idle";
  #written = "";
  #turns: Promise<void> = Promise.resolve();
  #open = 0;
  #sends = 0;
  #decisions = new Map<string, (decision: string) => void>();

  constructor(options: FakeOptions = {}) {
    const { turn = defaultTurn, refuse, ...deps } = options;
    this.output.on("data", (data: Buffer) => {
      this.#written += data.toString();
    });
    this.bot = createConsoleBot({
      input: this.input,
      output: this.output,
      isTerminal: false,
      color: false,
      now: Date.now,
      commands: [
        { name: "help", description: "Help" },
        { name: "status", description: "Status" },
        { name: "stop", description: "Stop" },
      ],
      activity: () => Promise.resolve(this.activity),
      log: pino({ level: "silent" }),
      accept: (inbound) => Promise.resolve(this.#accept(inbound, turn, refuse?.(inbound))),
      ...deps,
    });
  }

  /** Everything written so far. */
  get written(): string {
    return this.#written;
  }

  get texts(): string[] {
    return this.arrivals
      .filter((each): each is InboundMessage => each.type === "message")
      .map(({ text }) => text);
  }

  /** What people did, in short. */
  get actions(): string[] {
    return this.arrivals.map((each) =>
      each.type === "message"
        ? each.text
        : each.type === "tap"
          ? `tap ${each.data}`
          : each.type === "edit"
            ? `edit ${each.text}`
            : each.type === "join"
              ? "join"
              : `/${each.name} ${each.argument}`.trim(),
    );
  }

  async until(text: string): Promise<void> {
    await vi.waitFor(
      () => {
        if (!this.#written.includes(text))
          throw new Error(`no ${text} in ${JSON.stringify(this.#written)}`);
      },
      { timeout: 20_000, interval: 5 },
    );
  }

  async send(
    text: string,
    options: {
      final?: boolean;
      buttons?: ReturnType<typeof approvalButtons>;
      nonce?: string;
    } = {},
  ): Promise<string> {
    this.#sends += 1;
    const { final = true, nonce = `nonce-${this.#sends}`, buttons } = options;
    return idOf(
      await this.bot.sender.send(chat, await this.#chunk(text), {
        nonce,
        final,
        ...(buttons && { buttons }),
      }),
    );
  }

  async edit(id: string, text: string, final = true): Promise<SendOutcome> {
    return await this.bot.sender.edit(chat, id, await this.#chunk(text), {
      final,
    });
  }

  /** Sends a card, waits for its decision, and replaces the card by what became of it. */
  async ask(id: string, text = `Run ${id}?`): Promise<string> {
    const decided = new Promise<string>((resolve) => this.#decisions.set(id, resolve));
    this.activity = "waiting";
    const card = await this.send(text, { buttons: approvalButtons(id) });
    const decision = await decided;
    this.#decisions.delete(id);
    this.activity = "running";
    await this.edit(card, `${id} was ${decision}`);
    return decision;
  }

  async #chunk(text: string) {
    const [chunk] = await this.bot.sender.render(text);
    if (!chunk) throw new Error("nothing to send");
    return chunk;
  }

  #accept(
    inbound: Inbound,
    turn: NonNullable<FakeOptions["turn"]>,
    refusal: Acceptance | undefined,
  ): Acceptance {
    this.arrivals.push(inbound);
    if (refusal) return refusal;
    if (inbound.type === "command") {
      if (inbound.name !== "stop") return answered(`${inbound.name} answered`);
      this.#decideAll("cancelled");
      return { ...answered("stop answered"), closes: "all", isOnCard: true };
    }
    if (inbound.type === "tap") {
      const [kind, id = ""] = inbound.data.split(":");
      this.#decisions.get(id)?.(kind === "a" ? "approved" : "denied");
      return answered("decided");
    }
    if (inbound.type === "join") return { type: "ignored" };
    this.#decideAll("superseded");
    this.activity = "running";
    this.#open += 1;
    this.#turns = this.#run(this.#turns, () => turn(this, inbound.text));
    return { type: "queued" };
  }

  async #run(before: Promise<void>, turn: () => Promise<void>): Promise<void> {
    await before;
    await turn().catch((error: unknown) => {
      // The test has ended: nothing is shown any more.
      if (!String(error).includes("not sent: retry")) throw error;
    });
    this.#open -= 1;
    if (this.#open === 0) this.activity = "idle";
  }

  #decideAll(decision: string): void {
    for (const decide of this.#decisions.values()) decide(decision);
  }
}

const answered = (text: string) => ({ type: "answered", text, isPrivate: false }) as const;

async function defaultTurn(parley: FakeParley, text: string): Promise<void> {
  await parley.send(`answer to ${text}`);
}

function idOf(outcome: SendOutcome): string {
  if (outcome.type !== "sent") throw new Error(`not sent: ${outcome.type}`);
  return outcome.messageId;
}
