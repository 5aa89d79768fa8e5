import { beforeEach, describe, expect, it } from "vitest";
import { createAccept } from "../../src/ingress/create-accept.ts";
import type { ChatKey } from "../../src/core/chat.ts";
import { failureKinds } from "../../src/core/history.ts";
import type { Acceptance } from "../../src/core/inbound.ts";
import { languages, localeFor } from "../../src/locales/locale-for.ts";
import { configKey } from "../../src/store/keys.ts";
import { createPauses } from "../../src/store/operations/pauses.ts";
import { createBroadcasts } from "../../src/store/operations/broadcasts.ts";
import {
  directPlace,
  groupPlace,
  newPerson,
  openIngress,
  textOf,
  type Place,
} from "../ingress/open-ingress.ts";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const store = storeOn(await testDatabase());
const { redis } = store;
const owner = newPerson({ name: "Olga" });
const admin = newPerson({ name: "Adam" });
const member = newPerson({ name: "Mia" });
const ingress = openIngress(store, { mode: "open", admins: [owner.id] });
const { audit } = ingress.deps;
const pauses = createPauses(store);
const broadcasts = createBroadcasts(store);

beforeEach(async () => {
  await redis.flushdb();
  await ingress.access.setRole(admin, "admin");
});

const say = async (
  at: Place,
  name: string,
  argument = "",
  options?: Readonly<Record<string, string>>,
) =>
  textOf(
    await ingress.command(at, name, {
      argument,
      answersItself: true,
      ...(options === undefined ? {} : { options }),
    }),
  );

/** Of the newest lines: who, what, to what. */
const lines = async (count = 10) =>
  (await audit.newest({}, count)).records.map(({ by, action, target }) =>
    [by?.name, action, target].join(" "),
  );

describe("/doctor", () => {
  it("answers owners with what is to be fixed, in their language", async () => {
    expect(await say(directPlace(owner), "doctor")).toBe(
      [
        "Broken: 1, warnings: 1",
        "",
        "❌ Ollama doesn't have b.",
        "People get an apology in place of an answer.",
        "Fix: Run: ollama pull b",
        "",
        "⚠️ No backup has been recorded yet.",
        "Conversations, roles and approvals are in Redis only.",
        "Fix: Back up Redis (docs/guides/backup.md), then: npm run admin -- backup-done",
        "",
        "ℹ️ Privacy mode is on: in groups Telegram gives the bot only commands, mentions and replies to it.",
        "That is right unless a group has /activation always.",
        "Fix: @BotFather: /setprivacy, choose the bot, Disable; then remove the bot from the group and add it again.",
        "",
        "✅ Fine: 2",
      ].join("\n"),
    );
    expect(await say(directPlace({ ...owner, language: "de" }), "doctor")).toBe(
      [
        "Defekt: 1, Warnungen: 1",
        "",
        "❌ Ollama hat b nicht.",
        "Statt einer Antwort kommt nur eine Entschuldigung.",
        "Abhilfe: Führe das aus: ollama pull b",
        "",
        "⚠️ Es ist noch keine Sicherung verzeichnet.",
        "Unterhaltungen, Rollen und Freigaben liegen nur in Redis.",
        "Abhilfe: Sichere Redis (docs/guides/backup.md), dann: npm run admin -- backup-done",
        "",
        "ℹ️ Der Privacy Mode ist an: In Gruppen gibt Telegram dem Bot nur Befehle, Erwähnungen und Antworten an ihn.",
        "Das ist richtig, außer eine Gruppe hat /activation always.",
        "Abhilfe: @BotFather: /setprivacy, den Bot wählen, Disable; dann den Bot aus der Gruppe entfernen und wieder hinzufügen.",
        "",
        "✅ In Ordnung: 2",
      ].join("\n"),
    );
    expect(await say(directPlace(admin), "doctor")).toBe("Only owners can use /doctor.");
  });
});

