import type { ChatKey, Person } from "../core/chat.ts";
import type { Place } from "../core/places.ts";
import type { Locale } from "../locales/locale.ts";
import type { PlaceDecision } from "../store/people/place-requests.ts";
import { notifyAdminsAnywhere, notifyAllAdmins } from "./notify-admins.ts";
import type { PairingDeps } from "./pairing.ts";
import { placeName } from "./place-name.ts";
import { placeCardId } from "./place-requests.ts";

export interface PlaceDeciding {
  readonly request: { readonly id: string; readonly place: Place };
  readonly kind: PlaceDecision["kind"];
  readonly admin: Person;
  /** The admin's chat. Undefined: it happens on the operator's page. */
  readonly chat: ChatKey | undefined;
  /** Id of the tap or form. */
  readonly eventId: string;
  /** The admin's. */
  readonly locale: Locale;
}

/**
 * Decides whether a group or server may use the bot. The first decision counts; who made it may
 * repeat it until it's done, e.g. after a crash. Every admin's card shows it. @returns a sentence
 * for the admin; not done: it was decided before. The caller leaves where that was decided, so that
 * this may always be repeated.
 */
export async function decidePlace(
  deps: PairingDeps,
  { request, kind, admin, chat, eventId, locale }: PlaceDeciding,
): Promise<{ readonly isDone: boolean; readonly text: string }> {
  const { people, access, audit } = deps;
  const { place } = request;
  const decided = await people.decidePlaceRequest(request, { kind, by: admin.id });
  const title = await placeName(people, place);
  if (decided.kind !== kind || decided.by !== admin.id || decided.isDone) {
    const first = (await people.knownPerson(decided.by))?.name ?? decided.by;
    const outcome = outcomeIn(locale, decided.kind, { title, admin: first });
    return { isDone: false, text: locale.contact.alreadyDecided(outcome) };
  }
  const before = await access.ruleOf(place);
  // Write the audit line first, as for /allow.
  await audit.write(eventId, {
    action: "role-set",
    by: admin,
    ...(chat === undefined ? {} : { chat }),
    target: place,
    outcome: { allow: "allow", leave: "left", quiet: "ban" }[kind],
    details: { before: before ?? "none" },
  });
  if (kind === "allow") await access.setRule(place, "allow");
  else if (kind === "quiet") await access.setRule(place, "ban");
  else if (before === "allow") await access.setRule(place, undefined);
  const said = { title, admin: admin.name };
  const of = placeCardId(request);
  const resolution = (theirs: Locale) => ({
    kind: "resolution" as const,
    v: 1 as const,
    id: `${of}-decided`,
    of,
    text: outcomeIn(theirs, kind, said),
  });
  if (chat === undefined) await notifyAdminsAnywhere(deps, resolution);
  else await notifyAllAdmins(deps, chat, resolution);
  // The same click, sent again much later, must not undo what was decided since.
  if (kind !== "leave") await people.finishPlaceRequest(request, { kind, by: admin.id });
  return { isDone: true, text: outcomeIn(locale, kind, said) };
}

/** Who decided what, in a sentence. */
function outcomeIn(
  { contact }: Locale,
  kind: PlaceDecision["kind"],
  { title, admin }: { readonly title: string; readonly admin: string },
): string {
  const said = {
    allow: contact.placeAllowed,
    leave: contact.placeLeft,
    quiet: contact.placeQuiet,
  };
  return said[kind](title, admin);
}
