import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { loginNotice } from "../commands/dashboard.ts";
import type { ChatKey } from "../core/chat.ts";
import { spokenIn } from "../core/outbox.ts";
import { localeFor } from "../locales/locale-for.ts";
import type { Services } from "../services.ts";
import type { PageSession, PageSessions } from "../store/operations/page-sessions.ts";
import { browserName } from "./browser-name.ts";
import type { PageAddress } from "./guards.ts";
import { html } from "./html.ts";
import type { RateLimit } from "./rate-limit.ts";
import { fieldsOf, sendToAnyone } from "./respond.ts";
import type { Viewer } from "./view.ts";

export interface LoginDeps {
  readonly services: Pick<Services, "access" | "audit" | "post" | "store">;
  readonly sessions: PageSessions;
  readonly address: () => PageAddress;
  /** Attempts by network address. */
  readonly attempts: RateLimit;
  /** Requests by session. */
  readonly requests: RateLimit;
}

/** Browsers take the first from https only, and from this host alone. */
const cookieName = ({ protocol }: PageAddress): string =>
  protocol === "https:" ? "__Host-parley" : "parley";

/** A code is posted by a button: a preview of the link that a chat program opens uses nothing up. */
export function addLogin(server: FastifyInstance, deps: LoginDeps): void {
  server.get("/in", async (request, reply) => {
    // The fragment takes the place of the code, which would stay in the address otherwise.
    if (await viewerOf(request, deps)) return await reply.redirect("/#content", 303);
    return await sendForm(request, reply);
  });
  server.post("/in", (request, reply) => logIn(request, reply, deps));
  server.post("/out", async (request, reply) => {
    const session = await sessionOf(request, deps);
    if (session !== undefined) await end(session, deps);
    const name = cookieName(deps.address());
    return await reply.clearCookie(name, cookieOptions(deps)).redirect("/in", 303);
  });
}

async function logIn(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: LoginDeps,
): Promise<FastifyReply> {
  const { sessions, attempts } = deps;
  if (attempts.isExceededBy(request.ip, performance.now()))
    return await sendForm(request, reply.code(429).header("retry-after", 60), "tooOften");
  // The whole link may be pasted.
  const code = fieldsOf(request)["code"]?.trim().split("#").at(-1) ?? "";
  const opened = await sessions.open(code, browserName(request.headers["user-agent"]));
  if (opened === undefined || (await viewerIn(opened.session, deps)) === undefined)
    return await sendForm(request, reply.code(403), "wrong");
  const { secret, session, chat } = opened;
  await report(session, chat, deps);
  const before = await sessionOf(request, deps);
  if (before !== undefined) await end(before, deps);
  reply.setCookie(cookieName(deps.address()), secret, cookieOptions(deps));
  return await reply.redirect("/", 303);
}

async function end(
  { id, person, browser = "" }: PageSession,
  { sessions, services: { audit } }: LoginDeps,
): Promise<void> {
  // First: after a crash in between, the session is there to be ended again.
  await audit.write(id, { action: "page-session-ended", by: person, target: browser });
  await sessions.end(id);
}

const cookieOptions = ({ address }: LoginDeps) =>
  ({
    httpOnly: true,
    sameSite: "strict",
    path: "/",
    secure: address().protocol === "https:",
  }) as const;

/** Its person reads of every login, with a button that ends it. */
async function report(
  session: PageSession,
  chat: ChatKey,
  { services: { access, audit, post } }: LoginDeps,
): Promise<void> {
  const { id, person, browser = "" } = session;
  await audit.write(id, { action: "page-login", by: person, chat, target: browser });
  const { language: chosen, reportedLanguage } = await access.profileOf(person);
  const language = chosen ?? reportedLanguage;
  const { text, buttons } = loginNotice(session, localeFor(language, chat));
  await post(chat, {
    kind: "notice",
    v: 1,
    id: `page-login-${id}`,
    text,
    buttons: buttons.map(({ label, data }) => ({ label, data })),
    ...spokenIn(language),
  });
}

const sendForm = (
  request: FastifyRequest,
  reply: FastifyReply,
  problem?: "wrong" | "tooOften",
): Promise<FastifyReply> =>
  sendToAnyone(request, reply, ({ login, tooOften }) => {
    const text = problem === "wrong" ? login.wrong : tooOften;
    return {
      title: login.title,
      notice: problem && { text, kind: "problem" },
      content: html`<p>${login.how}</p>
        <form method="post" action="/in">
          <p>
            <label for="code">${login.code}</label>
            <input id="code" name="code" required autocomplete="off" aria-describedby="hint" />
            <button class="main">${login.button}</button>
          </p>
          <p id="hint" class="faint">${login.codeHint}</p>
        </form>`,
    };
  });

async function sessionOf(
  { cookies }: FastifyRequest,
  { sessions, address }: LoginDeps,
): Promise<PageSession | undefined> {
  const secret = cookies[cookieName(address())];
  return secret === undefined ? undefined : await sessions.use(secret);
}

/** Undefined: not logged in, or no admin any more. */
export async function viewerOf(
  request: FastifyRequest,
  deps: LoginDeps,
): Promise<Viewer | undefined> {
  const session = await sessionOf(request, deps);
  return session && (await viewerIn(session, deps));
}

/** The same for a view that stays open. */
export async function viewerAgain(
  { sessionId }: Viewer,
  deps: LoginDeps,
): Promise<Viewer | undefined> {
  const session = await deps.sessions.read(sessionId);
  return session && (await viewerIn(session, deps));
}

/** The session of a person who is no admin any more is ended. */
async function viewerIn(
  { id: sessionId, person }: PageSession,
  { services: { access }, sessions }: LoginDeps,
): Promise<Viewer | undefined> {
  const role = await access.roleNow(person);
  if (role === "admin" || role === "owner") return { person, role, sessionId };
  await sessions.end(sessionId);
  return undefined;
}
