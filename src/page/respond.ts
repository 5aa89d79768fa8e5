import type { FastifyReply, FastifyRequest } from "fastify";
import { languageIn, localeFor } from "../locales/locale-for.ts";
import type { Locale } from "../locales/locale.ts";
import { html } from "./html.ts";
import { documentOf, type DocumentParts } from "./layout.ts";

/** In the browser's language, where no one is logged in. */
export const localeOf = (request: FastifyRequest): Locale =>
  localeFor(request.headers["accept-language"]);

export const send = async (reply: FastifyReply, parts: DocumentParts): Promise<FastifyReply> =>
  await reply.type("text/html; charset=utf-8").send(documentOf(parts));

/** A page of one sentence, also for those who aren't logged in. */
export const sendSentence = async (
  request: FastifyRequest,
  reply: FastifyReply,
  pick: (page: Locale["page"]) => { readonly title: string; readonly text: string },
): Promise<FastifyReply> => {
  const locale = localeOf(request);
  const { title, text } = pick(locale.page);
  return await send(reply, {
    title,
    locale,
    language: languageIn(locale),
    viewer: undefined,
    menu: [],
    content: html`<p>${text}</p>
      <p><a href="/">Parley</a></p>`,
  });
};

/** What a form has sent, each field once. */
export const fieldsOf = (request: FastifyRequest): Readonly<Record<string, string>> =>
  (request.body ?? {}) as Record<string, string>;
