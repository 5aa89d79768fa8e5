import { randomUUID } from "node:crypto";
import { changePlaceRule } from "../../access/change-place-rule.ts";
import { changeRole, shortReason, unban, type RoleChange } from "../../access/change-role.ts";
import { decidePlace } from "../../access/decide-place.ts";
import { decidePairing } from "../../access/pairing.ts";
import { placeName } from "../../access/place-name.ts";
import { findPerson } from "../../commands/who.ts";
import { parsePlace } from "../../core/places.ts";
import type { Action, ActionResult, Fields, ViewContext } from "../view.ts";

/** Who does it, as the commands are given it: in no chat, and each time something of its own. */
const doneBy = ({ viewer, locale }: ViewContext) => ({
  by: viewer.person,
  role: viewer.role,
  chat: undefined,
  eventId: randomUUID(),
  locale,
});

type Done = Extract<ActionResult, { readonly to: string }>["done"];

const resultOf = (
  { isDone, text = "" }: { readonly isDone: boolean; readonly text?: string },
  done: NonNullable<Done>,
): ActionResult => (isDone ? { to: "/people", done } : { problem: text });

type Commands = ViewContext["commands"];
type PersonChange = Omit<RoleChange, "to" | "reason">;

/** An action on the person that a form names by their id. */
const onPerson =
  (
    act: (change: PersonChange, fields: Fields, commands: Commands) => Promise<ActionResult>,
  ): Action =>
  async (fields, context) => {
    const { locale, commands } = context;
    const asked = { address: { platform: "telegram", bot: "", chat: "" }, locale } as const;
    const named = { text: fields["person"] ?? "", name: "role" };
    const finding = await findPerson(asked, commands, named);
    if (finding.type === "problem") return { problem: finding.text };
    return await act({ ...doneBy(context), whom: finding.person }, fields, commands);
  };

const setRole = onPerson(async (change, { role }, commands) => {
  const to = (["admin", "member", "guest"] as const).find((each) => each === role);
  if (to === undefined) return { problem: change.locale.people.whichRole };
  return resultOf(await changeRole(commands, { ...change, to }), "roleSet");
});

const ban = onPerson(async (change, { reason = "" }, commands) => {
  const why = reason === "" ? {} : { reason: shortReason(reason) };
  return resultOf(await changeRole(commands, { ...change, to: "banned", ...why }), "blocked");
});

const liftBan = onPerson(async (change, _, commands) =>
  resultOf(await unban(commands, change), "unblocked"),
);

const decide: Action = async ({ code = "", allow }, context) => {
  const { by: admin, ...known } = doneBy(context);
  // After a crash the same click finishes what it began.
  const eventId = `page-${code}-${allow}-${admin.id}`;
  const decision = { ...known, code, allow: allow === "1", admin, eventId };
  const outcome = await decidePairing(context.commands.pairing, decision);
  return resultOf(outcome, allow === "1" ? "letIn" : "turnedDown");
};

const decideGroup: Action = async (fields, context) => {
  const { id = "", allow } = fields;
  const place = parsePlace(fields["place"] ?? "");
  if (place === undefined) return { problem: context.locale.decisions.tooOld };
  const { by: admin, ...known } = doneBy(context);
  const outcome = await decidePlace(context.commands.pairing, {
    ...known,
    eventId: `page-${id}-${allow}-${admin.id}`,
    request: { id, place },
    kind: allow === "1" ? "allow" : "quiet",
    admin,
  });
  return resultOf(outcome, allow === "1" ? "letIn" : "turnedDown");
};

const setRule: Action = async (fields, context) => {
  const place = parsePlace(fields["place"] ?? "");
  if (place === undefined) return { problem: context.locale.people.noPlace };
  const { commands } = context;
  const rule = (["allow", "ban"] as const).find((each) => each === fields["rule"]);
  const name = await placeName(commands.people, place);
  const outcome = await changePlaceRule(commands, { ...doneBy(context), place, name, rule });
  return resultOf(outcome, "ruleSet");
};

/** What an admin does with people, requests and places, as the commands do it in a chat. */
export const peopleActions = {
  role: setRole,
  ban,
  unban: liftBan,
  decide,
  place: decideGroup,
  rule: setRule,
};
