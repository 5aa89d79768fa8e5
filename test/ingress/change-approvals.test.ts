import { describe, expect, it } from "vitest";
import type { Approval } from "../../src/core/approval.ts";
import type { InboundTap } from "../../src/core/inbound.ts";
import { createApprovalStore } from "../../src/store/approvals/approvals.ts";
import { createGrantStore } from "../../src/store/approvals/grants.ts";
import { createToolSchemas } from "../../src/store/approvals/tool-schemas.ts";
import { cardsIn } from "./cards-in.ts";
import { storeOn, turnStoreOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import {
  directPlace,
  groupPlace,
  newPerson,
  openIngress,
  textOf,
  type Place,
} from "./open-ingress.ts";

const server = await testDatabase();
const store = storeOn(server);
const turns = turnStoreOn(store);
const approvals = createApprovalStore(store);
const grants = createGrantStore(store);
const admin = newPerson();
const ingress = openIngress(store, { admins: [admin.id] });
// Permissions have a time, which Redis looks at, too.
Object.assign(ingress.deps, { now: Date.now });
const hour = 3_600_000;
let discordPeople = 0;
/** Only Discord has forms. */
const onDiscord = () => newPerson({ id: `discord:8000${(discordPeople += 1)}` });

/** On the card. */
const tap = (at: Place, data: string, more: Partial<InboundTap> = {}) =>
  ingress.tap(at, data, { messageId: "900", ...more });

/** One card that waits in a place, asking for as many calls, with the message id 900. */
async function asked(
  at: Place,
  { size = 1, ...more }: Partial<Approval> & { readonly size?: number } = {},
): Promise<readonly Approval[]> {
  const calls = Array.from({ length: size }, () => ({
    arguments: '{"count":2,"path":"a"}',
    definition: "once",
    alwaysAllowMs: 8 * hour,
    ...more,
  }));
  const [card = []] = await cardsIn({ ingress, store, turns }, at, [calls]);
  return card;
}

const viewOf = async (card: readonly Approval[], index = 0) =>
  await approvals.find(card[index]?.id ?? "");

const changedTo = async (card: readonly Approval[], index = 0) => {
  const view = await viewOf(card, index);
  expect(view?.status).toBe("changed");
  return JSON.parse(view?.edit?.arguments ?? "null") as unknown;
};

const openForm = async (at: Place, card: readonly Approval[]) => {
  const opened = await tap(at, `e:${card[0]?.id ?? ""}`);
  if (opened.type !== "form") throw new Error(JSON.stringify(opened));
  return opened.form;
};

const grantsOf = async (at: Place, argument = "") =>
  textOf(await ingress.command(at, "grants", { argument }));

const approveAt = async (at: Place, argument: string) =>
  textOf(await ingress.command(at, "approve", { argument }));

describe("an answer to a card with other arguments", () => {
  it.each([
    ["path=b", { count: 2, path: "b" }],
    ["count=3\npath=b", { count: 3, path: "b" }],
    ['{"path":"b"}', { path: "b" }],
  ])("%j closes it as changed, and wakes its chat", async (text, expected) => {
    for (const at of [directPlace(), groupPlace()]) {
      const card = await asked(at);
      ingress.wakes.length = 0;
      const said = await ingress.say(at, text, { replyToId: "900" });
      expect(textOf(said)).toMatch(/^Changed\./);
      expect(await changedTo(card)).toEqual(expected);
      expect(await viewOf(card)).toMatchObject({
        decidedBy: at.person.name,
        edit: { by: { id: at.person.id } },
      });
      expect(ingress.wakes).toContain(`turn ${at.chat}`);
      expect(await ingress.waiting(at.chat)).toEqual([]);
      const told = await ingress.outbox(at.chat);
      expect(JSON.stringify(told)).toContain(
        `Changed by ${at.person.name}; see the new card below.`,
      );
    }
  });

  it.each([
    ["count=many", /^count must be a number/],
    ["town=b", /no argument town here\. Use count, path/],
    ["{oops}", /isn't JSON/],
    ["path=a", /^Nothing changed/],
  ])("%j is explained, and it waits on", async (text, why) => {
    const at = directPlace();
    const card = await asked(at);
    const said = await ingress.say(at, text, { replyToId: "900" });
    expect(textOf(said)).toMatch(why);
    expect((await viewOf(card))?.status).toBe("pending");
    expect(await ingress.waiting(at.chat)).toEqual([]);
  });

  it("is held against what the tool takes, as a worker has told it", async () => {
    await createToolSchemas(store).write(
      new Map([
        [
          "trips.book",
          {
            type: "object",
            properties: {
              count: { type: "integer" },
              path: { type: "string" },
              mode: { enum: ["soft", "hard"] },
            },
            required: ["path"],
          },
        ],
      ]),
    );
    const at = directPlace();
    const card = await asked(at, { tool: "trips.book" });
    const say = async (text: string) => textOf(await ingress.say(at, text, { replyToId: "900" }));
    expect(await say("mode=loud")).toMatch(/mode must be one of "soft", "hard"/);
    expect(await say('{"count":1}')).toMatch(/path is missing/);
    expect((await viewOf(card))?.status).toBe("pending");
    expect(await say("mode=hard")).toMatch(/^Changed/);
    expect(await changedTo(card)).toEqual({
      count: 2,
      path: "a",
      mode: "hard",
    });
  });

  it("lists no more than people read, and nothing that they cannot see", async () => {
    const at = directPlace();
    const many = Array.from({ length: 30 }, (_, index) => [`n${index}`, 1]);
    const given = Object.fromEntries([["a\u202eb", 1], ...many]) as object;
    await asked(at, { arguments: JSON.stringify(given) });
    const said = await ingress.say(at, "town=b", { replyToId: "900" });
    expect(textOf(said)).toContain("Use a\\u202eb, n0, n1,");
    expect(textOf(said)).toMatch(/n18, …\.$/);
  });

  it("names the call of a card of several", async () => {
    const at = directPlace();
    const card = await asked(at, { size: 2 });
    const without = await ingress.say(at, "path=b", { replyToId: "900" });
    expect(textOf(without)).toMatch(
      /^Which action do you want to change\? .*\/edit \S+\.1 name=value/,
    );
    await ingress.say(at, "2 path=b", { replyToId: "900" });
    expect((await viewOf(card, 0))?.status).toBe("pending");
    expect(await changedTo(card, 1)).toEqual({ count: 2, path: "b" });
  });

  it("of a member who was only asked cannot send elsewhere what the card hides", async () => {
    const ann = groupPlace();
    const hiding = '{"apiKey":"sk-a1b2c3d4e5f6g7h8i9j0","path":"a"}';
    const card = await asked(ann, { arguments: hiding, approvers: "members" });
    const ben = groupPlace(newPerson(), ann);
    const said = await ingress.say(ben, "path=b", { replyToId: "900" });
    expect(textOf(said)).toMatch(/^apiKey is hidden\. Only the person who asked/);
    expect((await viewOf(card))?.status).toBe("pending");
    await ingress.say(groupPlace(admin, ann), "path=b", { replyToId: "900" });
    expect(await changedTo(card)).toMatchObject({ path: "b" });
  });

  it("names a call that the card has not: is told so, and no message", async () => {
    const at = directPlace();
    const card = await asked(at, { size: 2 });
    const said = await ingress.say(at, "3 path=b", { replyToId: "900" });
    expect(textOf(said)).toMatch(
      /^Which action do you want to change\? .*\/edit \S+\.1 name=value/,
    );
    expect(await ingress.waiting(at.chat)).toEqual([]);
    expect((await viewOf(card))?.status).toBe("pending");
  });

  it("of someone without a say changes nothing", async () => {
    const ann = groupPlace();
    const card = await asked(ann);
    const ben = groupPlace(newPerson(), ann);
    const said = await ingress.say(ben, "path=b", { replyToId: "900" });
    expect(textOf(said)).toMatch(/\bonly\b|not allowed/i);
    expect((await viewOf(card))?.status).toBe("pending");
  });

  it("that answers something else, or is no change, is a message", async () => {
    const at = directPlace();
    const card = await asked(at);
    await ingress.say(at, "path=b");
    await ingress.say(at, "path=b", { replyToId: "899" });
    await ingress.say(at, "use path b", { replyToId: "900" });
    expect(await ingress.waiting(at.chat)).toHaveLength(3);
    expect((await viewOf(card))?.status).toBe("pending");
  });

  it("that comes twice is carried out once", async () => {
    const at = directPlace();
    await asked(at);
    const again = { id: "r1", replyToId: "900" };
    await ingress.say(at, "path=b", again);
    expect((await ingress.say(at, "path=b", again)).type).toBe("duplicate");
  });
});

describe("/edit", () => {
  it("does the same, with and without an id", async () => {
    for (const named of [true, false]) {
      const at = directPlace();
      const card = await asked(at);
      const id = named ? `${card[0]?.id ?? ""} ` : "";
      const said = await ingress.command(at, "edit", {
        argument: `${id}path=b`,
      });
      expect(textOf(said)).toMatch(/^Changed\./);
      expect(await changedTo(card)).toEqual({ count: 2, path: "b" });
    }
  });

  it("takes JSON, and Discord's options as they are", async () => {
    const at = directPlace();
    const card = await asked(at);
    await ingress.command(at, "edit", {
      argument: '{ "path": "b" }',
      options: { change: '{ "path": "b" }' },
      answersItself: true,
    });
    expect(await changedTo(card)).toEqual({ path: "b" });
  });

  it("says what it needs", async () => {
    const at = directPlace();
    const edit = async (argument: string) =>
      textOf(await ingress.command(at, "edit", { argument }));
    expect(await edit("path=b")).toMatch(/Nothing is waiting/);
    const card = await asked(at, { size: 2 });
    expect(await edit("")).toMatch(/Several actions/);
    expect(await edit("path=b")).toMatch(/Several actions/);
    expect(await edit("nobody path=b")).toMatch(/no pending approval "nobody"/);
    expect(await edit("2")).toMatch(/^To change it/);
    expect(await edit("2 path=b")).toMatch(/^Changed/);
    expect(await changedTo(card, 1)).toEqual({ count: 2, path: "b" });
  });

  it("refuses who has no say, another chat, and what was decided", async () => {
    const ann = groupPlace();
    const card = await asked(ann);
    const id = card[0]?.id ?? "";
    const edit = async (at: Place) =>
      textOf(await ingress.command(at, "edit", { argument: `${id} path=b` }));
    expect(await edit(groupPlace(newPerson(), ann))).toMatch(/\bonly\b|not allowed/i);
    const elsewhere = directPlace();
    await asked(elsewhere);
    expect(await edit(elsewhere)).toMatch(/another chat/);
    await tap(ann, `a:${id}`);
    expect(await edit(ann)).toMatch(/already approved/);
    expect((await viewOf(card))?.status).toBe("approved");
  });

  it("refused leaves a line in the audit", async () => {
    const ann = groupPlace();
    const card = await asked(ann);
    const ben = groupPlace(newPerson(), ann);
    await ingress.say(ben, "path=b", { replyToId: "900" });
    const lines = await ingress.deps.audit.newest({}, 5);
    expect(JSON.stringify(lines)).toContain("attempt-denied");
    expect(JSON.stringify(lines)).toContain(ben.person.id);
    expect((await viewOf(card))?.status).toBe("pending");
  });
});

describe("a tap after a change", () => {
  it("finds that it was changed, and who changed it", async () => {
    const at = directPlace();
    const card = await asked(at);
    await ingress.say(at, "path=b", { replyToId: "900" });
    for (const data of ["a", "d", "al", "e"]) {
      const said = await tap(at, `${data}:${card[0]?.id ?? ""}`);
      expect(said.type).toBe("refused");
      expect(textOf(said)).toBe(
        `${at.person.name} already changed this; see the newer card below.`,
      );
    }
  });

  it("loses against it, or it against the tap: one of them counts", async () => {
    for (let run = 0; run < 10; run += 1) {
      const at = directPlace();
      const card = await asked(at);
      const [tapped, change] = await Promise.all([
        tap(at, `a:${card[0]?.id ?? ""}`),
        ingress.say(at, "path=b", { replyToId: "900" }),
      ]);
      const view = await viewOf(card);
      const isChanged = view?.status === "changed";
      expect(["changed", "approved"]).toContain(view?.status);
      expect(tapped.type).toBe(isChanged ? "refused" : "answered");
      // Behind the tap the card waits no more: what answers it then is a message.
      const said = change.type === "queued" ? "already approved" : textOf(change);
      expect(said).toMatch(isChanged ? /^Changed/ : /already approved/);
    }
  });
});

describe("a form", () => {
  it("has a field for each of a few plain arguments, and brings them back", async () => {
    const at = directPlace(onDiscord());
    const card = await asked(at);
    const form = await openForm(at, card);
    expect(form.fields).toEqual([
      { id: "=count", label: "count", value: "2", long: false },
      { id: "=path", label: "path", value: "a", long: false },
    ]);
    const said = await tap(at, form.data, {
      filled: { "=count": "2", "=path": "b" },
    });
    expect(textOf(said)).toMatch(/^Changed/);
    expect(await changedTo(card)).toEqual({ count: 2, path: "b" });
  });

  it("names its fields so that nothing in a name is unseen", async () => {
    const at = directPlace(onDiscord());
    const card = await asked(at, { arguments: '{"a\u202eb":1}' });
    expect((await openForm(at, card)).fields).toMatchObject([
      { id: "=a\u202eb", label: "a\\u202eb" },
    ]);
  });

  it("has one for all where they are many or nested", async () => {
    const at = directPlace(onDiscord());
    const card = await asked(at, { arguments: '{"list":["x"],"path":"a"}' });
    const form = await openForm(at, card);
    expect(form.fields).toMatchObject([{ id: "json", long: true }]);
    const filled = {
      json: (form.fields[0]?.value ?? "").replace('"a"', '"b"'),
    };
    await tap(at, form.data, { filled });
    expect(await changedTo(card)).toEqual({ list: ["x"], path: "b" });
  });

  it("says so where they do not fit into any", async () => {
    const at = directPlace(onDiscord());
    const long = JSON.stringify({ path: "a".repeat(4_100) });
    const card = await asked(at, { arguments: long });
    const said = await tap(at, `e:${card[0]?.id ?? ""}`);
    expect(said).toMatchObject({ type: "refused" });
    expect(textOf(said)).toMatch(/too big for a form/);
  });

  it("is for people who may decide, when it is opened and when it comes back", async () => {
    const ann = groupPlace(onDiscord());
    const card = await asked(ann);
    const ben = groupPlace(onDiscord(), ann);
    const id = card[0]?.id ?? "";
    expect(textOf(await tap(ben, `e:${id}`))).toMatch(/\bonly\b|not allowed/i);
    const forged = await tap(ben, `e:${id}`, { filled: { "=path": "b" } });
    expect(textOf(forged)).toMatch(/\bonly\b|not allowed/i);
    const elsewhere = await tap(directPlace(onDiscord()), `e:${id}`, {
      filled: { "=path": "b" },
    });
    expect(textOf(elsewhere)).toMatch(/another chat/);
    expect((await viewOf(card))?.status).toBe("pending");
  });
});

describe("always", () => {
  it("by the button approves it, and lets the same run for an hour", async () => {
    const at = directPlace();
    const card = await asked(at);
    const said = await tap(at, `al:${card[0]?.id ?? ""}`);
    expect(textOf(said)).toMatch(/^Approved\. For 1 h I'll do exactly this/);
    expect((await viewOf(card))?.status).toBe("approved");
    expect(await grants.of(at.chat)).toMatchObject([
      {
        tool: "files.delete",
        definition: "once",
        scope: "same",
        arguments: '{"count":2,"path":"a"}',
        by: { id: at.person.id },
        requester: { id: at.person.id },
      },
    ]);
    const [grant] = await grants.of(at.chat);
    expect((grant?.untilMs ?? 0) - (grant?.fromMs ?? 0)).toBe(hour);
  });

  it("by text takes a time, and of admins any arguments, for everybody in the chat", async () => {
    const ann = groupPlace();
    const card = await asked(ann);
    const id = card[0]?.id ?? "";
    expect(await approveAt(ann, `${id} always 9h`)).toMatch(/longest allowed is 8 h/);
    expect(await approveAt(ann, `${id} always soon`)).toMatch(/don't understand "soon"/);
    expect(await approveAt(ann, `${id} always 1h any`)).toMatch(/Only admins/);
    expect((await viewOf(card))?.status).toBe("pending");
    const adam = groupPlace(admin, ann);
    expect(await approveAt(adam, "always 2h any")).toMatch(/^Approved\. For 2 h/);
    const [grant] = await grants.of(ann.chat);
    expect(grant).toMatchObject({ scope: "shape", by: { id: admin.id } });
    expect(grant).not.toHaveProperty("requester");
  });

  it("is refused where the operator allows none, and the card waits on", async () => {
    const at = directPlace();
    const card = await asked(at, { alwaysAllowMs: 0 });
    const said = await tap(at, `al:${card[0]?.id ?? ""}`);
    expect(textOf(said)).toMatch(/always needs approval/);
    expect((await viewOf(card))?.status).toBe("pending");
    expect(await grants.of(at.chat)).toEqual([]);
  });

  it("of someone without a say gives nothing", async () => {
    const ann = groupPlace();
    const card = await asked(ann);
    const ben = groupPlace(newPerson(), ann);
    const said = await tap(ben, `al:${card[0]?.id ?? ""}`);
    expect(textOf(said)).toMatch(/\bonly\b|not allowed/i);
    expect(await grants.of(ann.chat)).toEqual([]);
  });

  it("of what someone else decided meanwhile gives nothing", async () => {
    const at = directPlace();
    const card = await asked(at);
    const id = card[0]?.id ?? "";
    await tap(at, `d:${id}`);
    expect((await tap(at, `al:${id}`)).type).toBe("refused");
    expect(await grants.of(at.chat)).toEqual([]);
  });

  it("asks for one call of a card of several", async () => {
    const at = directPlace();
    const card = await asked(at, { size: 2 });
    const approve = async (argument: string) =>
      textOf(await ingress.command(at, "approve", { argument }));
    expect(await approve("always")).toMatch(/^Which action\?/);
    expect(await approve("2 always 30m")).toMatch(/^Approved\. For 30 min/);
    expect((await viewOf(card, 0))?.status).toBe("pending");
    expect((await viewOf(card, 1))?.status).toBe("approved");
  });
});

describe("a standing permission", () => {
  const { access, deps } = ingress;
  const held = deps.grants;

  /** By someone with this role, of what someone else had asked for. */
  async function givenBy(role: "admin" | "member") {
    const [asker, giver] = [groupPlace(), newPerson()];
    await access.setRole(giver, role);
    const card = await asked(asker, { approvers: "members" });
    const at = groupPlace(giver, asker);
    const said = await tap(at, `al:${card[0]?.id ?? ""}`);
    expect(textOf(said)).toMatch(/^Approved\. For 1 h/);
    expect(await held.of(at.chat)).toHaveLength(1);
    return { at, giver };
  }

  it.each([
    ["admin", "member"],
    ["admin", "guest"],
    ["admin", "banned"],
    ["member", "guest"],
    ["member", "banned"],
  ] as const)("of someone who was %s holds no more when they are %s", async (before, after) => {
    const { at, giver } = await givenBy(before);
    await access.setRole(giver, after);
    expect(await held.of(at.chat)).toEqual([]);
    const other = groupPlace(newPerson(), at);
    expect(await grantsOf(other)).toMatch(/^I always ask first/);
  });

  it("of someone who has become more holds on", async () => {
    const { at, giver } = await givenBy("member");
    await access.setRole(giver, "admin");
    expect(await held.of(at.chat)).toHaveLength(1);
  });

  it("of a group's own administrator, who is a member elsewhere, holds", async () => {
    const trusting = openIngress(store, { trustGroupAdmins: true });
    Object.assign(trusting.deps, { now: Date.now });
    const asker = groupPlace();
    const card = await asked(asker);
    const at = groupPlace(newPerson(), asker);
    await trusting.access.setRule(`telegram:chat:${at.address.chat}` as never, "allow");
    const said = await trusting.tap(at, `al:${card[0]?.id ?? ""}`, {
      messageId: "900",
      isGroupAdmin: () => Promise.resolve(true),
    });
    expect(textOf(said)).toMatch(/^Approved\. For 1 h/);
    const { grants: theirs } = trusting.deps;
    expect(await theirs.of(at.chat)).toMatchObject([{ role: "member" }]);
    await trusting.access.setRole(at.person, "banned");
    expect(await theirs.of(at.chat)).toEqual([]);
  });
});

describe("/grants", () => {
  it("shows what runs unasked, and takes it back", async () => {
    const at = directPlace();
    expect(await grantsOf(at)).toMatch(/^I always ask first/);
    const card = await asked(at);
    await tap(at, `al:${card[0]?.id ?? ""}`);
    const shown = await grantsOf(at);
    expect(shown).toContain("1. files: Delete (files.delete) with exactly");
    expect(shown).toContain('{"count":2,"path":"a"}');
    expect(shown).toContain(`allowed by ${at.person.name}`);
    expect(await grantsOf(at, "revoke 2")).toMatch(/no number 2/);
    expect(await grantsOf(at, "revoke 1")).toMatch(/^Done\. I'll ask/);
    expect(await grants.of(at.chat)).toEqual([]);
    const lines = JSON.stringify(await ingress.deps.audit.newest({}, 10));
    expect(lines).toContain("grant-given");
    expect(lines).toContain("grant-revoked");
  });

  it("lets the person who gave it revoke it, and admins, and no one else", async () => {
    const ann = groupPlace();
    const card = await asked(ann);
    await tap(ann, `al:${card[0]?.id ?? ""}`);
    const ben = groupPlace(newPerson(), ann);
    expect(await grantsOf(ben, "revoke 1")).toMatch(/Only an admin/);
    expect(await grants.of(ann.chat)).toHaveLength(1);
    expect(await grantsOf(groupPlace(admin, ann), "1")).toMatch(/^Done\. I'll ask/);
  });
});
