import { z } from "zod";
import {
  activations,
  compactionStrategies,
  toolDisplays,
  whileBusyModes,
  type ChatSettingName,
  type ChatSettings,
} from "../core/chat-settings.ts";
import { unreachable } from "../core/errors.ts";
import { expectedValueSchema, type ExpectedValue } from "../core/expected-value.ts";
import type { TurnPolicy, TurnPolicyChanges } from "../core/turn.ts";
import type { Locale } from "../locales/locale.ts";
import { exactSpan } from "../locales/span.ts";
import type { ModelOptions } from "../core/model.ts";
import type { LimitName, LimitReaders, OptionName, SettingDefaults } from "./command.ts";

/** The settings of `/settings`; tier, model, persona and skills have commands of their own. */
export type SettingName = Exclude<ChatSettingName, "tier" | "model" | "persona" | "skillsOff">;

/** The stored value that a text means, if any. */
type Reading =
  { readonly stored: string } | { readonly expected: (words: Locale["settings"]) => string };

export interface SettingKind {
  /** Who may change it in a direct chat; in a group only admins change anything. */
  readonly isAdmins: boolean;
  /** What buttons offer: all values, or those that people often choose. */
  readonly offered: readonly string[];
  read(text: string, limits: LimitReaders): Reading;
  /** As people read it. Undefined: it is not set. */
  show(settings: ChatSettings, locale: Locale): string | undefined;
  /** The default for chats without their own setting. */
  fallback(defaults: SettingDefaults, locale: Locale): string;
}

/**
 * A limit that is off, in the store: no turn ever counts as far, and every reader takes it for a
 * number.
 */
const off = Number.MAX_SAFE_INTEGER;

/** A value as people read it. */
type Shown = (value: number, locale: Locale) => string;
const grouped: Shown = (value, { number }) => number(value);

/** As half of our readers write fractions. More digits than these could be a group of thousands. */
const decimalComma = /^(\d),(\d{1,2})$/;

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

function limit(name: LimitName, offered: readonly string[], format: Shown = grouped): SettingKind {
  const shown: Shown = (value, locale) => (value >= off ? "off" : format(value, locale));
  const valueIn = policyValue[name];
  return numeric(name, {
    offered,
    shown,
    fallback: ({ policy, tierPolicies }, locale) =>
      withTiers(shown(valueIn(policy) ?? off, locale), tierPolicies, (changes) => {
        // A tier that says nothing leaves it; one that lifts it says `Infinity`.
        const own = valueIn(changes);
        return own === undefined ? undefined : shown(own, locale);
      }),
  });
}

/** An option of the models that are asked. */
const option = (name: OptionName, offered: readonly string[]): SettingKind => {
  return numeric(name, {
    offered,
    fallback({ modelOptions }, { settings: { modelsOwn }, number }) {
      const shown = ({ [name]: value }: ModelOptions): string =>
        value === undefined ? modelsOwn : number(value);
      return withTiers(shown(modelOptions.balanced ?? {}), modelOptions, shown);
    },
  });
};

function numeric(
  name: keyof LimitReaders,
  {
    shown = grouped,
    ...kind
  }: Pick<SettingKind, "offered" | "fallback"> & { readonly shown?: Shown },
): SettingKind {
  return {
    ...kind,
    isAdmins: true,
    read(text, limits) {
      const parsed = limits[name].safeParse(text.toLowerCase().replace(decimalComma, "$1.$2"));
      if (parsed.success) return { stored: String(parsed.data === "off" ? off : parsed.data) };
      const [issue] = parsed.error.issues;
      const kind = issueSchema.parse(issue).params.expected;
      return { expected: (said) => expectedIn(said, kind) };
    },
    show: (settings, locale) =>
      settings[name] === undefined ? undefined : shown(settings[name], locale),
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
    case "decimal":
      return said.expectedDecimal(kind.min, kind.max);
    case "duration":
      return said.expectedDuration;
    case "usd":
      return said.expectedUsd;
    default:
      return unreachable(kind);
  }
}

/** A tier may have its own values; the chat's override them. */
function withTiers<Changes>(
  general: string,
  tiers: Readonly<Record<string, Changes>>,
  ofTier: (changes: Changes) => string | undefined,
): string {
  const others = Object.entries(tiers).flatMap(([tier, changes]) => {
    const own = ofTier(changes);
    return own === undefined || own === general ? [] : [`${tier}: ${own}`];
  });
  return [general, ...others].join("; ");
}

export const settingKinds: Readonly<Record<SettingName, SettingKind>> = {
  whileBusy: words("whileBusy", whileBusyModes, ({ whileBusy }) => whileBusy),
  tools: words("tools", toolDisplays, ({ tools }) => tools),
  activation: words("activation", activations, () => "mention"),
  thinking: words("thinking", ["on", "off"], ({ thinking }) => onOff(thinking)),
  maxModelCalls: limit("maxModelCalls", ["10", "20", "50"]),
  maxToolExecutions: limit("maxToolExecutions", ["20", "80", "200"]),
  deadline: limit("deadline", ["5m", "15m", "1h", "off"], (ms, { cards }) => exactSpan(ms, cards)),
  maxTokens: limit("maxTokens", ["100k", "500k", "off"]),
  maxCost: limit("maxCost", ["0.50usd", "2usd", "off"], (value, { exactMoney }) =>
    exactMoney(value),
  ),
  toolFailure: stopFlag("toolFailure"),
  confirmationDenied: stopFlag("confirmationDenied"),
  policyDenied: stopFlag("policyDenied"),
  loopSameCall: limit("loopSameCall", ["2", "3", "5"]),
  loopSameTool: limit("loopSameTool", ["3", "5", "10"]),
  loopHints: limit("loopHints", ["0", "2", "5"]),
  compactAt: numeric("compactAt", {
    offered: ["0.5", "0.7", "0.9"],
    fallback: ({ context }, { number }) => number(context.compactAt),
  }),
  keepTurns: numeric("keepTurns", {
    offered: ["3", "10", "30"],
    fallback: ({ context }, { number }) => number(context.keepTurns),
  }),
  strategy: {
    ...words("strategy", compactionStrategies, ({ context }) => context.strategy),
    isAdmins: true,
  },
  temperature: option("temperature", ["0", "0.5", "1"]),
  maxOutputTokens: option("maxOutputTokens", ["1k", "4k", "16k"]),
  repeatPenalty: option("repeatPenalty", ["1", "1.1", "1.3"]),
};

/** The permission mode is no stored value: it ends by itself. */
export type ShownName = SettingName | "permissions";

/** In the order in which they are shown. */
export const settingGroups = {
  answers: ["whileBusy", "tools", "activation", "thinking"],
  actions: ["permissions", "toolFailure", "confirmationDenied", "policyDenied"],
  limits: [
    "maxModelCalls",
    "maxToolExecutions",
    "deadline",
    "maxTokens",
    "maxCost",
    "loopSameCall",
    "loopSameTool",
    "loopHints",
  ],
  memory: ["compactAt", "keepTurns", "strategy"],
  model: ["temperature", "maxOutputTokens", "repeatPenalty"],
} as const satisfies Record<string, readonly ShownName[]>;
export type SettingGroup = keyof typeof settingGroups;

export const groupNames = Object.keys(settingGroups) as readonly SettingGroup[];
/** Of all settings. At most 25: a list of choices on Discord has no more. */
export const settingNames: readonly ShownName[] = Object.values(settingGroups).flat();
