import { endAuto, setAuto } from "../approvals/permission-mode.ts";
import { autoAmong, buttonSpanMs, type AutoGrant } from "../core/grants.ts";
import { isAtLeast } from "../core/roles.ts";
import { chosenSpan } from "../locales/span.ts";
import { durationText, parseDuration } from "../text/durations.ts";
import { visible } from "../text/visible-text.ts";
import { typed, type CommandCall, type CommandDeps, type SettingDefaults } from "./command.ts";
import { moment } from "./moment.ts";

/** The chat's mode if it is `auto`, and for how long. */
export const autoIn = async (
  chat: CommandCall["chat"],
  { grants }: Pick<CommandDeps, "grants">,
): Promise<AutoGrant | undefined> => autoAmong(await grants.of(chat));

/** When it ends and who set it, e.g. `auto until 15:40 UTC, set by Ann`. Pure. */
export const autoText = (
  { untilMs, by }: AutoGrant,
  { locale, nowMs }: { readonly locale: CommandCall["locale"]; readonly nowMs: number },
): string => locale.permissions.auto(endOf(untilMs, nowMs), visible(by.name));

const dayMs = 86_400_000;

const endOf = (untilMs: number, nowMs: number): string =>
  untilMs - nowMs < dayMs ? moment(untilMs).slice("2026-11-20 ".length) : moment(untilMs);

/** What buttons offer: `auto` alone is the longest that is usual. Pure. */
export const offeredModes = ({ autoMs }: Pick<SettingDefaults, "autoMs">): readonly string[] => [
  "ask",
  ...["15m", "1h", "4h"]
    .filter((text) => (parseDuration(text) ?? Infinity) <= autoMs)
    .map((text) => `auto ${text}`),
];

const refused = (text: string) => ({ isAllowed: false, text });

type Setting = Pick<CommandCall, "person" | "chat" | "locale" | "eventId">;
type ModeDeps = Pick<CommandDeps, "grants" | "audit" | "access" | "now" | "defaults">;

/**
 * Sets a chat's permission mode: `ask`, `auto` or `auto <span>`.
 * @param refusal why this person may not.
 */
export async function setPermissions(
  call: Setting,
  deps: ModeDeps,
  { value, refusal }: { readonly value: string; readonly refusal: string | undefined },
): Promise<{ readonly isAllowed: boolean; readonly text: string }> {
  const { person, chat, locale, eventId } = call;
  const { settings, permissions, grants } = locale;
  const [, mode, spanText = ""] = /^(ask|default|auto)(?:\s+(.+))?$/i.exec(value) ?? [];
  const isAuto = mode?.toLowerCase() === "auto";
  const spanMs = spanText === "" ? buttonSpanMs(deps.defaults.autoMs) : parseDuration(spanText);
  if (refusal !== undefined && !isAuto) return refused(refusal);
  const isUnclear = mode === undefined || (spanText !== "" && (!isAuto || !spanMs));
  if (refusal === undefined && isUnclear)
    return refused(settings.cannotBe("permissions", typed(value), permissions.expected));
  const change = { chat, by: person, eventId };
  if (!isAuto) {
    await endAuto(deps, change);
    return { isAllowed: true, text: permissions.isAsk };
  }
  const mostMs = deps.defaults.autoMs;
  if (refusal !== undefined || spanMs === undefined || spanMs > mostMs) {
    await deps.audit.write(`${eventId}-denied`, {
      action: "attempt-denied",
      by: { id: person.id, name: person.name },
      chat,
      target: "permissions",
      details: { value: spanMs === undefined ? "auto" : `auto ${durationText(spanMs)}` },
    });
    const most = grants.atMost(chosenSpan(mostMs, locale.cards));
    return refused(refusal ?? (mostMs === 0 ? permissions.noRule : most));
  }
  const ownRole = await deps.access.roleOf(person);
  const set = await setAuto(deps, change, { ownRole, spanMs });
  if (set === undefined) return refused(permissions.full);
  const until = endOf(set.untilMs, deps.now());
  const isForAll = isAtLeast(ownRole, "admin");
  const text = [permissions.isAuto(until), ...(isForAll ? [] : [permissions.onlyYours])];
  return { isAllowed: true, text: text.join(" ") };
}
