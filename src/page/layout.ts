import type { Locale } from "../locales/locale.ts";
import type { Language } from "../locales/locale-for.ts";
import { visible } from "../text/visible-text.ts";
import { html, type Html } from "./html.ts";
import { endedEvent } from "./live-views.ts";
import type { View, Viewer } from "./view.ts";

export interface DocumentParts {
  readonly title: string;
  readonly locale: Locale;
  readonly language: Language;
  /** Undefined: no one is logged in. */
  readonly viewer?: Viewer;
  /** Those in the menu. */
  readonly menu?: readonly View[];
  /** Of the view that is shown. */
  readonly current?: View["name"];
  /** A sentence above everything. */
  readonly notice?: { readonly text: string; readonly kind: "done" | "problem" } | undefined;
  /** Where the browser gets the content again while it is open. */
  readonly liveFrom?: string | false | undefined;
  readonly content: Html;
}

/**
 * No inline styles, no history of its own, and `<details>` stay as the reader has opened or closed
 * them.
 */
const htmxConfig = JSON.stringify({
  includeIndicatorCSS: false,
  history: false,
  morphIgnore: ["data-htmx-powered", "open"],
});

/** A whole page. Pure. */
export function documentOf(parts: DocumentParts): string {
  const { title, locale, language, notice, liveFrom, content } = parts;
  const said = locale.page;
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="htmx-config" content="${htmxConfig}" />
        <title>${title} · Parley</title>
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/page.css" />
        <script src="/assets/htmx.js" defer></script>
        <script src="/assets/page.js" defer></script>
      </head>
      <body>
        <a class="skip" href="#content">${said.skip}</a>
        <header>
          <a class="brand" href="/"
            ><img src="/assets/icon.svg" alt="" width="22" height="22" />Parley</a
          >
          ${headOf(parts)}
        </header>
        <main id="content">
          <h1>${title}</h1>
          ${notice && html`<p class="notice ${notice.kind}" role="status">${notice.text}</p>`}
          ${
            liveFrom
              ? html`<noscript
                    ><p><a href="${liveFrom}">${said.reload}</a></p></noscript
                  >
                  <div
                    id="live"
                    hx-sse:connect="${liveFrom}"
                    hx-sse:close="${endedEvent}"
                    hx-swap="innerMorph"
                  >
                    ${content}
                  </div>`
              : content
          }
        </main>
      </body>
    </html>`.toString();
}

/** The menu, and where the viewer is logged in. */
function headOf({ viewer, menu = [], current, locale: { page } }: DocumentParts): Html | false {
  if (viewer === undefined) return false;
  const name = visible(viewer.person.name);
  return html`<nav aria-label="${page.menu}">
      <ul>
        ${menu.map(
          ({ name: view, path }) =>
            html`<li>
              <a href="${path}" ${current === view && html`aria-current="page"`}
                >${page.titles[view]}</a
              >
            </li>`,
        )}
      </ul>
    </nav>
    <form method="post" action="/out" class="out">
      <a href="/browsers" aria-label="${page.titles.browsers}: ${name}">${name}</a>
      <button class="quiet">${page.logOut}</button>
    </form>`;
}
