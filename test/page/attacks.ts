import { createHash } from "node:crypto";
import { expect } from "vitest";
import { configKey } from "../../src/store/keys.ts";
import type { Store } from "../../src/store/redis/redis.ts";
import { Random } from "../chaos/storm/random.ts";
import { newPerson } from "../ingress/open-ingress.ts";
import { openPage } from "./open-page.ts";
import { probeView } from "./probe-view.ts";
import { ask } from "./raw-request.ts";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const unlimited = { perName: Infinity, total: Infinity };
const atOnce = 64;

/**
 * Attacks the page over real sockets: codes and cookies that are forged, used, expired or nearly
 * right, requests from other sites with the cookie of an admin, and under other names of the host.
 */
export async function attack(
  store: Store,
  given: { readonly cases: number; readonly seed: number },
) {
  const random = new Random(given.seed);
  const { probe, view } = probeView();
  const page = await openPage(store, { views: [view], maxAttempts: unlimited });
  const admin = await page.logIn();
  const targets = await openTargets(store, page);
  const text = (length: number) =>
    Array.from({ length }, () => alphabet[random.whole(0, 63)]).join("");
  const one = <Item>(items: readonly Item[]): Item => items[random.whole(0, items.length - 1)]!;
  /** Nearly the same. */
  const changed = (right: string): string => {
    const at = random.whole(0, right.length - 1);
    const letter = alphabet[(alphabet.indexOf(right[at] ?? "A") + random.whole(1, 63)) % 64] ?? "";
    return one([
      right.slice(0, at) + letter + right.slice(at + 1),
      right.slice(0, -1),
      `${right}A`,
      right.toLowerCase() === right ? right.toUpperCase() : right.toLowerCase(),
      right.split("").toReversed().join(""),
    ]);
  };
  const { origin, host, port } = new URL(page.url);
  const mine = { cookie: `parley=${admin.secret}` };
  const otherHosts = () =>
    one([
      `${text(8)}.example:${port}`,
      `${host}.${text(5)}.example`,
      `127.0.0.1.nip.io:${port}`,
    ]).toLowerCase();
  const otherOrigins = () =>
    one([
      "null",
      "",
      `http://${otherHosts()}`,
      `https://${host}`,
      `http://localhost:${port}`,
      `${origin}.${text(4)}.example`.toLowerCase(),
      `http://127.0.0.1:${(Number(port) % 60_000) + 1 + random.whole(0, 99)}`,
    ]);
  const foreign = (): Record<string, string> =>
    one([
      { ...mine, origin: otherOrigins() },
      { ...mine },
      { ...mine, referer: `${one(["http", "https"])}://${otherHosts()}/${origin}` },
      { ...mine, origin, "sec-fetch-site": one(["cross-site", "same-site", "none"]) },
    ]);
  const logIn = (code: string, headers: Record<string, string> = { origin }) =>
    ask(page.url, { method: "POST", path: "/in", headers, fields: { code } });
  const open = (secret: string) =>
    ask(page.url, { path: "/", headers: { cookie: `parley=${secret}` } });
  /** Each says whether the attack got what it wanted. */
  const kinds: Readonly<Record<string, () => Promise<boolean>>> = {
    "forged code": () => entered(logIn(text(random.whole(0, 44)))),
    "nearly a code": () => entered(logIn(changed(targets.unused))),
    "replayed code": () => entered(logIn(one(targets.used))),
    "expired code": () => entered(logIn(one(targets.expired))),
    "hash of a code": () => entered(logIn(hashOf(targets.unused))),
    "forged cookie": () => shown(open(text(random.whole(1, 60)))),
    "nearly a cookie": () => shown(open(changed(admin.secret))),
    "hash of a cookie": () => shown(open(admin.sessionId)),
    "ended cookie": () => shown(open(one(targets.ended))),
    "expired cookie": () => shown(open(one(targets.old))),
    "cookie of a former admin": () => shown(open(one(targets.demoted))),
    "form of another site": async () => {
      const before = probe.acted;
      const answer = await ask(page.url, {
        method: "POST",
        path: one(["/act", "/out"]),
        headers: foreign(),
        fields: {},
      });
      return answer.status !== 403 || probe.acted !== before;
    },
    "login by another site": () => entered(logIn(targets.unused, foreign())),
    "another name of the host": async () => {
      const name = otherHosts();
      const headers = { ...mine, host: name, origin: `http://${name}` };
      const answer = await ask(
        page.url,
        one([
          { path: "/", headers },
          { path: "/in", headers },
          { method: "POST", path: "/act", headers, fields: {} },
          { method: "POST", path: "/in", headers, fields: { code: targets.unused } },
        ]),
      );
      return answer.status !== 421;
    },
  };
  // What was accepted, by the kind of the attack.
  const outcome = { tried: {} as Record<string, number>, accepted: [] as string[] };
  const names = Object.keys(kinds);
  let left = given.cases;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left > 0) {
        left -= 1;
        const name = names[left % names.length] ?? "";
        outcome.tried[name] = (outcome.tried[name] ?? 0) + 1;
        if (await kinds[name]?.()) outcome.accepted.push(name);
      }
    }),
  );
  // What is right still is: the attacks were refused for what they are.
  expect(probe.acted).toBe(0);
  expect((await admin.get("/")).status).toBe(200);
  expect((await admin.post("/act", {})).status).toBe(303);
  expect(await entered(logIn(targets.unused))).toBe(true);
  return outcome;
}

const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("base64url");

/** What was right once, or is nearly so. */
async function openTargets(store: Store, page: Awaited<ReturnType<typeof openPage>>) {
  const { redis } = store;
  const { sessions, services, codeFor } = page;
  const admin = async () => {
    const person = newPerson();
    await services.access.setRole(person, "admin");
    return person;
  };
  const used = await several(async () => {
    const code = await codeFor(await admin());
    expect(await sessions.open(code, undefined)).toBeDefined();
    return code;
  });
  const expired = await several(async () => {
    const code = await codeFor(await admin());
    // As its time is over.
    expect(await redis.pexpire(configKey(`page-code:${hashOf(code)}`), 0)).toBe(1);
    return code;
  });
  const ended = await several(async () => {
    const { secret, sessionId } = await page.logIn();
    await sessions.end(sessionId);
    return secret;
  });
  const old = await several(async () => {
    const { secret, sessionId } = await page.logIn();
    const key = configKey(`page-session:${sessionId}`);
    const stored = JSON.parse((await redis.get(key)) ?? "") as { sinceMs: number };
    const sinceMs = stored.sinceMs - 7 * 86_400_000;
    await redis.set(key, JSON.stringify({ ...stored, sinceMs }), "KEEPTTL");
    return secret;
  });
  const demoted = await several(async () => {
    const { secret, person } = await page.logIn();
    await services.access.setRole(person, "member");
    return secret;
  });
  return { unused: await codeFor(await admin()), used, expired, ended, old, demoted };
}

const entered = async (answer: ReturnType<typeof ask>) =>
  (await answer).headers["set-cookie"] !== undefined;
const shown = async (answer: ReturnType<typeof ask>) => (await answer).status === 200;

const several = async <Item>(make: () => Promise<Item>): Promise<readonly Item[]> =>
  await Promise.all(Array.from({ length: 10 }, make));
