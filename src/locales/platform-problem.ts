import type { platformNames } from "../core/chat.ts";
import type { ModelFailureKind } from "../core/model.ts";
import type { Locale } from "./locale.ts";

/** Why a platform doesn't serve a bot, and what its owner can do about it. Pure. */
export function platformProblemLines(
  {
    platform,
    kind,
    cause,
    apiRoot = "https://api.telegram.org",
  }: {
    readonly platform: keyof typeof platformNames;
    readonly kind: ModelFailureKind;
    /** Absent: it isn't known here. */
    readonly cause?: string;
    /** Telegram's address, where it isn't the usual one. */
    readonly apiRoot: string | undefined;
  },
  { findings }: Pick<Locale, "findings">,
): readonly string[] {
  const said = cause?.slice(0, maxCauseLength);
  if (kind === "auth") {
    const { what, fix } = findings[platform].refused;
    return [what, fix];
  }
  // Another refusal says itself what to change.
  if (kind !== "network") return said === undefined ? [] : [said];
  if (platform === "discord") {
    const { what, fix } = findings.discord.unreachable;
    return said === undefined ? [fix] : [what(said), fix];
  }
  const { what, fix } = findings.telegram.unreachable;
  const { host, origin } = new URL(apiRoot);
  return said === undefined ? [fix(origin)] : [what(host, said), fix(origin)];
}

/** UTF-16 units. */
const maxCauseLength = 300;
