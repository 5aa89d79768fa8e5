import { ButtonStyle, ComponentType } from "discord-api-types/v10";
import type { MessageView } from "../../emulators/discord/message-view.ts";
import { z } from "zod";
import { escaped, page } from "./page.ts";

export interface DiscordView {
  readonly channel: string;
  /** Names by users' IDs. */
  readonly names: ReadonlyMap<string, string>;
  readonly botId: string;
}

const colors: Readonly<Record<number, string>> = {
  [ButtonStyle.Success]: "success",
  [ButtonStyle.Danger]: "danger",
};

/** A channel with the messages that one person sees. */
export function discordPage(messages: readonly MessageView[], view: DiscordView): string {
  const shown = messages.map((message) => messageHtml(message, view));
  return page(
    "discord",
    `<header><span>#</span> <b>${escaped(view.channel)}</b></header><main>${shown.join("")}</main>`,
  );
}

const formSchema = z.object({
  title: z.string(),
  components: z.array(
    z.object({ label: z.string(), component: z.object({ value: z.string().default("") }) }),
  ),
});

/** A form as the person who has opened it sees it. */
export function discordFormPage(form: unknown): string {
  const { title, components } = formSchema.parse(form);
  const fields = components.map(
    ({ label, component }) =>
      `<label>${escaped(label)}<input value="${escaped(component.value)}"></label>`,
  );
  return page(
    "discord",
    `<form><h1>${escaped(title)}</h1>${fields.join("")}
    <div class="row"><button>Cancel</button><button class="primary">Submit</button></div></form>`,
  );
}

function messageHtml(message: MessageView, view: DiscordView): string {
  const name = view.names.get(message.authorId) ?? "Parley";
  const isBot = message.authorId === view.botId;
  const isPrivate = message.ephemeralFor !== undefined;
  const rows = message.components.map(({ components }) => {
    const buttons = components
      .filter((each) => each.type === ComponentType.Button)
      .map(
        (each) =>
          `<button class="${colors[each.style] ?? ""}">${escaped("label" in each ? (each.label ?? "") : "")}</button>`,
      );
    return `<div class="row">${buttons.join("")}</div>`;
  });
  return `<article class="${isPrivate ? "private" : ""}">
    <span class="picture ${isBot ? "bot" : ""}">${escaped(name.slice(0, 1))}</span>
    <div><b>${escaped(name)}</b>${isBot ? "<em>APP</em>" : ""}
    <div class="text">${blocks(message.content, view)}</div>${rows.join("")}
    ${isPrivate ? "<footer>👁 Only you can see this</footer>" : ""}</div></article>`;
}

/** The part of Discord's Markdown that the pictures need. */
const blocks = (content: string, view: DiscordView): string =>
  content
    .split(/(```[^]*?```\n?|^- [^\n]*\n?)/m)
    .map((part) => {
      const fence = /^```(?:\w*\n)?([^]*?)\n?```/.exec(part);
      if (fence) return `<pre>${escaped(fence[1] ?? "")}</pre>`;
      const item = /^- (.*)/.exec(part);
      return item ? `<li>${inline(item[1] ?? "", view)}</li>` : inline(part, view);
    })
    .join("");

const marks = /\\([^0-9A-Za-z\s])|`([^`]+)`|\*\*(.+?)\*\*|\*(.+?)\*|<@!?(\d+)>|<t:\d+:R>/g;

function inline(text: string, view: DiscordView): string {
  let html = "";
  let end = 0;
  for (const match of text.matchAll(marks)) {
    const [whole, literal, code, bold, italic, user] = match;
    html += escaped(text.slice(end, match.index));
    end = match.index + whole.length;
    if (literal !== undefined) html += escaped(literal);
    else if (code !== undefined) html += `<code>${escaped(code)}</code>`;
    else if (bold !== undefined) html += `<b>${inline(bold, view)}</b>`;
    else if (italic !== undefined) html += `<i>${inline(italic, view)}</i>`;
    else if (user !== undefined)
      html += `<span class="mention">@${escaped(view.names.get(user) ?? "")}</span>`;
    // Every moment in the pictures is the end of a card's 24 hours.
    else html += '<span class="moment">in a day</span>';
  }
  return html + escaped(text.slice(end));
}
