import type { AuditLog } from "../core/audit.ts";
import type { Acceptance } from "../core/inbound.ts";
import { shortApprovalId } from "../core/approval.ts";
import { approvalCode } from "./skill-card.ts";
import { notifyAllAdmins } from "../access/notify-admins.ts";
import type { PairingDeps } from "../access/pairing.ts";
import { botOf, type ChatKey, type Person } from "../core/chat.ts";
import { spokenIn } from "../core/outbox.ts";
import { isAtLeast, type Role } from "../core/roles.ts";
import type { SkillVersion } from "../core/skill.ts";
import type { SkillDecision, SkillReviews } from "../store/operations/skill-reviews.ts";
import { commandIn, localeFor } from "../locales/locale-for.ts";
import type { Locale } from "../locales/locale.ts";

export interface SkillReviewDeps {
  readonly skillReviews: SkillReviews;
  readonly pairing: PairingDeps;
  readonly audit: AuditLog;
}

export interface SkillVerdict {
  readonly version: string;
  readonly kind: SkillDecision["kind"];
  /** Of an approval: what came with the text that was shown. */
  readonly code?: string;
  /** A denial that takes an approval back; the same version can't be approved again. */
  readonly withdraws?: boolean;
  readonly person: Person;
  /** Their role regardless of place: a group's own administrator can't decide. */
  readonly role: Role;
  readonly chat: ChatKey;
  readonly locale: Locale;
  /** It was typed, and the answer says the outcome: the admin's own card only gets a mark. */
  readonly isTyped?: true;
}

/**
 * An admin's word on one version of a skill. The first one counts, whatever the others say; its
 * author may repeat it, e.g. because it was delivered twice. The other admins are notified, and
 * reviews that were sent lose their buttons. Workers act on it within seconds.
 */
export async function decideSkill(
  deps: SkillReviewDeps,
  verdict: SkillVerdict,
): Promise<Acceptance & { readonly type: "answered" | "refused" }> {
  const { version, kind, person, role, locale, withdraws = false } = verdict;
  if (!isAtLeast(role, "admin")) return { type: "refused", text: locale.pairing.adminsDecide };
  const found = await deps.skillReviews.version(version);
  if (found === undefined)
    return { type: "refused", text: locale.skills.noSuchVersion, isStale: true };
  if (kind === "approved" && !(await wasShown(deps, verdict, found)))
    return {
      type: "refused",
      text: locale.skills.readFirst(commandIn(locale, `/skills show {skill:${found.name}}`)),
    };
  const given = { kind, by: person.id, isRecent: true };
  if (withdraws) await deps.skillReviews.withdraw(version, person.id);
  const decided = withdraws
    ? given
    : await deps.skillReviews.decide(version, { kind, by: person.id });
  if (decided.kind !== kind || decided.by !== person.id) {
    const admin = (await deps.pairing.people.knownPerson(decided.by))?.name ?? decided.by;
    const outcome = locale.skills[decided.kind](found.name, admin);
    return { type: "refused", text: locale.contact.alreadyDecided(outcome), isStale: true };
  }
  // One that is delivered again may not have been reported yet.
  const closed = decided.isRecent ? await record(deps, verdict, found) : [];
  const text = locale.skills[kind](found.name, person.name);
  const isShown = closed.includes(verdict.chat);
  return { type: "answered", text, isPrivate: true, ...(isShown ? {} : { isStale: true }) };
}

/** The version that an admin has approved before, where it is another one. */
export async function versionBefore(
  { skillReviews }: Pick<SkillReviewDeps, "skillReviews">,
  { name, version }: Pick<SkillVersion, "name" | "version">,
): Promise<SkillVersion | undefined> {
  const before = await skillReviews.approvedBefore(name);
  return before?.version === version ? undefined : before;
}

/** Whether they were shown all of its text; once it is decided, nothing depends on that. */
async function wasShown(
  deps: SkillReviewDeps,
  { version, code }: Pick<SkillVerdict, "version" | "code">,
  now: SkillVersion,
): Promise<boolean> {
  const before = await versionBefore(deps, now);
  if (code === approvalCode({ now, before })) return true;
  return (await deps.skillReviews.decisions([version])).has(version);
}

/**
 * Once, however often the decision is delivered. @returns the chats whose only review will show it:
 * in others a tap may have come from an older one, which the outbox leaves alone.
 */
async function record(
  { audit, pairing, skillReviews }: SkillReviewDeps,
  { version, kind, person, chat, isTyped }: SkillVerdict,
  { name }: SkillVersion,
): Promise<readonly ChatKey[]> {
  const { people } = pairing;
  await people.notePerson(person);
  await audit.write(`skill-${version}-${kind}`, {
    action: "skill-decided",
    by: { id: person.id, name: person.name },
    chat,
    target: name,
    outcome: kind,
    details: { version: shortApprovalId(version) },
  });
  const own = new Set([chat, await people.directChat(botOf(chat), person.id)]);
  const mark = `${kind === "approved" ? "✓" : "✗"} ${name}`;
  const cards = await skillReviews.cards(version);
  for (const { chat: shownIn, entry, language } of cards)
    await pairing.post(shownIn, {
      kind: "resolution",
      v: 1,
      id: `${entry}-${kind}`,
      of: entry,
      ...spokenIn(language),
      text:
        isTyped && own.has(shownIn)
          ? mark
          : localeFor(language, shownIn).skills[kind](name, person.name),
    });
  await notifyAllAdmins(pairing, chat, ({ skills }, { chat: theirs }) =>
    own.has(theirs)
      ? undefined
      : {
          kind: "notice",
          v: 1,
          id: `skill-${kind}-${version}`,
          text: skills[kind](name, person.name),
        },
  );
  return cards.flatMap((card) => (card.isAgain ? [] : card.chat));
}
