import { isPaused, pauseScopes, type Pause, type PauseScope } from "../core/pause.ts";
import type { Locale } from "../locales/locale.ts";
import { answer, typed, type Command, type CommandCall } from "./command.ts";
import { described, optional } from "./menu.ts";
import { moment } from "./moment.ts";

const platformArgument = optional("platform", ({ pause }) => pause.platform, {
  choices: pauseScopes,
});

/**
 * `/pause [all|telegram|discord|console] [now]`: no turn is opened any more; `now` stops those that
 * run, too.
 */
export const pauseCommand: Command = {
  spec: {
    ...described("pause", ({ pause }) => pause.pause),
    arguments: [platformArgument, optional("now", ({ pause }) => pause.now, { choices: ["now"] })],
    adminOnly: true,
  },
  role: "admin",
  isPrivate: true,
  async run(call, { pauses, audit }) {
    const words = call.locale.pause;
    const request = requestOf(call);
    if ("unknown" in request) return answer(words.unknown(typed(request.unknown)));
    const { scope, isNow } = request;
    await audit.write(call.eventId, {
      action: "paused",
      by: call.person,
      chat: call.chat,
      target: scope,
      ...(isNow ? { details: { now: "yes" } } : {}),
    });
    await pauses.pause(scope, { isNow });
    const what = words.scopes[scope];
    return answer(isNow ? words.begunNow(what) : words.begun(what));
  },
};

/**
 * `/resume [all|telegram|discord|console]`: answers the waiting messages, in
 * order.
 */
export const resumeCommand: Command = {
  spec: {
    ...described("resume", ({ pause }) => pause.resume),
    arguments: [platformArgument],
    adminOnly: true,
  },
  role: "admin",
  isPrivate: true,
  async run(call, { pauses, audit }) {
    const words = call.locale.pause;
    const request = requestOf(call);
    if ("unknown" in request) return answer(words.unknown(typed(request.unknown)));
    const { scope } = request;
    // First: delivered again after a crash in between, it would find nothing to resume any more.
    if (isPaused(await pauses.read(), scope))
      await audit.write(call.eventId, {
        action: "resumed",
        by: call.person,
        chat: call.chat,
        target: scope,
      });
    const wasPaused = await pauses.resume(scope);
    const what = words.scopes[scope];
    const left = await pauses.read();
    return answer(
      wasPaused ? words.ended(what) : words.notPaused(what),
      ...(left.all === undefined ? [] : [words.stillAll]),
    );
  },
};

type PauseRequest =
  { readonly scope: PauseScope; readonly isNow: boolean } | { readonly unknown: string };

function requestOf({ argument, options }: CommandCall): PauseRequest {
  const given =
    options === undefined
      ? argument.split(/\s+/)
      : [options["platform"] ?? "", options["now"] ?? ""];
  let scope: PauseScope = "all";
  let isNow = false;
  for (const word of given.map((each) => each.trim().toLowerCase())) {
    const known = pauseScopes.find((each) => each === word);
    if (known !== undefined) scope = known;
    else if (word === "now") isNow = true;
    else if (word !== "") return { unknown: word };
  }
  return { scope, isNow };
}

/** That something is paused, and since when. */
export const pausedLine = ({ sinceMs }: Pause, { pause }: Locale): string =>
  pause.since(moment(sinceMs));
