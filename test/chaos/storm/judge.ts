import type { Effect } from "./ledger.ts";
import { markIn, placeOf } from "./marks.ts";
import { isCardOf } from "./people.ts";
import type { PlannedTap, MessageKind } from "./plan.ts";
import { longLineCount } from "./storm-model.ts";

/** A message of the bot as people see it in the end. */
export interface Seen {
  readonly text: string;
  readonly hasButtons: boolean;
  /** When it was shown as it is now, Unix time in milliseconds. */
  readonly atMs: number;
}

export interface Asked {
  readonly mark: string;
  readonly kind: MessageKind;
  readonly sentAtMs: number;
  readonly tap?: PlannedTap;
}

export interface Evidence {
  /** By chat, in the order in which they were sent. */
  readonly asked: readonly (readonly Asked[])[];
  /** By chat, in the order in which they stand there. */
  readonly seen: readonly (readonly Seen[])[];
  readonly effects: readonly Effect[];
  /** Marks whose model was made to fail. */
  readonly spoilt: ReadonlySet<string>;
}

export interface Verdict {
  readonly answered: number;
  /** Each with what was found: `mark: why`. */
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly reordered: readonly string[];
  readonly effectsTwice: readonly string[];
  /**
   * Errors without a reason that we made: no failing model, no turn that lost three workers, no
   * full inbox.
   */
  readonly wrongErrors: readonly string[];
  /** What the bot said and no one expected. */
  readonly strange: readonly string[];
  readonly errors: number;
  readonly superseded: number;
  readonly unknownOutcomes: number;
  readonly labelled: number;
  /** Growing answers that stayed behind, with the whole answer below. */
  readonly leftDrafts: number;
  readonly keptNotices: number;
  /** From the message to its whole answer. */
  readonly latenciesMs: readonly number[];
}

const label = "(sent again; you may see this twice)";
const poisoned = "I tried this three times and failed";
const full = "I'm behind with this chat and couldn't take your last message.";

type Reading =
  | { readonly type: "card"; readonly mark: string; readonly text: string }
  | { readonly type: "kept" }
  | {
      readonly type: "error";
      readonly text: string;
      readonly labelled: boolean;
    }
  | {
      readonly type: "answer" | "part";
      readonly mark: string;
      readonly labelled: boolean;
      readonly lines: readonly number[];
      readonly seen: Seen;
    }
  /** A draft whose sender died before it knew the message's id. */
  | { readonly type: "tools" }
  | { readonly type: "strange"; readonly text: string };

/** A draft of a turn that has said nothing yet: its tools, or that its model is silent. */
const onlyTools = /^(?=.)(?:⚙ [^\n…✓✗]+ […✓✗]\s*)*(?:⏳ .*|…)?$/u;

function read(seen: Seen): Reading {
  const { text } = seen;
  const labelled = text.endsWith(label);
  if (text.startsWith("Sorry, ") || text.startsWith(full)) return { type: "error", text, labelled };
  if (text.startsWith("I'm a bit busy")) return { type: "kept" };
  if (onlyTools.test(text)) return { type: "tools" };
  const mark = markIn(text);
  if (mark === undefined) return { type: "strange", text };
  if (isCardOf(text, mark)) return { type: "card", mark, text };
  const isWhole = text.includes(`end of ${mark}`);
  const lines = [...text.matchAll(/\bline (\d+) and so/g)].map(([, line]) => Number(line));
  const type = isWhole || lines.length > 0 ? "answer" : "part";
  return { type, mark, labelled, lines, seen };
}

/** What became of everything that people wrote. Pure. */
export function judge(evidence: Evidence): Verdict {
  const verdict = {
    answered: 0,
    lost: [] as string[],
    doubled: [] as string[],
    reordered: [] as string[],
    effectsTwice: [] as string[],
    wrongErrors: [] as string[],
    strange: [] as string[],
    errors: 0,
    superseded: 0,
    unknownOutcomes: 0,
    labelled: 0,
    leftDrafts: 0,
    keptNotices: 0,
    latenciesMs: [] as number[],
  };
  for (const [chat, asked] of evidence.asked.entries())
    judgeChat(verdict, asked, {
      readings: (evidence.seen[chat] ?? []).map(read),
      spoilt: evidence.spoilt,
    });
  judgeEffects(verdict, evidence);
  return verdict;
}

type Mutable<T> = {
  -readonly [Key in keyof T]: T[Key] extends readonly (infer Item)[] ? Item[] : T[Key];
};

