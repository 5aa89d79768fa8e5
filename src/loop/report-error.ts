import { parseChatKey, type ChatKey } from "../core/chat.ts";
import { shortCause, type ErrorKind } from "../core/error-report.ts";
import { errorLines } from "../locales/error-lines.ts";
import type { Locale } from "../locales/locale.ts";
import { localeOf } from "./locale-of.ts";
import type { TurnContext } from "./turn-context.ts";

/**
 * Logs why a turn failed, keeps it for `/error`, and says it: an owner, if no one else reads it,
 * reads the cause and what to do as well.
 */
export function reportError(
  { deps, session }: TurnContext,
  {
    kind,
    cause,
    model,
    message,
    sentence,
    retryAfterMs,
    isOwnerTold = false,
    details = {},
  }: {
    readonly kind: ErrorKind;
    /** In English: a provider's words, or ours for the log. */
    readonly cause: string;
    /** `provider/model`; undefined: none was asked. */
    readonly model?: string | undefined;
    /** Of the log line. */
    readonly message: string;
    readonly sentence: (locale: Locale, errorId: string) => string;
    /** How long the provider wants to be left alone, if it said so. */
    readonly retryAfterMs?: number | undefined;
    /** An owner has been told of the cause. */
    readonly isOwnerTold?: boolean;
    /** More for the log line. */
    readonly details?: Readonly<Record<string, unknown>>;
  },
): { readonly errorId: string; readonly text: string } {
  const { chat, state } = session;
  const { turn } = state;
  const errorId = deps.newErrorId();
  deps.log.error({ chat, turn, errorId, kind, cause, ...details }, message);
  // Before it is cut: half a secret is not recognized.
  const short = shortCause(deps.redact(cause));
  deps.noteError({
    v: 1,
    id: errorId,
    atMs: deps.clock.wall(),
    kind,
    chat,
    turn,
    ...(model === undefined ? {} : { model }),
    cause: short,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
  const locale = localeOf(session);
  const said = sentence(locale, errorId);
  if (isOwners(session)) {
    const logFile = isConsole(chat) ? deps.logFileOnce() : undefined;
    const seeLog = logFile === undefined ? [] : [locale.errors.inLog(logFile)];
    const lines = [said, ...errorLines({ kind, cause: short }, locale, retryAfterMs), ...seeLog];
    return { errorId, text: lines.join("\n") };
  }
  const isOperators = operators.has(kind);
  const { toldOwner, tellOperator } = locale.errors;
  const next = isOwnerTold ? [toldOwner] : isOperators ? [tellOperator] : [];
  return { errorId, text: [said, ...next].join("\n") };
}

/** Only an operator can do something about these. */
const operators: ReadonlySet<ErrorKind> = new Set([
  "auth",
  "no-credit",
  "unknown-model",
  "invalid-request",
]);

/** No one but an owner reads the chat. */
export const isOwners = ({ state: { role, group = false } }: TurnContext["session"]): boolean =>
  role === "owner" && !group;

const isConsole = (chat: ChatKey): boolean => parseChatKey(chat).platform === "console";
