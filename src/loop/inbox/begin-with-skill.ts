import { platformModel, type MessageEntry } from "../../core/history.ts";
import { activateTool } from "../../core/skill.ts";
import { prepareCall, rulingFor } from "../tools/prepare-call.ts";
import type { TurnContext } from "../turn-context.ts";
import { activeSkills } from "../view/active-skills.ts";

/**
 * `/skill`: the turn that was just opened begins as if its model had activated the skill, in a round
 * before its first. The operator's rules decide about it as about the model's own call: where a
 * person is to be asked, the model has to make it.
 */
export async function beginWithSkill(
  { deps, session }: TurnContext,
  { skill }: MessageEntry,
): Promise<void> {
  if (skill === undefined) return;
  if (activeSkills(session.transcript, session.viewStart).has(skill)) return;
  const { turn, requester } = session.state;
  const call = {
    index: 0,
    wireId: "",
    name: activateTool,
    arguments: JSON.stringify({ name: skill }),
  };
  const prepared = prepareCall(call, deps.toolbox, rulingFor(deps.toolPolicy, session));
  if (prepared.type === "ready" && prepared.verdict.type === "confirm") return;
  const result =
    prepared.type === "failed"
      ? { text: prepared.text, failure: prepared.failure }
      : await prepared.tool.run(prepared.given, {
          chat: session.chat,
          requester,
          idempotencyKey: `${session.chat}/${turn}.0.0`,
          signal: session.signal,
        });
  session.append(
    {
      kind: "assistant",
      v: 1,
      turn,
      round: 0,
      model: platformModel,
      text: "",
      calls: [call],
    },
    {
      kind: "tool",
      v: 1,
      turn,
      round: 0,
      index: 0,
      name: activateTool,
      text: result.text,
      ...("failure" in result ? { failure: result.failure } : {}),
    },
  );
}
