import { randomUUID } from "node:crypto";
import { changePlaceRule } from "../../access/change-place-rule.ts";
import {
  changeRole,
  maxReasonLength,
  shortReason,
  unban,
  type RoleChange,
} from "../../access/change-role.ts";
import { decidePlace } from "../../access/decide-place.ts";
import { describePerson } from "../../access/describe-person.ts";
import { decidePairing, openRequests } from "../../access/pairing.ts";
import { nameAndId, placeName, quotedTitle } from "../../access/place-name.ts";
import { openPlaces } from "../../access/place-requests.ts";
import { findPerson } from "../../commands/who.ts";
import { parsePlace } from "../../core/places.ts";
import { confirmedButton, formButton, type FormButton } from "../form-button.ts";
import { html, type Html } from "../html.ts";
import { pageLinks, queryOf } from "../links.ts";
import {
  peopleWithRoles,
  placesWithRules,
  search,
  type ListedPerson,
  type ListedPlace,
} from "../people-list.ts";
import { actions, tableOf, type Row } from "../table.ts";
import type { Action, ActionResult, View, ViewDeps, ViewRequest } from "../view.ts";

async function read(request: ViewRequest, deps: ViewDeps): Promise<Html> {
  const { locale, query } = request;
  const say = locale.page.people;
  const text = (query["q"] ?? "").trim();
  const { from, placesFrom } = query;
  const [requests, { people, places, next, nextPlaces }] = await Promise.all([
    requestsIn(request, deps),
    text === "" ? listIn(deps, { from, placesFrom }) : searchIn(deps, text, from),
  ]);
  const isFirst = text === "" && from === undefined;
  return html`<h2>${say.requests}</h2>
    ${requests}
    <h2>${say.everyone}</h2>
    <form action="/people" class="act" role="search">
      <label>${say.searchFor} <input type="search" name="q" value="${text}" /></label>
      <button>${say.search}</button>
    </form>
    <p class="faint">${say.searchHow}</p>
    ${tableOf({
      caption: say.everyone,
      empty: isFirst ? say.empty : next === undefined ? say.notFound : locale.page.chats.notYet,
      columns: [say.who, say.role, actions(locale.page)],
      rows: people.map((each) => personRow(each, request)),
    })}
    ${pageLinks(locale.page, { first: isFirst ? undefined : "/people", next, of: say.everyone })}
    <h2>${say.places}</h2>
    ${tableOf({
      caption: say.places,
      empty: say.noPlaces,
      columns: [say.where, say.rule, actions(locale.page)],
      rows: places.map((each) => placeRow(each, request)),
    })}
    ${pageLinks(locale.page, {
      first: placesFrom === undefined ? undefined : `/people${queryOf({ from })}`,
      next: nextPlaces,
      of: say.places,
    })}`;
}

/** Both lists are paged through, each on its own. */
async function listIn(
  deps: ViewDeps,
  { from, placesFrom }: Readonly<Record<"from" | "placesFrom", string | undefined>>,
) {
  const [people, places] = await Promise.all([
    peopleWithRoles(deps, from),
    placesWithRules(deps, placesFrom),
  ]);
  return {
    people: people.found,
    places: places.found,
    next: people.next && `/people${queryOf({ placesFrom, from: people.next })}`,
    nextPlaces: places.next && `/people${queryOf({ from, placesFrom: places.next })}`,
  };
}

async function searchIn(deps: ViewDeps, text: string, from: string | undefined) {
  const { next, ...found } = await search(deps, text, from);
  const nextPage = next && `/people${queryOf({ q: text, from: next })}`;
  return { ...found, next: nextPage, nextPlaces: undefined };
}

/** Who asks to be let in, and which groups the bot was added to, as `/pending` shows them. */
async function requestsIn({ locale }: ViewRequest, { commands }: ViewDeps): Promise<Html> {
  const { pairing, contact, page } = locale;
  const [people, places] = await Promise.all([
    openRequests(commands.pairing),
    openPlaces(commands.pairing),
  ]);
  if (people.length === 0 && places.length === 0) return html`<p>${page.people.noRequests}</p>`;
  const asked = people.map(({ code, person }) => {
    const about = describePerson(person);
    return requestCard(html`${pairing.asks(about)} ${pairing.code(code)}`, {
      to: "/people/decide",
      about,
      fields: { code },
      labels: [pairing.allow, pairing.deny],
    });
  });
  const added = places.map(({ id, place, title, person }) => {
    const about = quotedTitle(title);
    const by = person && contact.addedBy(describePerson(person));
    return requestCard(html`${by} ${contact.letIn(about)}`, {
      to: "/people/place",
      about,
      fields: { id, place },
      labels: [pairing.allow, contact.stayQuiet],
    });
  });
  return html`<ul class="plain">
    ${asked} ${added}
  </ul>`;
}

const requestCard = (
  text: Html,
  {
    labels: [allow, refuse],
    fields,
    ...button
  }: Pick<FormButton, "to" | "about" | "fields"> & { readonly labels: readonly [string, string] },
): Html =>
  html`<li class="card">
    ${text}
    <div class="acts">
      ${formButton({ ...button, fields: { ...fields, allow: 1 }, label: allow, kind: "main" })}
      ${formButton({ ...button, fields, label: refuse, kind: "bad" })}
    </div>
  </li>`;

