import { maxReasonLength } from "../../access/change-role.ts";
import { describePerson } from "../../access/describe-person.ts";
import { openRequests } from "../../access/pairing.ts";
import { nameAndId, quotedTitle } from "../../access/place-name.ts";
import { openPlaces } from "../../access/place-requests.ts";
import { confirmedButton, formButton, optionsOf, type FormButton } from "../form-button.ts";
import { html, type Html } from "../html.ts";
import { pageLinks, queryOf } from "../links.ts";
import { readLists, type ListedPerson, type ListedPlace } from "../people-list.ts";
import { actions, tableOf, type Row } from "../table.ts";
import type { Fields, View, ViewContext } from "../view.ts";
import { peopleActions } from "./people-actions.ts";

async function read(context: ViewContext): Promise<Html> {
  const { locale, query } = context;
  const { page } = locale;
  const say = page.people;
  const text = (query["q"] ?? "").trim();
  const { from, placesFrom } = query;
  const [requests, { people, places }] = await Promise.all([
    requestsIn(context),
    readLists(context, { text, from, placesFrom }),
  ]);
  const at = (parts: Fields): string =>
    `/people${queryOf({ q: text, from, placesFrom, ...parts })}`;
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
      empty: isFirst ? say.empty : people.next === undefined ? say.notFound : page.chats.notYet,
      columns: [say.who, say.role, actions(page)],
      rows: people.found.map((each) => personRow(each, context)),
    })}
    ${pageLinks(page, { first: !isFirst && "/people", next: people.next && at({ from: people.next }), of: say.everyone })}
    <h2>${say.places}</h2>
    ${tableOf({
      caption: say.places,
      empty: say.noPlaces,
      columns: [say.where, say.rule, actions(page)],
      rows: places.found.map((each) => placeRow(each, context)),
    })}
    ${pageLinks(page, {
      first: placesFrom && `/people${queryOf({ from })}`,
      next: places.next && at({ placesFrom: places.next }),
      of: say.places,
    })}`;
}

/** Who asks to be let in, and which groups the bot was added to, as `/pending` shows them. */
async function requestsIn({ locale, commands }: ViewContext): Promise<Html> {
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
  { locale, viewer }: ViewContext,
): Row {
  const say = locale.page.people;
  const about = describePerson(person);
  const fields = { person: person.id };
  const isOwner = viewer.role === "owner";
  const isTheirs = role !== "banned" && role !== "owner" && (role !== "admin" || isOwner);
  const roles = (["admin", "member", "guest"] as const)
    .filter((each) => each !== "admin" || isOwner)
    .map((each) => [each, say.roles[each]] as const);
  const select = html`<select name="role" aria-label="${say.role}: ${about}">
    ${optionsOf(roles, role)}
  </select>`;
  const reason = html`<label
    >${say.reason} <input name="reason" maxlength="${maxReasonLength}"
  /></label>`;
  const ban = { to: "/people/ban", label: say.blockThem, kind: "bad", inside: reason } as const;
  return [
    about,
    html`${say.roles[role]} ${isFromFile && html`<span class="faint">${say.fromFile}</span>`}`,
    [
      isTheirs && [
        formButton({ to: "/people/role", fields, label: say.setRole, about, inside: select }),
        " ",
        confirmedButton(say.block, { fields, about, ...ban }),
      ],
      role === "banned" &&
        !isFromFile &&
        formButton({ to: "/people/unban", fields, label: say.unblock, about }),
    ],
  ];
}

function placeRow({ place, name, rule, isFromFile }: ListedPlace, { locale }: ViewContext): Row {
  const say = locale.page.people;
  const about = nameAndId(name === place ? place : quotedTitle(name), place);
  const button = (label: string, given: string, kind?: "bad") =>
    given !== rule &&
    formButton({ to: "/people/rule", fields: { place, rule: given }, label, about, kind });
  return [
    about,
    html`${say.rules[rule ?? "none"]}
    ${isFromFile && html`<span class="faint">${say.fromFile}</span>`}`,
    !(isFromFile && rule === "ban") && [
      button(locale.pairing.allow, "allow"),
      button(locale.contact.stayQuiet, "ban", "bad"),
      rule !== undefined && !isFromFile && button(say.clear, ""),
    ],
  ];
}

/** Who may use the bot, who asks to, and where. */
export const peopleView: View = {
  name: "people",
  path: "/people",
  isInMenu: true,
  read,
  actions: peopleActions,
};
