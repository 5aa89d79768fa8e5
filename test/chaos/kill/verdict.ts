import type { LogEntry } from "../../../src/core/history.ts";
import { historyProblems } from "../../support/parley/history-problems.ts";
import { withoutTools } from "../../support/parley/outcomes.ts";
import type { Shown } from "../../support/parley/stage.ts";
import type { Effect } from "./ledger.ts";
import type { Line, Scenario } from "./scenario.ts";

/** All that can be seen of a conversation from outside, with everything at rest. */
export interface Scene {
  /** The bot's messages, oldest first. */
  readonly shown: readonly (Pick<Shown, "text"> & Partial<Pick<Shown, "history">>)[];
  readonly lines: readonly Line[];
  readonly history: readonly LogEntry[];
  /** What the person said to the model, oldest first. */
  readonly said: readonly string[];
  readonly effects: readonly Effect[];
  readonly tool: Scenario["tool"];
}

/** How often each promise was broken, and in words. */
export interface Verdict {
  readonly lost: number;
  readonly doubled: number;
  readonly reordered: number;
  /** Effects beyond what the tool's class allows. */
  readonly twice: number;
  /** Calls whose outcome the history calls unknown: no broken promise. */
  readonly unknown: number;
  /** Messages that say of themselves that they may be repetitions: no broken promise. */
  readonly labelled: number;
  readonly problems: readonly string[];
}

/** Telegram's; the platform offers nothing else against doubles. */
const label = "\n\n(sent again; you may see this twice)";
/**
 * What people are told when a machine is so busy that starting again takes 15 s: about the answer,
 * not the answer.
 */
const notice = /^I'm a bit busy right now\./;

/** Holds a conversation against the promises. Pure. */
export function judge(scene: Scene): Verdict {
  const { lost, doubled, reordered, labelled, problems } = judgeShown(scene);
  const { twice, unknown, problems: effectProblems } = judgeEffects(scene);
  return {
    lost,
    doubled,
    reordered,
    twice,
    unknown,
    labelled,
    problems: [
      ...problems,
      ...effectProblems,
      ...historyProblems(scene.history),
      ...judgeSaid(scene),
    ],
  };
}

interface Message {
  readonly text: string;
  /** It says so now, or said so before it was edited: a card that was decided says other things. */
  readonly isLabelled: boolean;
  /** What it has ever read, without the label. */
  readonly versions: readonly string[];
  readonly at: number;
}

/** The line that names the tools stands above the label. */
const withoutLabel = (text: string): string =>
  withoutTools(text.endsWith(label) ? text.slice(0, -label.length) : text);

const reads = ({ reads: wanted }: Line, { text }: Message): boolean =>
  typeof wanted === "string" ? text === wanted : wanted.test(text);

/**
 * Of a card that was sent again with the label and has been decided since: no one knows of the
 * first one.
 */
const isFirstCopy = (message: Message, messages: readonly Message[]): boolean =>
  messages.some(
    ({ at, isLabelled, versions }) =>
      at > message.at && isLabelled && versions.includes(message.text),
  );

function judgeShown({ shown, lines }: Scene) {
  const messages = shown.map(({ text, history = [] }, at): Message => {
    const all = [...history, text];
    return {
      text: withoutLabel(text),
      isLabelled: all.some((each) => each.endsWith(label)),
      versions: all.map(withoutLabel),
      at,
    };
  });
  const problems: string[] = [];
  let [lost, doubled, reordered] = [0, 0, 0];
  let last = -1;
  const known = new Set<Message>();
  for (const line of lines) {
    const found = messages.filter((message) => reads(line, message));
    for (const message of found) known.add(message);
    const first = found[0];
    if (first === undefined) {
      if (line.optional) continue;
      lost += 1;
      problems.push(`lost: ${short(String(line.reads))}`);
      continue;
    }
    if (found.filter(({ isLabelled }) => !isLabelled).length > 1) {
      doubled += 1;
      problems.push(`doubled: ${short(first.text)}`);
    }
    if (line.optional || line.anywhere) continue;
    if (first.at < last) {
      reordered += 1;
      problems.push(`too early: ${short(first.text)}`);
    }
    last = Math.max(last, first.at);
  }
  for (const message of messages) {
    if (known.has(message) || isDraftOf(message, messages)) continue;
    if (notice.test(message.text) || isFirstCopy(message, messages)) continue;
    doubled += 1;
    problems.push(`nobody expected: ${short(message.text)}`);
  }
  const labelled = messages.filter(({ isLabelled }) => isLabelled).length;
  return { lost, doubled, reordered, labelled, problems };
}

/**
 * The beginning of an answer whose place no one knew any more, so that the whole follows it,
 * labelled.
 */
const isDraftOf = (draft: Message, messages: readonly Message[]): boolean =>
  !draft.isLabelled && messages[draft.at + 1]?.isLabelled === true;

function judgeEffects({ tool, effects, history }: Scene) {
  const problems: string[] = [];
  const results = history.filter((entry) => entry.kind === "tool");
  const unknown = results.filter(({ failure }) => failure === "outcome-unknown").length;
  if (tool === undefined) return { twice: 0, unknown, problems };
  const done = effects.filter((effect) => effect.tool === tool.name);
  if (results.some(({ failure }) => failure === undefined) && done.length === 0)
    problems.push(`${tool.name} is said to be done, and is not`);
  const twice = isTwice(tool.effect, done) ? 1 : 0;
  if (twice > 0) problems.push(`${tool.name} twice: ${JSON.stringify(done)}`);
  return { twice, unknown, problems };
}

function isTwice(
  effect: NonNullable<Scenario["tool"]>["effect"],
  done: readonly Effect[],
): boolean {
  switch (effect) {
    case "once":
      return done.length > 1;
    case "keyed": {
      // Who comes without a key is not known again.
      const keys = new Set(done.map(({ key }, at) => key ?? at));
      return keys.size > 1 || done.some(({ key }) => key === undefined);
    }
    case "read":
      return false;
    default:
      return effect satisfies never;
  }
}

/** What the person said stands in the history once, in their order. */
function judgeSaid({ history, said }: Scene): string[] {
  const kept = history
    .filter((entry) => entry.kind === "message" && entry.schedule === undefined)
    .map((entry) => (entry.kind === "message" ? entry.text : ""));
  return JSON.stringify(kept) === JSON.stringify(said)
    ? []
    : [`the history has ${JSON.stringify(kept.map(short))}`];
}

const short = (text: string): string =>
  text.length <= 80 ? text : `${text.slice(0, 60)}… (${text.length})`;