describe("/pause and /resume", () => {
  const at = directPlace(admin);

  it.each([
    ["", "all", false],
    ["all", "all", false],
    ["telegram", "telegram", false],
    ["now", "all", true],
    ["discord now", "discord", true],
    ["NOW Discord", "discord", true],
  ])("/pause %s pauses %s, now: %s", async (argument, scope, isNow) => {
    expect(await say(at, "pause", argument)).toMatch(
      isNow ? /^Paused .* are stopped/ : /^Paused .* will finish/,
    );
    expect(await pauses.read()).toEqual({
      [scope]: { sinceMs: expect.any(Number), isNow },
    });
    expect(await lines()).toEqual([`Adam paused ${scope}`]);
  });

  it("take the arguments by name, too", async () => {
    const options = { platform: "discord", now: "now" };
    await say(at, "pause", "discord now", options);
    expect(await pauses.read()).toMatchObject({ discord: { isNow: true } });
    await say(at, "resume", "discord", { platform: "discord" });
    expect(await pauses.read()).toEqual({});
  });

  it("say what they do not know, and change nothing", async () => {
    for (const name of ["pause", "resume"])
      expect(await say(at, name, "everybody")).toContain('understand "everybody"');
    expect(await pauses.read()).toEqual({});
    expect(await lines()).toEqual([]);
  });

  it("resume one platform, all of them, or nothing, and say what is left", async () => {
    expect(await say(at, "resume")).toBe("I'm not paused everywhere.");
    await pauses.pause("all", { isNow: false });
    await pauses.pause("telegram", { isNow: false });
    expect(await say(at, "resume", "telegram")).toMatch(
      /^I'm back in Telegram\..*\nI'm still paused everywhere\. \/resume all/,
    );
    expect(await say(at, "resume")).toMatch(/^I'm back everywhere\.[^\n]*$/);
    expect(await pauses.read()).toEqual({});
    expect(await lines()).toEqual(["Adam resumed all", "Adam resumed telegram"]);
  });

  it("are written down where the process dies right behind them, and the command is delivered again", async () => {
    await pauses.pause("discord", { isNow: false });
    let isDying = true;
    const dying = createAccept({
      ...ingress.deps,
      pauses: {
        ...pauses,
        async resume(scope) {
          await pauses.resume(scope);
          if (isDying) throw new Error("the process dies here");
          return false;
        },
      },
    });
    const resume = () =>
      dying({
        type: "command",
        id: "r1",
        person: at.person,
        address: at.address,
        direct: true,
        atMs: 1,
        name: "resume",
        argument: "discord",
        answersItself: false,
      });
    await expect(resume()).rejects.toThrow("dies here");
    isDying = false;
    await resume();
    expect(await lines()).toEqual(["Adam resumed discord"]);
  });

  it("are seen in /status and /stats", async () => {
    await pauses.pause("telegram", { isNow: false });
    const paused = /^Paused since \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\n/;
    expect(await say(directPlace(member), "status")).toMatch(paused);
    const elsewhere = newPerson({ id: "discord:5" });
    expect(await say(directPlace(elsewhere), "status")).not.toMatch(paused);
  });
});

describe("/audit", () => {
  it.each([
    [
      "en",
      "changed the role of telegram:8 → guest (before: stranger)",
      "ran w → done (asked for by: x)",
    ],
    [
      "de",
      "änderte die Rolle von telegram:8 → Gast (vorher: noch keine)",
      "→ erledigt (angefragt von: x)",
    ],
    ["es", "→ invitado (antes: ninguno todavía)", "→ hecho (pedido por: x)"],
    ["fr", "→ invité (avant: aucun pour l'instant)", "→ fait (demandé par: x)"],
    ["ru", "→ гость (раньше: пока нет)", "→ выполнено (по запросу: x)"],
    ["zh", "→ 访客 (之前: 暂无)", "→ 完成 (请求人: x)"],
  ])("says words, and no digests, in %s", async (language, role, ran) => {
    await audit.write("e1", {
      action: "role-set",
      target: "telegram:8",
      outcome: "guest",
      details: { before: "stranger" },
    });
    await audit.write("e2", {
      action: "tool-executed",
      target: "w",
      outcome: "done",
      details: { effect: "once", approval: "a1b2", policy: "v5DX", requester: "x" },
    });
    const said = await say(directPlace({ ...admin, language }), "audit");
    expect(said).toContain(role);
    expect(said).toContain(ran);
    expect(said).not.toMatch(/once|a1b2|v5DX/);
  });

  const at = directPlace(admin);

  it("tells the newest first, in whole lines, whatever stands in them", async () => {
    expect(await say(at, "audit")).toBe("Nothing found in the audit log.");
    await audit.write("e1", {
      action: "limit-set",
      by: { id: "telegram:5", name: "Line\nbreaker" },
      chat: "telegram:77:-1",
      target: "role:member",
      details: { before: "off", now: "5/day" },
    });
    await audit.write("e2", {
      action: "approval-decided",
      target: "files.write",
      outcome: "expired",
    });
    expect(await say(at, "audit")).toMatch(
      /^Audit log \(newest first, UTC\):\n\d{4}-\d\d-\d\d \d\d:\d\d Parley itself: decided on files\.write → expired\n\S+ \d\d:\d\d Line breaker \(telegram:5\): set a limit for role:member \(before: off, now: 5\/day\) \[telegram:77:-1\]$/,
    );
  });

  it("names people and groups as they are called now", async () => {
    const group = groupPlace(newPerson({ name: "Sam", username: "sam_1" }));
    await ingress.command(group, "whoami", { chatTitle: "Team" });
    await audit.write("e1", {
      action: "pairing-decided",
      by: { id: admin.id, name: "Adam" },
      chat: group.chat,
      target: group.person.id,
      outcome: "allowed",
    });
    expect(await say(at, "audit", "1")).toMatch(
      new RegExp(`: decided on access for Sam \\(${group.person.id}\\) → allowed \\[Team\\]$`),
    );
  });

  it("names the people and groups that a fact or a limit is about, and the private chat of who did it", async () => {
    const group = groupPlace(newPerson({ name: "Sam" }));
    await ingress.command(group, "whoami", { chatTitle: "Team" });
    const ada = directPlace(newPerson({ id: "discord:5", name: "Ada" }));
    await ingress.access.setRole(ada.person, "admin");
    await ingress.people.setDirectChat("discord:9", ada.person.id, "discord:9:555" as ChatKey);
    await audit.write("e1", {
      action: "limit-set",
      by: ada.person,
      chat: "discord:9:555",
      target: `chat:${group.chat}`,
      details: { requester: group.person.id },
    });
    expect(await say(at, "audit", "1")).toMatch(
      new RegExp(
        ` Ada \\(discord:5\\): .* Team \\(chat:${group.chat}\\) \\(asked for by: Sam \\(${group.person.id}\\)\\) \\[Ada\\]$`,
      ),
    );
  });

  it.each([
    ["en", "timed out", "approval denied", "failed (too-cold)", "version: QX7K2"],
    ["de", "Zeit überschritten", "Freigabe abgelehnt", "fehlgeschlagen (too-cold)", "Version: "],
    ["es", "tardó demasiado", "aprobación rechazada", "fallido (too-cold)", "versión: "],
    ["fr", "délai dépassé", "approbation refusée", "échoué (too-cold)", "version: "],
    ["ru", "превышено время ожидания", "в одобрении отказано", "не удалось (too-cold)", "версия: "],
    ["zh", "运行超时", "未获批准", "失败 (too-cold)", "版本: "],
  ])(
    "says how a tool failed, and which version of a skill it was, in %s",
    async (language, ...said) => {
      for (const outcome of ["timeout", "confirmation-denied", "too-cold"])
        await audit.write(outcome, { action: "tool-executed", target: "w", outcome });
      await audit.write("skill", {
        action: "skill-decided",
        target: "docx",
        outcome: "approved",
        details: { version: "QX7K2" },
      });
      const text = await say(directPlace({ ...admin, language }), "audit");
      for (const each of said) expect(text).toContain(each);
      expect(text).toContain("QX7K2");
    },
  );

  it.each(languages)("has a word of its own for each kind of failure, in %s", (language) => {
    const outcomes: Readonly<Record<string, string>> = localeFor(language).audit.outcomes;
    const words = failureKinds.map((kind) => outcomes[kind]);
    expect(words).not.toContain(undefined);
    expect(new Set(words).size).toBe(failureKinds.length);
  });

  it("names an action that only a newer version knows, instead of leaving it out", async () => {
    const at = directPlace(admin);
    const line = {
      v: 1,
      action: "secrets-turned",
      by: { id: "telegram:5" },
      target: "files.write",
    };
    await redis.xadd(configKey("audit-log"), "*", "line", JSON.stringify(line));
    await audit.write("e1", { action: "paused", target: "all" });
    const said = await say(at, "audit");
    expect(said).toMatch(/telegram:5: secrets turned files\.write$/);
    expect(said.split("\n")).toHaveLength(3);
  });

  it("shows what someone has hidden in a name, so that nothing beside it moves", async () => {
    await audit.write("e1", {
      action: "role-set",
      by: { id: "telegram:5", name: "Eve\u202e\u200b" },
      target: "telegram:\u2066",
    });
    const said = await say(at, "audit");
    expect(said).toContain("Eve\\u202e\\u200b (telegram:5)");
    expect(said).not.toMatch(/[\u202e\u2066\u200b]/);
  });

  it("takes a number, a person, a kind, in any order, typed or by name", async () => {
    for (let index = 0; index < 12; index += 1)
      await audit.write(`e${index}`, {
        action: index % 2 === 0 ? "limit-set" : "role-set",
        by: index < 6 ? admin : owner,
        target: `t${index}`,
      });
    const targets = async (argument: string, options?: Record<string, string>) =>
      [...(await say(at, "audit", argument, options)).matchAll(/ (t\d+)/g)].map(
        ([, target]) => target,
      );
    expect(await targets("")).toHaveLength(10);
    expect(await targets("3")).toEqual(["t11", "t10", "t9"]);
    expect(await targets("999999")).toHaveLength(12);
    expect(await targets(`${admin.id} role-set`)).toEqual(["t5", "t3", "t1"]);
    expect(await targets(`limit-set 1 ${owner.id}`)).toEqual(["t10"]);
    expect(await targets("", { count: "2", who: owner.id, what: "role-set" })).toEqual([
      "t11",
      "t9",
    ]);
    expect(await say(at, "audit", "dancing")).toMatch(
      /^I don't understand "dancing"\. .* kind: approval-decided, .*tool-executed\.$/,
    );
    expect(await say(at, "audit", "@nobody")).toContain("@nobody");
  });

  it("is told in private, and its export goes to the asker's own chat", async () => {
    const boss = newPerson({ name: "Bo" });
    await ingress.access.setRole(boss, "admin");
    const own = directPlace(boss);
    await audit.write("e1", { action: "paused", by: boss, target: "all" });
    const group = groupPlace(boss);
    await ingress.command(group, "audit", { argument: "export" });
    // They have not written to the bot yet.
    expect((await ingress.told(group.chat)).join()).not.toContain("paused");
    await say(own, "whoami");
    expect(
      textOf(
        await ingress.command(group, "audit", {
          argument: "export",
          answersItself: true,
        }),
      ),
    ).toBe("I'll send you the audit log (1 line) as a file in our private chat.");
    expect(await ingress.outbox(group.chat)).not.toContainEqual(
      expect.objectContaining({ kind: "file" }),
    );
    const file = (await ingress.outbox(own.chat)).find(({ kind }) => kind === "file");
    if (file?.kind !== "file") throw new Error("no file was sent");
    expect(file.name).toMatch(/^parley-audit-\d{4}-\d\d-\d\d\.jsonl$/);
    const { blobs } = ingress.deps;
    const bytes = await (blobs as unknown as { get: (...of: string[]) => Promise<Uint8Array> }).get(
      own.chat,
      file.blob,
    );
    expect(
      Buffer.from(bytes)
        .toString()
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      {
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        id: expect.stringMatching(/^\d+-\d+$/),
        action: "paused",
        by: { id: boss.id, name: "Bo" },
        target: "all",
      },
    ]);
  });
});

