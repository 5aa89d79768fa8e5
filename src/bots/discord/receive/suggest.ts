import type { Logger } from "pino";
import { chatKey } from "../../../core/chat.ts";
import { messageOf } from "../../../core/errors.ts";
import type { Completion } from "../../../core/ports.ts";
import { sleepUnref } from "../../../util/sleep.ts";
import { arrivalOf } from "./arrival.ts";
import { commandOf, valuesOf } from "./command-given.ts";
import type { InteractionContext } from "./arrival.ts";
import { commandDataSchema } from "./payloads.ts";
import type { InteractionPayload } from "./payloads.ts";

/** The text being typed, and its argument. */
export type Typing = Parameters<Completion["complete"]>[0];

/** Discord waits for 3 s; who types on does not. */
const suggestWithinMs = 1_500;
/** Discord's limits (docs: Application Commands, Choice Structure). */
const maxSuggestions = 25;
const maxCharacters = 100;

/** Pure. Undefined: not our command. */
export function typingOf(
  interaction: InteractionPayload,
  context: Pick<InteractionContext, "botId" | "atMs" | "commands">,
): Typing | undefined {
  const data = commandDataSchema.safeParse(interaction.data).data;
  const arrival = arrivalOf(interaction, context);
  if (!data || !arrival) return undefined;
  const { spec, options, action } = commandOf(data, context.commands);
  const focused = options.find((each) => each.focused === true);
  if (!focused || !spec) return undefined;
  const { person, address, direct, guild } = arrival;
  return {
    asker: {
      person,
      address,
      ...(guild === undefined ? {} : { guild }),
      ...("threadOf" in arrival ? { threadOf: arrival.threadOf } : {}),
      direct,
      chat: chatKey(address),
    },
    command: spec.name,
    argument: focused.name,
    typed: String(focused.value ?? "").trim(),
    given: {
      ...(action === undefined ? {} : { action }),
      ...valuesOf(options.filter((each) => each !== focused)),
    },
  };
}

/** Never rejects: without an answer in time there are none. */
export async function suggestionsFor(
  { complete }: Pick<Completion, "complete">,
  typing: Typing,
  log: Logger,
): Promise<readonly string[]> {
  const over = new AbortController();
  try {
    const late = sleepUnref(suggestWithinMs, over.signal);
    const found = await Promise.race([complete(typing), late]);
    return [...new Set<string>(found)]
      .filter((each) => each !== "" && each.length <= maxCharacters)
      .slice(0, maxSuggestions);
  } catch (failure) {
    const { command } = typing;
    log.debug({ command, cause: messageOf(failure) }, "nothing was suggested");
    return [];
  } finally {
    over.abort();
  }
}
