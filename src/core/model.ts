import type { Extras, Usage } from "./history.ts";

/**
 * Quality levels of models; each has its own chain of models. `compaction` is for summaries only.
 */
export const tierNames = ["fast", "balanced", "smart", "coding", "deep", "compaction"] as const;
export type TierName = (typeof tierNames)[number];

/** The tiers that a person can choose. */
export const chatTierNames = [
  "fast",
  "balanced",
  "smart",
  "coding",
  "deep",
] as const satisfies readonly TierName[];
export type ChatTierName = (typeof chatTierNames)[number];

/** A picture that a person sent. */
export interface RequestImage {
  /** E.g. `image/png`. */
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
}

/**
 * A message in a vendor-neutral form; each adapter translates it into its vendor's format in one
 * place.
 */
export type RequestMessage =
  | { readonly role: "system"; readonly text: string }
  | {
      readonly role: "user";
      readonly text: string;
      /** For a model without vision, a line of text replaces each image. */
      readonly images?: readonly RequestImage[];
      /**
       * The images belong to the results right before it; a model that sees none of them is not
       * sent this message.
       */
      readonly ofResults?: true;
    }
  | {
      readonly role: "assistant";
      readonly text: string;
      readonly reasoning?: string;
      /** For the provider of the answer alone; an adapter sends what its server wants back. */
      readonly own?: {
        /** Also of a model whose card doesn't say that it thinks. */
        readonly reasoning?: string;
        readonly extras?: Extras;
      };
      readonly calls: readonly RequestCall[];
    }
  | {
      readonly role: "tool";
      readonly callId: string;
      readonly name: string;
      readonly text: string;
    };

export interface RequestCall {
  /** Valid for every provider: 1 to 40 characters of `[A-Za-z0-9_-]`, unique within the request. */
  readonly id: string;
  readonly name: string;
  /** Always a JSON object's text. */
  readonly arguments: string;
  /** For the provider of the call alone. */
  readonly extras?: Extras;
}

export interface ToolSpec {
  /** The name on the wire: 1 to 64 characters of `[A-Za-z0-9_-]`. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of type `object`. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Parameters of a tier; an adapter leaves out those that its provider doesn't support. */
export interface ModelOptions {
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  /** Tokens. */
  readonly contextWindow?: number;
  readonly repeatPenalty?: number;
  readonly thinking?: boolean;
  /** As the provider writes it, e.g. `10m`. */
  readonly keepAlive?: string;
  readonly json?: boolean;
}

export interface ModelRequest {
  readonly messages: readonly RequestMessage[];
  readonly tools: readonly ToolSpec[];
  /**
   * `none`: the tools are known but must not be called; adapters that cannot say so leave them out.
   */
  readonly toolChoice: "auto" | "none";
  readonly options: ModelOptions;
}

export const modelFailureKinds = [
  "rate-limited",
  "overloaded",
  "timeout",
  "network",
  "context-overflow",
  "auth",
  "invalid-request",
  "refused",
  /** The account has no credit left; its key is right. */
  "no-credit",
  /** A filter of the provider's didn't let the request through. */
  "moderated",
  "unknown-model",
  /** The model wrote a tool call that can't be read as one. */
  "broken-call",
] as const;
export type ModelFailureKind = (typeof modelFailureKinds)[number];

/** What processes of the version before, which can't read the newest kinds, find in Redis. Pure. */
export function storedFailureKind(kind: ModelFailureKind): ModelFailureKind {
  switch (kind) {
    case "no-credit":
      return "auth";
    case "moderated":
      return "refused";
    case "unknown-model":
      return "invalid-request";
    case "broken-call":
      return "overloaded";
    default:
      return kind;
  }
}

export interface ModelFailure {
  readonly kind: ModelFailureKind;
  /** For the operator's log; never holds a key. */
  readonly message: string;
  readonly retryAfterMs?: number;
  /** Of `timeout`: the server or a gateway has said so (408, 504); our own deadline didn't end it. */
  readonly isReported?: true;
  /** The server's words don't say why it refused the request: it may have been too long. */
  readonly mayBeTooLong?: boolean;
  /** The refusal has changed the model's card: a request for the new one may be answered. */
  readonly hasNewCard?: boolean;
}

/** Why a model can't be used, found before anyone asks it. */
export interface ModelProblem {
  /** `provider/model`. */
  readonly id: string;
  /** As its server calls it. */
  readonly model: string;
  readonly server: {
    readonly type: "demo" | "ollama" | "openai";
    /** Without a user, a password or a query; undefined: its address can't be read. */
    readonly host: string | undefined;
  };
  /** Its server doesn't have it: Ollama hasn't pulled it, or others don't know the name. */
  readonly isMissing: boolean;
  readonly failure: ModelFailure;
}

export type ModelEvent =
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly text: string }
  /**
   * All text so far was reasoning: only its closing `</think>` shows that. Chat templates of Qwen3
   * and DeepSeek R1 put the opening mark into the prompt, so the answer lacks it.
   */
  | { readonly type: "text-was-reasoning" }
  /** All text so far, as the server's finished answer has it: it was streamed in another order. */
  | { readonly type: "text-replaced"; readonly text: string }
  /** A tool call that was written as text, in the model's own notation. It is not part of the text. */
  | { readonly type: "printed-call"; readonly text: string }
  /**
   * A complete call. `arguments` is the model's own text, possibly broken JSON; `id` is empty where
   * the provider has none.
   */
  | {
      readonly type: "tool-call";
      readonly id: string;
      readonly name: string;
      readonly arguments: string;
      /** What its provider wants back with it. */
      readonly extras?: Extras;
    }
  /** Totals of this request; the last one counts. */
  | { readonly type: "usage"; readonly usage: Usage }
  | {
      readonly type: "finish";
      readonly reason: "stop" | "tool-calls" | "length" | "filtered";
      /** What its provider wants back with the answer. */
      readonly extras?: Extras;
    }
  | { readonly type: "failure"; readonly failure: ModelFailure };