function judgeChat(
  verdict: Mutable<Verdict>,
  asked: readonly Asked[],
  found: { readings: readonly Reading[]; spoilt: ReadonlySet<string> },
): void {
  const { readings, spoilt } = found;
  // Errors do not name their message: one stands for the first message behind the last answer that
  // has none.
  const errorsAt = new Map<number, string[]>();
  const ends = asked.map(({ mark }) => ({
    answers: readings.filter((each) => each.type === "answer" && each.mark === mark) as (Reading & {
      type: "answer";
    })[],
    parts: readings.filter((each) => each.type === "part" && each.mark === mark).length,
    isSuperseded: readings.some(
      (each) => each.type === "card" && each.mark === mark && each.text.includes("newer message"),
    ),
  }));
  let newest = -1;
  let open = 0;
  for (const each of readings) {
    switch (each.type) {
      case "answer": {
        const { index } = placeOf(each.mark);
        if (index < newest)
          verdict.reordered.push(`${each.mark}: stands below an answer to message ${newest}`);
        newest = Math.max(newest, index);
        open = Math.max(open, index + 1);
        break;
      }
      case "error": {
        if (each.labelled) {
          verdict.labelled += 1;
          break;
        }
        while (
          open < ends.length &&
          (ends[open]?.isSuperseded || (ends[open]?.answers.length ?? 0) > 0)
        )
          open += 1;
        errorsAt.set(open, [...(errorsAt.get(open) ?? []), each.text]);
        open += 1;
        break;
      }
      case "kept":
        verdict.keptNotices += 1;
        break;
      case "tools":
        verdict.leftDrafts += 1;
        break;
      case "strange":
        verdict.strange.push(`${asked[0]?.mark ?? ""}: ${JSON.stringify(each.text.slice(0, 200))}`);
        break;
      case "card":
      case "part":
        break;
      default:
        each satisfies never;
    }
  }
  for (const [index, message] of asked.entries()) {
    const end = ends[index];
    if (end === undefined) continue;
    const errors = errorsAt.get(index) ?? [];
    verdict.errors += errors.length;
    for (const text of errors)
      if (!spoilt.has(message.mark) && !text.includes(poisoned) && !text.startsWith(full))
        verdict.wrongErrors.push(`${message.mark}: ${text}`);
    judgeMessage(verdict, message, { ...end, errors: errors.length });
  }
  for (const text of errorsAt.get(asked.length) ?? [])
    verdict.doubled.push(`${asked.at(-1)?.mark ?? ""}: an error that belongs to nothing: ${text}`);
}

function judgeMessage(
  verdict: Mutable<Verdict>,
  { mark, kind, sentAtMs }: Asked,
  end: {
    readonly answers: readonly (Reading & { type: "answer" })[];
    readonly parts: number;
    readonly isSuperseded: boolean;
    readonly errors: number;
  },
): void {
  const { answers, isSuperseded, errors } = end;
  const plain = answers.filter(({ labelled }) => !labelled);
  verdict.labelled += answers.length - plain.length;
  const last = answers.at(-1);
  if (last !== undefined) {
    verdict.answered += 1;
    verdict.leftDrafts += end.parts;
    verdict.latenciesMs.push(last.seen.atMs - sentAtMs);
    if (last.seen.text.includes("outcome-unknown")) verdict.unknownOutcomes += 1;
  } else if (isSuperseded) verdict.superseded += 1;
  else if (errors === 0) verdict.lost.push(`${mark} (${kind}): nothing came of it`);
  if (last !== undefined && kind === "long") {
    const shown = new Set(answers.flatMap(({ lines }) => lines));
    const isWhole = answers.some(({ seen }) => seen.text.includes(`end of ${mark}`));
    if (shown.size !== longLineCount || !isWhole)
      verdict.lost.push(
        `${mark} (long): ${shown.size} of ${longLineCount} lines, ${isWhole ? "with" : "without"} its end`,
      );
    const unlabelled = plain.flatMap(({ lines }) => lines);
    if (new Set(unlabelled).size !== unlabelled.length)
      verdict.doubled.push(`${mark} (long): lines stand there twice`);
  }
  const finals =
    kind === "long" ? plain.filter(({ seen }) => seen.text.includes(`end of ${mark}`)) : plain;
  if (finals.length + errors > 1)
    verdict.doubled.push(
      `${mark} (${kind}): ${finals.length} answers and ${errors} errors without a label`,
    );
}

function judgeEffects(verdict: Mutable<Verdict>, { effects, asked }: Evidence): void {
  const counts = new Map<string, number>();
  for (const { tool, of } of effects)
    if (tool === "pay" || tool === "buy") counts.set(of, (counts.get(of) ?? 0) + 1);
  for (const [of, count] of counts)
    if (count > 1) verdict.effectsTwice.push(`${of}: ${count} times`);
  for (const { mark, tap } of asked.flat())
    if (tap?.decision === "Deny" && counts.has(`${mark}k0`))
      verdict.effectsTwice.push(`${mark}: ran though it was denied`);
}
