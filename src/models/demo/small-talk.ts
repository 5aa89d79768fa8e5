/** The demo's answers without tools. Pure. */
export function smallTalk(text: string): string {
  const found = answers.find(([pattern]) => pattern.test(text));
  return sum(text) ?? counted(text) ?? found?.[1] ?? unknownPlace(text) ?? echo(text);
}

const suggestions = [
  "- “What time is it in Tokyo and Paris?” runs two tools at once",
  "- “Note that the milk is out” asks for your approval first",
  "- “Remember that I drink tea” asks whether to keep that for good",
  "- “What did I say about tea?” searches what was said here, before /new, too",
  "- “Read my notes” runs a tool that needs no approval",
  "- “Count to 100” takes ten seconds, long enough to try /stop",
  "- “What is 12 * 7?”",
].join("\n");

const answers: readonly (readonly [RegExp, string])[] = [
  [
    /^\W*(?:help|what can you do|what do you do)\b|\bwhat can you do\b/i,
    `Here's what you can try:\n\n${suggestions}`,
  ],
  [
    /\b(?:who|what) are you\b|\byour name\b/i,
    "I'm the demo model that comes with Parley. I follow a few simple rules, so you can see answers stream, tools run and approvals wait without a key or a network.",
  ],
  [/\b(?:thanks?|thank you|cheers)\b/i, "You're welcome."],
  [/\b(?:bye|goodbye|see you)\b/i, "Goodbye."],
  [
    /^\W*(?:hello|hi|hey|good (?:morning|afternoon|evening)|\/start)\b/i,
    `Hello! Here's what you can try:\n\n${suggestions}`,
  ],
];

/** Two numbers and a sign; not a date. */
const operation =
  /(?<![\d.,/:-])(-?\d+(?:\.\d+)?)\s*(\+|-|−|\*|×|x|\/|÷|plus|minus|times|divided by)\s*(-?\d+(?:\.\d+)?)(?![\d.,/:-]*\d)/i;

function sum(text: string): string | undefined {
  const found = operation.exec(text);
  if (found === null) return undefined;
  const [, left = "", sign = "", right = ""] = found;
  const result = calculate(Number(left), sign.toLowerCase(), Number(right));
  return Number.isFinite(result)
    ? `${left} ${sign} ${right} = ${Number(result.toPrecision(12))}`
    : "That has no answer.";
}

function calculate(left: number, sign: string, right: number): number {
  switch (sign) {
    case "+":
    case "plus":
      return left + right;
    case "-":
    case "−":
    case "minus":
      return left - right;
    case "/":
    case "÷":
    case "divided by":
      return left / right;
    default:
      return left * right;
  }
}

function counted(text: string): string | undefined {
  const [, upTo] = /\bcount (?:up )?to (\d{1,4})\b/i.exec(text) ?? [];
  if (upTo === undefined) return undefined;
  const numbers = Array.from({ length: Number(upTo) }, (_, index) => index + 1);
  return numbers.length === 0 ? "0" : numbers.join(" ");
}

function unknownPlace(text: string): string | undefined {
  return /\btime\b/i.test(text)
    ? "I only know the time in a few dozen large cities, such as Tokyo, Paris or New York. A time zone like Europe/Berlin works too."
    : undefined;
}

function echo(text: string): string {
  const quoted = text.trim();
  const shown = quoted.length > 200 ? `${quoted.slice(0, 200).toWellFormed()}…` : quoted;
  return `You wrote: “${shown}”. I'm only a demo, so I can't answer that. Try one of these:\n\n${suggestions}`;
}
