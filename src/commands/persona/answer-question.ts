import { isTierName } from "../../core/choices.ts";
import { questionOf, type DraftQuestion, type PersonaDraft } from "../../core/persona-draft.ts";
import { isPersonaName, maxPersonaDescription, maxPersonaName } from "../../core/persona.ts";
import { skillToolNames } from "../../core/skill.ts";
import type { OfferedTool } from "../../core/tool.ts";
import type { Locale } from "../../locales/locale.ts";
import { isBlank } from "../../text/blank.ts";
import { lookalikes, spelledOut } from "../../text/lookalikes.ts";
import { visible } from "../../text/visible-text.ts";
import { wildcards } from "../../text/wildcards.ts";
import { typed, type CommandDeps } from "../command.ts";
import { findModel } from "../model.ts";
import { extrasOf } from "./draft-persona.ts";
import { nameIn } from "./name-from.ts";
import { readExtras, type ExtrasContext } from "./read-extras.ts";

/** UTF-16 units of a prompt that is written in a chat, so that a form can hold it. */
export const maxChatPrompt = 4_000;
/** UTF-16 units of the answers that a prompt is made of. */
const maxAnswer = 1_500;

/** Words that are typed in every language; the buttons send them. */
export const toolWords = { none: "none", all: "all" } as const;
export const automatic = "auto";

/** What the answers are checked against. */
export interface DraftContext extends ExtrasContext, Pick<CommandDeps, "models"> {
  readonly offered: readonly OfferedTool[];
}

/** The fields of a draft that an answer sets, or why it sets none. */
export type Answered = { readonly fields: Partial<PersonaDraft> } | { readonly problem: string };

/** What is asked of a new one, in this order. */
export const firstQuestions = ["purpose", "style", "tools", "model"] as const;

/** Commands' words, which would not be reached as names. */
export const reserved = new Set(
  "new edit show delete history pick default none approve cancel change form rollback me chat place everyone".split(
    " ",
  ),
);

/** The draft after an answer to its open question, or why it is no answer. Pure. */
export function answerQuestion(
  draft: PersonaDraft,
  text: string,
  context: DraftContext,
): { readonly draft: PersonaDraft } | { readonly problem: string } {
  const question = questionOf(draft);
  if (question === undefined) return { draft };
  const answered = readAnswer(question, text, { ...context, draft });
  if ("problem" in answered) return answered;
  return { draft: stepped({ ...draft, ...answered.fields }, question) };
}

/** The next question, or the preview. */
function stepped(draft: PersonaDraft, question: DraftQuestion): PersonaDraft {
  const following = firstQuestions[firstQuestions.findIndex((each) => each === question) + 1];
  const step = (draft.isComplete ? missingIn(draft) : following) ?? "preview";
  const isComplete = draft.isComplete || step === "preview";
  return { ...draft, step, isComplete, revision: draft.revision + 1 };
}

/** What a prompt can't be made without. Pure. */
export function missingIn({ prompt, purpose, style }: PersonaDraft): DraftQuestion | undefined {
  if (prompt !== undefined) return undefined;
  if (purpose === "") return "purpose";
  return style === "" ? "style" : undefined;
}

type AnswerContext = DraftContext & {
  readonly draft: Pick<PersonaDraft, "name" | "extras">;
};

/** What a text means as an answer to a question. Pure. */
export function readAnswer(
  question: DraftQuestion,
  text: string,
  context: AnswerContext,
): Answered {
  const given = text.trim().toWellFormed();
  const { personas } = context.locale;
  if (isBlank(given)) return { problem: personas.wroteNothing };
  switch (question) {
    case "purpose":
      return readPurpose(given, context);
    case "style":
      return tooLong(given, maxAnswer, personas) ?? { fields: { style: given, prompt: undefined } };
    case "prompt":
      return tooLong(given, maxChatPrompt, personas) ?? { fields: { prompt: given } };
    case "description":
      return tooLong(given, maxPersonaDescription, personas) ?? { fields: { description: given } };
    case "name":
      return readName(given, personas);
    case "tools":
      return readTools(given, context);
    case "model":
      return readModel(given, context);
    case "extras":
      return (
        tooLong(given, maxChatPrompt, personas) ??
        readExtras(given, extrasOf(context.draft), context)
      );
    default:
      return question satisfies never;
  }
}

