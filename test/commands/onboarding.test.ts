import { shortApprovalId } from "../../src/core/approval.ts";
import { describe, expect, it } from "vitest";
import type { CommandCall, CommandDeps } from "../../src/commands/command.ts";
import { toolsCommand } from "../../src/commands/tools.ts";
import { createOfferedTools } from "../../src/store/approvals/offered-tools.ts";
import { approvalKey } from "../../src/store/keys.ts";
import { languages, localeFor } from "../../src/locales/locale-for.ts";
import {
  approvalOf,
  begun,
  committed,
  stateOf,
  storeOn,
  turnStoreOn,
  waitingFor,
} from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import {
  directPlace,
  groupPlace,
  newPerson,
  openIngress,
  textOf,
} from "../ingress/open-ingress.ts";

const store = storeOn(await testDatabase());
const { redis } = store;
const ingress = openIngress(store);
const turns = turnStoreOn(store);
const offered = createOfferedTools(store);

const fromDiscord = (number: number, language?: string) =>
  newPerson({
    id: `discord:${number}`,
    ...(language === undefined ? {} : { language }),
  });

describe("/start", () => {
  it("says in four lines what can be done here, and offers three things to try", async () => {
    await redis.del("parley:{cfg}:tools");
    const at = directPlace();
    const acceptance = await ingress.command(at, "start", {
      answersItself: true,
    });
    const lines = textOf(acceptance).split("\n");
    expect(lines).toEqual([
      "Hi, I'm Parley. Ask me anything.",
      "Before I change anything, I ask you first.",
      "In groups, mention me or reply to one of my messages.",
      "Your messages are stored and sent to the AI model openai/gpt-5. /export to download them, /forget to delete them, /help for more.",
    ]);
    expect(acceptance).toMatchObject({
      buttons: [
        {
          label: "What time is it in Tokyo?",
          data: "s:0",
          typed: "What time is it in Tokyo?",
        },
        { data: "s:1", typed: "/tools" },
        { data: "s:2", typed: "/settings" },
      ],
    });
  });

  it("in a group says which people it answers there, and how many tools there are", async () => {
    await offered.write([{ name: "calculate", description: "Calculates", asks: "never" }]);
    const at = groupPlace();
    const [, tools, whom] = textOf(await ingress.command(at, "start")).split("\n");
    expect(tools).toMatch(/^I have 1 tool \(\/tools\)\. Before I change/);
    expect(whom).toMatch(/^In this group, mention me/);
    await ingress.deps.settings.set(at.chat, "activation", "always");
    const again = textOf(await ingress.command(at, "start")).split("\n");
    expect(again[2]).toBe("In this group I answer every message.");
  });

  it.each(languages)("is as long in %s", async (language) => {
    const at = directPlace(newPerson({ language }));
    const said = textOf(await ingress.command(at, "start"));
    expect(said.split("\n")).toHaveLength(4);
    expect(said).toContain(localeFor(language).start.direct);
  });
});

describe("a tap below /start", () => {
  it("asks the sample question as the person's own, once, however often it comes", async () => {
    const at = directPlace(newPerson({ language: "de" }));
    const tap = { id: "tap1", messageId: "7" };
    expect(await ingress.tap(at, "s:0", tap)).toEqual({ type: "queued" });
    expect(await ingress.tap(at, "s:0", tap)).toEqual({ type: "duplicate" });
    const turn = await begun(turns, at.chat);
    expect(turn.transcript).toEqual([
      expect.objectContaining({
        id: "tap1",
        person: at.person,
        text: "Wie spät ist es in Tokio?",
      }),
    ]);
    expect(await ingress.waiting(at.chat)).toEqual([]);
    expect(ingress.wakes).toContain(`turn ${at.chat}`);
  });

  it("on a command's button gets the command's answer as a message of its own", async () => {
    await offered.write([{ name: "calculate", description: "Calculates", asks: "never" }]);
    const at = directPlace();
    const tap = { id: "tap2" };
    expect(await ingress.tap(at, "s:1", tap)).toEqual({ type: "queued" });
    expect(await ingress.tap(at, "s:1", tap)).toEqual({ type: "duplicate" });
    await ingress.tap(at, "s:2", { id: "tap3" });
    expect(await ingress.told(at.chat)).toEqual([
      expect.stringContaining("• Calculate (calculate) – "),
      expect.stringMatching(/^Settings for this chat:/),
    ]);
  });

  it("in a group shows what is private to its person alone", async () => {
    const own = directPlace();
    const group = groupPlace(own.person);
    await ingress.tap(group, "s:2", { id: "tap4" });
    expect((await ingress.told(own.chat))[0]).toContain("Settings for this chat:");
    expect(await ingress.told(group.chat)).toEqual([expect.stringMatching(/privately/)]);
  });

  it("of a stranger, one too late, and one that there is not, does nothing", async () => {
    const closed = openIngress(store, { mode: "allowlist" });
    const at = directPlace();
    expect(textOf(await closed.tap(at, "s:0"))).toMatch(/\bonly\b|not allowed/i);
    expect(textOf(await ingress.tap(at, "s:0", { notAfterMs: 0 }))).toMatch(/took too long/);
    for (const data of ["s:3", "s:", "s:toString"])
      expect(textOf(await ingress.tap(at, data))).toMatch(/no longer works/);
    expect(await ingress.waiting(at.chat)).toEqual([]);
  });
});

