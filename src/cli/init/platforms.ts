import { examineDiscord, inviteLink } from "../../bots/discord/examine.ts";
import { createTelegramExaminer } from "../../bots/telegram/examine.ts";
import { readEnvironment } from "../../config/environment.ts";
import type { Choice, Dialog } from "./dialog.ts";

export const platforms = ["telegram", "discord"] as const;
export type PlatformName = (typeof platforms)[number];

interface Platform {
  readonly label: string;
  readonly tokenName: "TELEGRAM_BOT_TOKEN" | "DISCORD_TOKEN";
  readonly howTo: readonly string[];
  /** The code in it is made by the first start. */
  readonly becomeOwner: string;
  /** What to do about a token that the platform doesn't accept. */
  readonly copyAgain: string;
  check(token: string, dialog: Dialog, roots: ApiRoots): Promise<Checked>;
}

interface ApiRoots {
  readonly TELEGRAM_API_ROOT: string;
  readonly DISCORD_API_ROOT: string;
}

/** `wrong` tokens are of no use; whether an `unknown` one works could not be found out. */
type Checked = "works" | "wrong" | "unknown";

/** Someone is waiting for the answer. */
const checkMs = 15_000;

const telegram: Platform = {
  label: "Telegram",
  tokenName: "TELEGRAM_BOT_TOKEN",
  howTo: [
    "1. Open https://t.me/BotFather and send /newbot.",
    "2. Choose a name and a username.",
    "3. Copy the token it gives you.",
  ],
  becomeOwner: "On Telegram: open the link that Parley prints when it starts.",
  copyAgain: "Copy it again: in @BotFather, send\n/mybots, choose your bot, and open API Token.",
  async check(token, dialog, { TELEGRAM_API_ROOT: apiRoot }) {
    const examiner = createTelegramExaminer({ token, apiRoot, commands: [] });
    const examined = await examiner.examine(AbortSignal.timeout(checkMs));
    if (examined.type !== "answered") return complain(dialog, telegram, { apiRoot, examined });
    const { username, readsGroups } = examined.facts;
    dialog.say("ok", `Telegram knows the bot as @${username}`);
    dialog.say(
      "info",
      readsGroups
        ? "Privacy mode is off: in groups, the bot receives every message."
        : `Privacy mode is on: in groups, the bot receives commands, mentions and\nreplies. To change that, send /setprivacy to @BotFather, choose\n@${username} and Disable, then add the bot to the group again.`,
    );
    return "works";
  },
};

const discord: Platform = {
  label: "Discord",
  tokenName: "DISCORD_TOKEN",
  howTo: [
    "1. Open https://discord.com/developers/applications, New Application.",
    "2. On the page Bot, press Reset Token and copy it.",
    "3. Leave the privileged intents off; Parley doesn't need them.",
  ],
  becomeOwner:
    "On Discord: send the bot the /start line that Parley prints when it starts,\nin a direct message.",
  copyAgain:
    "Reset it on the page Bot of\nhttps://discord.com/developers/applications and copy the new one.",
  async check(token, dialog, { DISCORD_API_ROOT: apiRoot }) {
    const examined = await examineDiscord({ token, apiRoot });
    if (examined.type !== "answered") return complain(dialog, discord, { apiRoot, examined });
    const { username, applicationId } = examined.facts;
    dialog.say("ok", `Discord knows the bot as ${username}`);
    dialog.say("info", `Add it to a server:\n${inviteLink(applicationId)}`);
    return "works";
  },
};

type Unanswered =
  { readonly type: "refused" } | { readonly type: "unreachable"; readonly reason: string };

function complain(
  dialog: Dialog,
  { label, copyAgain }: Platform,
  { apiRoot, examined }: { readonly apiRoot: string; readonly examined: Unanswered },
): Checked {
  const isRefused = examined.type === "refused";
  const problem = isRefused
    ? `${label} doesn't accept this token. ${copyAgain}`
    : `Can't reach ${label} at ${apiRoot} (${examined.reason}).\nCheck this machine's connection, firewall or proxy.`;
  dialog.say("fail", problem);
  return isRefused ? "wrong" : "unknown";
}

export const platformOf = { telegram, discord } as const;

export interface PlatformDeps {
  readonly dialog: Dialog;
  readonly roots: ApiRoots;
  /** A token from a file or another bot, which needs no question. */
  readonly given: string | undefined;
  /** The token that is set already. */
  readonly current: string | undefined;
  readonly skipChecks: boolean;
}

export interface Connected {
  readonly token: string;
  readonly becomeOwner: string;
}

/** Undefined: none is wanted; `failed`: it does not work, and no one can be asked. */
export async function connectPlatform(
  name: PlatformName,
  deps: PlatformDeps,
): Promise<Connected | "failed" | undefined> {
  const platform = platformOf[name];
  const { dialog, current } = deps;
  const { becomeOwner } = platform;
  let given = deps.given ?? (dialog.asks ? undefined : current);
  for (;;) {
    const token = given ?? (dialog.asks ? await askForToken(platform, deps) : undefined);
    if (token === undefined) return undefined;
    given = undefined;
    const problem = tokenProblem(platform.tokenName, token);
    if (problem !== undefined) dialog.say("fail", `${platform.label}: ${problem}`);
    const checked =
      problem === undefined ? await platform.check(token, dialog, deps.roots) : "wrong";
    if (checked === "works" || (checked === "unknown" && deps.skipChecks))
      return { token, becomeOwner };
    if (!dialog.asks) return "failed";
    if (checked === "unknown" && (await dialog.agrees("Save it without the check?")))
      return { token, becomeOwner };
  }
}

async function askForToken(
  { label, tokenName, howTo }: Platform,
  { dialog, current }: PlatformDeps,
): Promise<string | undefined> {
  const choices: Choice<"keep" | "new" | "none">[] = [
    ...(current === undefined
      ? []
      : [{ value: "keep" as const, label: `Keep the token in ${tokenName}` }]),
    { value: "new", label: "Yes", hint: "you need a bot token; this shows how to get one" },
    { value: "none", label: "Not now" },
  ];
  const answer = await dialog.choose(`Connect ${label}?`, choices);
  if (answer !== "new") return answer === "keep" ? current : undefined;
  dialog.box(`A bot on ${label}`, howTo);
  return await dialog.secret("Paste the token", (value) => tokenProblem(tokenName, value));
}

function tokenProblem(name: Platform["tokenName"], token: string): string | undefined {
  const [problem] = readEnvironment({ [name]: token }).problems;
  return problem === undefined ? undefined : `that doesn't look like a token: ${problem.expected}`;
}
