import type { Settings } from "../config/settings.ts";
import type { ModelCard } from "../core/model.ts";
import type { Locale } from "../locales/locale.ts";
import { modelProblemText } from "../locales/model-problem.ts";
import { checkModel, type CheckedModel } from "../models/check-model.ts";
import { maxCharacters } from "../loop/tools/toolbox.ts";
import { createModels } from "../models/create-models.ts";
import { loadTokenizer } from "../models/tokens.ts";
import { ok, when, type Check, type Examined } from "./check.ts";

/** What the tools' schemas and the prompt take of each request. */
export interface Overhead {
  readonly systemPrompt: string;
  /** As JSON; empty where no worker has reported any. */
  readonly toolSchemas: readonly string[];
}

/**
 * What one request carries at most: the built-in tools, and of servers as many as are offered at
 * once, since the model searches for the others. Pure.
 * @param schemas by the tools' names.
 */
export function offeredSchemas(schemas: ReadonlyMap<string, string>): readonly string[] {
  const { builtIn = [], ofServers = [] } = Object.groupBy(schemas, ([name]) =>
    name.includes(".") ? "ofServers" : "builtIn",
  );
  const all = ofServers.map(([, schema]) => schema).join("\n");
  return [...builtIn.map(([, schema]) => schema), all.slice(0, maxCharacters)];
}

/** One check for each model, so that one that hangs doesn't hide the others. */
export function modelChecks(
  { models }: Pick<Settings, "models">,
  {
    overhead,
    limitsCost,
    brokenCalls,
  }: {
    readonly overhead: () => Promise<Overhead>;
    /** Turns that failed because of a model's tool calls lately, by `provider/model`. */
    readonly brokenCalls: () => Promise<ReadonlyMap<string, number>>;
    /** Whether any limit on cost is set. */
    readonly limitsCost: () => Promise<boolean>;
  },
): readonly Check[] {
  const { keys } = createModels(models);
  return keys.map((id) => ({
    id: `model.${id}`,
    what: (checks) => checks.model(id),
    withinMs: 15_000,
    async run(signal) {
      const checked = await checkModel(id, models, signal);
      const type = models.providers[id.split("/", 1)[0] ?? ""]?.type;
      if (type === "demo") return [demoFinding];
      return modelFindings(id, checked, {
        overheadTokens: await tokensOf(await overhead()),
        limitsCost: await limitsCost(),
        brokenCalls: (await brokenCalls()).get(id) ?? 0,
        isOwn: type === "ollama",
      });
    },
  }));
}

const demoFinding: Examined = {
  id: "model.demo/demo",
  status: "note",
  say: ({ findings }) => findings.model.demo,
};

async function tokensOf({ systemPrompt, toolSchemas }: Overhead): Promise<number> {
  const count = await loadTokenizer();
  return [systemPrompt, ...toolSchemas].reduce((sum, text) => sum + count(text), 0);
}

const priceFinding = (id: string, limitsCost: boolean): Examined => ({
  id: `model.${id}.price`,
  status: limitsCost ? "warning" : "note",
  say({ findings: { model } }) {
    const { what, why, whyLimits, fix } = model.noPrice;
    return { what: what(id), why: limitsCost ? whyLimits : why, fix };
  },
});

/** Of its window that prompt and tools may take before a conversation is short. */
const largeShare = 0.5;

interface Circumstances {
  /** Of the prompt and the tools' schemas. */
  readonly overheadTokens: number;
  /** Whether any limit on cost is set. */
  readonly limitsCost: boolean;
  /** Turns that failed because of its tool calls in the last 24 hours. */
  readonly brokenCalls: number;
  /** It runs on a machine of the operator's, as Ollama's do: that it has no price is usual. */
  readonly isOwn: boolean;
}

/** Pure. */
export function modelFindings(
  id: string,
  { card, problem }: CheckedModel,
  { overheadTokens, limitsCost, brokenCalls, isOwn }: Circumstances,
): readonly Examined[] {
  if (problem !== undefined)
    return [
      {
        id: `model.${id}`,
        status: "broken",
        say(locale) {
          const { what, fix } = modelProblemText(problem, locale);
          return { what, why: locale.findings.model.failing.why, fix };
        },
      },
    ];
  const { contextWindow } = card;
  return [
    ok(`model.${id}`, ({ model }, locale) => model.answers(id, abilities(card, locale))),
    ...when(
      card.usdPerMillionTokens === undefined && (limitsCost || !isOwn),
      priceFinding(id, limitsCost),
    ),
    ...when(!card.tools, {
      id: `model.${id}.tools`,
      status: "warning",
      say: ({ findings: { model } }) => ({ ...model.noTools, what: model.noTools.what(id) }),
    }),
    ...when(brokenCalls > 0, {
      id: `model.${id}.calls`,
      status: "warning",
      say: ({ findings: { model } }) => ({
        ...model.brokenCalls,
        what: model.brokenCalls.what(id, brokenCalls),
      }),
    }),
    ...when(overheadTokens >= contextWindow * largeShare, {
      id: `model.${id}.window`,
      status: "warning",
      say: ({ findings: { model } }) => ({
        ...model.smallWindow,
        what: model.smallWindow.what(overheadTokens, contextWindow, id),
      }),
    }),
  ];
}

function abilities(
  { tools, vision, contextWindow, usdPerMillionTokens: price }: ModelCard,
  { findings, exactMoney }: Locale,
): string {
  const { can } = findings.model;
  return [
    tools ? can.tools : can.noTools,
    vision ? can.pictures : can.noPictures,
    can.window(contextWindow),
    ...(price === undefined ? [] : [can.price(exactMoney(price.input), exactMoney(price.output))]),
  ].join(", ");
}
