import type { z } from "zod";
import { accessModes } from "./environment.ts";
import { approvalsSection } from "./file-approvals.ts";
import { limitsSection } from "./file-limits.ts";
import {
  modelsSection,
  providersSection,
  tiersSection,
  transcriptionSection,
} from "./file-models.ts";
import { ruleSection, serversSection } from "./file-tools.ts";
import { turnSection } from "./file-turn.ts";
import {
  count,
  decimal,
  durationMsOrOff,
  flag,
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

const context = section({
  compactAt: decimal({ min: 0.05, max: 0.95 }).default(0.7),
  compactTo: decimal({ min: 0.01, max: 0.9 }).default(0.4),
  keepTurns: count({ min: 0, max: 1_000 }).default(10),
  protectPairs: count({ min: 0, max: 1_000 }).default(5),
  strategy: oneOf("summarise", "agent", "truncate").default("summarise"),
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
})
  .prefault({})
  .transform(({ history, traces, audit }) => ({
    /** Undefined: kept for ever. */
    historyMs: offAsUndefined(history),
    /** Undefined: no traces are kept. */
    tracesMs: offAsUndefined(traces),
    /** Undefined: kept until there are too many lines. */
    auditMs: offAsUndefined(audit),
  }));

const webhookUrl = leaf(
  "an https URL (or http on loopback), such as https://bot.example/telegram",
  (value) => {
    if (typeof value !== "string" || !URL.canParse(value)) return undefined;
    const { protocol, hostname } = new URL(value);
    const isLoopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
    return protocol === "https:" || (protocol === "http:" && isLoopback) ? { value } : undefined;
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
  turn: turnSection,
  context,
  approvals: approvalsSection,
  tools: section({ rules: listOf(ruleSection).default([]) }).prefault({}),
  mcp: section({ servers: serversSection.default({}) }).prefault({}),
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
  if (approvals.quietHours !== undefined) return;
  for (const [index, rule] of tools.rules.entries())
    if (rule.verdict === "allow" && rule.quietHours !== undefined)
      issues.addIssue({
        code: "custom",
        path: ["tools", "rules", index, "quietHours"],
        message: "expected approvals.quietHours to say when that is",
      });
});

export type FileSettings = z.output<typeof fileSchema>;
