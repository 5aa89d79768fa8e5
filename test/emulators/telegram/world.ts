import { EventEmitter } from "node:events";
import { randomBytes } from "node:crypto";
import type { BotCommand, ResponseParameters, Update, User, UserFromGetMe } from "@grammyjs/types";
import type { ChatState, StoredFile, StoredMessage } from "./chat-state.ts";
import type { Payload } from "./parameters.ts";
import type { UploadedFile } from "./request-body.ts";
import { UpdateQueue } from "./update-queue.ts";

export interface TelegramOptions {
  readonly token?: string;
  readonly botUsername?: string;
  /** 0 (the default) picks a free one. */
  readonly port?: number;
  /** True by default: groups deliver only what a bot in privacy mode receives. */
  readonly privacyMode?: boolean;
  /** False by default: `parse_mode` is refused, Parley always sends entities. */
  readonly allowParseMode?: boolean;
  /**
   * How long a callback query can be answered. The real server says only "too old"; 15 s was
   * observed.
   */
  readonly callbackLifetimeMs?: number;
  /**
   * Added before every answer but getUpdates', so that calls overlap as they do over a real
   * network.
   */
  readonly latencyMs?: number;
  readonly floodLimit?: {
    readonly perChatPerSecond: number;
    readonly retryAfterSeconds?: number;
  };
}

export type ApiResponse =
  | { readonly ok: true; readonly result: unknown }
  | {
      readonly ok: false;
      readonly error_code: number;
      readonly description: string;
      readonly parameters?: ResponseParameters;
    };

/**
 * One API call. `open → answered | dropped`: dropped means that the caller never got this response
 * whole.
 */
export interface Call {
  readonly id: number;
  readonly method: string;
  readonly payload: Payload;
  readonly files: Readonly<Record<string, UploadedFile>>;
  /** Unix time in milliseconds of the request and of its end. */
  readonly atMs: number;
  endedAtMs: number | undefined;
  response: ApiResponse | undefined;
  outcome: "open" | "answered" | "dropped";
  /** The injected fault that hit it. */
  fault: string | undefined;
}

export type ViolationKind =
  | "callback-answered-twice"
  | "callback-answered-late"
  | "edit-unchanged"
  | "edits-in-flight"
  | "too-long"
  | "bad-text"
  | "too-many-entities"
  | "bad-buttons"
  | "bad-rich"
  | "parse-mode"
  | "unknown-method"
  | "called-during-retry-after"
  | "bad-commands"
  | "emulator-failure";

/** Something that a strict server would hold against the bot. */
export interface Violation {
  readonly kind: ViolationKind;
  readonly method: string;
  readonly detail: string;
  readonly atMs: number;
}

export interface CallbackState {
  readonly id: string;
  readonly createdAtMs: number;
  readonly chatId: number;
  answer:
    | {
        readonly text: string;
        readonly showAlert: boolean;
        readonly url: string;
        readonly atMs: number;
      }
    | undefined;
  answeredBy: Call | undefined;
}

/** Everything the emulated server knows. It outlives the bot's connections and processes. */
export class World {
  readonly options: Required<Omit<TelegramOptions, "floodLimit">> &
    Pick<TelegramOptions, "floodLimit">;
  readonly bot: UserFromGetMe;
  readonly chats = new Map<number, ChatState>();
  readonly people = new Map<number, User>();
  readonly queue = new UpdateQueue();
  readonly callbacks = new Map<string, CallbackState>();
  readonly calls: Call[] = [];
  readonly violations: Violation[] = [];
  /** `setMyCommands` by scope and language. */
  readonly commands = new Map<string, readonly BotCommand[]>();
  readonly files = new Map<string, StoredFile & { readonly path: string }>();
  /** Emits "change" after every change of state and "update" after every new update. */
  readonly changes = new EventEmitter().setMaxListeners(0);
  readonly #messageIds = new Map<number, number>();
  #counter = 0;

  constructor(options: TelegramOptions) {
    const token = options.token ?? `7${digits(9)}:${randomToken()}`;
    this.options = {
      token,
      botUsername: options.botUsername ?? "parley_test_bot",
      port: options.port ?? 0,
      privacyMode: options.privacyMode ?? true,
      allowParseMode: options.allowParseMode ?? false,
      callbackLifetimeMs: options.callbackLifetimeMs ?? 15_000,
      latencyMs: options.latencyMs ?? 0,
      ...(options.floodLimit === undefined ? {} : { floodLimit: options.floodLimit }),
    };
    this.bot = {
      id: Number(token.split(":")[0]),
      is_bot: true,
      first_name: "Parley",
      username: this.options.botUsername,
      can_join_groups: true,
      can_read_all_group_messages: !this.options.privacyMode,
      supports_guest_queries: false,
      supports_inline_queries: false,
      can_connect_to_business: false,
      has_main_web_app: false,
      has_topics_enabled: false,
      allows_users_to_create_topics: false,
      can_manage_bots: false,
      supports_join_request_queries: false,
    };
  }

  /**
   * Private chats and basic groups share the account's numbers; every supergroup counts for itself.
   */
  nextMessageId(state: ChatState): number {
    const counter = state.chat.type === "supergroup" ? state.id : 0;
    // A supergroup's message 1 is its creation, and the thread id of a forum's General topic.
    const next = (this.#messageIds.get(counter) ?? 1) + 1;
    this.#messageIds.set(counter, next);
    return next;
  }

  nextCount(): number {
    this.#counter += 1;
    return this.#counter;
  }

  message(chatId: number, messageId: number): StoredMessage | undefined {
    return this.chats.get(chatId)?.messages.get(messageId);
  }

  push(content: Omit<Update, "update_id">): Update | undefined {
    const update = this.queue.add(content);
    if (update !== undefined) this.changes.emit("update");
    this.changed();
    return update;
  }

  changed(): void {
    this.changes.emit("change");
  }

  violate(kind: ViolationKind, method: string, detail: string): void {
    this.violations.push({ kind, method, detail, atMs: Date.now() });
  }
}

export const digits = (count: number): string =>
  Array.from(randomBytes(count), (byte) => String(byte % 10)).join("");

const randomToken = (): string => randomBytes(30).toString("base64url").slice(0, 35);

export const unixSeconds = (): number => Math.floor(Date.now() / 1000);
