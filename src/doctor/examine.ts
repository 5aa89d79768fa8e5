import { allCommands } from "../commands/all-commands.ts";
import { limitRules } from "../config/limit-rules.ts";
import type { Settings } from "../config/settings.ts";
import { ownSystemPrompt } from "../roles/turn-defaults.ts";
import type { Services } from "../services.ts";
import { createOfferedTools } from "../store/approvals/offered-tools.ts";
import { listErrorReports } from "../store/operations/error-reports.ts";
import { createLimitRules } from "../store/limits/limit-rules.ts";
import { createToolSchemas } from "../store/approvals/tool-schemas.ts";
import { runChecks, usualLimitMs, type Check, type Examined } from "./check.ts";
import { deploymentChecks } from "./deployment.ts";
import { discordCheck } from "./discord.ts";
import { machineCheck, portCheck } from "./machine.ts";
import { mcpChecks } from "./mcp.ts";
import { memoryCheck } from "./memory.ts";
import { modelChecks, offeredSchemas, type Overhead } from "./models.ts";
import { pageCheck } from "./page.ts";
import { personasCheck } from "./personas.ts";
import { redisCheck } from "./redis.ts";
import { searchCheck } from "./search.ts";
import { skillsCheck } from "./skills.ts";
import { toolRulesCheck } from "./tool-rules.ts";
import { telegramCheck } from "./telegram.ts";

export interface ExamineOptions {
  readonly settings: Settings;
  /** Where `.env` is. */
  readonly workingFolder: string;
  /** Undefined: Redis can't be used, or was never started. */
  readonly services:
    Pick<Services, "settings" | "store" | "access" | "people" | "chats"> | undefined;
  /** Asks a running MCP server on its own connection; absent: each is started for the check. */
  readonly examineServer?: Services["running"]["examineServer"];
  /** Of each check, where it would take longer. Milliseconds. */
  readonly limitMs?: number;
  readonly signal: AbortSignal;
}

/**
 * Examines everything that the settings name, at the same time and within 20 s. Changes nothing:
 * it takes no lease, confirms no update and writes no key. Never rejects.
 */
export async function examine(options: ExamineOptions): Promise<readonly Examined[]> {
  const { limitMs = Infinity, signal } = options;
  const checks = checksOf(options).map((check) => ({
    ...check,
    withinMs: Math.min(check.withinMs ?? usualLimitMs, limitMs),
  }));
  return await runChecks(checks, signal);
}

function checksOf({ settings, workingFolder, services, examineServer }: ExamineOptions): Check[] {
  const { telegram, discord, role } = settings;
  const tools = async () => (services ? await createOfferedTools(services.store).read() : []);
  return [
    machineCheck(settings, workingFolder),
    portCheck(settings),
    ...pageCheck(settings),
    ...(services === undefined ? [] : [redisCheck(services.store), ...deploymentChecks(services)]),
    // A worker opens no connection to a platform, and a bot none to a model or an MCP server.
    ...(telegram.enabled && role !== "worker"
      ? [telegramCheck({ settings: telegram, commands: specs, services })]
      : []),
    ...(discord.enabled && role !== "worker" ? [discordCheck(discord)] : []),
    personasCheck(settings, async () => (await tools()).map(({ name }) => name)),
    toolRulesCheck(settings, tools),
    // Workers recall, bots serve /recall, and whichever process sweeps indexes.
    ...memoryCheck(settings, services?.store),
    ...(role === "bots"
      ? []
      : [
          ...modelChecks(settings, {
            overhead: () => overheadOf(settings, services),
            limitsCost: () => hasCostLimit(settings, services),
            brokenCalls: () => brokenCallsOf(services),
          }),
          ...searchCheck(settings),
          ...mcpChecks(settings, examineServer),
          skillsCheck(settings, services),
        ]),
  ];
}

/** Of the file, or set from chats. */
async function hasCostLimit(
  settings: Settings,
  services: ExamineOptions["services"],
): Promise<boolean> {
  if (settings.turn.maxCostUsd !== undefined) return true;
  const set = services === undefined ? [] : (await createLimitRules(services.store).read()).rules;
  return [...limitRules(settings), ...set].some(
    ({ limit: { metric, max } }) => metric === "cost" && max !== Infinity,
  );
}

/** Milliseconds. */
const latelyMs = 86_400_000;

async function brokenCallsOf(
  services: ExamineOptions["services"],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  if (services === undefined) return counts;
  const { store } = services;
  const sinceMs = store.clock.now() - latelyMs;
  for (const { kind, model, atMs } of await listErrorReports(store))
    if (kind === "broken-call" && model !== undefined && atMs >= sinceMs)
      counts.set(model, (counts.get(model) ?? 0) + 1);
  return counts;
}

const specs = allCommands.map(({ spec }) => spec);

const overheadOf = async (
  { persona }: Settings,
  services: ExamineOptions["services"],
): Promise<Overhead> => ({
  systemPrompt: persona.systemPrompt ?? ownSystemPrompt,
  toolSchemas:
    services === undefined ? [] : offeredSchemas(await createToolSchemas(services.store).readAll()),
});
