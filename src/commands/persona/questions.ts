import type { AnswerButton } from "../../core/inbound.ts";
import type { DraftQuestion, PersonaDraft } from "../../core/persona-draft.ts";
import type { CommandAnswer, CommandCall } from "../command.ts";
import { maxButtons } from "../picker.ts";
import { button } from "./available.ts";
import { automatic, firstQuestions, toolGroups, toolWords } from "./answer-question.ts";
import type { DraftContext } from "./answer-question.ts";
import { extrasOf } from "./draft-persona.ts";
import { tokenOf } from "./preview.ts";

type Choices = Pick<DraftContext, "offered" | "models" | "extras">;

/**
 * An open question, with buttons where there are answers to choose from. In a group it asks for a
 * reply, since other messages don't reach the bot.
 * @param asked.lines said before it.
 * @param asked.problem said in place of it: the last answer was none.
 */
export function askQuestion(
  {
    draft,
    question,
    lines = [],
    problem,
  }: {
    readonly draft: PersonaDraft;
    readonly question: DraftQuestion;
    readonly lines?: readonly string[];
    readonly problem?: string | undefined;
  },
  { locale: { personas }, direct, address }: CommandCall,
  context: Choices,
): CommandAnswer {
  const number = draft.isComplete ? 0 : firstQuestions.findIndex((each) => each === question) + 1;
  const counted = number === 0 ? "" : `${number}/${firstQuestions.length} `;
  const choices = choicesOf(draft, question, { personas, ...context });
  const asksReply = !direct && address.platform === "telegram" && choices.length === 0;
  return {
    text: [
      ...lines,
      problem ?? `${counted}${personas.ask[question]}`,
      // As they are, to be copied.
      ...(question === "extras" ? ["", context.extras.write(extrasOf(draft))] : []),
      ...(asksReply ? [`${personas.replyToAnswer} ${personas.howToStop}`] : []),
    ].join("\n"),
    // A platform shows either.
    ...(asksReply
      ? { asksReply: true }
      : { buttons: [...choices, goTo(draft, "cancel", personas.cancel)] }),
  };
}

const goTo = (draft: PersonaDraft, action: string, label: string): AnswerButton =>
  button(label, `${action} ${tokenOf(draft)}`, action);

function choicesOf(
  draft: PersonaDraft,
  question: DraftQuestion,
  { personas, offered, models }: Choices & { readonly personas: CommandCall["locale"]["personas"] },
): readonly AnswerButton[] {
  // In a terminal the same is typed.
  const word = (label: string, value: string): AnswerButton => ({
    ...button(label, `answer ${tokenOf(draft)} ${value}`),
    typed: value,
  });
  if (question === "tools")
    return [
      word(personas.none, toolWords.none),
      word(personas.all, toolWords.all),
      ...toolGroups(offered).map(({ name, count }) => word(`${name} (${count})`, name)),
    ]
      .filter(({ data }) => Buffer.byteLength(data) <= 64)
      .slice(0, maxButtons - 1);
  if (question === "model")
    return [word(personas.auto, automatic), ...models.tiers.map((tier) => word(tier, tier))];
  return [];
}

/** What can be changed: of what is made of answers these, of what was written by hand its text. */
export const changeable = (draft: PersonaDraft): readonly DraftQuestion[] => [
  ...(draft.of === undefined ? (["name"] as const) : []),
  ...(draft.prompt === undefined
    ? (["purpose", "style"] as const)
    : (["prompt", "description"] as const)),
  "tools",
  "model",
  "extras",
];

/** Which part is to be changed. */
export const askWhatToChange = (
  draft: PersonaDraft,
  { locale: { personas } }: CommandCall,
): CommandAnswer => ({
  text: personas.whatToChange,
  buttons: [
    ...changeable(draft).map((question) =>
      goTo(draft, `change ${question}`, personas.fields[question]),
    ),
    draft.of === undefined
      ? goTo(draft, "preview", personas.back)
      : goTo(draft, "cancel", personas.cancel),
  ],
});
