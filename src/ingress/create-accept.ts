import { findCommand } from "../commands/all-commands.ts";
import { unreachable } from "../core/errors.ts";
import type { Accept, Acceptance, InboundCommand, InboundMessage } from "../core/inbound.ts";
import { isOutOfMemory } from "../store/redis/refusals.ts";
import { answersItself, sendReply, stopped } from "./answers.ts";
import { limitStrangers, refuseUnknown } from "./check-access.ts";
import { tapChoice } from "./choice.ts";
import { explainUsage, refuseDenied, refuseUnknownName, runCommand } from "./command.ts";
import { CommandPace } from "./command-pace.ts";
import type { AcceptDeps, Arrived, Step } from "./deps.ts";
import { keepEdit } from "./edit.ts";
import { asPiece, Gestures, placedWith } from "./gestures.ts";
import { introduce, tapPlace } from "./join.ts";
import { checkContent, ignoreGroupTalk, ignoreSeen, keepMessage } from "./message.ts";
import { limitMessages } from "./message-limit.ts";
import { NotKept } from "./not-kept.ts";
import type { Outcome } from "./outcome.ts";
import { identify, noteArrival } from "./sender.ts";
import { decideInWords } from "./spoken-decision.ts";
import { openForm, tapCommand } from "./command-button.ts";
import { answerDrafting, tapStarter } from "./persona.ts";
import { refuseOldButton, tapCard, tapPairing, tapSkill } from "./tap.ts";

const messageChecks: readonly Step<Arrived<InboundMessage>>[] = [
  ignoreGroupTalk,
  refuseUnknown,
  decideInWords,
  checkContent,
  answerDrafting,
  ignoreSeen,
  limitMessages,
];

/**
 * The steps by type of event, in order. The first step that returns an outcome decides; undefined
 * passes on to the next.
 */
function decide(deps: AcceptDeps, { inbound, ...known }: Arrived): Promise<Acceptance> {
  switch (inbound.type) {
    case "message":
      return run(deps, { inbound, ...known }, [...messageChecks, takeAsides, keepMessage]);
    case "command": {
      const command = findCommand(deps.commands, inbound.name);
      return command === undefined
        ? run(deps, { inbound, ...known }, [limitPace, refuseUnknown, refuseUnknownName])
        : run(deps, { inbound, ...known, command }, [
            limitPace,
            refuseDenied,
            limitStrangers,
            explainUsage,
            ignoreSeen,
            limitMessages,
            runCommand,
          ]);
    }
    case "edit":
      return run(deps, { inbound, ...known }, [keepEdit]);
    case "tap":
      return run(deps, { inbound, ...known }, [
        tapCard,
        tapPairing,
        tapPlace,
        tapSkill,
        openForm,
        tapCommand,
        tapStarter,
        tapChoice,
        refuseOldButton,
      ]);
    case "join":
      return run(deps, { inbound, ...known }, [introduce]);
    default:
      return unreachable(inbound);
  }
}

async function run<Given extends Arrived>(
  deps: AcceptDeps,
  arrived: Given,
  steps: readonly Step<Given>[],
): Promise<Acceptance> {
  for (const step of steps) {
    const outcome = await step(deps, arrived);
    if (outcome) return await conclude(deps, arrived, outcome);
  }
  throw new TypeError("no step has decided");
}

async function conclude(deps: AcceptDeps, arrived: Arrived, outcome: Outcome): Promise<Acceptance> {
  switch (outcome.type) {
    case "reply":
      return await sendReply(deps, arrived, outcome);
    case "typed": {
      const { inbound, near } = outcome;
      const acceptance = await decide(deps, { ...arrived, ...near, inbound });
      // A command's answer is a separate message, if it would not fit into the answer to a tap.
      const isSent = acceptance.type === "answered" && !answersItself(inbound);
      return isSent ? { type: "queued" } : acceptance;
    }
    default:
      return outcome;
  }
}

/** The forwards and files that a person sent in front of a mention are read with it. */
async function takeAsides(deps: AcceptDeps, arrived: Arrived<InboundMessage>): Promise<undefined> {
  if (arrived.inbound.isAddressed === false) return;
  const asides = arrived.gestures.asidesOf(arrived);
  for (const aside of asides)
    await run(deps, placedWith(aside.arrived, arrived), [...messageChecks, keepMessage]);
  arrived.gestures.release(asides);
}

const limitPace = (_: AcceptDeps, arrived: Arrived<InboundCommand>) =>
  arrived.pace.refusalOf(arrived);

/**
 * Decides what happens to each inbound event. Durable when its promise fulfils. If the store's
 * memory is full, events that only read or continue something work as always, and the sender of a
 * new message is informed that it wasn't kept.
 */
export function createAccept(deps: AcceptDeps): Accept {
  const notKept = new NotKept(deps);
  const pace = new CommandPace(deps);
  const gestures = new Gestures<Arrived<InboundMessage>>();
  return async (given) => {
    const inbound = given.type === "message" ? asPiece(given) : given;
    const arrived = { ...(await identify(deps, inbound)), pace, gestures };
    if (arrived.inbound.dropped?.aborted) return stopped(arrived);
    try {
      // In parallel: neither needs a round trip of its own.
      const [acceptance] = await Promise.all([decide(deps, arrived), noteArrival(deps, arrived)]);
      return acceptance;
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      return await conclude(deps, arrived, notKept.decide(arrived));
    }
  };
}
