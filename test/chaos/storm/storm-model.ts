import type { ModelRequest } from "../../emulators/model/model-request.ts";
import { ScriptedModel, type RecordedRequest } from "../../emulators/model/scripted-model.ts";
import type { Failure, Step } from "../../emulators/model/step.ts";
import { markIn } from "./marks.ts";
import { Random } from "./random.ts";

/** One model request as it is seen from outside. */
export interface ModelCall {
  readonly mark: string;
  /** The process that asks, by its key. */
  readonly caller: string;
  readonly atMs: number;
  endedAtMs?: number;
}

export interface ModelTrouble {
  readonly share: number;
  readonly failure: Failure;
}

/**
 * Answers `<mark> <kind> <words> <delayMs>`, from the text alone: the mark, words, "end of <mark>".
 * With tools it calls them first and quotes what they said.
 */
export class StormModel extends ScriptedModel {
  readonly calls: ModelCall[] = [];
  readonly open = new Map<number, ModelCall>();
  /** Marks whose request was made to fail. */
  readonly spoilt = new Set<string>();
  readonly #heard: (mark: string, caller: string) => void;
  readonly #trouble: { now: ModelTrouble | undefined; readonly random: Random };

  constructor(options: {
    readonly seed: number;
    /** Told of every request. */
    readonly heard: (mark: string, caller: string) => void;
  }) {
    const trouble = {
      now: undefined as ModelTrouble | undefined,
      random: new Random(options.seed + 2),
    };
    const spoilt = new Set<string>();
    super({
      keepRequests: 1,
      fallback: (request) => {
        const mark = markIn(request.lastUserText) ?? "";
        const step = stormStep(mark, request);
        const { now, random } = trouble;
        if (now === undefined || !random.chance(now.share)) return step;
        spoilt.add(mark);
        return { ...step, failure: now.failure };
      },
    });
    this.spoilt = spoilt;
    this.#heard = options.heard;
    this.#trouble = trouble;
  }

  /** From now on; undefined: none. */
  set trouble(trouble: ModelTrouble | undefined) {
    this.#trouble.now = trouble;
  }

  override receive(request: ModelRequest, headers: RecordedRequest["headers"]): RecordedRequest {
    const recorded = super.receive(request, headers);
    const mark = markIn(request.lastUserText) ?? "";
    const caller = (headers["authorization"] ?? "").toString().slice(7);
    const call: ModelCall = { mark, caller, atMs: recorded.atMs };
    this.calls.push(call);
    this.open.set(recorded.id, call);
    this.#heard(mark, caller);
    return recorded;
  }

  override end(
    request: RecordedRequest,
    state: "finished" | "failed" | "aborted" | "closed",
  ): void {
    super.end(request, state);
    const call = this.open.get(request.id);
    if (call !== undefined) call.endedAtMs = Date.now();
    this.open.delete(request.id);
  }
}

const linesOfLong = 36;
const linePadding = "and so it went on for a while ".repeat(9).trimEnd();

/**
 * How many lines a long answer has, each numbered; together they need three messages on Telegram.
 */
export const longLineCount = linesOfLong;

function stormStep(mark: string, request: ModelRequest): Step {
  const [, kind = "", words = "10", delay = "0"] =
    request.lastUserText.trim().split("\n").at(-1)?.split(" ") ?? [];
  const rounds = roundsOf(kind, mark);
  const round = rounds[request.roundsSinceUser];
  if (round !== undefined && request.mayCallTools)
    return { toolCalls: round, firstTokenDelayMs: 100 };
  if (request.lastRole === "tool") return quoted(mark, request);
  if (kind === "long") return longAnswer(mark);
  const said = `${mark} ${"word ".repeat(Number(words))}end of ${mark}`;
  return kind === "slow"
    ? {
        text: said,
        firstTokenDelayMs: 200,
        chunkDelayMs: Number(delay),
      }
    : { text: said, firstTokenDelayMs: Number(delay) * 4 };
}

const quoted = (mark: string, request: ModelRequest): Step => ({
  text: `${mark} ${request.toolResults.map(({ text }) => text.replaceAll("\n", " ")).join(" and ")} end of ${mark}`,
  firstTokenDelayMs: 150,
});

function longAnswer(mark: string): Step {
  const lines = Array.from(
    { length: linesOfLong },
    (_, index) => `${mark} line ${index + 1} ${linePadding}\n\n`,
  );
  return {
    text: [...lines, `end of ${mark}`],
    firstTokenDelayMs: 300,
    chunkDelayMs: 60,
  };
}

const roundsOf = (kind: string, mark: string) => {
  const call = (tool: string, index: number) => ({
    name: `shop_${tool}`,
    arguments: { for: `${mark}k${index}` },
  });
  switch (kind) {
    case "look":
    case "set":
    case "pay":
    case "buy":
      return [[call(kind, 0)]];
    case "pay+look":
      return [[call("pay", 0), call("look", 1)]];
    case "look>pay":
      return [[call("look", 0)], [call("pay", 1)]];
    default:
      return [];
  }
};
