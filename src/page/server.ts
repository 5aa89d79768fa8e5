import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import cookie from "@fastify/cookie";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { isAtLeast } from "../core/roles.ts";
import { localeFor, languageIn } from "../locales/locale-for.ts";
import { createPageSessions, type PageSessions } from "../store/operations/page-sessions.ts";
import { html, type Html } from "./html.ts";
import { documentOf, type DocumentParts } from "./layout.ts";
import { allViews } from "./views/all-views.ts";
import type { View, ViewDeps, ViewRequest, Viewer } from "./view.ts";

export interface PageOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Where browsers reach it, without a path. Undefined: at host and port. */
  readonly url: string | undefined;
}

export interface Page extends AsyncDisposable {
  readonly url: string;
}

interface PageDeps extends ViewDeps {
  readonly sessions: PageSessions;
}

const menu = allViews.filter(({ isInMenu }) => isInMenu);

/** The operator's page, on a listener of its own. */
export async function startPage(given: ViewDeps, options: PageOptions): Promise<Page> {
  const deps: PageDeps = { ...given, sessions: createPageSessions(given.services.store) };
  const server = fastify({ logger: false, forceCloseConnections: true });
  await server.register(cookie);
  server.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  addAssets(server);
  addLogin(server, deps);
  for (const view of allViews) addView(server, deps, view);
  const { host, port } = options;
  const url = await server.listen({ host, port });
  return {
    url: options.url ?? url,
    async [Symbol.asyncDispose]() {
      await server.close();
    },
  };
}

function addAssets(server: FastifyInstance): void {
  const packages = createRequire(import.meta.url);
  const ours = (name: string) => readFileSync(new URL(`assets/${name}`, import.meta.url));
  const theirs = (path: string) => readFileSync(packages.resolve(path));
  const add = (name: string, type: string, content: Buffer) =>
    server.get(`/assets/${name}`, async (_request, reply) => await reply.type(type).send(content));
  add("page.css", "text/css; charset=utf-8", ours("page.css"));
  add("page.js", "text/javascript; charset=utf-8", ours("page.js"));
  add("icon.svg", "image/svg+xml", ours("icon.svg"));
  add("htmx.js", "text/javascript; charset=utf-8", theirs("htmx.org/dist/htmx.min.js"));
  add("hx-sse.js", "text/javascript; charset=utf-8", theirs("htmx.org/dist/ext/hx-sse.min.js"));
}

const cookieName = "parley";

function addLogin(server: FastifyInstance, { sessions }: PageDeps): void {
  const form = async (request: FastifyRequest, reply: FastifyReply, isWrong = false) => {
    const locale = localeFor(request.headers["accept-language"]);
    return await send(reply, {
      title: locale.page.login.title,
      locale,
      language: languageIn(locale),
      viewer: undefined,
      menu: [],
      ...(isWrong ? { notice: { text: locale.page.login.wrong, kind: "problem" as const } } : {}),
      content: html`<p>${locale.page.login.how}</p>
        <form method="post" action="/in">
          <label>${locale.page.login.code} <input name="code" required autocomplete="off" /></label>
          <button class="main">${locale.page.login.button}</button>
        </form>`,
    });
  };
  server.get("/in", async (request, reply) => await form(request, reply));
  server.post("/in", async (request, reply) => {
    const { code = "" } = request.body as Record<string, string>;
    const opened = await sessions.open(code);
    if (opened === undefined) return await form(request, reply.code(403), true);
    reply.setCookie(cookieName, opened.secret, { httpOnly: true, sameSite: "strict", path: "/" });
    return await reply.redirect("/", 303);
  });
  server.post("/out", async (request, reply) => {
    await sessions.end(request.cookies[cookieName] ?? "");
    return await reply.clearCookie(cookieName, { path: "/" }).redirect("/in", 303);
  });
}

/** Undefined: not logged in, or no admin any more. */
async function viewerOf(
  request: FastifyRequest,
  { services, sessions }: PageDeps,
): Promise<Viewer | undefined> {
  const secret = request.cookies[cookieName];
  const session = secret === undefined ? undefined : await sessions.read(secret);
  if (session === undefined) return undefined;
  const role = await services.access.roleOf(session.person);
  if (role !== "admin" && role !== "owner") return undefined;
  return { person: session.person, role, sessionId: session.id };
}

function addView(server: FastifyInstance, deps: PageDeps, view: View): void {
  server.get(view.path, async (request, reply) => {
    const asked = await viewRequestOf(request, deps);
    if (asked === undefined) return await reply.redirect("/in", 303);
    return await show(reply, deps, { view, asked });
  });
  for (const [name, act] of Object.entries(view.actions ?? {}))
    server.post(`${view.path === "/" ? "" : view.path}/${name}`, async (request, reply) => {
      const asked = await viewRequestOf(request, deps);
      if (asked === undefined) return await reply.redirect("/in", 303);
      const result = await act(request.body as Record<string, string>, asked, deps);
      if ("show" in result) return await show(reply, deps, { view, asked, content: result.show });
      if ("problem" in result)
        return await show(reply.code(409), deps, {
          view,
          asked,
          notice: { text: result.problem, kind: "problem" },
        });
      const { to, done } = result;
      const mark = done === undefined ? "" : `${to.includes("?") ? "&" : "?"}done=${done}`;
      return await reply.redirect(`${to}${mark}`, 303);
    });
}

async function show(
  reply: FastifyReply,
  deps: PageDeps,
  {
    view,
    asked,
    notice,
    content: given,
  }: {
    readonly view: View;
    readonly asked: ViewRequest;
    /** In place of what the view reads. */
    readonly content?: Html;
    readonly notice?: DocumentParts["notice"];
  },
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
    menu,
    current: view.name,
    ...(said === undefined ? {} : { notice: said }),
    content: content ?? html`<p>${locale.page.notFound}</p>`,
  });
}

const send = async (reply: FastifyReply, parts: DocumentParts): Promise<FastifyReply> =>
  await reply.type("text/html; charset=utf-8").send(documentOf(parts));

async function viewRequestOf(
  request: FastifyRequest,
  deps: PageDeps,
): Promise<ViewRequest | undefined> {
  const viewer = await viewerOf(request, deps);
  if (viewer === undefined || !isAtLeast(viewer.role, "admin")) return undefined;
  const { language } = await deps.services.access.profileOf(viewer.person);
  const locale = localeFor(language ?? request.headers["accept-language"]);
  return {
    viewer,
    locale,
    language: languageIn(locale),
    nowMs: deps.services.store.clock.now(),
    params: request.params as Record<string, string>,
    query: request.query as Record<string, string>,
  };
}
