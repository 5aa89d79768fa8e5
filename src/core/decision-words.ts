/** What a person says who answers a card in words. */
export interface SpokenDecision {
  readonly status: "approved" | "denied";
  /** Of the call, from 1; absent: all of them. */
  readonly number?: number;
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

/** A skin tone, and the sign that asks for a picture instead of a character. */
const emojiStyle = String.raw`\uFE0F?\p{Emoji_Modifier}?`;
const ending = String.raw`\s*[.!。！]*\s*`;
const number = String.raw`(?:\s*#?(?<number>\d{1,2}))?`;
/** A yes that nothing may follow leaves no doubt behind a comma, either. */
const numberOfYes = String.raw`(?:\s*,?\s*#?(?<number>\d{1,2}))?`;
/** What looks like a reason and is a call's number, or several: never a reason. */
const numbers = /^[\s,;]*#?(\d{1,2})(?:[\s,;]+#?\d{1,2})*[.!。！]*$/;
/** Nothing may follow a yes: whoever adds a condition has not said it. */
const saysYes = new RegExp(
  String.raw`^\s*(?:${anyOf(yes)})${emojiStyle}${numberOfYes}${ending}$`,
  "iu",
);
const saysNo = new RegExp(
  String.raw`^\s*(?:${anyOf(no)})${emojiStyle}${number}(?:${ending}|(?:\s*[,.:;!，。：；！–—-]\s*|\s+)(?<reason>\S.*))$`,
  "isu",
);

/** Characters of a reason that are kept. */
const maxReasonLength = 500;
/** Longer texts say more than yes or no. */
const maxLength = 1_000;

/** Undefined for whatever is neither a plain yes nor a no with or without a reason. Pure. */
export function spokenDecision(text: string): SpokenDecision | undefined {
  if (text.length > maxLength) return undefined;
  // Some keyboards write an accent as a character of its own.
  const composed = text.normalize("NFC");
  const agreed = saysYes.exec(composed);
  const refused = agreed ? null : saysNo.exec(composed);
  if (!agreed && !refused) return undefined;
  const { number: typed, reason } = withoutNumbers(
    (agreed ?? refused)?.groups ?? {},
  );
  if (typed === "several") return undefined;
  return {
    status: agreed ? "approved" : "denied",
    ...(typed === undefined ? {} : { number: Number(typed) }),
    ...(reason === undefined
      ? {}
      : { reason: reason.trim().slice(0, maxReasonLength).toWellFormed() }),
  };
}

interface Groups {
  readonly number?: string;
  readonly reason?: string;
}

/** `no, 2` is about call 2, as `no 2` is. One call is decided at a time, as `/deny` does. */
function withoutNumbers({ number: typed, reason = "" }: Groups): Groups {
  const first = numbers.exec(reason)?.[1];
  if (first === undefined)
    return {
      ...(typed === undefined ? {} : { number: typed }),
      ...(reason === "" ? {} : { reason }),
    };
  const isOne = typed === undefined && /^\D*\d+\D*$/.test(reason);
  return { number: isOne ? first : "several" };
}

/** What somebody writes who answers a card with other arguments. */
export interface SpokenEdit {
  /** Of the call, from 1; absent: the only one. */
  readonly number?: number;
  readonly text: string;
}

/** `name=value` or JSON, behind the call's number where there are several. Undefined for anything else. Pure. */
export function spokenEdit(
  said: string,
  isEdit: (text: string) => boolean,
): SpokenEdit | undefined {
  const text = said.trim();
  if (isEdit(text)) return { text };
  const [, number, rest = ""] = /^#?(\d{1,2})[.:)]?\s+([^]+)$/.exec(text) ?? [];
  return number !== undefined && isEdit(rest)
    ? { number: Number(number), text: rest }
    : undefined;
}