describe("what admins may do", () => {
  it.each(["pause", "resume", "stats", "audit"])(
    "/%s of anybody else is refused and written down once in a while",
    async (name) => {
      const stranger = newPerson();
      const closed = openIngress(store, {
        mode: "allowlist",
        admins: [owner.id],
      });
      for (let again = 0; again < 3; again += 1) {
        await say(directPlace(member), name, "now");
        expect(
          textOf(
            await closed.command(directPlace(stranger), name, {
              answersItself: true,
            }),
          ),
        ).toMatch(/\bonly\b|not allowed/i);
      }
      expect(await pauses.read()).toEqual({});
      const records = (await audit.newest({}, 10)).records;
      expect(
        records.map(({ action, by, target, details }) => [action, by?.id, target, details]),
      ).toEqual([
        ["attempt-denied", stranger.id, `/${name}`, { role: "stranger" }],
        ["attempt-denied", member.id, `/${name}`, { role: "member" }],
      ]);
    },
  );

  it("a forged tap on someone's request to come in is written down", async () => {
    const outcome = await ingress.tap(directPlace(member), "pa:ABCDEFGH");
    expect(outcome.type).toBe("refused");
    expect(await lines()).toEqual(["Mia attempt-denied button pa"]);
  });
});

describe("what is set for others", () => {
  it("a group's settings are written down, a person's own are not", async () => {
    const group = groupPlace(admin);
    await say(group, "settings", "tools off");
    await say(group, "activation", "always");
    await say(group, "settings", "tools default");
    await say(group, "tier", "fast chat");
    await say(group, "tier", "smart");
    await say(directPlace(admin), "settings", "tools off");
    expect(
      (await audit.newest({}, 10)).records.map(({ target, details, chat }) => [
        chat,
        target,
        details,
      ]),
    ).toEqual([
      [group.chat, "tier", { value: "fast" }],
      [group.chat, "tools", { value: "default" }],
      [group.chat, "activation", { value: "always" }],
      [group.chat, "tools", { value: "off" }],
    ]);
  });

  it("an erasure is recorded once, with its author and its subject", async () => {
    const at = directPlace(member);
    const asked = textOf(await ingress.command(at, "forget", { argument: "me" }));
    const [typed = ""] = /yes-\d{4}/.exec(asked) ?? [];
    for (let again = 0; again < 2; again += 1)
      await ingress.command(at, "forget", { argument: `me ${typed}` });
    expect(await lines()).toEqual(["Mia erasure-asked me"]);
  });
});

