import type { Person } from "../core/chat.ts";
import type { Usage } from "../core/history.ts";
import type { AcceptDeps } from "../ingress/deps.ts";
import type { Locale } from "../locales/locale.ts";
import type { Language } from "../locales/locale-for.ts";
import type { Services } from "../services.ts";
import type { Ongoing } from "../store/turns/ongoing.ts";
import type { Html } from "./html.ts";
import type { SharedReading } from "./shared-reading.ts";
import type { Kept } from "./turn-facts.ts";

/** Of a form, or of an address. */
export type Fields = Readonly<Record<string, string>>;

/** An admin or owner who has logged in. The role is the one at this request. */
export interface Viewer {
  readonly person: Person;
  readonly role: "admin" | "owner";
  readonly sessionId: string;
}

/** What a process gives the page. */
export interface GivenDeps {
  readonly services: Services;
  /** What the chat commands work with. */
  readonly commands: AcceptDeps;
  /** US dollars of a model, `provider/model`, by its list prices; undefined: they are not known. */
  readonly costOf: (model: string, usage: Usage) => number | undefined;
}

export interface ViewDeps extends GivenDeps {
  /** What the deployment is doing, read once for all live views of a moment. */
  readonly ongoing: SharedReading<Ongoing>;
}

/** Who asks for what, and what a view works with. */
export interface ViewContext extends ViewDeps {
  readonly viewer: Viewer;
  /** The viewer's language. */
  readonly locale: Locale;
  readonly language: Language;
  /** Redis time. Milliseconds. */
  readonly nowMs: number;
  /** What the view's path names, decoded: `/chats/:chat` has `chat`. */
  readonly params: Fields;
  readonly query: Fields;
  /** For a live view that is open: the browser is sent it again. */
  readonly isAgain?: true;
  /** Of this request, and of all renderings of its stream. */
  readonly kept: Kept;
  /** What a form that was refused has sent: it's shown again. */
  readonly filled?: Fields;
}

/** One page: reading never changes anything, actions do. */
export interface View {
  /** Also of its texts in `locale.page`. */
  readonly name: keyof Locale["page"]["titles"];
  /** As fastify writes paths: `/chats/:chat`. */
  readonly path: `/${string}`;
  /** Named in the menu. */
  readonly isInMenu: boolean;
  /**
   * Whether it is read again and sent to the browser every second while it is open; asked before
   * each reading. What may move or go, such as a row with a form, has an `id`, so that focus and
   * half-typed text stay with it.
   */
  readonly isLive?: (context: ViewContext) => boolean | Promise<boolean>;
  /** What is inside the page's `<main>`, below its heading. Undefined: there is no such thing (404). */
  read(context: ViewContext): Promise<Html | undefined>;
  /** By name: a form posts to the view's path, followed by `/` and the name. */
  readonly actions?: Readonly<Record<string, Action>>;
}

/** Carries out what a form asks for, with the same rights as the command of the chat. */
export type Action = (fields: Fields, context: ViewContext) => Promise<ActionResult>;

export type ActionResult =
  /** The browser goes on to the address, which says so. */
  | { readonly to: string; readonly done?: keyof Locale["page"]["done"] }
  /** A sentence above the view; nothing was changed. */
  | { readonly problem: string };
