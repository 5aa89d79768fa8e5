import { retentionMsOf } from "../../config/retention.ts";
import type { ChatKey } from "../../core/chat.ts";
import { minRetentionMs } from "../../store/turns/commit-fields.ts";
import { readChatList, type ListedChat } from "../../store/turns/chat-list.ts";
import { chatNames } from "../../store/people/chat-names.ts";
import { findChats } from "../find-chats.ts";
import { chatLink, nameOfChat, timeHtml } from "../format.ts";
import { html, type Html } from "../html.ts";
import type { View, ViewRequest } from "../view.ts";

export const chatsView: View = {
  name: "chats",
  path: "/chats",
  isInMenu: true,
  async read(request, { services }) {
    const { locale, query } = request;
    const said = locale.page.chats;
    const { store, people } = services;
    const wanted = (query["q"] ?? "").trim();
    const [{ chats, next }, count] = await Promise.all([
      findChats({ store, people }, { wanted, from: query["after"] }),
      services.chats.read(),
    ]);
    const retentionMs = Math.max(retentionMsOf(services.settings), minRetentionMs);
    const [listed, names] = await Promise.all([
      readChatList(store, chats, retentionMs),
      chatNames(store, people, chats),
    ]);
    const more = new URLSearchParams({
      ...(wanted === "" ? {} : { q: wanted }),
      after: next ?? "",
    });
    return html`<form method="get" action="/chats" role="search">
        <label>${said.search} <input type="search" name="q" value="${wanted}" /></label>
        <button>${said.find}</button>
      </form>
      <p class="faint">${said.month(locale.number(count.thisMonth))}</p>
      ${
        listed.length === 0
          ? html`<p>
              ${wanted === "" ? said.empty : next === undefined ? said.notFound : said.notYet}
            </p>`
          : tableOf(listed, (chat) => nameOfChat(names.get(chat), locale), request)
      }
      ${
        next !== undefined &&
        html`<p><a rel="next" href="/chats?${more.toString()}">${said.more}</a></p>`
      }`;
  },
};

function tableOf(
  chats: readonly ListedChat[],
  nameOf: (chat: ChatKey) => string | undefined,
  { locale }: ViewRequest,
): Html {
  const { page, number } = locale;
  const { answers, last } = page.chats.columns;
  return html`<div class="scroll" tabindex="0">
    <table>
      <caption class="visually-hidden">
        ${page.titles.chats}
      </caption>
      <thead>
        <tr>
          <th scope="col">${page.titles.chat}</th>
          <th scope="col">${page.now.columns.phase}</th>
          <th scope="col" class="number">${answers}</th>
          <th scope="col">${last}</th>
        </tr>
      </thead>
      <tbody>
        ${chats.map(
          (each) =>
            html`<tr>
              <th scope="row">${chatLink(each.chat, nameOf(each.chat))}</th>
              <td>${page.chats[each.isBusy ? "busy" : "idle"]}</td>
              <td class="number">${number(each.turns)}</td>
              <td>${each.lastAtMs === undefined ? "–" : timeHtml(each.lastAtMs)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
