import type { AuditLog } from "../core/audit.ts";
import type { ChatKey, Person } from "../core/chat.ts";
import type { Place } from "../core/places.ts";
import type { Locale } from "../locales/locale.ts";
import type { PeopleStore } from "../store/people/people.ts";
import type { PlaceRule } from "../store/people/place-rules.ts";
import type { Access } from "./access.ts";
import { nameAndId, placeName } from "./place-name.ts";

export interface PlaceRuleChange {
  /** An admin. */
  readonly by: Person;
  /** Undefined: it happens on the operator's page. */
  readonly chat: ChatKey | undefined;
  /** Id of the command or form. */
  readonly eventId: string;
  readonly place: Place;
  /** What the admin calls it. */
  readonly name: string;
  /** Undefined: removes the rule. */
  readonly rule: PlaceRule | undefined;
  /** The admin's. */
  readonly locale: Locale;
}

/**
 * Sets or removes what holds for everyone in a place. @returns a sentence for the admin; not done:
 * the operator's file says otherwise, or there was no rule to remove.
 */
export async function changePlaceRule(
  {
    access,
    audit,
    people,
  }: {
    readonly access: Access;
    readonly audit: AuditLog;
    readonly people: Pick<PeopleStore, "knownPerson">;
  },
  { by, chat, eventId, place, name, rule, locale }: PlaceRuleChange,
): Promise<{ readonly isDone: boolean; readonly text: string }> {
  const { people: say } = locale;
  const listed = access.listed(place);
  const inFile = async () => nameAndId(await placeName(people, place), place);
  if (listed === "ban" && rule !== "ban")
    return { isDone: false, text: say.fileBans(await inFile()) };
  const before = await access.ruleOf(place);
  if (rule === undefined && before === undefined) {
    const text = listed === "allow" ? say.fileAllows(await inFile()) : say.placeNotSet(name);
    return { isDone: false, text };
  }
  // Write the audit line first: after a crash in between, the repeated event
  // may find nothing to do.
  await audit.write(eventId, {
    action: "role-set",
    by,
    ...(chat === undefined ? {} : { chat }),
    target: place,
    outcome: rule ?? "none",
    details: { before: before ?? "none" },
  });
  await access.setRule(place, rule);
  switch (rule) {
    case "allow":
      return { isDone: true, text: say.placeAllowed(name) };
    case "ban":
      return { isDone: true, text: say.placeBanned(name) };
    case undefined:
      return { isDone: true, text: say.placeCleared(name) };
    default:
      return rule satisfies never;
  }
}
