import type { TelegramSettings } from "../config/settings.ts";
import type { TelegramFacts } from "../bots/telegram/examine.ts";
import type { CommandSpec } from "../core/ports.ts";
import { isLeaseHeld } from "../store/operations/leases.ts";
import type { Store } from "../store/redis/redis.ts";
import { ok, type Check, type Examined } from "./check.ts";

interface TelegramCheckOptions {
  readonly settings: TelegramSettings & { readonly enabled: true };
  readonly commands: readonly CommandSpec[];
  /** Undefined: it can't be reached. */
  readonly store: Pick<Store, "redis" | "clock"> | undefined;
}

export const telegramCheck = ({ settings, commands, store }: TelegramCheckOptions): Check => ({
  id: "telegram",
  what: "Telegram",
  withinMs: 15_000,
  async run(signal) {
    const { createTelegramExaminer } = await import("../bots/telegram/examine.ts");
    const { token, apiRoot, receiving } = settings;
    const telegram = createTelegramExaminer({ token, apiRoot, commands });
    const examined = await telegram.examine(signal);
    if (examined.type === "refused") return [refusedToken];
    if (examined.type === "unreachable") return [unreachable(apiRoot, examined.reason)];
    const { facts } = examined;
    const lease = `telegram:${token.split(":", 1)[0]}`;
    const isReceiving = store !== undefined && (await isLeaseHeld(store, lease));
    const isFree = receiving.mode === "polling" && facts.webhookUrl === "" && !isReceiving;
    const hasOtherPoller = isFree && (await telegram.hasOtherPoller(signal));
    return telegramFindings(facts, { receiving, isReceiving, hasOtherPoller }).map((found) => {
      switch (found.id) {
        case "telegram.commands":
          return found.status === "ok"
            ? found
            : {
                ...found,
                repair: {
                  did: "registered the commands",
                  run: () => telegram.registerCommands(signal),
                },
              };
        case "telegram.webhook":
          return receiving.mode === "webhook" || found.status === "ok"
            ? found
            : {
                ...found,
                repair: { did: "deleted the webhook", run: () => telegram.deleteWebhook(signal) },
              };
        default:
          return found;
      }
    });
  },
});

const refusedToken: Examined = {
  id: "telegram.token",
  status: "broken",
  what: "Telegram doesn't accept TELEGRAM_BOT_TOKEN.",
  why: "Parley can't start with it.",
  fix: "Open @BotFather, send /token, choose the bot, copy its token into .env and start Parley again.",
};

const unreachable = (apiRoot: string, reason: string): Examined => ({
  id: "telegram.token",
  status: "broken",
  what: `Telegram can't be reached at ${URL.parse(apiRoot)?.host ?? "TELEGRAM_API_ROOT"}: ${reason}`,
  why: "Nothing is received or sent.",
  fix: `Look whether this machine reaches it: curl -I ${URL.parse(apiRoot)?.origin ?? apiRoot}`,
});

/** Pure. */
export function telegramFindings(
  facts: TelegramFacts,
  state: {
    readonly receiving: (TelegramSettings & { readonly enabled: true })["receiving"];
    /** A process of this deployment polls, or keeps the webhook. */
    readonly isReceiving: boolean;
    readonly hasOtherPoller: boolean;
  },
): readonly Examined[] {
  return [
    ok("telegram.token", `Telegram knows the bot: @${facts.username}.`),
    receivingFinding(facts, state),
    facts.hasCommands
      ? ok("telegram.commands", "Telegram shows the bot's commands.")
      : {
          id: "telegram.commands",
          // They come with the first start.
          status: state.isReceiving ? "warning" : "note",
          what: "Telegram doesn't show the bot's current commands.",
          why: "People don't find them in the menu; they work all the same.",
          fix: "npm run doctor -- --fix",
        },
    facts.readsGroups
      ? ok("telegram.privacy", "In groups the bot can read every message (privacy mode is off).")
      : {
          id: "telegram.privacy",
          status: "note",
          what: "Privacy mode is on: in groups Telegram gives the bot only commands, mentions and replies to it.",
          why: "That is right unless a group has /activation always.",
          fix: "@BotFather: /setprivacy, choose the bot, Disable; then remove the bot from the group and add it again.",
        },
  ];
}

function receivingFinding(
  { webhookUrl, webhookError, waiting }: TelegramFacts,
  { receiving, isReceiving, hasOtherPoller }: Parameters<typeof telegramFindings>[1],
): Examined {
  if (hasOtherPoller)
    return {
      id: "telegram.poller",
      status: "broken",
      what: "Another program polls with this token, and no process of this deployment does.",
      why: "Telegram serves only one: messages would reach either of them by chance.",
      fix: "Stop the other program, or get this one a token of its own from @BotFather (/newbot).",
    };
  const host = URL.parse(webhookUrl)?.host ?? "";
  if (receiving.mode === "polling")
    return webhookUrl === ""
      ? ok(
          "telegram.webhook",
          isReceiving
            ? "Parley polls Telegram, and no webhook is in its way."
            : "No webhook is set, so Parley can poll Telegram when it runs.",
        )
      : {
          id: "telegram.webhook",
          status: isReceiving ? "broken" : "warning",
          what: `A webhook is set for this token (${host}), though Parley polls.`,
          why: "Telegram posts messages there, and Parley gets none while it is set.",
          fix: "npm run doctor -- --fix   (deletes the webhook; Parley's next start does, too)",
        };
  if (URL.parse(webhookUrl)?.href !== URL.parse(receiving.url)?.href)
    return {
      id: "telegram.webhook",
      status: isReceiving ? "broken" : "warning",
      what:
        webhookUrl === ""
          ? "No webhook is set, though telegram.mode is webhook."
          : `The webhook leads to ${host}, not to telegram.webhook.url.`,
      why: "Telegram's messages don't reach Parley.",
      fix: "npm start   (sets it)",
    };
  return webhookError === undefined
    ? ok("telegram.webhook", `Telegram posts to ${host}.`)
    : {
        id: "telegram.webhook",
        status: "warning",
        what: `Telegram couldn't post to ${host} (${waiting} updates wait): ${webhookError}`,
        why: "Messages wait at Telegram until it can.",
        fix: "Check that telegram.webhook.url leads to Parley's HTTP port, with a certificate that Telegram trusts.",
      };
}
