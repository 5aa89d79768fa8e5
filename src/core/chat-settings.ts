import { z } from "zod";
import { chatTierNames } from "./model.ts";

/** What becomes of a message that comes while a turn runs. */
export const whileBusyModes = [
  /** It waits and gets a separate turn. */
  "followup",
  /** The requester's joins the running turn at its next round. */
  "steer",
  /** The requester's ends the running turn, whose words so far are kept. */
  "interrupt",
  /** What one person wrote meanwhile becomes one turn. */
  "collect",
] as const;
export type WhileBusy = (typeof whileBusyModes)[number];

/** How much of its tools the growing answer shows. */
export const toolDisplays = ["off", "names", "full"] as const;
export type ToolDisplay = (typeof toolDisplays)[number];

/** Which messages of a group are taken: those that name the bot, answer it or command it, or all of them. */
export const activations = ["mention", "always"] as const;
export type Activation = (typeof activations)[number];

const limit = z.coerce.number();
const flag = z.enum(["on", "off"]);

/**
 * What was set for one chat with `/settings`, `/tier` and `/model`; what is absent is as the operator's file says. Stored
 * as a hash of strings; the names are those that people type.
 */
export const chatSettingsSchema = z.object({
  tier: z.enum(chatTierNames).optional(),
  /** `provider/model`, asked first. */
  model: z.string().optional(),
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
  /** How often something comes before it counts as a loop, and how many hints the model gets. */
  loopSameCall: limit.optional(),
  loopSameTool: limit.optional(),
  loopHints: limit.optional(),
});
export type ChatSettings = Readonly<z.infer<typeof chatSettingsSchema>>;
export type ChatSettingName = keyof ChatSettings;
