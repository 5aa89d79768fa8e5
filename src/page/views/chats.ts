import { retentionMsOf } from "../../config/retention.ts";
import { minRetentionMs } from "../../store/turns/commit-fields.ts";
import { readChatList } from "../../store/turns/chat-list.ts";
import { namedChats } from "../chat-link.ts";
import { findChats } from "../find-chats.ts";
import { timeHtml } from "../format.ts";
import { html } from "../html.ts";
import { pageLinks, queryOf } from "../links.ts";
import { numbers, tableOf } from "../table.ts";
import type { View } from "../view.ts";

export const chatsView: View = {
  name: "chats",
  path: "/chats",
  isInMenu: true,
  async read(context) {
    const { locale, query } = context;
    const { page, number } = locale;
    const said = page.chats;
    const { services } = context;
    const { store, people } = services;
    const wanted = (query["q"] ?? "").trim();
    const [{ found, next }, count] = await Promise.all([
      findChats({ store, people }, { wanted, from: query["after"] }),
      services.chats.read(),
    ]);
    const retentionMs = Math.max(retentionMsOf(services.settings), minRetentionMs);
    const listed = await readChatList(store, found, retentionMs);
    const named = await namedChats(listed, context);
    return html`<form action="/chats" role="search">
        <label>${said.search} <input type="search" name="q" value="${wanted}" /></label>
        <button>${said.find}</button>
      </form>
      <p class="faint">${said.month(number(count.thisMonth))}</p>
      ${tableOf({
        caption: page.titles.chats,
        empty: wanted === "" ? said.empty : next === undefined ? said.notFound : said.notYet,
        columns: [
          page.titles.chat,
          page.now.columns.phase,
          numbers(said.columns.answers),
          said.columns.last,
        ],
        rows: listed.map(({ chat, isBusy, turns, lastAtMs }) => [
          named(chat).link,
          said[isBusy ? "busy" : "idle"],
          number(turns),
          timeHtml(lastAtMs),
        ]),
      })}
      ${pageLinks(page, {
        first: query["after"] && `/chats${queryOf({ q: wanted })}`,
        next: next && `/chats${queryOf({ q: wanted, after: next })}`,
      })}`;
  },
};
