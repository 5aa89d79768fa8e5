import type { EndReason } from "../../core/history.ts";
import type { Call, Observation } from "../../core/turn.ts";
import type { LoopDeps } from "../deps.ts";
import { closeRound } from "../session/finish.ts";
import { effective } from "../model/effective-settings.ts";
import { detectLoop, observe } from "../machine/loop-detection/detect.ts";
import { steer } from "../inbox/while-busy.ts";
import type { TurnContext } from "../turn-context.ts";

/**
 * Every call of the round is terminal: its results go into the history, are compared with the
 * turn's earlier ones, and, if the chat is set so, the requester's newer messages join the turn.
 * @throws TurnLeft
 */
export async function endRound(
  context: TurnContext,
  closing: EndReason | undefined,
): Promise<void> {
  const { deps, session } = context;
  const { calls, loop } = session.state;
  const { policy } = effective(context);
  const results = closeRound(context);
  const observations = calls.map((call, index) => observed(deps, call, results[index]?.text ?? ""));
  session.record({
    type: "round-closed",
    ...(closing === undefined ? {} : { closing }),
    loop: detectLoop(loop, observations, {
      policy: policy.loop,
      toolOf: (name) => deps.toolbox.find(name),
    }),
  });
  if (closing === undefined) await steer(context);
}

const observed = ({ toolbox }: LoopDeps, call: Call, resultText: string): Observation =>
  observe({
    wireName: call.name,
    arguments: call.arguments,
    resultText,
    failed: call.failure !== undefined,
    tool: toolbox.find(call.name),
  });
