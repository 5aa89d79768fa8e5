import type { z } from "zod";
import { compactionStrategies } from "../core/chat-settings.ts";
import { accessModes } from "./environment.ts";
import { approvalsSection } from "./file-approvals.ts";
import { limitsSection } from "./file-limits.ts";
import {
  memorySection,
  modelsSection,
  optionLeaves,
  providersSection,
  tiersSection,
  transcriptionSection,
} from "./file-models.ts";
import { noAutoForTwo, ruleSection, serversSection, webSearchSection } from "./file-tools.ts";
import { limitLeaves, turnSection } from "./file-turn.ts";
import {
  count,
  decimal,
  durationMsOrOff,
  flag,
  isLoopback,
  leaf,
  listOf,
  offAsUndefined,
  oneOf,
  person,
  personOrPlace,
  port,
  section,
  text,
} from "./leaves.ts";

const compactAt = decimal({ min: 0.05, max: 0.95 });
const keepTurns = count({ min: 0, max: 1_000 });

/** What chats may set of their own, each as it is read wherever people write it. */
export const chatLeaves = {
  ...limitLeaves,
  compactAt,
  keepTurns,
  ...optionLeaves,
};

const context = section({
  compactAt: compactAt.default(0.7),
  compactTo: decimal({ min: 0.01, max: 0.9 }).default(0.4),
  keepTurns: keepTurns.default(10),
  protectPairs: count({ min: 0, max: 1_000 }).default(5),
  strategy: oneOf(...compactionStrategies).default("summarise"),
})
  .prefault({})
  .superRefine(({ compactAt, compactTo }, issues) => {
    if (compactTo < compactAt) return;
    issues.addIssue({
      code: "custom",
      path: ["compactTo"],
      message: `expected less than compactAt (${compactAt})`,
    });
  });

const retention = section({
  history: durationMsOrOff.default(90 * 86_400_000),
  traces: durationMsOrOff.default(7 * 86_400_000),
  audit: durationMsOrOff.default(365 * 86_400_000),
  memory: durationMsOrOff.optional(),
})
  .prefault({})
  .transform(({ history, traces, audit, memory }) => ({
    /** Undefined: kept for ever. */
    historyMs: offAsUndefined(history),
    /** Undefined: no traces are kept. */
    tracesMs: offAsUndefined(traces),
    /** Undefined: kept until there are too many lines. */
    auditMs: offAsUndefined(audit),
    /** Of facts and summaries: a year, if nothing is set. Undefined: kept for ever. */
    memoryMs: offAsUndefined(memory ?? 365 * 86_400_000),
    /** Of what is recalled. Undefined: as long as the history, which is no longer. */
    windowsMs:
      typeof memory === "number" && (history === "off" || memory < history) ? memory : undefined,
  }));

const webhookUrl = leaf(
  "an https URL (or http on loopback), such as https://bot.example/telegram",
  (value) => {
    if (typeof value !== "string" || !URL.canParse(value)) return undefined;
    const { protocol, hostname } = new URL(value);
    const isPrivate = protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
    return isPrivate ? { value } : undefined;
  },
);

const webhookSecret = leaf("1 to 256 letters, digits, _ and - (Telegram's rule)", (value) =>
  typeof value === "string" && /^[A-Za-z0-9_-]{1,256}$/.test(value) ? { value } : undefined,
);

/** `parley.yaml` after interpolation. Every key is optional; an unknown one is refused. */
export const fileSchema = section({
  providers: providersSection.default({}),
  models: modelsSection.default({}),
  tiers: tiersSection.optional(),
  transcription: transcriptionSection,
  persona: section({ systemPrompt: text.optional() }).prefault({}),
  personas: section({ folder: text.default("./personas"), default: text.optional() }).prefault({}),
  turn: turnSection,
  context,
  memory: memorySection,
  approvals: approvalsSection,
  tools: section({ rules: listOf(ruleSection).default([]) }).prefault({}),
  webSearch: webSearchSection,
  mcp: section({ servers: serversSection.default({}) }).prefault({}),
  skills: section({ folders: listOf(text).default(["skills", ".agents/skills"]) }).prefault({}),
  limits: limitsSection,
  access: section({
    mode: oneOf(...accessModes).optional(),
    admins: listOf(person).default([]),
    allow: listOf(personOrPlace).default([]),
    ban: listOf(personOrPlace).default([]),
    trustGroupAdmins: flag.default(false),
  }).prefault({}),
  telegram: section({
    mode: oneOf("polling", "webhook").default("polling"),
    webhook: section({
      url: webhookUrl.optional(),
      secret: webhookSecret.optional(),
    }).prefault({}),
    requestsPerSecond: count({ min: 2, max: 1_000 }).optional(),
    nativeDrafts: flag.default(false),
    richMessages: flag.default(false),
  }).prefault({}),
  discord: section({
    messageContent: flag.default(false),
    autoThread: flag.default(false),
    userInstall: flag.default(false),
    presence: leaf<string>("1 to 128 characters", (value) =>
      typeof value === "string" && /^[^\n]{1,128}$/.test(value.trim())
        ? { value: value.trim() }
        : undefined,
    ).optional(),
    requestsPerSecond: count({ min: 2, max: 1_000 }).optional(),
    shards: leaf<number | "auto">("auto or a whole number from 1", (value) => {
      if (value === "auto") return { value };
      const parsed = count({ min: 1, max: 10_000 }).safeParse(value);
      return parsed.success ? { value: parsed.data } : undefined;
    }).default("auto"),
  }).prefault({}),
  http: section({ host: text.optional(), port: port.optional() }).prefault({}),
  retention,
}).superRefine(({ approvals, tools }, issues) => {
  for (const [index, rule] of tools.rules.entries()) {
    if (rule.verdict !== "allow") continue;
    const complain = (key: string, message: string): void =>
      issues.addIssue({ code: "custom", path: ["tools", "rules", index, key], message });
    if (rule.quietHours !== undefined && approvals.quietHours === undefined)
      complain("quietHours", "expected approvals.quietHours to say when that is");
    // Who approves is not the rule's own: those of `approvals`.
    if (rule.autoMs !== undefined && rule.approvers === undefined && approvals.persons === 2)
      complain("auto", noAutoForTwo);
  }
});

export type FileSettings = z.output<typeof fileSchema>;
