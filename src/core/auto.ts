/** The word with which a model reports that it has reached the goal of `/auto`. */
const doneWord = "DONE";

/**
 * What the model reads as the message of one turn of `/auto`. Pure.
 *
 * @param step which turn this is, from 1.
 * @param of how many turns there may be.
 */
export function autoText(goal: string, step: number, of: number): string {
  const left = of - step;
  const then =
    left === 0
      ? `This is the last turn: finish what you can, and say what is left.`
      : `You get a new turn without being asked, at most ${left} more. Nobody answers in between.`;
  return [
    step === 1
      ? "Work on this goal by yourself, step by step:"
      : "Continue to work on this goal by yourself; do not repeat what is done:",
    goal,
    `This is turn ${step} of ${of}. Do the next step now, with tools where they help. ${then}`,
    `When the goal is reached, or cannot be reached, say so and write ${doneWord} alone on the last line. Do not write it before.`,
  ].join("\n\n");
}

/** Whether an answer ends with the word alone on its last line, apart from Markdown. Pure. */
export function isDone(text: string): boolean {
  const last = text.split("\n").findLast((line) => line.trim() !== "") ?? "";
  const bare = last.replaceAll(/[\s*_~`]+/g, "");
  return bare === doneWord || bare === `${doneWord}.`;
}
