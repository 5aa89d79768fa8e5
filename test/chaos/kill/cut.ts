import { messageOf } from "../../../src/core/errors.ts";
import type { Deployment } from "./deployment.ts";
import { judge, type Verdict } from "./verdict.ts";

/** One run of a scenario that was to be cut at one step. */
export interface Cut extends Verdict {
  readonly at: number;
  /**
   * The step behind which, or before which, the process died; undefined: it had fewer steps, and
   * lived.
   */
  readonly step: string | undefined;
  readonly steps: number;
  /**
   * From the moment when a process was there again to the last answer before the person's eyes.
   * Milliseconds.
   */
  readonly recoveredMs: number;
}

/** Whether a promise was broken. */
export const isBroken = ({ problems }: Cut): boolean => problems.length > 0;

/**
 * Plays a scenario with a new person, kills the victim at its step `at`, and judges what is left.
 * @param scenario the deployment's own, or one that neither configures nor scripts anything.
 */
export async function cutAt(
  deployment: Deployment,
  at: number,
  scenario = deployment.scenario,
): Promise<Cut> {
  const { stage, model, ledger, records, victim } = deployment;
  const chat = stage.direct("Ann");
  const act = { chat, model, records, tag: `k${at}-${chat.personId.slice(-6)}` };
  const spokenBefore = stage.said.length;
  await scenario.prepare?.(act);
  await stage.connected();
  const leftBefore = await deployment.settled();
  const shownBefore = chat.shown().length;
  await victim.arm(at);
  const problems = leftBefore.map((each) => `left from before: ${each}`);
  try {
    await scenario.play(act);
  } catch (error) {
    problems.push(`it did not come to its end: ${messageOf(error).slice(0, 300)}`);
  }
  const playedAtMs = Date.now();
  problems.push(...(await deployment.settled()).map((each) => `left: ${each}`));
  await victim.rest();
  const { diedAtMs, backAtMs = Infinity, steps } = victim;
  if (diedAtMs !== undefined) {
    // It may have been at its very last step.
    await victim.ready();
    problems.push(...(await deployment.settled()).map((each) => `left: ${each}`));
  }
  const verdict = judge({
    shown: chat.shown().slice(shownBefore),
    lines: scenario.lines(act),
    history: await records.historyWith(act.tag),
    said: stage.said.slice(spokenBefore).filter((text) => !text.startsWith("/")),
    effects: ledger.effectsOf(act.tag),
    tool: scenario.tool,
  });
  problems.push(...((await scenario.left?.(act)) ?? []));
  deployment.close(chat);
  return {
    ...verdict,
    at,
    step: diedAtMs === undefined ? undefined : steps.at(-1),
    steps: steps.length,
    recoveredMs: Math.max(0, playedAtMs - backAtMs),
    problems: [...verdict.problems, ...problems, ...deployment.problems()],
  };
}
