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
    /** More for the log line. */
    readonly details?: Readonly<Record<string, unknown>>;
  },
): { readonly errorId: string; readonly text: string } {
  const { chat, state } = session;
  const { turn, role, group = false } = state;
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
  });
  const locale = localeOf(session);
  const said = sentence(locale, errorId);
  if (role === "owner" && !group) {
    const logFile = isConsole(chat) ? deps.logFileOnce() : undefined;
    const seeLog = logFile === undefined ? [] : [locale.errors.inLog(logFile)];
    const lines = [said, ...errorLines({ kind, cause: short }, locale), ...seeLog];
    return { errorId, text: lines.join("\n") };
  }
  const isOperators = kind === "auth" || kind === "invalid-request";
  return { errorId, text: isOperators ? `${said}\n${locale.errors.tellOperator}` : said };
}

const isConsole = (chat: ChatKey): boolean => parseChatKey(chat).platform === "console";
