import { describe, expect, it } from "vitest";
import { shortApprovalId } from "../../src/core/approval.ts";
import type { Acceptance } from "../../src/core/inbound.ts";
import { personaSchema } from "../../src/core/persona.ts";
import { skillTask } from "../../src/core/skill.ts";
import { createOfferedTools } from "../../src/store/approvals/offered-tools.ts";
import { createSkillReviews } from "../../src/store/operations/skill-reviews.ts";
import { chatKeys, configKey } from "../../src/store/keys.ts";
import { createChatSettings } from "../../src/store/turns/chat-settings.ts";
import {
  directPlace,
  groupPlace,
  newPerson,
  openIngress,
  textOf,
  type Place,
} from "../ingress/open-ingress.ts";
import { Deployment } from "../skills/folder.ts";
import { libraryOf } from "../skills/library.ts";
import { storeOn } from "../store/support.ts";
import { emptyDatabases, testDatabase } from "../support/redis/test-redis.ts";

const [database = ""] = await emptyDatabases(await testDatabase(), 1);
const store = storeOn({ url: database });

/**
 * People in front of one process, and a worker with its own disk behind another: they share only
 * Redis. `pdf` is approved, `docx` waits.
 */
async function open() {
  await store.redis.flushdb();
  const ingress = openIngress(store);
  const deployment = new Deployment();
  const worker = libraryOf(storeOn({ url: database }), deployment);
  const admin = directPlace();
  await ingress.access.setRole(admin.person, "admin");
  deployment.skill("pdf", "Version one.", "Fills in forms.");
  await worker.approveAll();
  deployment.skill(
    "docx",
    "Line one.\nUse write_note and p\u0430ypal.com\u200b.",
    "Writes documents.",
  );
  await worker.library.look();
  const type = async (at: Place, argument: string, name = "skills") =>
    textOf(await ingress.command(at, name, { argument, answersItself: true }));
  const versionOf = async (name: string): Promise<string> =>
    (await worker.reviews.list()).find((each) => each.name === name)?.version ?? "";
  return {
    ingress,
    deployment,
    worker,
    admin,
    type,
    versionOf,
    [Symbol.dispose]: () => deployment[Symbol.dispose](),
  };
}

/** The text of the last file that was sent there. */
async function sentFile(ingress: Awaited<ReturnType<typeof open>>["ingress"], at: Place) {
  const file = (await ingress.outbox(at.chat)).findLast(({ kind }) => kind === "file");
  if (file?.kind !== "file") throw new Error("no file");
  const stored = await store.redis.getBuffer(`${chatKeys(at.chat).blobPrefix}${file.blob}`);
  // The first line names the chat that it belongs to.
  return stored?.toString().replace(/^.*\n/, "") ?? "";
}

const administers = () => Promise.resolve(true);

