import type { Settings } from "../config/settings.ts";
import { localeFor } from "../locales/locale-for.ts";
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
  }: {
    readonly overhead: () => Promise<Overhead>;
    /** Whether any limit on cost is set. */
    readonly limitsCost: () => Promise<boolean>;
  },
): readonly Check[] {
  const { keys } = createModels(models);
  return keys.map((id) => ({
    id: `model.${id}`,
    what: `The model ${id}`,
    withinMs: 15_000,
    async run(signal) {
      const checked = await checkModel(id, models, signal);
      const type = models.providers[id.split("/", 1)[0] ?? ""]?.type;
      if (type === "demo") return [demoFinding];
      return modelFindings(id, checked, {
        overheadTokens: await tokensOf(await overhead()),
        limitsCost: await limitsCost(),
        isOwn: type === "ollama",
      });
    },
  }));
}

const demoFinding: Examined = {
  id: "model.demo/demo",
  status: "note",
  what: "The built-in demo answers: no model is set.",
  why: "It only repeats and counts.",
  fix: "Set OLLAMA_MODEL, or OPENAI_API_KEY and OPENAI_MODEL, in .env.",
};

async function tokensOf({ systemPrompt, toolSchemas }: Overhead): Promise<number> {
  const count = await loadTokenizer();
  return [systemPrompt, ...toolSchemas].reduce((sum, text) => sum + count(text), 0);
}

const priceFinding = (id: string, limitsCost: boolean): Examined => ({
  id: `model.${id}.price`,
  status: limitsCost ? "warning" : "note",
  what: `The price of ${id} is unknown.`,
  why: limitsCost
    ? "Limits on cost don't count what it uses, so they never stop it."
    : "What it costs is missing in /usage and on the page.",
  fix: "Set usdPerMillionTokens: { input: …, output: … } for it under models in parley.yaml; both are 0 where it costs nothing.",
});

/** Of its window that prompt and tools may take before a conversation is short. */
const largeShare = 0.5;

interface Circumstances {
  /** Of the prompt and the tools' schemas. */
  readonly overheadTokens: number;
  /** Whether any limit on cost is set. */
  readonly limitsCost: boolean;
  /** It runs on a machine of the operator's, as Ollama's do: that it has no price is usual. */
  readonly isOwn: boolean;
}

/** Pure. */
export function modelFindings(
  id: string,
  { card, problem }: CheckedModel,
  { overheadTokens, limitsCost, isOwn }: Circumstances,
): readonly Examined[] {
  if (problem !== undefined)
    return [
      {
        id: `model.${id}`,
        status: "broken",
        why: "People get an apology in place of an answer.",
        ...modelProblemText(problem, localeFor()),
      },
    ];
  const can = [
    card.tools ? "tools" : "no tools",
    card.vision ? "pictures" : "no pictures",
    `window of ${card.contextWindow.toLocaleString("en")} tokens`,
    ...(card.usdPerMillionTokens === undefined
      ? []
      : [
          `$${card.usdPerMillionTokens.input}/$${card.usdPerMillionTokens.output} per million tokens`,
        ]),
  ].join(", ");
  return [
    ok(`model.${id}`, `${id} answers: ${can}.`),
    ...when(
      card.usdPerMillionTokens === undefined && (limitsCost || !isOwn),
      priceFinding(id, limitsCost),
    ),
    ...when(!card.tools, {
      id: `model.${id}.tools`,
      status: "warning",
      what: `${id} can't use tools.`,
      why: "It can look up, calculate and remember nothing.",
      fix: "Choose a model with tools, or set tools: true for it under models in parley.yaml.",
    }),
    ...when(overheadTokens >= card.contextWindow * largeShare, {
      id: `model.${id}.window`,
      status: "warning",
      what: `Prompt and tools take about ${overheadTokens.toLocaleString("en")} of the ${card.contextWindow.toLocaleString("en")} tokens of ${id}.`,
      why: "Little is left for the conversation; it is summed up early and forgotten sooner.",
      fix: "Raise contextWindow for it under models in parley.yaml, or offer fewer tools.",
    }),
  ];
}
