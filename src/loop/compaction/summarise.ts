import { setImmediate } from "node:timers/promises";
import type { ModelRequest, RequestMessage } from "../../core/model.ts";
import type { CountTokens } from "../../models/tokens.ts";
import { askModel, type Asking } from "./ask-model.ts";
import type { Line } from "./lines.ts";
import type { Outlook } from "./outlook.ts";
import { condensePrompt, summaryPrompt } from "./prompts.ts";
import { bothEnds, shortenLines, shortenSummary } from "./shorten.ts";
import { joined, wantedTokens, type Outline } from "./summary.ts";

/** A summary, and the model that wrote any of it. */
export interface Written {
  readonly summary: string;
  readonly model: string | undefined;
}

/** Input of one question: more than that and models begin to skip. */
const maxChunkTokens = 16_000;
/** The prompt's own words, and what a model's tokens differ from ours. */
const promptTokens = 500;
/** Of one message; beginning and end are shown of what is longer. */
const maxLineTokens = 4_000;
/** After so many questions in vain the rest is cut: a person waits. */
const maxFailures = 2;
/** A summary a little over its budget is taken as it is. */
const tolerance = 1.5;

/**
 * Has a model write the summary of an outline, part by part, each within the
 * model's own window. Parts that no model shortens are cut. Ends early with the
 * partial result when the signal aborts.
 */
export async function summarise(
  outlook: Pick<Outlook, "count" | "shorten">,
  outline: Outline,
  asking: Asking,
): Promise<Written> {
  const { count } = outlook;
  const { chain } = asking;
  const windowTokens = Math.min(
    ...chain.cards.map((card) => {
      const options = chain.optionsFor?.(card) ?? {};
      return options.contextWindow ?? card.contextWindow;
    }),
  );
  const chunkTokens = Math.max(
    promptTokens,
    Math.min(maxChunkTokens, Math.floor(windowTokens / 2) - promptTokens),
  );
  const write = writer({ asking, count, windowTokens });
  const summaries = [await earlierPart(outline, count, write)];
  const wanted = wantedTokens(outline.lines, count);
  for (const chunk of chunksOf(outline.lines, chunkTokens, count)) {
    // Also where no model is asked any more, others get on.
    await setImmediate();
    if (asking.signal.aborted) break;
    const share = wantedTokens(chunk.lines, count) / wanted;
    const budgetTokens = Math.floor(outline.linesBudgetTokens * share);
    summaries.push(
      await write({
        text: chunk.text,
        budgetTokens,
        prompt: summaryPrompt,
        cut: () => shortenLines(chunk.lines, budgetTokens, outlook),
      }),
    );
  }
  return {
    summary: joined(summaries.map(({ summary }) => summary)),
    model: summaries.findLast(({ model }) => model !== undefined)?.model,
  };
}

interface Piece {
  readonly text: string;
  readonly budgetTokens: number;
  readonly prompt: (text: string, budgetTokens: number) => RequestMessage[];
  /** What it becomes without a model. */
  readonly cut: () => string;
}

type Write = (piece: Piece) => Promise<Written>;

function writer(means: {
  readonly asking: Asking;
  readonly count: CountTokens;
  readonly windowTokens: number;
}): Write {
  const { asking, count, windowTokens } = means;
  let failures = 0;
  return async ({ text, budgetTokens, prompt, cut }) => {
    const inputTokens = count(text);
    // What has room as it is needs no model, and what has none is not worth one.
    const isWorthIt = inputTokens > budgetTokens && budgetTokens >= 20;
    if (!isWorthIt || failures >= maxFailures) return { summary: cut(), model: undefined };
    const reply = await askModel(asking, {
      messages: prompt(text, budgetTokens),
      tools: [],
      toolChoice: "none",
      options: { maxOutputTokens: outputCap(budgetTokens, windowTokens) },
    } satisfies ModelRequest);
    if (reply === undefined || count(reply.text) >= inputTokens) {
      failures += 1;
      return { summary: cut(), model: undefined };
    }
    return {
      summary: shortenSummary(reply.text, budgetTokens * tolerance, count),
      model: reply.model,
    };
  };
}

/** Room for thoughts too: a model that thinks spends its output on them first. */
const outputCap = (budgetTokens: number, windowTokens: number): number =>
  Math.min(Math.max(1_024, budgetTokens * 3), Math.floor(windowTokens / 4));

function earlierPart(
  { earlier, earlierBudgetTokens }: Outline,
  count: CountTokens,
  write: Write,
): Promise<Written> {
  return write({
    text: earlier,
    budgetTokens: earlierBudgetTokens,
    prompt: condensePrompt,
    cut: () => shortenSummary(earlier, earlierBudgetTokens, count),
  });
}

interface Chunk {
  readonly lines: readonly Line[];
  /** For the model. */
  readonly text: string;
}

/**
 * Lines together, as many as a question takes; each only when it is asked for, since all of them
 * are much to count.
 */
function* chunksOf(
  lines: readonly Line[],
  chunkTokens: number,
  count: CountTokens,
): Generator<Chunk> {
  let chunk: { lines: Line[]; texts: string[]; tokens: number } | undefined;
  for (const line of lines) {
    const text = rendered(line, Math.min(maxLineTokens, chunkTokens), count);
    const tokens = count(text) + 1;
    if (chunk !== undefined && chunk.tokens + tokens > chunkTokens) {
      yield { lines: chunk.lines, text: chunk.texts.join("\n") };
      chunk = undefined;
    }
    chunk ??= { lines: [], texts: [], tokens: 0 };
    chunk.lines.push(line);
    chunk.texts.push(text);
    chunk.tokens += tokens;
  }
  if (chunk !== undefined) yield { lines: chunk.lines, text: chunk.texts.join("\n") };
}

/** Further lines of a text are indented: none of them can pass for a message. */
const rendered = ({ who, text }: Line, maxTokens: number, count: CountTokens): string =>
  `${who}: ${bothEnds(text, maxTokens, count).replaceAll(/\r\n|[\n\r\u2028\u2029]/g, "\n  ")}`;