/** The capabilities of a model and its provider; they determine what is sent to it. */
export interface ModelCard {
  /** `provider/model`. */
  readonly id: string;
  readonly tools: boolean;
  readonly vision: boolean;
  readonly thinking: boolean;
  /** Whether `tool_choice: none` is supported; otherwise a last call leaves out the tools. */
  readonly toolChoiceNone: boolean;
  /** Whether an answer can be had piece by piece; else it comes whole. */
  readonly streaming: boolean;
  /** Whether the provider can force a JSON object; else the model is only asked for one. */
  readonly jsonMode: boolean;
  /** Whether it turns texts into vectors. */
  readonly embeddings: boolean;
  readonly settableTemperature: boolean;
  readonly settableKeepAlive: boolean;
  /** Whether a request chooses the context window; else the server has settled it. */
  readonly settableContext: boolean;
  /** Tokens. */
  readonly contextWindow: number;
  readonly usdPerMillionTokens?: {
    readonly input: number;
    readonly output: number;
  };
}

/** Parts of a request that are left out because the model doesn't support them. */
export interface Omission {
  readonly what: "images" | "tools";
  readonly count: number;
}

/** A part of a request that a model's server has refused by name; it isn't sent again. */
interface RefusedPart {
  readonly what: string;
  /** The server's words; never hold a key. */
  readonly message: string;
}

/** Hears an answer, and what there is to know of it besides. Its functions must not throw. */
export interface ModelObserver {
  /**
   * Any number of deltas, calls and usage figures, then exactly one `finish` or one `failure`.
   * After an abort there may be neither.
   */
  readonly onEvent: (event: ModelEvent) => void;
  /** The model whose events follow; called once, just before the first that counts. */
  readonly onModel?: (card: ModelCard) => void;
  /**
   * The cost of one attempt, including failed and aborted ones; at its end, at most once per
   * attempt.
   */
  readonly onUsage?: (card: ModelCard, usage: Usage) => void;
  readonly onOmitted?: (card: ModelCard, omission: Omission) => void;
  readonly onRefused?: (card: ModelCard, part: RefusedPart) => void;
}

/** One model of one provider. */
export interface Model {
  readonly card: ModelCard;
  /**
   * Asks the server, once, for what the card presumes; fulfils when that is known or cannot be.
   * Never rejects.
   */
  learnCard?(): Promise<void>;
  /**
   * Fulfils after the last event. Never throws and never rejects: a failure is an event. A single
   * model tells its observer of events and omissions only, a chain of everything.
   */
  stream(request: ModelRequest, signal: AbortSignal, observer: ModelObserver): Promise<void>;
}

/** Only people's messages and the pictures of results have any. Pure. */
export const hasImages = (message: RequestMessage): boolean =>
  message.role === "user" && (message.images?.length ?? 0) > 0;