const help = async (argument: string) =>
  textOf(await ingress.command(directPlace(), "help", { argument }));

describe("/help", () => {
  it("fits on a screen, in groups, and says where the rest is", async () => {
    const owner = directPlace();
    const owned = openIngress(store, { admins: [owner.person.id] });
    const member = directPlace();
    await owned.access.setRole(member.person, "member");
    for (const [at, least, most] of [
      [owner, 18, 22],
      [member, 14, 18],
    ] as const) {
      const lines = textOf(await owned.command(at, "help")).split("\n");
      expect(lines.length).toBeGreaterThanOrEqual(least);
      expect(lines.length).toBeLessThanOrEqual(most);
      expect(lines.at(-1)).toContain("/help all");
      expect(lines).toContain("/new – Start a new conversation");
      for (const line of lines.slice(0, -1)) expect(line.length).toBeLessThanOrEqual(60);
      expect(lines.some((line) => line.startsWith("/allow"))).toBe(at === owner);
    }
  });

  it("knows the terminal's own command there, and nowhere else", async () => {
    const at = directPlace();
    const terminal = {
      ...at,
      address: { platform: "console", bot: "terminal", chat: at.address.chat },
    } as const;
    for (const argument of ["", "all", "quit"]) {
      const said = textOf(await ingress.command(terminal, "help", { argument }));
      expect(said).toContain("/quit – Leave Parley");
      if (argument !== "quit") expect(said).toContain("\nIn the terminal:\n/quit – ");
      expect(await help(argument)).not.toContain("/quit –");
    }
  });

  it("all shows every command once, in groups", async () => {
    const at = directPlace();
    const owned = openIngress(store, { admins: [at.person.id] });
    const said = textOf(await owned.command(at, "help", { argument: "all" }));
    for (const { spec } of owned.deps.commands)
      expect(said.match(new RegExp(`^/${spec.name} – `, "gm"))).toHaveLength(1);
    expect(said).toMatch(/^Conversation:\n\/start /);
    // Only what is for admins may stand in their group: everything else has one of its own.
    const admins = said.slice(said.indexOf("For admins:")).split("\n");
    expect(admins.filter((line) => line.startsWith("/") && !line.includes("<"))).toHaveLength(
      owned.deps.commands.filter(({ role }) => role === "admin" || role === "owner").length,
    );
    expect(said.length).toBeLessThan(3_000);
  });

  it.each(["auto", "/auto", "AUTO"])("%s says how it is typed", async (name) => {
    const at = directPlace();
    expect(textOf(await ingress.command(at, "help", { argument: name })).split("\n")).toEqual([
      "/auto <goal> [turns] – Let me work on a goal on my own",
      "<goal>: The goal, up to 2,000 characters",
      "[turns]: Maximum number of steps, 1 to 50 (default 10)",
    ]);
  });

  it("of one that there is not, or not for the asker, says so", async () => {
    expect(await help("cancel")).toContain("Also: /cancel.");
    expect(await help("stopp")).toContain("Did you mean /stop?");
    expect(await help("allow")).toContain("don't know /allow");
  });
});

