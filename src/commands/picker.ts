import { createHash } from "node:crypto";
import type { AnswerButton } from "../core/inbound.ts";
import { chatTierNames } from "../core/model.ts";
import { type ChoiceScope } from "../core/choices.ts";
import { choose, type Chooser, type ChoiceKind, type ChoiceRequest } from "./choice.ts";
import type { CommandDeps, ModelChoices } from "./command.ts";

/** As many as Discord shows below one message: five rows of five. */
export const maxButtons = 25;

const unset = "default";
const letters = { tier: "t", model: "m", person: "p", chat: "c" } as const;

/** A name's place in a button, whose 64 bytes may be too few for it. */
export const digestOf = (name: string): string =>
  createHash("sha256").update(name).digest("base64url").slice(0, 10);

/**
 * Buttons that choose a tier or a model, and one that undoes the choice; the current choice comes
 * first. Their data are `t:<p|c>:<tier>` and `m:<p|c>:<digest>`, `p` for the person who taps and
 * `c` for the chat.
 */
export function pickerButtons(
  { kind, scope }: Pick<ChoiceRequest, "kind" | "scope">,
  values: readonly string[],
  current: string | undefined,
): readonly AnswerButton[] {
  const others = values.filter((value) => value !== current);
  const first = values.includes(current ?? "") ? current : undefined;
  const last = first === undefined ? [] : [undefined];
  const shown = others.slice(0, maxButtons - 1 - last.length);
  return [first, ...shown, ...last].map((value) => {
    const word = value ?? unset;
    const target = value !== undefined && kind === "model" ? digestOf(value) : word;
    return {
      label: value === current ? `✓ ${word}` : word,
      data: `${letters[kind]}:${letters[scope]}:${target}`,
      typed: `/${kind} ${word}${scope === "chat" ? " chat" : ""}`,
    };
  });
}

/** A tap on one of them. Undefined: no such button, or none any more. */
export async function applyPick(
  deps: Pick<CommandDeps, "access" | "settings" | "models" | "audit" | "now">,
  chooser: Chooser,
  data: string,
): Promise<Awaited<ReturnType<typeof choose>> | undefined> {
  const request = requestOf(data, deps.models);
  return request === undefined ? undefined : await choose(deps, chooser, request);
}

function requestOf(data: string, models: ModelChoices): ChoiceRequest | undefined {
  const [, first, second, target = ""] = /^([tm]):([pc]):([\w-]+)$/.exec(data) ?? [];
  if (first === undefined) return undefined;
  const kind: ChoiceKind = first === letters.tier ? "tier" : "model";
  const scope: ChoiceScope = second === letters.person ? "person" : "chat";
  if (target === unset) return { kind, scope, value: undefined };
  const value =
    kind === "tier"
      ? chatTierNames.find((tier) => tier === target)
      : models.keys.find((key) => digestOf(key) === target);
  return value === undefined ? undefined : { kind, scope, value };
}
