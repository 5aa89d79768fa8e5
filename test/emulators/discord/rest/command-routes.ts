import { ApiError, FormErrors } from "../api-error.ts";
import type { Emulation } from "../emulation.ts";
import { isObject, objectOf } from "../json.ts";
import { accessibleGuild } from "./access.ts";
import { validateCommand, validateCommandList } from "./command-validation.ts";
import { noContent, ok, type RestRequest, type Route } from "./route.ts";

/** `/applications/:applicationId/commands`, and the same below `/guilds/:guildId`. */
export function commandRoutes(emulation: Emulation): Route[] {
  const application = "/applications/:applicationId";
  return [
    ...listRoutes(emulation, `${application}/commands`, () => undefined),
    ...listRoutes(
      emulation,
      `${application}/guilds/:guildId/commands`,
      (request) => accessibleGuild(emulation, request).id,
    ),
  ];
}

function listRoutes(
  { commands, world }: Emulation,
  list: string,
  guildOf: (request: RestRequest) => string | undefined,
): Route[] {
  const scope = (request: RestRequest) => {
    if (request.parameter("applicationId") !== world.applicationId)
      throw ApiError.of("unknownApplication");
    return guildOf(request);
  };
  const find = (request: RestRequest) => {
    const command = commands.get(scope(request), request.parameter("commandId"));
    if (!command) throw ApiError.of("unknownCommand");
    return command;
  };
  const one = `${list}/:commandId`;
  return [
    {
      method: "GET",
      pattern: list,
      credential: "bot",
      handle: (request) => ok(commands.list(scope(request))),
    },
    {
      method: "PUT",
      pattern: list,
      credential: "bot",
      handle(request) {
        const guildId = scope(request);
        const bodies = bodiesOf(request);
        validateCommandList(bodies);
        commands.replaceAll(guildId, bodies.map(objectOf));
        return ok(commands.list(guildId));
      },
    },
    {
      method: "POST",
      pattern: list,
      credential: "bot",
      handle(request) {
        const guildId = scope(request);
        validateCommand(objectOf(request.body));
        const { command, created } = commands.upsert(guildId, objectOf(request.body));
        return { status: created ? 201 : 200, body: command };
      },
    },
    {
      method: "GET",
      pattern: one,
      credential: "bot",
      handle: (request) => ok(find(request)),
    },
    {
      method: "PATCH",
      pattern: one,
      credential: "bot",
      handle(request) {
        const existing = find(request);
        const changed = { ...existing, ...objectOf(request.body) };
        validateCommand(changed);
        return ok(commands.update(scope(request), existing, changed));
      },
    },
    {
      method: "DELETE",
      pattern: one,
      credential: "bot",
      handle(request) {
        commands.remove(scope(request), find(request).id);
        return noContent;
      },
    },
  ];
}

function bodiesOf(request: RestRequest): readonly unknown[] {
  const { body } = request;
  if (Array.isArray(body) && body.every(isObject)) return body;
  const errors = new FormErrors();
  errors.add("", "LIST_TYPE_CONVERT", "Only iterables of objects may be used in a ListType");
  errors.throwIfAny();
  return [];
}