function personRow(
  { person, role, isFromFile }: ListedPerson,
  { locale, viewer }: ViewRequest,
): Row {
  const say = locale.page.people;
  const about = describePerson(person);
  const fields = { person: person.id };
  const isTheirs = role !== "owner" && (role !== "admin" || viewer.role === "owner");
  const roles = (["admin", "member", "guest"] as const).filter(
    (each) => each !== "admin" || viewer.role === "owner",
  );
  return {
    cells: [
      about,
      html`${say.roles[role]} ${isFromFile && html`<span class="faint">${say.fromFile}</span>`}`,
      [
        isTheirs &&
          role !== "banned" &&
          html`${formButton({
            to: "/people/role",
            fields,
            label: say.setRole,
            about,
            inside: html`<select name="role" aria-label="${say.role}: ${about}">
              ${roles.map(
                (each) =>
                  html`<option value="${each}" ${each === role && "selected"}>
                    ${say.roles[each]}
                  </option>`,
              )}
            </select>`,
          })}
          ${confirmedButton(say.block, {
            to: "/people/ban",
            fields,
            label: say.blockThem,
            kind: "bad",
            about,
            inside: html`<label
              >${say.reason} <input name="reason" maxlength="${maxReasonLength}"
            /></label>`,
          })}`,
        role === "banned" &&
          !isFromFile &&
          formButton({ to: "/people/unban", fields, label: say.unblock, about }),
      ],
    ],
  };
}

function placeRow({ place, name, rule, isFromFile }: ListedPlace, { locale }: ViewRequest): Row {
  const say = locale.page.people;
  const about = nameAndId(name === place ? place : quotedTitle(name), place);
  const button = (label: string, given: string, kind?: "bad") =>
    given !== rule &&
    formButton({
      to: "/people/rule",
      fields: { place, rule: given },
      label,
      about,
      kind,
    });
  return {
    cells: [
      about,
      html`${say.rules[rule ?? "none"]}
      ${isFromFile && html`<span class="faint">${say.fromFile}</span>`}`,
      !(isFromFile && rule === "ban") && [
        button(locale.pairing.allow, "allow"),
        button(locale.contact.stayQuiet, "ban", "bad"),
        rule !== undefined && !isFromFile && button(say.clear, ""),
      ],
    ],
  };
}

/** Who does it, as the commands are given it: in no chat, and each time something of its own. */
const doneBy = ({ viewer, locale }: ViewRequest) => ({
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

type PersonChange = Omit<RoleChange, "to" | "reason">;

/** An action on the person that a form names by their id. */
const onPerson =
  (
    act: (
      change: PersonChange,
      fields: Readonly<Record<string, string>>,
      commands: ViewDeps["commands"],
    ) => Promise<ActionResult>,
  ): Action =>
  async (fields, request, { commands }) => {
    const { locale } = request;
    const asked = { address: { platform: "telegram", bot: "", chat: "" }, locale } as const;
    const named = { text: fields["person"] ?? "", name: "role" };
    const finding = await findPerson(asked, commands, named);
    if (finding.type === "problem") return { problem: finding.text };
    return await act({ ...doneBy(request), whom: finding.person }, fields, commands);
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

const decide: Action = async ({ code = "", allow }, request, { commands }) => {
  const { by: admin, ...known } = doneBy(request);
  // After a crash the same click finishes what it began.
  const eventId = `page-${code}-${allow}-${admin.id}`;
  const decision = { ...known, code, allow: allow === "1", admin, eventId };
  const outcome = await decidePairing(commands.pairing, decision);
  return resultOf(outcome, allow === "1" ? "letIn" : "turnedDown");
};

const decideGroup: Action = async (fields, request, { commands }) => {
  const { id = "", allow } = fields;
  const place = parsePlace(fields["place"] ?? "");
  if (place === undefined) return { problem: request.locale.decisions.tooOld };
  const { by: admin, ...known } = doneBy(request);
  const outcome = await decidePlace(commands.pairing, {
    ...known,
    eventId: `page-${id}-${allow}`,
    request: { id, place },
    kind: allow === "1" ? "allow" : "quiet",
    admin,
  });
  return resultOf(outcome, allow === "1" ? "letIn" : "turnedDown");
};

const setRule: Action = async (fields, request, { commands }) => {
  const place = parsePlace(fields["place"] ?? "");
  if (place === undefined) return { problem: request.locale.people.noPlace };
  const { people } = commands;
  const rule = (["allow", "ban"] as const).find((each) => each === fields["rule"]);
  const name = await placeName(people, place);
  const outcome = await changePlaceRule(
    { ...commands, people },
    { ...doneBy(request), place, name, rule },
  );
  return resultOf(outcome, "ruleSet");
};

/** Who may use the bot, who asks to, and where. */
export const peopleView: View = {
  name: "people",
  path: "/people",
  isInMenu: true,
  read,
  actions: {
    role: setRole,
    ban,
    unban: liftBan,
    decide,
    place: decideGroup,
    rule: setRule,
  },
};
