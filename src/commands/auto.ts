import { autoText } from "../core/auto.ts";
import { isBlank } from "../core/blank.ts";
import type { Auto } from "../core/history.ts";
import { answer, typed, type Command, type CommandCall } from "./command.ts";
import { askerFields, fullText, put } from "./control.ts";

/** UTF-16 units. Every turn's message repeats the goal. */
const maxGoalLength = 2_000;
const maxTurns = 50;
const defaultTurns = 10;

type Order = Pick<Auto, "goal" | "of"> | { readonly problem: string };

/** As it was written. */
interface Given {
  readonly goal?: string;
  readonly turns?: string;
}

/** `/auto <goal> [turns]` */
export const autoCommand: Command = {
  spec: {
    name: "auto",
    description: "Work towards a goal by myself, several turns long",
    arguments: [
      {
        name: "goal",
        description: "What is to be reached; up to 2,000 characters",
        required: true,
      },
      {
        name: "turns",
        description: `How many turns at most: 1 to ${maxTurns}, ${defaultTurns} if left out`,
        required: false,
        range: { min: 1, max: maxTurns },
      },
    ],
    startsTurn: true,
  },
  role: "member",
  isPrivate: false,
  async run(call, deps) {
    const order = orderOf(call);
    if ("problem" in order) return answer(order.problem);
    const { goal, of } = order;
    const id = `${call.eventId}-auto`;
    const running = await deps.runningAuto(call.chat);
    // Delivered again: what runs may be what it has begun itself.
    if (running && !(await deps.inbox.hasSeen(call.chat, id)))
      return answer(
        `/auto is working on something already, turn ${running.step} of ${running.of}. /stop ends it.`,
      );
    const outcome = await put(deps, call, {
      kind: "message",
      v: 1,
      id,
      ...askerFields(call),
      text: autoText(goal, 1, of),
      auto: { goal, step: 1, of },
      atMs: deps.now(),
    });
    if (outcome.type === "full") return answer(fullText);
    const turns = of === 1 ? "1 turn" : `up to ${of} turns`;
    return {
      ...answer(`I work on it by myself, for ${turns}. /stop ends it.`),
      startsTurn: true,
    };
  },
};

function orderOf({ argument, options }: CommandCall): Order {
  const given: Given = options ?? parse(argument);
  const { turns } = given;
  const goal = (given.goal ?? "").trim().toWellFormed();
  if (isBlank(goal))
    return { problem: "What is the goal? Write /auto <goal> [turns]." };
  const of = turns === undefined ? defaultTurns : countOf(turns);
  if (of === undefined) {
    const hint =
      options === undefined
        ? " If the number is part of the goal, write the number of turns behind it."
        : "";
    return {
      problem: `/auto takes 1 to ${maxTurns} turns, not ${typed(turns ?? "")}.${hint}`,
    };
  }
  if (goal.length > maxGoalLength)
    return {
      problem: `The goal has ${goal.length} characters; the limit is ${maxGoalLength}.`,
    };
  return { goal, of };
}

/** Where the two cannot be told apart, a whole number at the end says how many turns. `argument` is trimmed. */
function parse(argument: string): Given {
  const last = argument.split(/\s+/).at(-1) ?? "";
  return /^-?\d+$/.test(last)
    ? { goal: argument.slice(0, -last.length), turns: last }
    : { goal: argument };
}

/** Undefined: no number of turns that may be had. */
function countOf(turns: string): number | undefined {
  const count = /^\d+$/.test(turns.trim()) ? Number(turns) : 0;
  return count >= 1 && count <= maxTurns ? count : undefined;
}
