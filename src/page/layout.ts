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
  readonly viewer: Viewer | undefined;
  /** Those in the menu. */
  readonly menu: readonly View[];
  /** Of the view that is shown. */
  readonly current?: View["name"];
  /** A sentence above everything. */
  readonly notice?: { readonly text: string; readonly kind: "done" | "problem" };
  /** Where the browser gets the content again while it is open. */
  readonly liveFrom?: string;
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
  const { title, locale, language, viewer, notice, liveFrom, content } = parts;
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
          ${viewer !== undefined && menuOf(parts)}
          ${
            viewer !== undefined &&
            html`<form method="post" action="/out" class="out">
              <a
                href="/browsers"
                aria-label="${said.titles.browsers}: ${visible(viewer.person.name)}"
                >${visible(viewer.person.name)}</a
              >
              <button class="quiet">${said.logOut}</button>
            </form>`
          }
        </header>
        <main id="content">
          <h1>${title}</h1>
          ${
            notice !== undefined &&
            html`<p class="notice ${notice.kind}" role="status">${notice.text}</p>`
          }
          ${
            liveFrom === undefined
              ? content
              : html`<noscript
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
          }
        </main>
      </body>
    </html>`.toString();
}

const menuOf = ({ menu, current, locale }: DocumentParts): Html =>
  html`<nav aria-label="${locale.page.menu}">
    <ul>
      ${menu.map(
        ({ name, path }) =>
          html`<li>
            <a href="${path}" ${current === name && html`aria-current="page"`}
              >${locale.page.titles[name]}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`;
