import { Fields } from "./fields.ts";
import { userName } from "./person.ts";
import { richWords } from "./rich-words.ts";
import type { TelegramContent } from "./update.ts";

/** The words of a kind of content, for a model. */
interface Described {
  /** Names the kind. */
  readonly head: string;
  /** Absent or empty: nothing. */
  readonly words?: string;
}

/** Which task of a checklist or option of a poll a reply points at. */
export interface PointedPart {
  readonly task?: number | undefined;
  readonly option?: string | undefined;
}

type Describe = (value: Fields, pointed: PointedPart) => Described;

const join = (separator: string, parts: readonly string[]): string =>
  parts.filter((part) => part !== "").join(separator);
const lines = (...parts: readonly string[]): string => join("\n", parts);
const list = (...parts: readonly string[]): string => join(", ", parts);
const counted = (count: number | undefined, one: string): string =>
  count === undefined ? "" : `${count} ${one}${count === 1 ? "" : "s"}`;
const labelled = (label: string, words: string): string =>
  words === "" ? "" : `${label} ${words}`;
const facts = (...parts: readonly string[]): string =>
  list(...parts) === "" ? "" : ` (${list(...parts)})`;

const nameOf = (value: Fields): string =>
  value.text("title") ||
  (userName({
    first_name: value.text("first_name"),
    last_name: value.text("last_name"),
    username: value.text("username"),
  }) ??
    "");

/** @param seconds Unix time */
function dayOf(seconds: number | undefined): string {
  const moment = new Date((seconds ?? Number.NaN) * 1_000);
  return Number.isNaN(moment.getTime()) ? "" : moment.toISOString().slice(0, 10);
}

/** @param units of the currency, its smallest ones */
function money(currency: string, units: number | undefined): string {
  if (units === undefined) return "";
  if (currency === "XTR") return counted(units, "Star");
  if (!/^[A-Z]{3}$/.test(currency)) return "";
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions();
  return `${(units / 10 ** digits).toFixed(digits)} ${currency}`;
}

function placeOf(location: Fields): string {
  const at = [location.number("latitude"), location.number("longitude")];
  return at.includes(undefined) ? "" : at.join(", ");
}

function poll(value: Fields, { option: pointed }: PointedPart): Described {
  const right = new Set(value.values("correct_option_ids"));
  const options = value.list("options").map((option, index) => {
    const votes = option.number("voter_count") ?? 0;
    return `- ${option.formatted("text")}${facts(
      votes > 0 ? counted(votes, "vote") : "",
      right.has(index) ? "the right answer" : "",
      pointed !== undefined && option.text("persistent_id") === pointed ? "this one is meant" : "",
    )}`;
  });
  const [question, ...more] = ["question", "description", "explanation"].map((name) =>
    value.formatted(name),
  );
  return {
    head: value.has("is_closed") ? "closed poll" : "poll",
    words: lines(question ?? "", ...options, ...more),
  };
}

function checklist(value: Fields, { task: pointed }: PointedPart): Described {
  const tasks = value.list("tasks").map((task) => {
    const isDone = ["completion_date", "completed_by_user", "completed_by_chat"].some((field) =>
      task.has(field),
    );
    const isMeant = pointed !== undefined && task.number("id") === pointed;
    return `- [${isDone ? "x" : " "}] ${task.formatted("text")}${facts(isMeant ? "this one is meant" : "")}`;
  });
  return { head: "checklist", words: lines(value.formatted("title"), ...tasks) };
}

/** A vCard's other lines hold what the fields say, or pictures. */
const usefulCardLine = /^(?:ADR|BDAY|EMAIL|NOTE|ORG|TEL|TITLE|URL)\b/i;
const contact: Describe = (value) => ({
  head: "contact",
  words: lines(
    list(nameOf(value), value.text("phone_number")),
    ...value
      .text("vcard")
      .split(/\r?\n/)
      .filter((line) => usefulCardLine.test(line)),
  ),
});

