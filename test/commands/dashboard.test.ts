import { describe, expect, it } from "vitest";
import { createPageSessions } from "../../src/store/operations/page-sessions.ts";
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
const sessions = createPageSessions(store);

const codeIn = (text: string) => /\/in#([\w-]{22})$/m.exec(text)?.[1] ?? "";

async function open() {
  const ingress = openIngress(store);
  const admin = directPlace();
  await ingress.access.setRole(admin.person, "admin");
  const ask = async (at: Place, argument = "") =>
    await ingress.command(at, "dashboard", { argument, answersItself: true });
  /** A browser that is logged in. */
  const logIn = async (at: Place, browser?: string) => {
    const opened = await sessions.open(codeIn(textOf(await ask(at))), browser);
    if (opened === undefined) throw new Error("not opened");
    return opened;
  };
  return { ingress, admin, ask, logIn };
}

describe("/dashboard", () => {
  it("sends an admin a link of one use", async () => {
    const { admin, ask } = await open();
    const text = textOf(await ask(admin));
    expect(text).toContain("http://127.0.0.1:8090/in#");
    const opened = await sessions.open(codeIn(text), undefined);
    expect(opened?.session.person.id).toBe(admin.person.id);
    expect(opened?.chat).toBe(admin.chat);
    expect(await sessions.open(codeIn(text), undefined)).toBeUndefined();
  });

  it("is for admins and owners", async () => {
    const { ingress, ask } = await open();
    for (const role of ["member", "guest", "banned"] as const) {
      const place = directPlace();
      await ingress.access.setRole(place.person, role);
      expect(JSON.stringify(await ask(place))).not.toContain("/in#");
    }
    expect(textOf(await ask(directPlace()))).toBe("Only admins can use /dashboard.");
  });

  it("never sends a link into a group, or because of one", async () => {
    const { ingress, admin } = await open();
    const group = groupPlace(admin.person);
    for (const answersItself of [true, false]) {
      const answered = await ingress.command(group, "dashboard", { answersItself });
      expect(JSON.stringify(answered)).not.toContain("/in#");
    }
    const sent = [...(await ingress.told(group.chat)), ...(await ingress.told(admin.chat))];
    expect(sent.join("\n")).toContain("only send the link in a direct chat");
    expect(sent.join("\n")).not.toContain("#");
  });

  it("says which setting enables the page", async () => {
    const { ingress, admin, ask } = await open();
    Object.assign(ingress.deps, { page: { url: () => undefined, sessions } });
    expect(textOf(await ask(admin))).toContain("PARLEY_PAGE_PORT");
  });

  it("names the browsers that are logged in, each with a button that logs it out", async () => {
    const { ingress, admin, ask, logIn } = await open();
    const { secret } = await logIn(admin, "Firefox (Linux)");
    const other = await logIn(admin, "Safari (iPhone)");
    const answered = await ask(admin);
    expect(textOf(answered)).toContain("Logged in now: Safari (iPhone), Firefox (Linux).");
    const buttons = "buttons" in answered ? (answered.buttons ?? []) : [];
    expect(buttons.map(({ label }) => label)).toEqual([
      "Log out Safari (iPhone)",
      "Log out Firefox (Linux)",
    ]);
    for (const { data } of buttons) expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
    await ingress.tap(admin, buttons[1]?.data ?? "");
    expect(await ingress.told(admin.chat)).toEqual(["Firefox (Linux) is logged out."]);
    expect(await sessions.use(secret)).toBeUndefined();
    expect(await sessions.use(other.secret)).toBeDefined();
  });

  it("logs out no one else's browser", async () => {
    const { ingress, admin, ask, logIn } = await open();
    const { secret, session } = await logIn(admin);
    const other = directPlace();
    await ingress.access.setRole(other.person, "admin");
    expect(textOf(await ask(other, `end ${session.id}`))).toContain("isn't logged in any more");
    await ask(other, "off");
    expect(await sessions.use(secret)).toBeDefined();
  });

  it("off logs all of the person's browsers out, from a group as well", async () => {
    const { admin, ask, logIn } = await open();
    const { secret } = await logIn(admin);
    const unused = codeIn(textOf(await ask(admin)));
    expect(textOf(await ask(groupPlace(admin.person), "off"))).toContain("All your browsers");
    expect(await sessions.use(secret)).toBeUndefined();
    expect(await sessions.open(unused, undefined)).toBeUndefined();
  });

  it("writes down what was ended", async () => {
    const { ingress, admin, ask, logIn } = await open();
    const { session } = await logIn(admin, "Firefox (Linux)");
    await ask(admin, `end ${session.id}`);
    await ask(admin, "off");
    const filter = { personId: admin.person.id, action: "page-session-ended" } as const;
    const { records } = await ingress.deps.audit.newest(filter, 10);
    expect(records.map(({ target }) => target)).toEqual(["all", "Firefox (Linux)"]);
  });

  it("answers in every chat of a person who is an admin, and of no stand-in", async () => {
    const { ingress, ask } = await open();
    const channel = directPlace(newPerson({ anonymous: true }));
    await ingress.access.setRole(channel.person, "admin");
    expect(JSON.stringify(await ask(channel))).not.toContain("/in#");
  });
});
