import { isSample, samples } from "../commands/samples.ts";
import { unreachable } from "../core/errors.ts";
import type { Acceptance, InboundTap } from "../core/inbound.ts";
import { acceptCommand } from "./command.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";
import { acceptMessage } from "./message.ts";

/**
 * A tap below `/start`: the same as if the person had typed what the button says. It has the tap's id, so that a tap that
 * is delivered again is asked once. Undefined: no such button.
 */
export async function acceptSample(
  deps: AcceptDeps,
  { inbound: tap, ...known }: Arrived<InboundTap>,
): Promise<Acceptance | undefined> {
  if (!isSample(tap.data)) return undefined;
  const sample = samples[tap.data];
  const { id, address, person, direct, atMs, messageId } = tap;
  const arrival = {
    id,
    address,
    person,
    direct,
    atMs,
    ...(messageId === undefined ? {} : { messageId }),
  };
  switch (sample.type) {
    case "question":
      return await acceptMessage(deps, {
        ...known,
        inbound: {
          ...arrival,
          type: "message",
          text: sample.textIn(known.locale),
        },
      });
    case "command": {
      const { name } = sample;
      const acceptance = await acceptCommand(deps, {
        ...known,
        inbound: {
          ...arrival,
          type: "command",
          name,
          argument: "",
          answersItself: false,
        },
      });
      // The answer is a message of its own: it would not fit into what a tap is answered with.
      return acceptance.type === "answered" ? { type: "queued" } : acceptance;
    }
    default:
      return unreachable(sample);
  }
}
