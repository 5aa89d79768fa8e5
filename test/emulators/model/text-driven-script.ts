import { echoStep } from "./echo.ts";
import type { ModelRequest } from "./model-request.ts";
import type { ScriptedCall, Step } from "./step.ts";

/**
 * A model that does what the last line of the person's text says. Without state, so that any
 * process gives the same answer; what was done already is read from the request.
 *
 *     say X                              X, word by word
 *     slow <ms> X                        X, <ms> before each word
 *     long <n>                           exactly n characters of numbered words
 *     think R | X                        reasoning R, then X
 *     call a {…}                         the call, then its result quoted
 *     call a {…} and b {…}               both calls in one round
 *     call a {…} then b {…}              one round after the other
 *     loop a {…}                         the same call for ever
 *     fail <status>                      that HTTP status, every time
 *     cut X                              the socket destroyed in the middle of X
 *     hang                               no answer, ever
 *     anything else                      "You said: …"
 *
 * Where tools may not be called (none offered, or `tool_choice: none`) a call becomes a sentence.
 */
export function textDrivenScript(request: ModelRequest): Step {
  const line = request.lastUserText.trimEnd().split("\n").at(-1) ?? "";
  const step = commandStep(line, request) ?? commandStep(line.replace(speaker, ""), request);
  return step ?? echoStep(request);
}

/** "Ann: " before the text, as groups have it. */
const speaker = /^[^:\n]{1,64}: /;

function commandStep(line: string, request: ModelRequest): Step | undefined {
  const [, word = "", rest = ""] = /^(\w+)(?: (.*))?$/s.exec(line) ?? [];
  switch (word) {
    case "say":
      return rest === "" ? undefined : { text: rest };
    case "slow": {
      const [, delay, text] = /^(\d+) (.+)$/s.exec(rest) ?? [];
      return text === undefined
        ? undefined
        : {
            text,
            chunkDelayMs: Number(delay),
            firstTokenDelayMs: Number(delay),
          };
    }
    case "long":
      return /^\d+$/.test(rest) ? { text: numberedWords(Number(rest)) } : undefined;
    case "think": {
      const [, reasoning, text] = /^(.+?) \| (.+)$/s.exec(rest) ?? [];
      return reasoning === undefined || text === undefined ? undefined : { reasoning, text };
    }
    case "fail":
      return /^[45]\d\d$/.test(rest) ? { failure: { status: Number(rest) } } : undefined;
    case "cut":
      return rest === "" ? undefined : { text: rest, failure: "cut" };
    case "hang":
      return rest === "" ? { failure: "hang-before-headers" } : undefined;
    case "call":
    case "loop":
      return callStep(word, rest, request);
    default:
      return undefined;
  }
}

function callStep(word: "call" | "loop", rest: string, request: ModelRequest): Step | undefined {
  const rounds = readRounds(rest);
  if (rounds === undefined) return undefined;
  const round = word === "loop" ? rounds[0] : rounds[request.roundsSinceUser];
  if (round === undefined) return echoStep(request);
  if (request.mayCallTools) return { toolCalls: round };
  if (request.lastRole === "tool") return echoStep(request);
  return {
    text: `I may not call ${round.map(({ name }) => name).join(", ")} now.`,
  };
}

/**
 * Chunks of about 50 characters: "1 2 3 … ", cut at exactly `length`, the last character never a
 * space.
 */
function numberedWords(length: number): string[] {
  let text = "";
  for (let word = 1; text.length < length; word += 1) text += `${word} `;
  return (
    text
      .slice(0, length)
      .replace(/ $/, ".")
      .match(/.{1,50}/g) ?? []
  );
}

/** `a {…} and b {…} then c {…}` → [[a, b], [c]]; undefined when it does not read so. */
function readRounds(text: string): ScriptedCall[][] | undefined {
  const rounds: ScriptedCall[][] = [[]];
  let rest = text;
  for (;;) {
    const [head, name] = /^([A-Za-z0-9_-]+) ?(?=\{|$)/.exec(rest) ?? [];
    if (head === undefined || name === undefined) return undefined;
    const length = rest.length === head.length ? 0 : jsonObjectLength(rest.slice(head.length));
    if (length === undefined) return undefined;
    rounds.at(-1)?.push({
      name,
      arguments: length === 0 ? "{}" : rest.slice(head.length, head.length + length),
    });
    rest = rest.slice(head.length + length);
    if (rest.trim() === "") return rounds;
    const [joint, kind] = /^ (and|then) /.exec(rest) ?? [];
    if (joint === undefined) return undefined;
    if (kind === "then") rounds.push([]);
    rest = rest.slice(joint.length);
  }
}

/** Characters up to the brace that closes the first one; the inside need not be valid JSON. */
function jsonObjectLength(text: string): number | undefined {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:\\.|[^"\\])*"|[{}]/g)) {
    if (token === "{") depth += 1;
    if (token === "}") depth -= 1;
    if (depth === 0) return index + token.length;
  }
  return undefined;
}
