import { describe, expect, it } from "vitest";
import type { LimitHit } from "../../src/core/limits.ts";
import {
  limitPhrase,
  limitSentence,
  whoseLimit,
  whoseLimitIsSet,
} from "../../src/locales/limit-sentence.ts";
import { localeFor } from "../../src/locales/locale-for.ts";
import { momentIn } from "../../src/locales/moment.ts";

const nowMs = Date.parse("2026-11-22T21:30:15Z");
const at = (text: string): number => Date.parse(`${text}Z`);

describe("the sentence of a limit", () => {
  const hit: LimitHit = {
    scope: { kind: "person" },
    limit: { metric: "cost", per: "day", max: 5 },
    used: 4.98,
    resetsAtMs: at("2026-11-23T00:00:00"),
  };

  it.each<[string | undefined, string]>([
    [undefined, "You've reached your limit of $5.00 a day. It resets in 3 hours (00:00 UTC)."],
    [
      "de-AT",
      "Du hast dein Limit von 5,00\u00A0$ pro Tag erreicht. Es wird in 3 Stunden (00:00 UTC) zurückgesetzt.",
    ],
    ["zh", "你已达到上限：每天 $5.00。 将于3小时后 (00:00 UTC)重置。"],
  ])("in %s", (language, expected) => {
    expect(limitSentence(hit, { language, nowMs })).toBe(expected);
  });

  it.each([
    [0.015, "$0.015"],
    [0.014_9, "$0.0149"],
    [0.125, "$0.125"],
    [1.255_5, "$1.2555"],
  ])("says of a limit of %d USD what it is", (max, shown) => {
    const text = limitSentence({ ...hit, limit: { ...hit.limit, max } }, { nowMs });
    expect(text).toContain(` ${shown} a day`);
  });

  it.each([
    [4.983_726_452, "$4.98"],
    [0.123_456_789, "$0.123"],
    [0.000_185_149, "$0.000185"],
    [0, "$0"],
  ])("says of %d USD no more than anybody wants to know", (used, shown) => {
    const text = limitSentence({ ...hit, used, needs: 9 }, { nowMs });
    expect(text).toContain(` ${shown} of the limit `);
  });

  it("says what an answer might have taken, where something is left", () => {
    const refused = { ...hit, used: 3.2, needs: 2.345_67 };
    expect(limitSentence(refused, { nowMs })).toBe(
      "There isn't enough left for an answer (up to $2.35): $3.20 of the limit of $5.00 a day (for you) is used. It resets in 3 hours (00:00 UTC).",
    );
    const nothingLeft = limitSentence({ ...refused, used: 5 }, { nowMs });
    expect(nothingLeft).not.toContain("enough left");
  });

  it("has no end where none is known", () => {
    const places: LimitHit = {
      scope: { kind: "role", role: "guest" },
      limit: { metric: "turns", per: "at-once", max: 3 },
      used: 3,
    };
    expect(limitSentence(places, { nowMs })).toBe(
      "The limit of 3 answers at once (for you, as a guest) has been reached.",
    );
  });
});

it.each([
  ["en", "for everyone in the terminal"],
  ["de", "für alle im Terminal"],
  ["es", "para todos en la terminal"],
  ["fr", "pour tout le monde dans le terminal"],
  ["ru", "для всех в терминале"],
  ["zh", "对终端里的所有人"],
])("a limit of the terminal's is named in the words of %s", (language, whose) => {
  const scope = { kind: "platform", platform: "console" } as const;
  expect(whoseLimit(scope, localeFor(language))).toBe(whose);
  expect(whoseLimitIsSet(scope, "", localeFor(language))).toBe(whose);
});