describe("/stats", () => {
  it("tells how the deployment is doing", async () => {
    expect(await say(directPlace(admin), "stats")).toBe(
      [
        "Active chats: about 4 today, 9 this month",
        "Today: 12 messages, 3,400 tokens, $0.50",
        "This month: 120 messages, 34,000 tokens, $5.00",
        "Answers: 1 in progress, 2 waiting",
        "Messages to send: 0",
        "Failed deliveries: 7",
        "Parley 1.2.3, up for 1 h",
      ].join("\n"),
    );
  });
});

describe("/broadcast", () => {
  const at = directPlace(owner);

  async function offered(text: string) {
    const asked = await ingress.command(at, "broadcast", { argument: text });
    const { buttons = [] } = asked as Acceptance & { type: "answered" };
    const [, code = ""] = /\/broadcast yes-(\d{4}) within/.exec(textOf(asked)) ?? [];
    expect(buttons).toEqual([
      {
        label: "Send it",
        data: `bc:${code}`,
        typed: `/broadcast yes-${code}`,
      },
    ]);
    return { code, asked: textOf(asked) };
  }

  it("asks back, and is durable once it is confirmed, by tap or typed, once", async () => {
    const { code, asked } = await offered("We move\ntonight.");
    expect(asked).toMatch(/^This goes to 3 chats:\n\nWe move\ntonight\.\n\n/);
    expect(await broadcasts.list()).toEqual([]);
    const wrong = code === "0000" ? "0001" : "0000";
    expect(textOf(await ingress.tap(at, `bc:${wrong}`))).toMatch(/expired/);
    expect(textOf(await ingress.tap(at, `bc:${code}`))).toMatch(/^Sending/);
    // Again, while it is under way.
    expect(textOf(await ingress.tap(at, `bc:${code}`))).toMatch(/^Sending/);
    expect(await say(at, "broadcast", `yes-${code}`)).toMatch(/^Sending/);
    expect(await say(at, "broadcast", `yes-${wrong}`)).toMatch(/expired/);
    const [job] = await broadcasts.list();
    expect(job).toMatchObject({
      text: "We move\ntonight.",
      personId: owner.id,
      answerTo: at.chat,
      phase: "collecting",
    });
    // And when it is done: no one is to send it again.
    await broadcasts.finish(job?.id ?? "");
    expect(textOf(await ingress.tap(at, `bc:${code}`))).toMatch(/^Sending/);
    expect(await broadcasts.list()).toEqual([]);
    expect(await lines()).toEqual(["Olga broadcast "]);
  });

  it("is for owners alone, typed, tapped or forged", async () => {
    const { code } = await offered("hello");
    for (const person of [admin, member]) {
      const place = directPlace(person);
      expect(await say(place, "broadcast", "hello")).toMatch(/\bonly\b|not allowed/i);
      expect(await say(place, "broadcast", `yes-${code}`)).toMatch(/\bonly\b|not allowed/i);
      expect(textOf(await ingress.tap(place, `bc:${code}`))).toMatch(/\bonly\b|not allowed/i);
    }
    expect(await broadcasts.list()).toEqual([]);
    expect(await lines()).toEqual([
      "Mia attempt-denied button bc",
      "Mia attempt-denied /broadcast",
      "Adam attempt-denied button bc",
      "Adam attempt-denied /broadcast",
    ]);
  });

  it("takes nothing that no one can see", async () => {
    expect(await say(at, "broadcast", "\u200b \u2800")).toBe("/broadcast <text>: The message.");
  });

  it("takes no more than a message holds", async () => {
    expect(await say(at, "broadcast", "x".repeat(1_901))).toBe(
      "That's too long (1,901 characters; the limit is 1,900).",
    );
  });
});
