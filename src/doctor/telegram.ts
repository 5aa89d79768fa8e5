import type { TelegramSettings } from "../config/settings.ts";
import type { TelegramFacts } from "../bots/telegram/examine.ts";
import type { CommandSpec } from "../core/ports.ts";
import type { Services } from "../services.ts";
import { isLeaseHeld } from "../store/operations/leases.ts";
import { ok, type Check, type Examined } from "./check.ts";
import { findDeafGroups, type DeafGroups } from "./deaf-groups.ts";

/** For questions about groups: the other findings must not be lost with them. Milliseconds. */
const groupsLimitMs = 3_000;

interface TelegramCheckOptions {
  readonly settings: TelegramSettings & { readonly enabled: true };
  readonly commands: readonly CommandSpec[];
  /** Undefined: Redis can't be reached. */
  readonly services: Pick<Services, "store" | "people"> | undefined;
}

export const telegramCheck = ({ settings, commands, services }: TelegramCheckOptions): Check => ({
  id: "telegram",
  what: () => "Telegram",
  withinMs: 15_000,
  async run(signal) {
    const { createTelegramExaminer } = await import("../bots/telegram/examine.ts");
    const { token, apiRoot, receiving } = settings;
    const telegram = createTelegramExaminer({ token, apiRoot, commands });
    const examined = await telegram.examine(signal);
    if (examined.type === "refused") return [refusedToken];
    if (examined.type === "unreachable") return [unreachable(apiRoot, examined.reason)];
    const { facts } = examined;
    const bot = `telegram:${token.split(":", 1)[0]}`;
    const isReceiving = services !== undefined && (await isLeaseHeld(services.store, bot));
    const isFree = receiving.mode === "polling" && facts.webhookUrl === "" && !isReceiving;
    const hasOtherPoller = isFree && (await telegram.hasOtherPoller(signal));
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(groupsLimitMs)]);
    const isPlainMember = (chatId: string) => telegram.isPlainMember(chatId, inTime);
    const deaf =
      facts.readsGroups || services === undefined
        ? { deafIn: [], uncheckedIn: [] }
        : await findDeafGroups({ ...services, isPlainMember }, bot);
    const state = { receiving, isReceiving, hasOtherPoller, ...deaf };
    return telegramFindings(facts, state).map((found) => {
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
  say: ({ findings }) => findings.telegram.refused,
};

const unreachable = (apiRoot: string, reason: string): Examined => ({
  id: "telegram.token",
  status: "broken",
  say({ findings: { telegram } }) {
    const { what, why, fix } = telegram.unreachable;
    const url = URL.parse(apiRoot);
    return {
      what: what(url?.host ?? "TELEGRAM_API_ROOT", reason),
      why,
      fix: fix(url?.origin ?? apiRoot),
    };
  },
});

/** Pure. */
export function telegramFindings(
  facts: TelegramFacts,
  state: {
    readonly receiving: (TelegramSettings & { readonly enabled: true })["receiving"];
    /** A process of this deployment polls, or keeps the webhook. */
    readonly isReceiving: boolean;
    readonly hasOtherPoller: boolean;
  } & DeafGroups,
): readonly Examined[] {
  return [
    ok("telegram.token", ({ telegram }) => telegram.knows(`@${facts.username}`)),
    receivingFinding(facts, state),
    facts.hasCommands
      ? ok("telegram.commands", ({ telegram }) => telegram.hasCommands)
      : {
          id: "telegram.commands",
          // They come with the first start.
          status: state.isReceiving ? "warning" : "note",
          say: ({ findings }) => ({
            ...findings.telegram.noCommands,
            fix: "npm run doctor -- --fix",
          }),
        },
    facts.readsGroups
      ? ok("telegram.privacy", ({ telegram }) => telegram.readsGroups)
      : privacyFinding(state),
  ];
}

/** Groups that one line names. */
const maxNamed = 5;

function privacyFinding({ deafIn, uncheckedIn }: DeafGroups): Examined {
  const id = "telegram.privacy";
  const groups = deafIn.length > 0 ? deafIn : uncheckedIn;
  if (groups.length === 0)
    return { id, status: "note", say: ({ findings }) => findings.telegram.privacy };
  const names = groups.slice(0, maxNamed).join(", ");
  const more = groups.length - maxNamed;
  return {
    id,
    status: deafIn.length > 0 ? "warning" : "note",
    say({ findings: { telegram }, choices }) {
      const { what, why } = deafIn.length > 0 ? telegram.deaf : telegram.maybeDeaf;
      const { fix } = telegram.deaf;
      return { what: what(more > 0 ? choices.andMore(names, more) : names), why, fix };
    },
  };
}

function receivingFinding(
  { webhookUrl, webhookError, waiting }: TelegramFacts,
  { receiving, isReceiving, hasOtherPoller }: Parameters<typeof telegramFindings>[1],
): Examined {
  if (hasOtherPoller)
    return {
      id: "telegram.poller",
      status: "broken",
      say: ({ findings }) => findings.telegram.otherPoller,
    };
  const id = "telegram.webhook";
  const status = isReceiving ? "broken" : "warning";
  const host = URL.parse(webhookUrl)?.host ?? "";
  if (receiving.mode === "polling")
    return webhookUrl === ""
      ? ok(id, ({ telegram }) => (isReceiving ? telegram.polls : telegram.canPoll))
      : {
          id,
          status,
          say: ({ findings: { telegram } }) => ({
            ...telegram.strayWebhook,
            what: telegram.strayWebhook.what(host),
          }),
        };
  if (URL.parse(webhookUrl)?.href !== URL.parse(receiving.url)?.href)
    return {
      id,
      status,
      say({ findings: { telegram } }) {
        const { unset, elsewhere, why, fix } = telegram.lostWebhook;
        return { what: webhookUrl === "" ? unset : elsewhere(host), why, fix };
      },
    };
  return webhookError === undefined
    ? ok(id, ({ telegram }) => telegram.posts(host))
    : {
        id,
        status: "warning",
        say: ({ findings: { telegram } }) => ({
          ...telegram.failingWebhook,
          what: telegram.failingWebhook.what(host, waiting, webhookError),
        }),
      };
}