const tooLong = (
  { length }: string,
  limit: number,
  personas: Locale["personas"],
): { readonly problem: string } | undefined =>
  length > limit ? { problem: personas.tooLong(length, limit) } : undefined;

/** Up to three words, and a colon that ends them: not `https://`, not `10:30`. */
const nameFirst =
  /^((?=.{1,40}[:：])[\p{L}\p{M}\p{N}]+(?:[ -][\p{L}\p{M}\p{N}]+){0,2})(?::\s+|：\s*)(\S[^]*)$/u;

/** `chef: plans my dinners` also says the name, where there is none yet. */
function readPurpose(given: string, { locale: { personas }, draft }: AnswerContext): Answered {
  const [, before = "", after = ""] = (draft.name === "" && nameFirst.exec(given)) || [];
  const name = nameIn(before);
  const purpose = name === "" ? given : after;
  const problem = tooLong(purpose, maxAnswer, personas) ?? nameProblem(name, personas);
  if (problem !== undefined) return problem;
  // Answers make the prompt again.
  return { fields: { purpose, prompt: undefined, ...(name === "" ? {} : { name }) } };
}

/** Any writing of a name: `My Chef` is `my-chef`. */
export function readName(given: string, personas: Locale["personas"]): Answered {
  const name = nameIn(given);
  if (name === "" || !isPersonaName(name))
    return { problem: personas.badName(typed(visible(given)), maxPersonaName) };
  return nameProblem(name, personas) ?? { fields: { name } };
}

function nameProblem(
  name: string,
  personas: Locale["personas"],
): { readonly problem: string } | undefined {
  if (reserved.has(name)) return { problem: personas.reservedName(name) };
  const [odd] = lookalikes(name);
  return odd === undefined ? undefined : { problem: personas.lookalikeName(spelledOut(odd)) };
}

const isOneOf = (given: string, ...words: readonly string[]): boolean =>
  words.some((word) => word.toLowerCase() === given.toLowerCase());

function readTools(
  given: string,
  { offered, nearest, locale: { personas, choices } }: DraftContext,
): Answered {
  if (isOneOf(given, toolWords.none, personas.none, personas.noTools))
    return { fields: { tools: [] } };
  if (isOneOf(given, toolWords.all, personas.all, personas.allTools))
    return { fields: { tools: undefined } };
  const names = [...offered.map(({ name }) => name), ...skillToolNames];
  const groups = toolGroups(offered);
  const tools: string[] = [];
  for (const word of given.split(/[\s,;，；、]+/).filter((each) => each !== "")) {
    const group = groups.find(({ name }) => name === word.toLowerCase());
    const pattern = group === undefined ? word : `${group.name}.*`;
    if (!names.some(wildcards(pattern))) {
      const near = nearest(word, [...names, ...groups.map(({ name }) => name)]);
      const hint = near === undefined ? personas.seeTools : choices.didYouMean(near);
      return { problem: `${personas.noTool(typed(visible(word)))} ${hint}` };
    }
    tools.push(pattern);
  }
  return { fields: { tools: [...new Set(tools)].slice(0, 100) } };
}

/** The servers of the tools that are offered, with how many tools each has. Pure. */
export const toolGroups = (
  offered: readonly OfferedTool[],
): readonly { readonly name: string; readonly count: number }[] =>
  Map.groupBy(
    offered.filter(({ name }) => name.includes(".")),
    ({ name }) => name.slice(0, name.indexOf(".")),
  )
    .entries()
    .map(([name, tools]) => ({ name, count: tools.length }))
    .toArray();

function readModel(
  given: string,
  { models, nearest, locale: { personas, choices } }: DraftContext,
): Answered {
  const word = given.toLowerCase();
  if (isOneOf(given, automatic, "automatic", "default", personas.automatic))
    return { fields: { tier: undefined, model: undefined } };
  if (isTierName(word)) return { fields: { tier: word, model: undefined } };
  const found = findModel(given, { models, nearest }, choices);
  return "problem" in found
    ? { problem: found.problem.join(" ") }
    : { fields: { model: found.value, tier: undefined } };
}
