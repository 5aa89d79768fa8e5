import { MessageType } from "discord.js";
import { isBlank } from "../../../text/blank.ts";
import { maxQuoteLength } from "../../../core/history.ts";
import { cutBefore } from "../../markdown/graphemes.ts";
import { withNames } from "../format/commands.ts";
import { componentWords, linked } from "./component-words.ts";
import type { AttachmentPayload, ContentPayload, EmbedPayload, PollPayload } from "./content.ts";

/** Of a message; Discord's own limit. */
const maxEmbeds = 10;

/** Each part of a content, in the order in which Discord shows them. */
const parts: readonly ((content: ContentPayload) => Iterable<string | undefined>)[] = [
  eventWords,
  ({ content }) => [withNames(content)],
  ({ poll }) => (poll ? pollWords(poll) : []),
  function* ({ embeds, content }) {
    for (const embed of embeds.slice(0, maxEmbeds)) yield* embedWords(embed, content);
  },
  ({ components }) => componentWords(components),
  ({ attachments }) => attachments.map(fileWord),
  ({ sticker_items: items, stickers }) =>
    (items.length > 0 ? items : stickers).map(({ name }) => `[sticker: ${name}]`),
  otherWords,
];

/** The words of what is quoted; see `wordsWithin`. Pure. */
export const wordsOf = (...contents: readonly ContentPayload[]): string =>
  wordsWithin(maxQuoteLength, contents);

/**
 * All that people see of one or more contents, as lines of at most `maxLength` UTF-16 units
 * together; "…" at the end says that there is more. Files are only named. Empty: there is nothing,
 * or Discord withholds it. Reads no more than it returns. Pure.
 */
export function wordsWithin(maxLength: number, contents: readonly ContentPayload[]): string {
  const lines: string[] = [];
  // A file may be among the components and among the attachments.
  const named = new Set<string>();
  let length = 0;
  for (const line of linesOf(contents)) {
    if (named.has(line)) continue;
    if (line.startsWith("[")) named.add(line);
    lines.push(line);
    length += line.length + 1;
    if (length > maxLength + 1) break;
  }
  const text = lines.join("\n");
  if (text.length <= maxLength) return text;
  return `${text.slice(0, cutBefore(text, maxLength - 1, 0))}…`;
}

function* linesOf(contents: readonly ContentPayload[]): Generator<string> {
  for (const content of contents)
    for (const part of parts)
      for (const line of part(content)) if (line && !isBlank(line)) yield line.trim();
}

/** Discord's own messages; empty: its words say what it is. */
const events: Readonly<Record<MessageType, string>> = {
  [MessageType.Default]: "",
  [MessageType.Reply]: "",
  [MessageType.ChatInputCommand]: "",
  [MessageType.ContextMenuCommand]: "",
  [MessageType.AutoModerationAction]: "",
  [MessageType.PollResult]: "",
  [MessageType.RecipientAdd]: "added someone to the group",
  [MessageType.RecipientRemove]: "removed someone from the group",
  [MessageType.Call]: "",
  [MessageType.ChannelNameChange]: "changed the channel's name",
  [MessageType.ChannelIconChange]: "changed the channel's icon",
  [MessageType.ChannelPinnedMessage]: "pinned a message",
  [MessageType.UserJoin]: "joined the server",
  [MessageType.GuildBoost]: "boosted the server",
  [MessageType.GuildBoostTier1]: "boosted the server to level 1",
  [MessageType.GuildBoostTier2]: "boosted the server to level 2",
  [MessageType.GuildBoostTier3]: "boosted the server to level 3",
  [MessageType.ChannelFollowAdd]: "added a channel to this one",
  [MessageType.GuildDiscoveryDisqualified]: "the server left Discovery",
  [MessageType.GuildDiscoveryRequalified]: "the server can be found in Discovery again",
  [MessageType.GuildDiscoveryGracePeriodInitialWarning]: "the server may leave Discovery",
  [MessageType.GuildDiscoveryGracePeriodFinalWarning]: "the server will leave Discovery soon",
  [MessageType.ThreadCreated]: "started a thread",
  [MessageType.ThreadStarterMessage]: "the message that a thread was started from",
  [MessageType.GuildInviteReminder]: "a reminder to invite people",
  [MessageType.RoleSubscriptionPurchase]: "",
  [MessageType.InteractionPremiumUpsell]: "an offer to pay for an app",
  [MessageType.StageStart]: "started a stage",
  [MessageType.StageEnd]: "ended a stage",
  [MessageType.StageSpeaker]: "is now a speaker on the stage",
  [MessageType.StageRaiseHand]: "asked to speak on the stage",
  [MessageType.StageTopic]: "changed the stage's topic",
  [MessageType.GuildApplicationPremiumSubscription]: "subscribed to an app",
  [MessageType.GuildIncidentAlertModeEnabled]: "enabled security actions",
  [MessageType.GuildIncidentAlertModeDisabled]: "disabled security actions",
  [MessageType.GuildIncidentReportRaid]: "reported a raid",
  [MessageType.GuildIncidentReportFalseAlarm]: "reported a false alarm",
  [MessageType.PurchaseNotification]: "bought something",
};
const knownEvents: Readonly<Record<number, string | undefined>> = events;