describe("a moment to come", () => {
  it.each([
    ["2026-11-22T21:30:16", "in 1 second (21:30 UTC)"],
    ["2026-11-22T21:31:00", "in 45 seconds (21:31 UTC)"],
    ["2026-11-22T22:00:00", "in 30 minutes (22:00 UTC)"],
    ["2026-11-23T00:00:00", "in 3 hours (00:00 UTC)"],
    ["2026-12-01T00:00:00", "in 9 days (Dec 1, 00:00 UTC)"],
    // It is over already: not in minus one second.
    ["2026-11-22T21:30:00", "in 1 second (21:30 UTC)"],
  ])("%s", (moment, expected) => {
    expect(momentIn("en", at(moment), nowMs)).toBe(expected);
  });
});

describe("what isn't limited", () => {
  it.each([
    ["en", "unlimited messages a day", "unlimited time per answer"],
    ["de", "unbegrenzt viele Nachrichten pro Tag", "unbegrenzte Zeit pro Antwort"],
    ["es", "mensajes sin límite al día", "tiempo sin límite por respuesta"],
    ["fr", "messages sans limite par jour", "temps sans limite par réponse"],
    ["ru", "неограниченное число сообщений в день", "неограниченное время на ответ"],
    ["zh", "每天消息条数不限", "每次回答时间不限"],
  ])("is said in the words of %s alone", (language, messages, time) => {
    const said = (limit: Pick<LimitHit["limit"], "metric" | "per">): string =>
      limitPhrase({ ...limit, max: Infinity }, localeFor(language));
    expect(said({ metric: "messages", per: "day" })).toBe(messages);
    expect(said({ metric: "deadline", per: "turn" })).toBe(time);
  });
});

describe("the news of a limit", () => {
  const sentences: Readonly<Record<string, readonly [isNow: string, isReset: string]>> = {
    en: [
      "New limit for this chat: unlimited messages a day (before: 3 messages a day). It applies from the next message on.",
      "The limit for this chat is back to the configured one: 3 messages a day (before: unlimited messages a day).",
    ],
    de: [
      "Neues Limit für diesen Chat: unbegrenzt viele Nachrichten pro Tag (vorher: 3 Nachrichten pro Tag). Es gilt ab der nächsten Nachricht.",
      "Das Limit für diesen Chat ist wieder das konfigurierte: 3 Nachrichten pro Tag (vorher: unbegrenzt viele Nachrichten pro Tag).",
    ],
    es: [
      "Nuevo límite para este chat: mensajes sin límite al día (antes: 3 mensajes al día). Se aplica desde el próximo mensaje.",
      "El límite para este chat vuelve a ser el configurado: 3 mensajes al día (antes: mensajes sin límite al día).",
    ],
    fr: [
      "Nouvelle limite pour ce chat : messages sans limite par jour (avant : 3 messages par jour). Elle s'applique dès le prochain message.",
      "La limite pour ce chat est de nouveau celle configurée : 3 messages par jour (avant : messages sans limite par jour).",
    ],
    ru: [
      "Новый лимит (для этого чата): неограниченное число сообщений в день (раньше: 3 сообщения в день). Он действует со следующего сообщения.",
      "Лимит (для этого чата) снова из настроек: 3 сообщения в день (раньше: неограниченное число сообщений в день).",
    ],
    zh: [
      "新的上限（对这个聊天）：每天消息条数不限（之前：每天 3 条消息）。从下一条消息起生效。",
      "上限（对这个聊天）已恢复为配置值：每天 3 条消息（之前：每天消息条数不限）。",
    ],
  };

  it.each(Object.entries(sentences))("is a sentence in %s", (language, [isNow, isReset]) => {
    const locale = localeFor(language);
    const { limits } = locale;
    const phrase = (max: number): string =>
      limitPhrase({ metric: "messages", per: "day", max }, locale);
    const [none, three] = [phrase(Infinity), phrase(3)];
    expect(limits.isNow(limits.whose.thisChat, none, three)).toBe(isNow);
    expect(limits.isReset(limits.whose.thisChat, three, none)).toBe(isReset);
  });
});
