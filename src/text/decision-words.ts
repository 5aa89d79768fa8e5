/** A person's answer to a card in words. */
export interface SpokenDecision {
  readonly status: "approved" | "denied";
  /** Of the card's calls, from 1; absent: all of them. */
  readonly numbers?: readonly number[];
  readonly reason?: string;
}

/** Yes and no in the languages of our sentences, as people answer a question. */
const yes = words(
  "yes, y, yes please, yeah, yep, sure, ok, okay, approve, approved, allow",
  "ja, ja bitte, genehmigt, genehmigen, erlauben, erlaubt",
  "sí, si, sí por favor, vale, aprobar, aprobado, permitir",
  "oui, oui merci, d'accord, d’accord, approuver, approuvé, autoriser",
  "да, да пожалуйста, ок, одобрить, одобряю, разрешить, разрешаю",
  "是, 是的, 好, 好的, 可以, 同意, 批准, 允许",
  "👍, 👌, ✅, ✔",
);
const no = words(
  "no, n, no thanks, no thank you, nope, deny, denied, reject",
  "nein, nein danke, ablehnen, abgelehnt",
  "no gracias, denegar, denegado, rechazar",
  "non, non merci, refuser, refusé",
  "нет, нет спасибо, отклонить, отклоняю, запретить",
  "不, 不用, 否, 不行, 不要, 不可以, 不同意, 拒绝",
  "👎, ❌",
);

function words(...languages: readonly string[]): readonly string[] {
  return languages.flatMap((each) => each.split(", "));
}

const anyOf = (choices: readonly string[]): string =>
  choices
    .toSorted((one, other) => other.length - one.length)
    .map((choice) => choice.replaceAll(" ", String.raw`,?\s+`))
    .join("|");

/** The languages' words for "and", as people write them between numbers. */
const and = anyOf(words("and", "und", "y, e", "et", "и", "以及, 和, 与, 跟"));
const comma = "[,;&+，；、]";
const between = String.raw`(?:\s*${comma}\s*(?:(?:${and})\s*)?|\s*(?:${and})\s*|\s+)`;
const number = String.raw`#?\d{1,2}`;
/** One or several of a card's calls: `2`, `#1, #2`, `1, 2 and 3`. */
const list = String.raw`${number}(?:${between}${number})*`;
const isList = new RegExp(String.raw`^${list}\s?[.,:;)!。！]*$`, "iu");
/** Separates a word or a number from the following text. */
const stop = "[,.:;!，。：；！–—-]";
/** In `2.5 is enough` and `2:30 is late` no call is named. */
const oneAndReason = new RegExp(
  String.raw`^(?<typed>${number})\)?(?:\s*${stop}(?!\d)\s*|\s+)(?<reason>\S.*)$`,
  "su",
);

/** The calls of a card that a text names at its beginning, and the text after them. */
export interface NamedCalls {
  /** From 1, each once, as they were written. */
  readonly numbers: readonly number[];
  /** As it was written. */
  readonly typed: string;
  /** Empty: nothing. */
  readonly rest: string;
}

/**
 * Several numbers name several calls if nothing follows them. Otherwise only the first does, since
 * the next may belong to the reason (`2, 3 are enough`). Undefined for a text that begins with no
 * number. Pure.
 */
export function namedCalls(text: string): NamedCalls | undefined {
  const said = text.trim();
  if (isList.test(said)) return { numbers: numbersIn(said), typed: said, rest: "" };
  const { typed, reason } = oneAndReason.exec(said)?.groups ?? {};
  return typed === undefined || reason === undefined
    ? undefined
    : { numbers: numbersIn(typed), typed, rest: reason };
}

const numbersIn = (text: string): readonly number[] => [
  ...new Set((text.match(/\d+/g) ?? []).map(Number)),
];

/** A skin tone, and the sign that asks for a picture instead of a character. */
const emojiStyle = String.raw`\uFE0F?\p{Emoji_Modifier}?`;
const ending = String.raw`\s*[.!。！]*\s*`;
/** Only calls' numbers may follow a yes: a yes with a condition is not a yes. */
const saysYes = new RegExp(
  String.raw`^\s*(?:${anyOf(yes)})${emojiStyle}(?:\s*,?\s*(?<said>${list}))?${ending}$`,
  "iu",
);
const saysNo = new RegExp(
  String.raw`^\s*(?:${anyOf(no)})${emojiStyle}(?:${ending}|(?:\s*(?<stop>${stop})\s*|\s+|(?=${list}(?:${ending}$|\s|${stop})))(?<said>\S.*))$`,
  "isu",
);

/** Characters of a reason that are kept. */
const maxReasonLength = 500;
/** Longer texts say more than yes or no. */
const maxLength = 1_000;

/** Undefined unless it is a plain yes, or a no with or without a reason. Pure. */
export function spokenDecision(text: string): SpokenDecision | undefined {
  if (text.length > maxLength) return undefined;
  // Some keyboards write an accent as a separate character.
  const composed = text.normalize("NFC");
  const agreed = saysYes.exec(composed);
  const found = agreed ?? saysNo.exec(composed);
  if (!found) return undefined;
  const { said = "", stop: after } = found.groups ?? {};
  const named = namedCalls(said);
  // `no, 2 are enough` names no call, while `no, 2` does.
  const calls = after !== undefined && named?.rest !== "" ? undefined : named;
  const reason = (calls?.rest ?? said).trim();
  return {
    status: agreed ? "approved" : "denied",
    ...(calls && { numbers: calls.numbers }),
    ...(reason === "" ? {} : { reason: reason.slice(0, maxReasonLength).toWellFormed() }),
  };
}

/** A reply to a card with other arguments. */
export interface SpokenEdit {
  /** Of the call, from 1; absent: the only one. */
  readonly number?: number;
  readonly text: string;
}

/**
 * `name=value` or JSON, after the call's number if there are several. Undefined for anything else.
 * Pure.
 */
export function spokenEdit(
  said: string,
  isEdit: (text: string) => boolean,
): SpokenEdit | undefined {
  const text = said.trim();
  if (isEdit(text)) return { text };
  const [, number, rest = ""] = /^#?(\d{1,2})[.:)]?\s+([^]+)$/.exec(text) ?? [];
  return number !== undefined && isEdit(rest) ? { number: Number(number), text: rest } : undefined;
}