describe("/language", () => {
  it("holds from then on in all of a person's chats, and counts before their app", async () => {
    const person = newPerson({ language: "fr" });
    const at = directPlace(person);
    const group = groupPlace(person);
    const said = async (argument: string) =>
      textOf(await ingress.command(at, "language", { argument }));
    expect(await said("")).toContain("français");
    expect(await said("de")).toBe("Alles klar, ab jetzt auf Deutsch.");
    expect(textOf(await ingress.command(group, "stop"))).toBe("Gerade läuft nichts.");
    expect(await said("")).toContain("wie du es gewählt hast");
    expect(await said("Russian")).toBe("Хорошо, буду говорить по-русски.");
    expect(await said("中文")).toBe("好的，我会说中文。");
    expect(await said("klingon")).toContain("klingon");
    expect(await said("auto")).toContain("français");
    expect(textOf(await ingress.command(at, "stop"))).toBe("Rien n'est en cours.");
  });

  it("is in what a message leaves, so that a turn answers in it", async () => {
    const at = directPlace(newPerson({ language: "fr" }));
    await ingress.command(at, "language", { argument: "es" });
    await ingress.say(at, "hola");
    const turn = await begun(turns, at.chat);
    expect(stateOf(turn).requester.language).toBe("es");
  });

  it("of a platform that tells it only now and then is remembered", async () => {
    const at = directPlace(fromDiscord(901, "de"));
    await ingress.command(at, "status", { answersItself: true });
    const silent = { ...at, person: fromDiscord(901) };
    expect(textOf(await ingress.command(silent, "stop"))).toBe("Gerade läuft nichts.");
    expect(textOf(await ingress.command(silent, "language", { argument: "auto" }))).toContain(
      "Deutsch",
    );
  });

  it("is not allowed to those who write anonymously", async () => {
    const at = groupPlace(newPerson({ anonymous: true }));
    expect(textOf(await ingress.command(at, "language", { argument: "de" }))).toMatch(
      /not allowed/,
    );
  });
});

describe("/activation", () => {
  it("is an admin's to change in a group, and anybody's to see", async () => {
    const admin = groupPlace();
    const member = groupPlace(newPerson(), admin);
    const owned = openIngress(store, { admins: [admin.person.id] });
    const said = async (place: typeof admin, argument: string) =>
      textOf(await owned.command(place, "activation", { argument }));
    expect(await said(member, "")).toMatch(/^In this group I answer when someone mentions me/);
    expect(await said(member, "always")).toMatch(/\bonly\b|not allowed/i);
    expect(await said(admin, "sometimes")).toMatch(/mention or \/activation always/);
    expect(await said(admin, "Always")).toMatch(/^I answer every message[^]*@BotFather/);
    expect(await owned.deps.settings.read(admin.chat)).toEqual({
      activation: "always",
    });
    expect(await said(admin, "mention")).not.toContain("BotFather");
    expect(await said(member, "")).toMatch(/^In this group I answer when someone mentions me/);
  });

  it("has no meaning between two", async () => {
    expect(
      textOf(
        await ingress.command(directPlace(), "activation", {
          argument: "always",
        }),
      ),
    ).toBe("This is a private chat, so I answer every message.");
  });
});

