import { unreachable } from "./errors.ts";
import type { ModelFailure, ModelFailureKind } from "./model.ts";

/**
 * Names why people get no answers: owners get one notice for each. A rejected key and a server that doesn't
 * answer concern all models of their provider. Undefined: it is this request's own fault. Pure.
 * @param model `provider/model`
 */
export function outageName(model: string, kind: ModelFailureKind): string | undefined {
  const provider = model.split("/", 1)[0] ?? model;
  switch (kind) {
    case "auth":
      return `key:${provider}`;
    case "no-credit":
      return `credit:${provider}`;
    case "network":
    case "timeout":
    case "overloaded":
      return `server:${provider}`;
    case "rate-limited":
      return `busy:${provider}`;
    case "invalid-request":
    case "unknown-model":
      return `model:${model}`;
    case "context-overflow":
    case "refused":
    case "moderated":
    case "broken-call":
      return undefined;
    default:
      return unreachable(kind);
  }
}

const platformPrefix = "platform:";

/** @param bot `platform:bot` */
export const platformOutageName = (bot: string): string => `${platformPrefix}${bot}`;

/** The bot, `platform:bot`, that its platform doesn't serve. Undefined: a model's outage. Pure. */
export const unservedBot = (name: string): string | undefined =>
  name.startsWith(platformPrefix) ? name.slice(platformPrefix.length) : undefined;

/** Tells owners when a bot's platform stops serving it, and when it serves it again. */
export interface PlatformWatch {
  /** Called for each attempt that fails. Never throws. */
  failed(failure: {
    /** The token is refused, the platform is out of reach, or it refuses other settings. */
    readonly kind: PlatformFailureKind;
    readonly cause: string;
    /** Another process may be served: it has the bot's lease then. */
    readonly isStandingBy?: boolean;
  }): void;
  /** Called for each attempt that succeeds, or every few seconds. Never throws. */
  served(): void;
}

export type PlatformFailureKind = Extract<ModelFailureKind, "auth" | "network" | "invalid-request">;

/** Which turn met a failure or got an answer. */
export interface TurnOfOwner {
  readonly chat: string;
  /** Its requester is an owner, in their direct chat, and reads the cause there. */
  readonly isOwners: boolean;
}

/** Tells owners when models stop answering people, and when they answer again. */
export interface ModelWatch {
  /**
   * A turn failed because of it, or another model answered. Never rejects.
   * @returns whether an owner has been told, durably.
   */
  failed(
    failed: TurnOfOwner & {
      /** `provider/model`. */
      readonly model: string;
      readonly failure: ModelFailure;
      /** Another model answered in its place. */
      readonly isReplaced: boolean;
    },
  ): Promise<boolean>;
  /** A model has answered a request that was made at this time, in milliseconds since the epoch. */
  answered(answered: TurnOfOwner & { readonly model: string; readonly askedAtMs: number }): void;
}
