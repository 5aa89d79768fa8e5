import pino from "pino";
import { onTestFinished } from "vitest";
import type { Person } from "../../src/core/chat.ts";
import { noMetrics } from "../../src/core/metrics.ts";
import { startPage, type PageOptions } from "../../src/page/server.ts";
import { createServices } from "../../src/services.ts";
import { createPageSessions } from "../../src/store/operations/page-sessions.ts";
import type { Store } from "../../src/store/redis/redis.ts";
import { load } from "../config/support.ts";
import { directPlace, newPerson, openIngress } from "../ingress/open-ingress.ts";

/** The operator's page on a port of its own, with the services that it shows. */
export async function openPage(store: Store, options: Partial<PageOptions> = {}) {
  const owner = newPerson();
  const ingress = openIngress(store, { admins: [owner.id] });
  const lines: string[] = [];
  const services = createServices(
    load({ environment: { PARLEY_ADMINS: owner.id } }),
    {
      log: pino(
        { level: "trace", serializers: { error: pino.stdSerializers.err } },
        { write: (line: string) => lines.push(line) },
      ),
      metrics: noMetrics,
    },
    store,
  );
  const page = await startPage(
    { services, commands: ingress.deps, costOf: () => 0.01 },
    { host: "127.0.0.1", port: 0, url: undefined, ...options },
  );
  onTestFinished(() => page[Symbol.asyncDispose]());
  const sessions = createPageSessions(store);
  const codeFor = async (person: Person) =>
    await sessions.createCode({ person, chat: directPlace(person).chat });
  return {
    ingress,
    services,
    sessions,
    page,
    url: page.url,
    /** What was logged so far. */
    lines,
    codeFor,
    /** A browser that is logged in as a new admin, or as the owner. */
    async logIn(
      role: "admin" | "owner" = "admin",
      person: Person = role === "owner" ? owner : newPerson(),
    ) {
      if (role === "admin") await services.access.setRole(person, "admin");
      const opened = await sessions.open(await codeFor(person), undefined);
      if (opened === undefined) throw new Error("not logged in");
      return {
        ...browser(page.url, `parley=${opened.secret}`),
        person,
        secret: opened.secret,
        sessionId: opened.session.id,
      };
    },
    /** One that is not. */
    stranger: () => browser(page.url, ""),
  };
}

function browser(url: string, cookie: string) {
  const headers = { cookie, origin: url, "accept-language": "en" };
  return {
    get: async (path: string) => await fetch(url + path, { headers, redirect: "manual" }),
    text: async (path: string) => await (await fetch(url + path, { headers })).text(),
    post: async (path: string, fields: Readonly<Record<string, string>>) =>
      await fetch(url + path, {
        method: "POST",
        headers,
        body: new URLSearchParams(fields),
        redirect: "manual",
      }),
  };
}
