import { z } from "zod";
import { factScopes } from "../core/facts.ts";
import type { Card } from "../core/outbox.ts";
import { rememberTool } from "../core/tool.ts";
import type { Locale } from "../locales/locale.ts";
import { legible } from "../text/hide-secrets.ts";
import { name, plain } from "./card-outcome.ts";
import { cutMiddle } from "./cut-middle.ts";

/** As `remember` takes them; a person may have changed them. */
const givenSchema = z.strictObject({
  fact: z.string(),
  about: z.enum(factScopes),
  supersedes: z.string().optional(),
});

/** What a call of `remember` keeps, its secrets masked; undefined: it is another call. Pure. */
export function factOf({ tool, arguments: json }: Card, { characters }: Locale["cards"]) {
  if (tool !== rememberTool) return undefined;
  return givenSchema.safeParse(legible(JSON.parse(json), characters)).data;
}

/**
 * A fact as a quote, and for what it is kept, in plain words, in Markdown; undefined: the card asks
 * about something else. Pure.
 */
export function factLines(
  card: Card,
  {
    maxArguments,
    locale: { cards: say },
  }: { readonly maxArguments: number; readonly locale: Locale },
): readonly string[] | undefined {
  const given = factOf(card, say);
  if (given === undefined) return undefined;
  const { fact, about, supersedes } = given;
  const quoted = `> ${plain(cutMiddle(fact, maxArguments, say.characters))}`;
  const who = name(card.requesterName, say);
  const use = about === "chat" ? say.factOfChat : card.direct ? say.factOfYours : say.factOf(who);
  return [quoted, supersedes === undefined ? use : `${use} ${say.factReplaces(plain(supersedes))}`];
}
