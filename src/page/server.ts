import type { AddressInfo } from "node:net";
import cookie from "@fastify/cookie";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createListener, listening } from "../http/listener.ts";
import { languageIn, plainLocaleFor } from "../locales/locale-for.ts";
import { newErrorId } from "../logging/error-id.ts";
import { createPageSessions } from "../store/operations/page-sessions.ts";
import { readOngoing } from "../store/turns/ongoing.ts";
import { addAssets } from "./assets.ts";
import { addressOf, isForPage, isFromPage, securityHeaders, type PageAddress } from "./guards.ts";
import { html } from "./html.ts";
import type { DocumentParts } from "./layout.ts";
import { LiveViews } from "./live-views.ts";
import { addLogin, viewerAgain, viewerOf, type LoginDeps } from "./login.ts";
import { RateLimit } from "./rate-limit.ts";
import { fieldsOf, send, sendSentence } from "./respond.ts";
import { sharedReading } from "./shared-reading.ts";
import { allViews } from "./views/all-views.ts";
import { mostShown } from "./views/now.ts";
import type { Fields, GivenDeps, View, ViewContext, ViewDeps } from "./view.ts";

export interface PageOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Where browsers reach it, without a path. Undefined: at host and port. */
  readonly url: string | undefined;
  /** All of them, unless given. */
  readonly views?: readonly View[];
  /** Of logins within a minute, from one network address and from all. */
  readonly maxAttempts?: { readonly perName: number; readonly total: number };
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
const usualAttempts = { perName: 20, total: 2_000 };

/**
 * The operator's page, on a listener of its own. @throws PermanentError that names the setting
 * when the port cannot be had.
 */
