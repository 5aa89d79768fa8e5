import { findCommand } from "../commands/all-commands.ts";
import { parseCommandData, type InboundTap } from "../core/inbound.ts";
import { isAtLeast } from "../core/roles.ts";
import { typedCommand } from "./choice.ts";
import { callOf } from "./call-of.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";
import type { Outcome } from "./outcome.ts";

/** A button that opens a command's form; without forms it is the command. */
export async function openForm(
  deps: AcceptDeps,
  arrived: Arrived<InboundTap>,
): Promise<Outcome | undefined> {
  const { inbound, role, locale } = arrived;
  const { isForm, command: name, argument } = parseCommandData(inbound.data) ?? {};
  if (!isForm || name === undefined || argument === undefined) return undefined;
  const command = findCommand(deps.commands, name);
  if (command?.form === undefined) return undefined;
  if (inbound.address.platform !== "discord") return typedCommand(arrived, name, argument);
  if (!isAtLeast(role, command.role) && !isAtLeast(await arrived.chatRole(), command.role))
    return { type: "refused", text: locale.ingress.notAllowed };
  const opened = await command.form(await callOf(arrived), deps, argument);
  return "problem" in opened
    ? { type: "refused", text: opened.problem }
    : { type: "form", form: opened.form, text: locale.platform.tryAgain };
}

/**
 * A button that is a command. Where a tap has an answer of its own, that is for the person alone,
 * and has room for a choice's outcome.
 */
export function tapCommand(deps: AcceptDeps, arrived: Arrived<InboundTap>): Outcome | undefined {
  const { inbound, locale } = arrived;
  const { command, argument } = parseCommandData(inbound.data) ?? {};
  if (command === undefined || argument === undefined) return undefined;
  const { form, hasButtons } = findCommand(deps.commands, command) ?? {};
  if (form === undefined && hasButtons === undefined) return undefined;
  const { notAfterMs = Infinity, address, direct } = inbound;
  // They were asked to tap again, and may have changed their mind.
  if (deps.now() > notAfterMs) return { type: "refused", text: locale.ingress.tapTooLate };
  const isChoice = argument.startsWith("pick ") && !direct;
  return typedCommand(arrived, command, argument, {
    answersItself: address.platform === "discord" || isChoice,
  });
}