describe("/tools", () => {
  it("shows what is used freely and what asks first, and how many more there are", async () => {
    await offered.write([
      { name: "files.delete", description: "Deletes a file", asks: "always" },
      { name: "web.post", description: "x".repeat(300), asks: "sometimes" },
      ...Array.from({ length: 42 }, (_, index) => ({
        name: `read_${index}`,
        description: "",
        asks: "never" as const,
      })),
    ]);
    const said = textOf(await ingress.command(directPlace(), "tools"));
    expect(said).toMatch(/^I use these without asking:\n• read_0\n/);
    expect(said).toContain("• read_39\nAnd 2 more.\n\n");
    expect(said).toContain(
      `I sometimes ask before I use these:\n• web.post – ${"x".repeat(100)} …`,
    );
    expect(said).toMatch(/I ask before I use these:\n• files\.delete – Deletes a file\n/);
    expect(said).toMatch(/\n\nI can't search the web yet\. An admin can [^\n]+npm run init[^\n]+$/);
  });

  it.each([
    ["en", "• Write note (write_note) – Adds a note to this chat's notes"],
    ["de", "• Notiz schreiben (write_note) – Fügt diesem Chat eine Notiz hinzu"],
    ["es", "• Escribir una nota (write_note) – Añade una nota a este chat"],
    ["fr", "• Écrire une note (write_note) – Ajoute une note à ce chat"],
    ["ru", "• Записать заметку (write_note) – Добавляет заметку в этот чат"],
    ["zh", "• 写笔记 (write_note) – 为此聊天添加一条笔记"],
  ])("describes our own tools in %s, and a server's as its author does", async (language, line) => {
    await offered.write([
      { name: "write_note", description: "Writes a note into the notes", asks: "always" },
      { name: "shop.buy", description: "Buys something", asks: "always" },
    ]);
    const said = textOf(await ingress.command(directPlace(newPerson({ language })), "tools"));
    expect(said.split("\n")).toEqual(expect.arrayContaining([line, "• shop.buy – Buys something"]));
  });

  it.each([
    ["a worker offers it", { name: "web_search", canSearch: false }],
    ["an MCP server has one", { name: "brave.brave_web_search", canSearch: false }],
    ["it is set up, and a rule denies it", { name: "calculate", canSearch: true }],
  ])("says nothing of a missing web search where %s", async (_, { name, canSearch }) => {
    const tools = () => Promise.resolve([{ name, description: "", asks: "never" as const }]);
    const at = directPlace();
    const call = { ...at, locale: localeFor("en") } as unknown as CommandCall;
    const others = {
      personas: ingress.deps.personas,
      skillReviews: { list: () => Promise.resolve([]) },
      settings: { read: () => Promise.resolve({}) },
    };
    const deps = { ...others, tools, canSearch } as unknown as CommandDeps;
    const said = await toolsCommand.run(call, deps);
    expect(said).toMatchObject({ text: expect.stringContaining(name) });
    expect(said).toMatchObject({ text: expect.not.stringContaining("search the web yet") });
  });

  it("of a deployment without workers says that there are none", async () => {
    await redis.del("parley:{cfg}:tools");
    expect(textOf(await ingress.command(directPlace(), "tools"))).toBe(
      "I don't have any tools right now.",
    );
  });
});

describe("/approvals", () => {
  it("shows what waits, for how long, who may decide it and how, and no secret", async () => {
    const at = directPlace();
    const approvals = async () => textOf(await ingress.command(at, "approvals"));
    expect(await approvals()).toBe("Nothing is waiting for approval.");
    await ingress.say(at, "delete it");
    const turn = await begun(turns, at.chat);
    const approval = approvalOf(turns, at.chat, {
      expiresAtMs: ingress.deps.now() + 3_600_000,
      arguments: JSON.stringify({
        path: `a\u202e${"b".repeat(200)}`,
        apiKey: "hunter2",
        note: "and so on ".repeat(50),
      }),
    });
    await committed(turns, turn, {
      state: waitingFor(stateOf(turn), [approval]),
      turn: 1,
      ask: [approval],
    });
    // As the delivery of the card notes it.
    await redis.hset(approvalKey(approval.id), { card: "55" });
    const said = await approvals();
    expect(said).toMatch(/^1 action is waiting for approval:/);
    expect(said).toContain(
      `files: Delete (${approval.tool}): asked for ${approval.requester.name}, expires in 60 min`,
    );
    expect(said).toContain("path: a\\u202ebbb");
    const id = shortApprovalId(approval.id);
    expect(said).toContain("It's up to Anna or an admin.");
    expect(said).toContain(`/approve ${id}\n/deny ${id}`);
    expect(said).not.toContain("hunter2");
    // Where the call goes is never cut.
    expect(said).toContain("b".repeat(200));
    expect(said).not.toContain("and so on ".repeat(12));
  });
});

it("/role says what comes with it", async () => {
  const at = directPlace();
  const closed = openIngress(store, { mode: "allowlist" });
  expect(textOf(await closed.command(at, "role"))).toBe(
    "Role: stranger\nYou're not allowed to chat with me yet.",
  );
  await closed.access.setRole(at.person, "admin");
  expect(textOf(await closed.command(at, "role"))).toMatch(/^Role: admin\nYou can do everything/);
});

it("what ingress itself says is in the person's language, and what admins are told in theirs", async () => {
  const admin = directPlace(newPerson({ language: "ru" }));
  const paired = openIngress(store, {
    mode: "pairing",
    admins: [admin.person.id],
  });
  await paired.command(admin, "status", { answersItself: true });
  const stranger = directPlace(newPerson({ language: "es" }));
  expect(textOf(await paired.say(stranger, "hola"))).toMatch(/^¡Hola! Este bot es privado/);
  const [asked] = await paired.outbox(admin.chat);
  expect(asked).toMatchObject({
    text: expect.stringMatching(/просит доступ[^]*Код: /) as string,
    buttons: [{ label: "Разрешить" }, { label: "Отклонить" }],
  });
  const code = /Код: (\w+)/.exec(JSON.stringify(asked))?.[1] ?? "";
  expect(textOf(await paired.tap(admin, `pa:${code}`))).toContain("Доступ открыт");
  expect(await paired.told(stranger.chat)).toContain(localeFor("es").pairing.youMay);
});

it("what a command needs is said in the person's language", async () => {
  const at = directPlace(newPerson({ language: "zh" }));
  expect(textOf(await ingress.command(at, "auto"))).toMatch(/^目标是什么/);
});
