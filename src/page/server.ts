import cookie from "@fastify/cookie";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createListener, listening } from "../http/listener.ts";
import { languageIn, localeFor } from "../locales/locale-for.ts";
import { newErrorId } from "../logging/error-id.ts";
import { createPageSessions } from "../store/operations/page-sessions.ts";
import { readOngoing } from "../store/turns/ongoing.ts";
import { addAssets } from "./assets.ts";
import { addressOf, isForPage, isFromPage, securityHeaders, type PageAddress } from "./guards.ts";
import { html, type Html } from "./html.ts";
import type { DocumentParts } from "./layout.ts";
import { LiveViews } from "./live-views.ts";
import { addLogin, viewerAgain, viewerOf, type LoginDeps } from "./login.ts";
import { RateLimit } from "./rate-limit.ts";
import { fieldsOf, send, sendSentence } from "./respond.ts";
import { sharedReading } from "./shared-reading.ts";
import { allViews } from "./views/all-views.ts";
import { mostShown } from "./views/now.ts";
import type { Action, ActionResult, GivenDeps, View, ViewDeps, ViewRequest } from "./view.ts";

export interface PageOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Where browsers reach it, without a path. Undefined: at host and port. */
  readonly url: string | undefined;
  /** All of them, unless given. */
  readonly views?: readonly View[];
  /** Within a minute. */
  readonly maxAttempts?: { readonly perAddress: number; readonly total: number };
}

export interface Page extends AsyncDisposable {
  /** Its origin. */
  readonly url: string;
  /** The one that it listens at. */
  readonly port: number;
}

interface PageDeps extends ViewDeps, Omit<LoginDeps, "services"> {
  readonly live: LiveViews;
  readonly menu: readonly View[];
}

/** Bytes; more than an edited call has. */
const maxBodyBytes = 256 * 1_024;
const maxConnections = 300;
/** Within a minute, of all sessions together and of one. */
const maxRequests = { perName: 300, total: 10_000 };
/** Codes can't be guessed; this bounds the work of those who try. */
const usualAttempts = { perAddress: 20, total: 2_000 };

/**
 * The operator's page, on a listener of its own. @throws PermanentError that names the setting
 * when the port cannot be had.
 */
export async function startPage(given: GivenDeps, options: PageOptions): Promise<Page> {
  const { host, port, url: proxied, views = allViews, maxAttempts = usualAttempts } = options;
  // A port of 0 is known when it listens, before the first request.
  let address: PageAddress = addressOf(proxied ?? originOf(host, port));
  const { log, store } = given.services;
  const { perAddress: perName, total } = maxAttempts;
  using parts = new DisposableStack();
  const deps: PageDeps = {
    ...given,
    ongoing: sharedReading(() => readOngoing(store, mostShown)),
    sessions: createPageSessions(store),
    address: () => address,
    attempts: new RateLimit({ perName, total }),
    requests: new RateLimit(maxRequests),
    menu: views.filter(({ isInMenu }) => isInMenu),
    live: parts.use(new LiveViews({ log })),
  };
  const server = createListener({
    maxConnections,
    bodyLimit: maxBodyBytes,
    // The proxy in front appends the browser's address.
    trustProxy: (_address, hop) => proxied !== undefined && hop === 0,
    routerOptions: { querystringParser: fieldsIn },
  });
  await server.register(cookie);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    (_request, body, done) => done(null, fieldsIn(String(body))),
  );
  addGuards(server, deps);
  addAssets(server);
  addLogin(server, deps);
  for (const view of views) addView(server, deps, view);
  await listening(server.listen({ host, port }), { host, port, setting: "PARLEY_PAGE" });
  if (proxied === undefined) address = addressOf(originOf(host, portOf(server)));
  log.info({ url: address.origin }, "the operator's page listens");
  const held = parts.move();
  return {
    url: address.origin,
    port: portOf(server),
    async [Symbol.asyncDispose]() {
      held.dispose();
      await server.close();
    },
  };
}

