import pino from "pino";
import { onTestFinished } from "vitest";
import type { Person } from "../../src/core/chat.ts";
import { noMetrics } from "../../src/core/metrics.ts";
import { startPage } from "../../src/page/server.ts";
import { createServices } from "../../src/services.ts";
import { createPageSessions } from "../../src/store/operations/page-sessions.ts";
import type { Store } from "../../src/store/redis/redis.ts";
import { load } from "../config/support.ts";
import { newPerson, openIngress } from "../ingress/open-ingress.ts";

/** The operator's page on a port of its own, with the services that it shows. */
export async function openPage(store: Store) {
  const owner = newPerson();
  const ingress = openIngress(store, { admins: [owner.id] });
  const services = createServices(
    load({ environment: { PARLEY_ADMINS: owner.id } }),
    { log: pino({ level: "silent" }), metrics: noMetrics },
    store,
  );
  const page = await startPage(
    { services, commands: ingress.deps },
    { host: "127.0.0.1", port: 0, url: undefined },
  );
  onTestFinished(() => page[Symbol.asyncDispose]());
  const sessions = createPageSessions(store);
  return {
    ingress,
    services,
    sessions,
    url: page.url,
    /** A browser that is logged in as a new admin, or as the owner. */
    async logIn(
      role: "admin" | "owner" = "admin",
      person: Person = role === "owner" ? owner : newPerson(),
    ) {
      if (role === "admin") await services.access.setRole(person, "admin");
      const opened = await sessions.open(await sessions.createCode(person));
      if (opened === undefined) throw new Error("not logged in");
      return browser(page.url, `parley=${opened.secret}`);
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