export async function startPage(given: GivenDeps, options: PageOptions): Promise<Page> {
  const { host, port, url: proxied, views = allViews, maxAttempts = usualAttempts } = options;
  // A port of 0 is known when it listens, before the first request.
  let address: PageAddress = addressOf(proxied ?? originOf(host, port));
  const { log, store } = given.services;
  using parts = new DisposableStack();
  const deps: PageDeps = {
    ...given,
    ongoing: sharedReading(() => readOngoing(store, mostShown)),
    sessions: createPageSessions(store),
    address: () => address,
    attempts: new RateLimit(maxAttempts),
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
  const { port: free } = server.server.address() as AddressInfo;
  if (proxied === undefined) address = addressOf(originOf(host, free));
  log.info({ url: address.origin }, "the operator's page listens");
  const held = parts.move();
  return {
    url: address.origin,
    port: free,
    async [Symbol.asyncDispose]() {
      held.dispose();
      await server.close();
    },
  };
}

const originOf = (host: string, port: number): string =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`;

const fieldsIn = (text: string): Fields => Object.fromEntries(new URLSearchParams(text));

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
    return await sendSentence(request, reply.code(403), ({ refused }) => refused);
  });
  server.setNotFoundHandler((request, reply) =>
    sendSentence(request, reply.code(404), ({ notFound }) => notFound),
  );
  server.setErrorHandler(async (error, request, reply) => {
    const { statusCode = 500 } = error as { readonly statusCode?: number };
    if (statusCode >= 400 && statusCode < 500)
      return await sendSentence(request, reply.code(statusCode), ({ refused }) => refused);
    const errorId = newErrorId();
    // The route, not the address: it may name people and chats.
    log.error({ error, errorId, route: request.routeOptions.url }, "a page failed");
    return await sendSentence(request, reply.code(500), ({ failed }) => failed(errorId));
  });
}

function addView(server: FastifyInstance, deps: PageDeps, view: View): void {
  const { path, isLive, actions = {} } = view;
  const get = forViewers(deps, async (context, request, reply) => {
    const { url } = request;
    if (isLive && wantsStream(request)) return await stream(reply, deps, { view, context, url });
    return await show(reply, deps, { view, context, liveFrom: (await isLive?.(context)) && url });
  });
  server.get(path, get);
  for (const [name, act] of Object.entries(actions)) {
    const post = forViewers(deps, async (context, request, reply) => {
      const filled = fieldsOf(request);
      const result = await act(filled, context);
      if ("to" in result) return await reply.redirect(within(result.to, result.done), 303);
      const notice = { text: result.problem, kind: "problem" } as const;
      return await show(reply.code(409), deps, { view, context: { ...context, filled }, notice });
    });
    server.post(`${path === "/" ? "" : path}/${name}`, post);
  }
}

/** Node takes no body for HEAD: a stream would stay open for good. */
const wantsStream = ({ method, headers }: FastifyRequest): boolean =>
  method === "GET" && headers.accept?.includes("text/event-stream") === true;

/** Answers those who are logged in, and leads others to the login. */
const forViewers =
  (
    deps: PageDeps,
    answer: (
      context: ViewContext,
      request: FastifyRequest,
      reply: FastifyReply,
    ) => Promise<FastifyReply>,
  ) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { access, store } = deps.services;
    const viewer = await viewerOf(request, deps);
    // A browser that asks for a stream follows no redirect to a form.
    if (viewer === undefined)
      return wantsStream(request) ? await reply.code(401).send() : await reply.redirect("/in", 303);
    if (deps.requests.isExceededBy(viewer.sessionId, performance.now()))
      return await sendSentence(
        request,
        reply.code(429).header("retry-after", 60),
        ({ tooOften }) => tooOften,
      );
    const { language } = await access.profileOf(viewer.person);
    const locale = plainLocaleFor(language ?? request.headers["accept-language"], viewer.person.id);
    const [params, query] = [request.params as Fields, request.query as Fields];
    const nowMs = store.clock.now();
    const asked = { viewer, locale, language: languageIn(locale), nowMs, params, query, kept: {} };
    return await answer({ ...deps, ...asked }, request, reply);
  };

/** An address of the page and of no other host, whatever is in it. Pure. */
function within(to: string, done: string | undefined): string {
  const url = new URL(to, "http://page");
  if (done !== undefined) url.searchParams.set("done", done);
  return url.pathname.replace(/^\/+/, "/") + url.search + url.hash;
}

interface Shown {
  readonly view: View;
  readonly context: ViewContext;
  /** Where the browser gets it again while it is open. */
  readonly liveFrom?: string | false | undefined;
  readonly notice?: DocumentParts["notice"];
}

async function show(
  reply: FastifyReply,
  deps: PageDeps,
  { view, context, notice, ...more }: Shown,
): Promise<FastifyReply> {
  const { locale, language, viewer, query } = context;
  const { page } = locale;
  const content = await view.read(context);
  const done = Object.entries(page.done).find(([each]) => each === query["done"])?.[1];
  return await send(content === undefined ? reply.code(404) : reply, {
    ...more,
    title: page.titles[view.name],
    locale,
    language,
    viewer,
    menu: deps.menu,
    current: view.name,
    notice: notice ?? (done === undefined ? undefined : { text: done, kind: "done" }),
    content: content ?? html`<p>${page.notFound}</p>`,
  });
}

/** The view as it is now, again and again: see `LiveViews`. */
async function stream(
  reply: FastifyReply,
  deps: PageDeps,
  { view, context, url }: Pick<Shown, "view" | "context"> & { readonly url: string },
): Promise<FastifyReply> {
  const body = deps.live.open({
    sessionId: context.viewer.sessionId,
    name: `${context.language} ${url}`,
    async render() {
      const viewer = await viewerAgain(context.viewer, deps);
      if (viewer === undefined) return undefined;
      const nowMs = deps.services.store.clock.now();
      const again = { ...context, viewer, nowMs, isAgain: true } as const;
      const isLast = !(await view.isLive?.(again));
      const content = (await view.read(again)) ?? html`<p>${context.locale.page.notFound}</p>`;
      return { markup: content.toString(), isLast };
    },
  });
  if (body === undefined) return await reply.code(429).send();
  // Proxies must not collect it.
  reply.header("x-accel-buffering", "no");
  return await reply.type("text/event-stream; charset=utf-8").send(body);
}