const originOf = (host: string, port: number): string =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`;

const portOf = (server: FastifyInstance): number => {
  const address = server.server.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
};

const fieldsIn = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(new URLSearchParams(text));

/** Before anything is looked at; and what is answered where a route can't. */
function addGuards(server: FastifyInstance, { address, services: { log } }: PageDeps): void {
  server.addHook("onRequest", async (request, reply) => {
    reply.headers(securityHeaders);
    const { headers, method } = request;
    if (!isForPage(headers, address()))
      return await reply
        .code(421)
        .send(`Wrong address: the page is at ${address().origin} (PARLEY_PAGE_URL).`);
    if (method === "GET" || method === "HEAD" || isFromPage(headers, address())) return undefined;
    return await sendSentence(request, reply.code(403), refused);
  });
  server.setNotFoundHandler((request, reply) =>
    sendSentence(request, reply.code(404), (page) => ({ title: page.notFound, text: "" })),
  );
  server.setErrorHandler(async (error, request, reply) => {
    const { statusCode = 500 } = error as { readonly statusCode?: number };
    if (statusCode >= 400 && statusCode < 500)
      return await sendSentence(request, reply.code(statusCode), refused);
    const errorId = newErrorId();
    // The route, not the address: it may name people and chats.
    log.error({ error, errorId, route: request.routeOptions.url }, "a page failed");
    return await sendSentence(request, reply.code(500), ({ failedTitle: title, failed }) => ({
      title,
      text: failed(errorId),
    }));
  });
}

const refused = ({ failedTitle, refused }: DocumentParts["locale"]["page"]) => ({
  title: failedTitle,
  text: refused,
});

function addView(server: FastifyInstance, deps: PageDeps, view: View): void {
  server.get(view.path, async (request, reply) => {
    // Node takes no body for HEAD: a stream would stay open for good.
    const isStream =
      view.isLive === true &&
      request.method === "GET" &&
      request.headers.accept?.includes("text/event-stream") === true;
    const asked = await viewRequestOf(request, deps);
    // A browser that asks for a stream follows no redirect to a form.
    if (asked === "not-logged-in")
      return isStream ? await reply.code(401).send() : await reply.redirect("/in", 303);
    if (asked === "too-often") return await sendTooOften(request, reply);
    return isStream
      ? await stream(reply, deps, { view, asked, url: request.url })
      : await show(reply, deps, { view, asked, url: request.url });
  });
  for (const [name, act] of Object.entries(view.actions ?? {}))
    addAction(server, deps, { view, name, act });
}

function addAction(
  server: FastifyInstance,
  deps: PageDeps,
  { view, name, act }: { readonly view: View; readonly name: string; readonly act: Action },
): void {
  server.post(`${view.path === "/" ? "" : view.path}/${name}`, async (request, reply) => {
    const asked = await viewRequestOf(request, deps);
    if (asked === "not-logged-in") return await reply.redirect("/in", 303);
    if (asked === "too-often") return await sendTooOften(request, reply);
    const filled = fieldsOf(request);
    const result: ActionResult = await act(filled, asked, deps);
    if ("show" in result) return await show(reply, deps, { view, asked, content: result.show });
    if ("problem" in result)
      return await show(reply.code(409), deps, {
        view,
        asked: { ...asked, filled },
        notice: { text: result.problem, kind: "problem" },
      });
    return await reply.redirect(within(result.to, result.done), 303);
  });
}

const sendTooOften = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
  sendSentence(request, reply.code(429).header("retry-after", 60), (page) => ({
    title: page.failedTitle,
    text: page.tooOften,
  }));

/** An address of the page and of no other host, whatever is in it. Pure. */
function within(to: string, done: string | undefined): string {
  const url = new URL(to, "http://page");
  if (done !== undefined) url.searchParams.set("done", done);
  return url.pathname.replace(/^\/+/, "/") + url.search + url.hash;
}

interface Shown {
  readonly view: View;
  readonly asked: ViewRequest;
  /** Where the browser gets it again; absent: after a form. */
  readonly url?: string;
  readonly notice?: DocumentParts["notice"];
  /** In place of what the view reads. */
  readonly content?: Html;
}

async function show(
  reply: FastifyReply,
  deps: PageDeps,
  { view, asked, url, notice, content: given }: Shown,
): Promise<FastifyReply> {
  const { locale, language, viewer, query } = asked;
  const content = given ?? (await view.read(asked, deps));
  const done = Object.entries(locale.page.done).find(([name]) => name === query["done"])?.[1];
  const said = notice ?? (done === undefined ? undefined : { text: done, kind: "done" as const });
  return await send(content === undefined ? reply.code(404) : reply, {
    title: locale.page.titles[view.name],
    locale,
    language,
    viewer,
    menu: deps.menu,
    current: view.name,
    ...(said === undefined ? {} : { notice: said }),
    ...(view.isLive === true && url !== undefined ? { liveFrom: url } : {}),
    content: content ?? html`<p>${locale.page.notFound}</p>`,
  });
}

/** The view as it is now, again and again: see `LiveViews`. */
async function stream(
  reply: FastifyReply,
  deps: PageDeps,
  { view, asked, url }: Required<Pick<Shown, "view" | "asked" | "url">>,
): Promise<FastifyReply> {
  const body = deps.live.open({
    sessionId: asked.viewer.sessionId,
    name: `${asked.language} ${url}`,
    async render() {
      const viewer = await viewerAgain(asked.viewer, deps);
      if (viewer === undefined) return undefined;
      const nowMs = deps.services.store.clock.now();
      const content = await view.read({ ...asked, viewer, nowMs, isAgain: true }, deps);
      return (content ?? html`<p>${asked.locale.page.notFound}</p>`).toString();
    },
  });
  if (body === undefined) return await reply.code(429).send();
  // Proxies must not collect it.
  reply.header("x-accel-buffering", "no");
  return await reply.type("text/event-stream; charset=utf-8").send(body);
}

async function viewRequestOf(
  request: FastifyRequest,
  deps: PageDeps,
): Promise<ViewRequest | "not-logged-in" | "too-often"> {
  const { access, store } = deps.services;
  const viewer = await viewerOf(request, deps);
  if (viewer === undefined) return "not-logged-in";
  if (deps.requests.isExceededBy(viewer.sessionId, performance.now())) return "too-often";
  const { language } = await access.profileOf(viewer.person);
  const locale = localeFor(language ?? request.headers["accept-language"]);
  return {
    viewer,
    locale,
    language: languageIn(locale),
    nowMs: store.clock.now(),
    params: request.params as Record<string, string>,
    query: request.query as Record<string, string>,
  };
}
