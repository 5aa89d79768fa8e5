import type { ScriptedModel } from "../../emulators/model/scripted-model.ts";
import { timeoutMs, type Shown, type TestChat } from "./stage.ts";

/** More than an answer needs before its beginning is shown. */
export const longText = (tag: string): string =>
  Array.from({ length: 30 }, (_, index) => `${tag}${index}`).join(" ");

/**
 * Asks for a long answer and stops it in its middle, once its preview has been edited: by then the
 * bot has written down which message it is. `release` lets the model go on, also with a later
 * request for the same answer.
 */
export async function stopInTheMiddle(
  model: ScriptedModel,
  chat: TestChat,
  text: string,
): Promise<{ readonly preview: Shown; readonly release: () => void }> {
  const early = model.hold(text, { at: 10 });
  const late = model.hold(text, { at: 20 });
  chat.say(`say ${text}`);
  const [first = ""] = text.split(" ");
  await early.waitUntilHeld({ timeoutMs });
  await chat.wait(first);
  early.release();
  await late.waitUntilHeld({ timeoutMs });
  const preview = await chat.wait(
    (message) => message.text.includes(first) && message.history.length > 1,
  );
  return { preview, release: () => late.release() };
}
