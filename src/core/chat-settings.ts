import { z } from "zod";
import { chatTierNames } from "./model.ts";

/** How a message is treated that arrives while a turn runs. */
export const whileBusyModes = [
  /** It waits and gets a separate turn. */
  "followup",
  /** A message of the requester joins the running turn at its next round. */
  "steer",
  /** A message of the requester ends the running turn; its text so far is kept. */
  "interrupt",
  /** All messages that one person writes during the turn become one turn. */
  "collect",
] as const;
export type WhileBusy = (typeof whileBusyModes)[number];

/** How much of its tool calls the growing answer shows. */
export const toolDisplays = ["off", "names", "full"] as const;
export type ToolDisplay = (typeof toolDisplays)[number];

/**
 * Which messages of a group are taken: those that name the bot, answer it or command it, or all of
 * them.
 */
export const activations = ["mention", "always"] as const;
export type Activation = (typeof activations)[number];

/** How a conversation that fills a model's window is shortened. */
export const compactionStrategies = ["summarise", "agent", "truncate"] as const;
export type CompactionStrategy = (typeof compactionStrategies)[number];

const limit = z.coerce.number();
const flag = z.enum(["on", "off"]);

/**
 * The settings of one chat, set with `/settings`, `/tier` and `/model`; absent ones use the
 * operator's file. Stored as a hash of strings; the names are those that people type.
 */
export const chatSettingsSchema = z.object({
  tier: z.enum(chatTierNames).optional(),
  /** `provider/model`, asked first. */
  model: z.string().optional(),
  /** `<owner>/<name>`, see `personaRefText`. */
  persona: z.string().optional(),
  whileBusy: z.enum(whileBusyModes).optional(),
  tools: z.enum(toolDisplays).optional(),
  activation: z.enum(activations).optional(),
  thinking: flag.optional(),
  maxModelCalls: limit.optional(),
  maxToolExecutions: limit.optional(),
  /** Active milliseconds. */
  deadline: limit.optional(),
  maxTokens: limit.optional(),
  /** US dollars. */
  maxCost: limit.optional(),
  toolFailure: flag.optional(),
  confirmationDenied: flag.optional(),
  policyDenied: flag.optional(),
  /** How many repetitions count as a loop, and how many hints the model gets. */
  loopSameCall: limit.optional(),
  loopSameTool: limit.optional(),
  loopHints: limit.optional(),
  /** Names of skills that this chat doesn't use, separated by blanks; set with `/skills`. */
  skillsOff: z.string().optional(),
  /** Share of the model's window. */
  compactAt: limit.min(0.05).max(0.95).optional(),
  keepTurns: limit.min(0).optional(),
  strategy: z.enum(compactionStrategies).optional(),
  temperature: limit.min(0).max(2).optional(),
  /** Tokens. */
  maxOutputTokens: limit.min(1).optional(),
  repeatPenalty: limit.min(0).max(10).optional(),
});
export type ChatSettings = Readonly<z.infer<typeof chatSettingsSchema>>;
export type ChatSettingName = keyof ChatSettings;