describe("/skills", () => {
  it("lists what is on and what waits, with buttons for those who may switch", async () => {
    using opened = await open();
    const { ingress, type } = opened;
    const ann = directPlace();
    const answered = await ingress.command(ann, "skills", { answersItself: true });
    expect(textOf(answered).split("\n")).toEqual([
      "Skills in this chat:",
      "✓ pdf – Fills in forms.",
      "To use one: /skill <name> <task>",
      "Waiting for review: docx. Admins can look with /skills review.",
    ]);
    expect("buttons" in answered && answered.buttons?.map(({ label }) => label)).toEqual(["✓ pdf"]);
    const group = groupPlace();
    const inGroup = await ingress.command(group, "skills", { answersItself: true });
    expect("buttons" in inGroup && inGroup.buttons).toBeFalsy();
    expect(await type(ann, "dance")).toMatch(/Which skill/);
  });

  it("says that there are none", async () => {
    await store.redis.flushdb();
    const ingress = openIngress(store);
    const answered = await ingress.command(directPlace(), "skills", { answersItself: true });
    expect(textOf(answered)).toBe("I don't have any skills yet.");
  });

  it("switches one off and on in a chat, by button or by name", async () => {
    using opened = await open();
    const { ingress, type } = opened;
    const ann = directPlace();
    const settings = createChatSettings(store);
    const listed = await ingress.command(ann, "skills", { answersItself: true });
    const [button] = ("buttons" in listed && listed.buttons) || [];
    for (let times = 0; times < 2; times += 1)
      expect(textOf(await ingress.tap(ann, button?.data ?? ""))).toBe(
        "The skill pdf is now off in this chat.",
      );
    expect((await settings.read(ann.chat)).skillsOff).toBe("pdf");
    expect(await type(ann, "")).toContain("✗ pdf");
    expect(await type(ann, "on PDF")).toBe("The skill pdf is now on in this chat.");
    expect((await settings.read(ann.chat)).skillsOff).toBeUndefined();
    expect(await type(ann, "off pfd")).toMatch(/don't know the skill "pfd".*pdf/);
  });

  it("loses none of several that are switched at the same moment", async () => {
    using opened = await open();
    const { ingress, deployment, worker, type } = opened;
    const names = ["a", "b", "c", "d", "e", "f"];
    for (const name of names) deployment.skill(name);
    await worker.approveAll();
    const ann = directPlace();
    const other = openIngress(storeOn({ url: database }));
    const settings = createChatSettings(store);
    const switchAll = (to: "on" | "off") =>
      Promise.all(
        names.map((name, index) =>
          (index % 2 === 0 ? ingress : other).command(ann, "skills", {
            argument: `${to} ${name}`,
            answersItself: true,
          }),
        ),
      );
    await type(ann, "off pdf");
    await switchAll("off");
    expect((await settings.read(ann.chat)).skillsOff).toBe("a b c d e f pdf");
    await switchAll("on");
    expect((await settings.read(ann.chat)).skillsOff).toBe("pdf");
  });

  it("of a chat that is forgotten for a time keeps that time", async () => {
    await store.redis.flushdb();
    const at = directPlace();
    const settings = createChatSettings(store, { retentionMs: 60_000 });
    await settings.switchSkill(at.chat, "pdf", false);
    expect(await store.redis.pttl(chatKeys(at.chat).settings)).toBeGreaterThan(0);
  });

  it("names those that are on in /status and /tools, with how to see them", async () => {
    using opened = await open();
    const { ingress, type } = opened;
    const ann = directPlace();
    const line = "Skills on in this chat: pdf. /skills shows them all.";
    for (const name of ["status", "tools"]) expect(await type(ann, "", name)).toContain(line);
    await createOfferedTools(store).write([{ name: "look", description: "x", asks: "never" }]);
    expect((await type(ann, "", "tools")).split("\n\n").at(-1)).toBe(line);
    await ingress.command(ann, "skills", { argument: "off pdf", answersItself: true });
    for (const name of ["status", "tools"]) expect(await type(ann, "", name)).not.toContain("pdf");
  });

  it("lets only admins switch in a group, and writes that down", async () => {
    using opened = await open();
    const { ingress, type, admin } = opened;
    const group = groupPlace();
    expect(await type(group, "off pdf")).toBe("Only an admin can change skills in a group.");
    const guest = groupPlace(newPerson(), group);
    await ingress.access.setRole(guest.person, "guest");
    const listed = await ingress.command(admin, "skills", { answersItself: true });
    const [button] = ("buttons" in listed && listed.buttons) || [];
    expect(await ingress.tap(guest, button?.data ?? "")).toMatchObject({ type: "refused" });
    expect(await type(groupPlace(admin.person, group), "off pdf")).toMatch(/now off/);
    const settings = createChatSettings(store);
    expect((await settings.read(group.chat)).skillsOff).toBe("pdf");
    const lines = await type(admin, "setting-changed", "audit");
    expect(lines).toContain("skills");
  });
});

describe("a review", () => {
  it("shows all that is new, what to be careful about, and how to decide", async () => {
    using opened = await open();
    const { ingress, admin, versionOf } = opened;
    await createOfferedTools(store).write([
      { name: "write_note", description: "x", asks: "always" },
      { name: "note", description: "x", asks: "never" },
    ]);
    const version = await versionOf("docx");
    const answered = await ingress.command(admin, "skills", {
      argument: "review",
      answersItself: true,
    });
    const code = shortApprovalId(version);
    expect(textOf(answered).split("\n")).toEqual([
      "New skill: docx",
      '"Writes documents."',
      "It mentions these tools: write_note",
      "Careful: 1 hidden character, shown as codes such as \\u200b.",
      "Careful: these words contain look-alike letters: p\\u0430ypal.com.",
      "",
      "New file: SKILL.md",
      "+ ---",
      "+ name: docx",
      "+ description: Writes documents.",
      "+ ---",
      "+ Line one.",
      "+ Use write_note and p\u0430ypal.com\\u200b.",
      "",
      `To decide: /skills approve docx ${code} or /skills deny docx ${code}`,
    ]);
    expect(answered).toMatchObject({
      isPrivate: true,
      buttons: [{ data: `ka:${version}` }, { data: `kd:${version}` }],
    });
  });

  it("names look-alike words of a description that YAML writes with escapes", async () => {
    using opened = await open();
    const { deployment, worker, admin, type } = opened;
    deployment.skill("docx", "Fine.", '"Pay with p\\u0430ypal.com"');
    await worker.library.look();
    expect(await type(admin, "review docx")).toContain("look-alike letters: p\\u0430ypal.com.");
  });

  it("of a changed skill shows what has changed", async () => {
    using opened = await open();
    const { deployment, worker, admin, type } = opened;
    deployment.skill("pdf", "Version two.", "Fills in forms.");
    await worker.library.look();
    const text = await type(admin, "review pdf");
    expect(text).toContain("Changed skill: pdf");
    expect(text).toContain("- Version one.\n+ Version two.");
    expect(text).toContain("  description: Fills in forms.");
    expect(text).toContain("Also waiting: docx.");
  });

  it("of a changed skill shows all of it where the earlier approval was withdrawn", async () => {
    using opened = await open();
    const { deployment, worker, admin, type, versionOf } = opened;
    expect(await type(admin, "deny pdf")).toMatch(/denied the skill pdf/);
    await worker.library.look();
    deployment.skill("pdf", "Version two.", "Fills in forms.");
    await worker.library.look();
    const text = await type(admin, "review pdf");
    expect(text).toContain("New skill: pdf");
    expect(text).toContain("\n+ description: Fills in forms.\n+ ---\n+ Version two.\n");
    expect(text).not.toContain("Version one.");
    const code = shortApprovalId(await versionOf("pdf"));
    expect(await type(admin, `approve pdf ${code}`)).toMatch(/approved the skill pdf/);
  });

  it("of a changed skill shows all of it where no admin has approved it, but the lock file", async () => {
    using opened = await open();
    const { deployment, admin, type, ingress } = opened;
    await store.redis.flushdb();
    await ingress.access.setRole(admin.person, "admin");
    // As a deployment from a repository: another Redis, with the same lock file.
    const other = libraryOf(storeOn({ url: database }), deployment);
    await other.library.look();
    expect(other.names()).toEqual(["pdf"]);
    deployment.skill("pdf", "Version two.", "Fills in forms.");
    await other.library.look();
    const text = await type(admin, "review pdf");
    expect(text).toContain("New skill: pdf");
    expect(text).not.toContain("Version one.");
    // From then on a change is shown as one.
    await other.approveAll();
    deployment.skill("pdf", "Version three.", "Fills in forms.");
    await other.library.look();
    expect(await type(admin, "review pdf")).toContain("- Version two.\n+ Version three.");
  });

  it("is for admins of the bot alone", async () => {
    using opened = await open();
    const { ingress, type, versionOf, worker } = opened;
    const ann = directPlace();
    const version = await versionOf("docx");
    for (const action of ["review", "show docx", "approve docx X", "deny pdf"])
      expect(await type(ann, action)).toMatch(/^Only admins can use/);
    expect(await ingress.tap(ann, `ka:${version}`)).toMatchObject({
      type: "refused",
      text: "Only an admin can decide this.",
    });
    // An administrator of a group isn't one.
    const group = groupPlace();
    const tapped = await ingress.tap(group, `ka:${version}`, { isGroupAdmin: administers });
    expect(tapped).toMatchObject({ type: "refused" });
    await worker.library.look();
    expect(worker.names()).toEqual(["pdf"]);
  });

  it("is decided once: the first of two admins, however often it is delivered", async () => {
    using opened = await open();
    const { ingress, admin, worker, versionOf, type } = opened;
    const other = directPlace();
    await ingress.access.setRole(other.person, "admin");
    const version = await versionOf("docx");
    const taps = await Promise.all([
      ingress.tap(admin, `ka:${version}`, { id: "tap-1" }),
      ingress.tap(other, `kd:${version}`, { id: "tap-2" }),
    ]);
    const [winner, loser] = taps[0].type === "answered" ? taps : taps.toReversed();
    expect(winner).toMatchObject({
      type: "answered",
      isStale: true,
      text: expect.stringMatching(/(approved|denied) the skill docx/),
    });
    expect(loser).toMatchObject({
      type: "refused",
      isStale: true,
      text: expect.stringMatching(
        /^This is already decided\. Person \d+ (approved|denied) the skill docx\.$/,
      ),
    });
    const isApproved = taps[0].type === "answered";
    const again = isApproved
      ? await ingress.tap(admin, `ka:${version}`, { id: "tap-1" })
      : await ingress.tap(other, `kd:${version}`, { id: "tap-2" });
    expect(again).toEqual(winner);
    // The other one is told, once.
    const [deciding, told] = isApproved ? [admin, other] : [other, admin];
    expect(await ingress.told(told.chat)).toEqual([textOf(winner as Acceptance)]);
    expect(await ingress.told(deciding.chat)).toEqual([]);
    await worker.library.look();
    expect(worker.names()).toEqual(isApproved ? ["docx", "pdf"] : ["pdf"]);
    const lines = (await type(admin, "skill-decided", "audit")).split("\n");
    expect(lines.filter((line) => line.includes("docx"))).toHaveLength(1);
  });

  it("that was sent loses its buttons for every admin, however it is decided", async () => {
    using opened = await open();
    const { ingress, admin, worker, versionOf, type } = opened;
    const [other, third] = [directPlace(), directPlace()];
    for (const each of [other, third]) await ingress.access.setRole(each.person, "admin");
    const code = shortApprovalId(await versionOf("docx"));
    for (const [index, at] of [admin, other].entries())
      await ingress.command(at, "skills", { argument: "review", id: `review-${index}` });
    // In a group it has no buttons; an adapter's own answer can't be changed.
    await ingress.command(groupPlace(admin.person), "skills", { argument: "review", id: "group" });
    await type(third, "review");
    const decide = async () => await type(admin, `approve docx ${code}`);
    for (let times = 0; times < 2; times += 1) expect(await decide()).toMatch(/approved the skill/);
    const closedIn = async (at: Place) =>
      (await ingress.outbox(at.chat)).flatMap((entry) =>
        entry.kind === "resolution" ? [[entry.of, entry.text]] : [],
      );
    const text = `${admin.person.name} approved the skill docx.`;
    // The answer has said it: their own review is only marked.
    expect(await closedIn(admin)).toEqual([["answer-review-0", "✓ docx"]]);
    expect(await closedIn(other)).toEqual([["answer-review-1", text]]);
    expect(await closedIn(third)).toEqual([]);
    await worker.library.look();
    await type(other, "deny docx");
    const denied = `${other.person.name} denied the skill docx.`;
    expect((await closedIn(admin)).at(-1)).toEqual(["answer-review-0", denied]);
  });

  it("that was sent again loses its buttons by the tap on an old one, too", async () => {
    using opened = await open();
    const { ingress, admin, versionOf } = opened;
    const version = await versionOf("docx");
    for (const id of ["review-1", "review-2"])
      await ingress.command(admin, "skills", { argument: "review", id });
    expect(await createSkillReviews(store).cards(version)).toMatchObject([
      { chat: admin.chat, entry: "answer-review-2" },
    ]);
    expect(await ingress.tap(admin, `ka:${version}`)).toMatchObject({
      type: "answered",
      isStale: true,
    });
  });

  it("is reported no more by the same admin's tap on an old button", async () => {
    using opened = await open();
    const { ingress, admin, versionOf, type } = opened;
    const other = directPlace();
    await ingress.access.setRole(other.person, "admin");
    const version = await versionOf("docx");
    const atMs = Date.now() - 2 * 86_400_000;
    const old = JSON.stringify({ v: 1, kind: "approved", by: admin.person.id, atMs });
    await store.redis.hset(configKey("skill-decisions"), version, old);
    expect(await ingress.tap(admin, `ka:${version}`)).toMatchObject({ type: "answered" });
    expect(await ingress.told(other.chat)).toEqual([]);
    expect(await type(admin, "skill-decided", "audit")).not.toContain("docx");
  });

  it("can be typed, with the code of what was shown", async () => {
    using opened = await open();
    const { admin, worker, versionOf, type, deployment } = opened;
    const code = shortApprovalId(await versionOf("docx"));
    expect(await type(admin, "approve docx")).toMatch(/version of the skill is gone/);
    deployment.skill("docx", "Changed after it was shown.");
    await worker.library.look();
    expect(await type(admin, `approve docx ${code}`)).toMatch(/version of the skill is gone/);
    const now = shortApprovalId(await versionOf("docx"));
    expect(await type(admin, `approve docx ${now.toLowerCase()}`)).toMatch(
      /approved the skill docx/,
    );
    await worker.library.look();
    expect(worker.names()).toEqual(["docx", "pdf"]);
    expect(await type(admin, "review")).toBe("No skill is waiting for review.");
  });

  it("can be withdrawn after an approval, for good", async () => {
    using opened = await open();
    const { ingress, admin, worker, versionOf, type } = opened;
    const version = await versionOf("pdf");
    expect(await type(admin, "deny pdf")).toMatch(/denied the skill pdf/);
    await worker.library.look();
    expect(worker.names()).toEqual([]);
    const tapped = await ingress.tap(admin, `ka:${version}`);
    expect(textOf(tapped)).toMatch(/already decided/);
    await worker.library.look();
    expect(worker.names()).toEqual([]);
  });

  it("sends all of a long one as a file, in private", async () => {
    using opened = await open();
    const { ingress, deployment, worker, admin, type } = opened;
    deployment.skill("docx", `${"line\n".repeat(2_000)}\u202eLAST`);
    await worker.library.look();
    const card = await type(admin, "review docx");
    expect(card.length).toBeLessThan(3_500);
    expect(card).toContain("To read everything and then approve it: /skills show docx");
    expect(await type(groupPlace(admin.person), "show docx")).toMatch(/private chat/);
    expect(await type(admin, "show docx")).toMatch(/as a file/);
    expect(await sentFile(ingress, admin)).toContain("+ \\u202eLAST");
  });

  it("lists in that file each look-alike, hidden character and wish for tools, with its place", async () => {
    using opened = await open();
    const { ingress, deployment, worker, admin, type, versionOf } = opened;
    const words = Array.from({ length: 9 }, (_, at) => `p\u0430y${at}`);
    const tools = Array.from({ length: 80 }, (_, at) => `Bash(tool${at}:*)`).join(" ");
    const notes = `Fine.\n${words.slice(0, 8).join(" ")}\u200b\u202e\rand ${"x".repeat(80)}\u0430`;
    deployment.skill(
      "docx",
      notes,
      `"Pay with ${words[8]?.replace("\u0430", "\\u0430")}"\nallowed-tools: ${tools}`,
    );
    deployment.write("skills/docx/more.md", "nothing odd\n\u2066");
    await worker.library.look();
    const code = shortApprovalId(await versionOf("docx"));
    const card = await type(admin, "review docx");
    expect(card.length).toBeLessThan(3_500);
    // Not all of it has room on the card, which approves nothing.
    expect(card).not.toContain("p\\u0430y6");
    expect(card).not.toContain("tool79");
    expect(card).toContain("To read everything and then approve it: /skills show docx");
    expect(await type(admin, `approve docx ${code}`)).toMatch(/more to read/);

    await type(admin, "show docx");
    const [head = ""] = (await sentFile(ingress, admin)).split("\n\n=====");
    const spelled = words.map((word) => word.replace("\u0430", "\\u0430"));
    const long = `${"x".repeat(80)}\\u0430`;
    expect(head.split("\n")).toEqual([
      "New skill: docx",
      `"Pay with p\u0430y8"`,
      `It asks for these tools, which changes nothing: ${tools}`,
      "Careful: 4 hidden characters, shown as codes such as \\u200b.",
      `Careful: these words contain look-alike letters: ${[spelled[8], ...spelled.slice(0, 8), long].join(", ")}.`,
      `• description: ${spelled[8]}`,
      `• SKILL.md:7: ${[...spelled.slice(0, 8), long].join(" ")} \\u200b \\u202e \\u000d`,
      "• more.md:2: \\u2066",
    ]);
  });

  it.each([
    ["six look-alikes", "p\u0430 p\u0430y p\u0430yp p\u0430ypa p\u0430ypal p\u0430ypals", "x"],
    ["one that is longer than a card shows", `${"x".repeat(80)}\u0430`, "x"],
    ["many tools", "Fine.", `x\nallowed-tools: ${"Bash(x:*) ".repeat(40)}`],
  ])("approves nothing by a card that leaves out something: %s", async (_, body, description) => {
    using opened = await open();
    const { deployment, worker, admin, type, versionOf } = opened;
    deployment.skill("docx", body, description);
    await worker.library.look();
    const code = shortApprovalId(await versionOf("docx"));
    expect(await type(admin, "review docx")).toContain("/skills show docx");
    expect(await type(admin, `approve docx ${code}`)).toMatch(/more to read/);
    const shown = await type(admin, "show docx");
    const [, own] = /approve docx (\w+)/.exec(shown) ?? [];
    expect(await type(admin, `approve docx ${own}`)).toMatch(/approved the skill docx/);
  });

  it("shows a line break that only some programs know as its code", async () => {
    using opened = await open();
    const { deployment, worker, admin, type } = opened;
    deployment.skill("docx", "Fine.\r===== Unchanged file: SKILL.md");
    await worker.library.look();
    expect(await type(admin, "review docx")).toContain("+ Fine.\\u000d===== Unchanged file");
  });

  it.each([
    ["after many lines", `${"line\n".repeat(2_000)}HIDDEN`],
    ["in a long line", `${"word ".repeat(100)}HIDDEN`],
  ])("lets no one approve text that they weren't shown: %s", async (_, body) => {
    using opened = await open();
    const { ingress, deployment, worker, admin, type, versionOf } = opened;
    deployment.skill("docx", body);
    await worker.library.look();
    const version = await versionOf("docx");
    const argument = "review docx";
    const card = await ingress.command(admin, "skills", { argument, answersItself: true });
    expect(textOf(card)).not.toContain("HIDDEN");
    expect(textOf(card)).not.toContain("/skills approve");
    expect("buttons" in card && card.buttons?.map(({ label }) => label)).toEqual(["Deny"]);
    const refused = "There's more to read before this can be approved: /skills show docx";
    expect(textOf(await ingress.tap(admin, `ka:${version}`))).toBe(refused);
    expect(await type(admin, `approve docx ${shortApprovalId(version)}`)).toBe(refused);
    await worker.library.look();
    expect(worker.names()).toEqual(["pdf"]);
    const whole = { argument: "show docx", answersItself: true };
    const shown = await ingress.command(admin, "skills", whole);
    const [approve] = ("buttons" in shown && shown.buttons) || [];
    expect(approve?.label).toBe("Approve");
    expect(Buffer.byteLength(approve?.data ?? "")).toBeLessThanOrEqual(64);
    expect(textOf(shown)).toContain(approve?.typed);
    for (let times = 0; times < 2; times += 1)
      expect(textOf(await ingress.tap(admin, approve?.data ?? ""))).toMatch(/approved the skill/);
    await worker.library.look();
    expect(worker.names()).toEqual(["docx", "pdf"]);
    // The typed code does the same, and so does an old card's button where all is decided.
    expect(textOf(await ingress.tap(admin, `ka:${version}`))).toMatch(/approved the skill/);
    expect(await type(admin, approve?.typed.replace("/skills ", "") ?? "")).toMatch(/approved/);
  });

  it("keeps decisions of a person who is erased, without them", async () => {
    using opened = await open();
    const { worker, versionOf } = opened;
    const version = await versionOf("docx");
    await worker.reviews.decide(version, { kind: "denied", by: "telegram:77" });
    const { erasePerson } = await import("../../src/store/erasure/erase-person.ts");
    await erasePerson(store, "telegram:77");
    expect(await worker.reviews.decisions([version])).toEqual(
      new Map([[version, { kind: "denied", by: "erased", atMs: expect.any(Number) }]]),
    );
  });
});

describe("/skill", () => {
  it("puts a message into the inbox that names the skill", async () => {
    using opened = await open();
    const { ingress } = opened;
    const ann = directPlace();
    const argument = "PDF fill in this form";
    const event = { argument, answersItself: true, id: "cmd-1" };
    const answered = await ingress.command(ann, "skill", event);
    expect(answered).toMatchObject({ text: "On it, with the skill pdf.", startsTurn: true });
    const [stored = ""] = await store.redis.lrange(chatKeys(ann.chat).inbox, 0, -1);
    expect(JSON.parse(stored)).toMatchObject({
      kind: "message",
      skill: "pdf",
      text: skillTask("pdf", "fill in this form"),
    });
    // `begin` must not open its turn by itself.
    expect(stored).toMatch(/^\{"kind":"message","skill":/);
    await ingress.command(ann, "skill", event);
    expect(await ingress.waiting(ann.chat)).toHaveLength(1);
  });

  it.each([
    ["docx write it", /don't know the skill "docx"/],
    ["pfd write it", /Did you mean pdf/],
    ["pdf", /What should I do with it/],
    ["", /\/skill <name> <task>/],
  ])("says what is missing: %s", async (argument, said) => {
    using opened = await open();
    const { ingress, type } = opened;
    const ann = directPlace();
    expect(await type(ann, argument, "skill")).toMatch(said);
    expect(await ingress.waiting(ann.chat)).toEqual([]);
  });

  it("isn't done under a persona that doesn't use the skill, which is named", async () => {
    using opened = await open();
    const { ingress, type, worker, deployment } = opened;
    deployment.skill("xlsx");
    await worker.approveAll();
    const ann = directPlace();
    const { store: saved } = ingress.deps.personas;
    const owner = `person:${ann.person.id}` as const;
    const save = (skills: string[] | undefined) =>
      saved.save(
        owner,
        personaSchema.parse({ name: "chef", prompt: "x", tools: ["look"], skills }),
      );
    await save(["xlsx"]);
    await type(ann, "chef", "persona");
    expect(await type(ann, "pdf fill in", "skill")).toMatch(
      /^The persona chef doesn't use the skill pdf\./,
    );
    expect(await ingress.waiting(ann.chat)).toEqual([]);
    expect(await type(ann, "")).toContain("chef uses only: xlsx.");
    await createOfferedTools(store).write([
      { name: "look", description: "x", asks: "never" },
      { name: "send", description: "x", asks: "never" },
    ]);
    for (const name of ["status", "tools"])
      expect(await type(ann, "", name)).toContain("Skills on in this chat: xlsx.");
    expect(await type(ann, "", "tools")).not.toContain("send");
    await save([]);
    expect(await type(ann, "")).toContain("chef uses none of them.");
    expect(await type(ann, "xlsx fill in", "skill")).toMatch(/^The persona chef doesn't/);
    expect(await type(ann, "", "status")).not.toContain("Skills on");
    // One that names none has those of the chat.
    await save(undefined);
    expect(await type(ann, "pdf fill in", "skill")).toBe("On it, with the skill pdf.");
    expect(await type(ann, "", "status")).toContain("docx, pdf, xlsx");
  });

  it("isn't done with a skill that is off in the chat", async () => {
    using opened = await open();
    const { type } = opened;
    const ann = directPlace();
    await type(ann, "off pdf");
    expect(await type(ann, "pdf fill in", "skill")).toBe(
      "The skill pdf is off in this chat. To switch it on: /skills on pdf",
    );
  });
});
