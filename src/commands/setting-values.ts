import { z } from "zod";
import {
  activations,
  toolDisplays,
  whileBusyModes,
  type ChatSettingName,
  type ChatSettings,
} from "../core/chat-settings.ts";
import { unreachable } from "../core/errors.ts";
import { expectedValueSchema, type ExpectedValue } from "../core/expected-value.ts";
import type { TurnPolicy, TurnPolicyChanges } from "../core/turn.ts";
import type { Locale } from "../locales/locale.ts";
import { duration, usd } from "./amounts.ts";
import type { LimitName, LimitReaders, SettingDefaults } from "./command.ts";

/** The settings of `/settings`; tier and model have commands of their own. */
export type SettingName = Exclude<ChatSettingName, "tier" | "model">;

/** The stored value that a text means, if any. */
type Reading =
  { readonly stored: string } | { readonly expected: (words: Locale["settings"]) => string };

export interface SettingKind {
  /** Who may change it in a direct chat; in a group only admins change anything. */
  readonly isAdmins: boolean;
  /** What buttons offer: all values, or those that people often choose. */
  readonly offered: readonly string[];
  read(text: string, limits: LimitReaders): Reading;
  /** As people type it. Undefined: it is not set. */
  show(settings: ChatSettings): string | undefined;
  /** The default for chats without their own setting. */
  fallback(defaults: SettingDefaults): string;
}

/**
 * A limit that is off, in the store: no turn ever counts as far, and every reader takes it for a
 * number.
 */
const off = Number.MAX_SAFE_INTEGER;

function words(
  name: SettingName,
  choices: readonly string[],
  fallback: SettingKind["fallback"],
): SettingKind {
  return {
    isAdmins: false,
    offered: choices,
    read(text) {
      const word = choices.find((each) => each === text.toLowerCase());
      return word === undefined
        ? { expected: (said) => said.expectedWords(choices.join(", ")) }
        : { stored: word };
    },
    show: (settings) => settings[name]?.toString(),
    fallback,
  };
}

const onOff = (isOn: boolean): string => (isOn ? "on" : "off");

/** One of the things at which a turn may stop. */
function stopFlag(name: keyof TurnPolicy["stopOn"]): SettingKind {
  const flag = words(name, ["on", "off"], ({ policy, tierPolicies }) =>
    withTiers(onOff(policy.stopOn[name]), tierPolicies, ({ stopOn }) => {
      const own = stopOn?.[name];
      return own === undefined ? undefined : onOff(own);
    }),
  );
  return { ...flag, isAdmins: true };
}

/** Where a limit is in a deployment's or a tier's policy. */
const policyValue: Readonly<Record<LimitName, (policy: TurnPolicyChanges) => number | undefined>> =
  {
    maxModelCalls: ({ maxModelCalls }) => maxModelCalls,
    maxToolExecutions: ({ maxToolExecutions }) => maxToolExecutions,
    deadline: ({ deadlineMs }) => deadlineMs,
    maxTokens: ({ maxTokens }) => maxTokens,
    maxCost: ({ maxCostUsd }) => maxCostUsd,
    loopSameCall: ({ loop }) => loop?.sameCall,
    loopSameTool: ({ loop }) => loop?.sameTool,
    loopHints: ({ loop }) => loop?.hints,
  };

function limit(
  name: LimitName,
  offered: readonly string[],
  format: (value: number) => string = String,
): SettingKind {
  const shown = (value: number | undefined): string =>
    value === undefined || value >= off ? "off" : format(value);
  const valueIn = policyValue[name];
  return {
    isAdmins: true,
    offered,
    read(text, limits) {
      const parsed = limits[name].safeParse(text.toLowerCase());
      if (parsed.success) return { stored: String(parsed.data === "off" ? off : parsed.data) };
      const [issue] = parsed.error.issues;
      const kind = issueSchema.parse(issue).params.expected;
      return { expected: (said) => expectedIn(said, kind) };
    },
    show: (settings) => (settings[name] === undefined ? undefined : shown(settings[name])),
    fallback: ({ policy, tierPolicies }) =>
      withTiers(shown(valueIn(policy)), tierPolicies, (changes) => {
        // A tier that says nothing leaves it; one that lifts it says `Infinity`.
        const own = valueIn(changes);
        return own === undefined ? undefined : shown(own);
      }),
  };
}

/**
 * The operator's file follows the same rules, whose messages are English; the
 * expectation is attached.
 */
const issueSchema = z.object({
  params: z.object({ expected: expectedValueSchema }),
});

function expectedIn(said: Locale["settings"], kind: ExpectedValue): string {
  const expected = sentenceOf(said, kind);
  return kind.orOff ? said.orOff(expected) : expected;
}

function sentenceOf(said: Locale["settings"], kind: ExpectedValue): string {
  switch (kind.type) {
    case "count":
      return said.expectedCount(kind.min, kind.max);
    case "duration":
      return said.expectedDuration;
    case "usd":
      return said.expectedUsd;
    default:
      return unreachable(kind);
  }
}

/** A tier may have its own limits; the chat's override them. */
function withTiers(
  general: string,
  tierPolicies: SettingDefaults["tierPolicies"],
  ofTier: (changes: TurnPolicyChanges) => string | undefined,
): string {
  const others = Object.entries(tierPolicies).flatMap(([tier, changes]) => {
    const own = ofTier(changes);
    return own === undefined || own === general ? [] : [`${tier}: ${own}`];
  });
  return [general, ...others].join("; ");
}

/** In the order in which they are shown. */
export const settingKinds: Readonly<Record<SettingName, SettingKind>> = {
  whileBusy: words("whileBusy", whileBusyModes, ({ whileBusy }) => whileBusy),
  tools: words("tools", toolDisplays, ({ tools }) => tools),
  activation: words("activation", activations, () => "mention"),
  thinking: words("thinking", ["on", "off"], ({ thinking }) => onOff(thinking)),
  maxModelCalls: limit("maxModelCalls", ["10", "20", "50"]),
  maxToolExecutions: limit("maxToolExecutions", ["20", "80", "200"]),
  deadline: limit("deadline", ["5m", "15m", "1h", "off"], duration),
  maxTokens: limit("maxTokens", ["100k", "500k", "off"]),
  maxCost: limit("maxCost", ["0.50usd", "2usd", "off"], usd),
  toolFailure: stopFlag("toolFailure"),
  confirmationDenied: stopFlag("confirmationDenied"),
  policyDenied: stopFlag("policyDenied"),
  loopSameCall: limit("loopSameCall", ["2", "3", "5"]),
  loopSameTool: limit("loopSameTool", ["3", "5", "10"]),
  loopHints: limit("loopHints", ["0", "2", "5"]),
};

export const settingNames = Object.keys(settingKinds) as readonly SettingName[];
