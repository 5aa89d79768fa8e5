import { autoText } from "../core/auto.ts";
import { isBlank } from "../text/blank.ts";
import type { Auto } from "../core/history.ts";
import { answer, typed, type Command, type CommandCall } from "./command.ts";
import { startTurn } from "./control.ts";
import { described, optional, required } from "./menu.ts";

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
    ...described("auto", ({ auto }) => auto.description),
    arguments: [
      required("goal", ({ auto }) => auto.goal),
      optional("turns", ({ auto }) => auto.turns(maxTurns, defaultTurns), {
        range: { min: 1, max: maxTurns },
      }),
    ],
    startsTurn: true,
    isInOrder: true,
  },
  role: "member",
  isPrivate: false,
  async run(call, deps) {
    const { auto } = call.locale;
    const order = orderOf(call);
    if ("problem" in order) return answer(order.problem);
    const { goal, of } = order;
    const id = `${call.eventId}-auto`;
    const running = await deps.runningAuto(call.chat);
    // A repeated delivery: it may have started the running turn itself.
    if (running && !(await deps.inbox.hasSeen(call.chat, id)))
      return answer(auto.running(running.step, running.of));
    return await startTurn(call, deps, {
      id,
      text: autoText(goal, 1, of),
      auto: { goal, step: 1, of },
      begun: auto.begun(of),
    });
  },
};

function orderOf({ argument, options, locale }: CommandCall): Order {
  const { noGoal, badTurns, numberHint, goalTooLong } = locale.auto;
  const given: Given = options ?? parse(argument);
  const { turns } = given;
  const goal = (given.goal ?? "").trim().toWellFormed();
  if (isBlank(goal)) return { problem: noGoal };
  const of = turns === undefined ? defaultTurns : countOf(turns);
  if (of === undefined) {
    const hint = options === undefined ? [numberHint] : [];
    const problem = badTurns(maxTurns, typed(turns ?? ""));
    return { problem: [problem, ...hint].join(" ") };
  }
  if (goal.length > maxGoalLength) return { problem: goalTooLong(goal.length, maxGoalLength) };
  return { goal, of };
}

/**
 * Without separate options, a whole number at the end is the number of turns. `argument` is
 * trimmed.
 */
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
