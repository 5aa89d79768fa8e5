import type { FastifyReply, FastifyRequest } from "fastify";
import { languageIn, localeFor } from "../locales/locale-for.ts";
import type { Locale } from "../locales/locale.ts";
import { html } from "./html.ts";
import { documentOf, type DocumentParts } from "./layout.ts";
import type { Fields } from "./view.ts";

type Page = Locale["page"];

export const send = async (reply: FastifyReply, parts: DocumentParts): Promise<FastifyReply> =>
  await reply.type("text/html; charset=utf-8").send(documentOf(parts));

/** A page for those who may not be logged in, in their browser's language. */
export async function sendToAnyone(
  request: FastifyRequest,
  reply: FastifyReply,
  partsIn: (page: Page) => Pick<DocumentParts, "title" | "content" | "notice">,
): Promise<FastifyReply> {
  const locale = localeFor(request.headers["accept-language"]);
  return await send(reply, { locale, language: languageIn(locale), ...partsIn(locale.page) });
}

/** The same of one sentence. */
export const sendSentence = (
  request: FastifyRequest,
  reply: FastifyReply,
  textIn: (page: Page) => string,
): Promise<FastifyReply> =>
  sendToAnyone(request, reply, (page) => ({
    title: page.failedTitle,
    content: html`<p>${textIn(page)}</p>
      <p><a href="/">Parley</a></p>`,
  }));

/** What a form has sent, each field once. */
export const fieldsOf = (request: FastifyRequest): Fields => (request.body ?? {}) as Fields;