/** Types that are newer than our list are Discord's own, too. */
function eventWords({ type }: ContentPayload): readonly string[] {
  const event = type === undefined ? "" : (knownEvents[type] ?? "a message of Discord's own");
  return event === "" ? [] : [`[${event}]`];
}

function* otherWords(content: ContentPayload): Generator<string> {
  const { type, activity, application, call } = content;
  const { role_subscription_data: subscription, shared_client_theme: theme } = content;
  const name = application?.name ?? "";
  if (activity) yield name === "" ? "[activity]" : `[activity: ${name}]`;
  if (call || type === MessageType.Call)
    yield call?.ended_timestamp ? "[call, which has ended]" : "[call]";
  if (subscription || type === MessageType.RoleSubscriptionPurchase)
    yield `[subscription: ${subscription?.tier_name ?? "a role"}]`;
  if (theme) yield "[theme]";
}

/** A preview of a link repeats its address, which is there already. */
function* embedWords(embed: EmbedPayload, content: string): Generator<string | undefined> {
  const link = (label = "", url = ""): string =>
    url === "" || content.includes(url) ? label : linked(label.trim(), url);
  const { author, provider, title, description, url, fields, footer, timestamp } = embed;
  const { image, thumbnail, video } = embed;
  yield provider?.name;
  yield link(author?.name, author?.url);
  yield link(title, url);
  yield description;
  for (const { name, value } of fields)
    yield [name, value].filter((part) => part && !isBlank(part)).join(": ");
  const pictures = [image, thumbnail, video];
  const captions = pictures.map((media) => media?.description?.trim() ?? "").filter(Boolean);
  yield* captions.map((caption) => `[media: ${caption}]`);
  yield [footer?.text, timestamp].filter((part) => part && !isBlank(part)).join(" · ");
  const isBare = ![author?.name, title, description, url, footer?.text, ...captions].some(Boolean);
  const shown = pictures.find((media) => media?.url)?.url;
  if (isBare && fields.length === 0 && shown && !content.includes(shown)) yield `[media: ${shown}]`;
}

function* pollWords({ question, answers, results }: PollPayload): Generator<string> {
  yield `[poll: ${mediaWords(question)}]`;
  const counts = new Map(results?.answer_counts.map(({ id, count }) => [id, count]));
  for (const { answer_id: id, poll_media: media } of answers) {
    // Discord leaves out answers without votes.
    const count = id === undefined ? 0 : (counts.get(id) ?? 0);
    const votes = results ? `: ${count} ${count === 1 ? "vote" : "votes"}` : "";
    yield `- ${mediaWords(media)}${votes}`;
  }
  if (results?.is_finalized) yield "[the poll has ended]";
}

const mediaWords = (media: PollPayload["question"]): string =>
  [media?.emoji?.name, media?.text].filter((part) => part && !isBlank(part)).join(" ");

function fileWord({ filename, description, duration_secs: seconds }: AttachmentPayload): string {
  const kind = seconds === undefined ? "file" : "voice message";
  const about = description?.trim() ?? "";
  return `[${kind}: ${filename}${about === "" ? "" : `, ${about}`}]`;
}