const prizeOf = (value: Fields): string =>
  list(
    value.text("prize_description"),
    labelled("Premium for", counted(value.number("premium_subscription_month_count"), "month")),
    counted(value.number("prize_star_count"), "Star"),
  );

const only =
  (head: string): Describe =>
  () => ({ head });
const gift: Describe = (value) => ({ head: "gift", words: value.formatted("text") });
const payment: Describe = (value) => ({
  head: "payment",
  words: money(value.text("currency"), value.number("total_amount")),
});

/** In the order in which they are looked for: several may be set at once. */
const described: Readonly<Record<string, Describe>> = {
  live_photo: only("live photo"),
  photo: only("photo"),
  animation: only("GIF"),
  video: only("video"),
  sticker: (value) => ({ head: join(" ", ["sticker", value.text("emoji")]) }),
  paid_media: (value) => ({
    head: `paid media${facts(counted(value.number("star_count"), "Star"))}`,
  }),
  story: only("story"),
  contact,
  venue: (value) => ({
    head: "venue",
    words: `${list(value.text("title"), value.text("address"))}${facts(placeOf(value.of("location")))}`,
  }),
  location: (value) => ({
    head: value.has("live_period") ? "live location" : "location",
    words: placeOf(value),
  }),
  poll,
  checklist,
  dice: (value) => ({
    head: "dice",
    words: join(" ", [value.text("emoji"), String(value.number("value") ?? "")]),
  }),
  game: (value) => ({
    head: "game",
    words: lines(value.text("title"), value.text("description"), value.formatted("text")),
  }),
  invoice: (value) => ({
    head: "invoice",
    words: lines(
      list(value.text("title"), money(value.text("currency"), value.number("total_amount"))),
      value.text("description"),
    ),
  }),
  giveaway: (value) => ({
    head: "giveaway",
    words: list(
      prizeOf(value),
      counted(value.number("winner_count"), "winner"),
      labelled("drawn on", dayOf(value.number("winners_selection_date"))),
      labelled("for subscribers of", list(...value.list("chats").map(nameOf))),
    ),
  }),
  giveaway_winners: (value) => ({
    head: "winners of a giveaway",
    words: list(
      prizeOf(value),
      counted(value.number("winner_count"), "winner"),
      labelled("of", nameOf(value.of("chat"))),
      ...value.list("winners").map(nameOf),
    ),
  }),
  voice: only("voice message"),
  audio: (value) => ({
    head: join(" ", ["audio", join(" – ", [value.text("performer"), value.text("title")])]),
  }),
  video_note: only("video message"),
  document: (value) => ({ head: join(" ", ["file", value.text("file_name")]) }),
  gift,
  gift_upgrade_sent: gift,
  unique_gift: (value) => ({ head: "gift", words: value.of("gift").text("base_name") }),
  successful_payment: payment,
  refunded_payment: payment,
  checklist_tasks_added: (value) => ({ ...checklist(value, {}), head: "added to a checklist" }),
};

function describe(message: TelegramContent, pointed: PointedPart): Described | undefined {
  const rich = message["rich_message"];
  if (rich !== undefined) {
    const words = richWords(rich);
    // It is a text.
    return { head: words === "" ? "rich message" : "", words };
  }
  const [kind, of] = Object.entries(described).find(([each]) => message[each] !== undefined) ?? [];
  return kind === undefined ? undefined : of?.(new Fields(message[kind]), pointed);
}

/**
 * The words of a message apart from its text, after the kind's name in brackets; empty if it is a text
 * alone, or Telegram says it. Pure, for any input.
 */
export function contentWords(message: TelegramContent, pointed: PointedPart = {}): string {
  const { head, words = "" } = describe(message, pointed) ?? { head: "" };
  return join(" ", [head === "" ? "" : `[${head}]`, words]);
}

/** The same, if it is more than the kind's name; undefined: it isn't. Pure, for any input. */
export const saidInContent = (message: TelegramContent): string | undefined =>
  describe(message, {})?.words ? contentWords(message) : undefined;
