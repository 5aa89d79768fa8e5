import { maxReasonLength } from "../../access/change-role.ts";
import { describePerson } from "../../access/describe-person.ts";
import { openRequests } from "../../access/pairing.ts";
import { nameAndId, quotedTitle } from "../../access/place-name.ts";
import { openPlaces } from "../../access/place-requests.ts";
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
import type { View, ViewDeps, ViewRequest } from "../view.ts";
import { peopleActions } from "./people-actions.ts";

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

/** Who may use the bot, who asks to, and where. */
export const peopleView: View = {
  name: "people",
  path: "/people",
  isInMenu: true,
  read,
  actions: peopleActions,
};
