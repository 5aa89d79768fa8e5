import {
  ApplicationCommandOptionType,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
  MessageType,
} from "discord-api-types/v10";
import { ApiError, FormErrors } from "../api-error.ts";
import type { Emulation } from "../emulation.ts";
import { validateForm } from "../forms.ts";
import { arrayOf, objectOf, type JsonObject } from "../json.ts";
import type { StoredInteraction, StoredMessage } from "../model.ts";
import { validateChoice } from "./command-validation.ts";
import { readMessageInput, refuseEmpty } from "./message-input.ts";
import { noContent, ok, type RestReply, type RestRequest, type Route } from "./route.ts";
import { applyEdit, createResponse } from "./webhook-routes.ts";

/** `/interactions/:interactionId/:token/callback`: the one acknowledgement of an interaction. */
export function interactionRoutes(emulation: Emulation): Route[] {
  return [
    {
      method: "POST",
      pattern: "/interactions/:interactionId/:token/callback",
      credential: "token",
      handle: (request) => callback(emulation, request),
    },
  ];
}

function callback(emulation: Emulation, request: RestRequest): RestReply {
  const { interactions } = emulation;
  const interaction = interactions.open(
    request.parameter("interactionId"),
    request.parameter("token"),
  );
  const body = objectOf(request.body);
  const type = body["type"] as InteractionResponseType;
  if (!interactions.allows(interaction, type)) refuseType(type);
  const data = objectOf(body["data"]);
  const message = carryOut(emulation, request, { interaction, type, data });
  interactions.acknowledge(interaction, type, body["data"]);
  if (request.query.get("with_response") !== "true") return noContent;
  return ok(callbackResponse(emulation, { interaction, type, message }));
}

/** The message that the callback made or changed. */
function carryOut(
  emulation: Emulation,
  request: RestRequest,
  {
    interaction,
    type,
    data,
  }: {
    interaction: StoredInteraction;
    type: InteractionResponseType;
    data: JsonObject;
  },
): StoredMessage | undefined {
  switch (type) {
    case InteractionResponseType.ChannelMessageWithSource: {
      const input = readMessageInput(emulation, request, {
        body: data,
        prefix: "data",
      });
      refuseEmpty({ content: "", embeds: [], attachments: [], ...input });
      const answer = {
        input,
        type: firstAnswerType(interaction),
        extraFlags: 0,
      };
      return original(interaction, createResponse(emulation, interaction, answer));
    }
    case InteractionResponseType.DeferredChannelMessageWithSource: {
      const extraFlags =
        MessageFlags.Loading | (Number(data["flags"] ?? 0) & MessageFlags.Ephemeral);
      const answer = {
        input: undefined,
        type: firstAnswerType(interaction),
        extraFlags,
      };
      return original(interaction, createResponse(emulation, interaction, answer));
    }
    case InteractionResponseType.DeferredMessageUpdate:
      return original(interaction, source(emulation, interaction));
    case InteractionResponseType.UpdateMessage: {
      const existing = source(emulation, interaction);
      const input = readMessageInput(emulation, request, {
        body: data,
        prefix: "data",
        existing,
      });
      refuseEmpty({ ...existing, ...input });
      return original(interaction, applyEdit(emulation, existing, input));
    }
    case InteractionResponseType.ApplicationCommandAutocompleteResult:
      validateChoices(data);
      return undefined;
    case InteractionResponseType.Modal:
      validateForm(data);
      return undefined;
    default:
      return undefined;
  }
}

function original(interaction: StoredInteraction, message: StoredMessage): StoredMessage {
  interaction.originalId = message.id;
  return message;
}

function source({ world }: Emulation, interaction: StoredInteraction): StoredMessage {
  const message = world.message(interaction.sourceMessageId);
  if (!message) throw ApiError.of("unknownMessage");
  return message;
}

function firstAnswerType(interaction: StoredInteraction): MessageType {
  if (interaction.type === InteractionType.MessageComponent) return MessageType.Reply;
  const { data } = objectOf(interaction.payload);
  return objectOf(data)["target_id"] === undefined
    ? MessageType.ChatInputCommand
    : MessageType.ContextMenuCommand;
}

/** At most 25, each as valid as a registered choice of that type would have to be. */
function validateChoices(data: JsonObject): void {
  const errors = new FormErrors();
  const choices = arrayOf(data["choices"]).map(objectOf);
  if (!Array.isArray(data["choices"])) errors.required("data.choices");
  if (choices.length > 25)
    errors.add("data.choices", "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.");
  for (const [index, choice] of choices.entries()) {
    const type =
      typeof choice["value"] === "number"
        ? ApplicationCommandOptionType.Number
        : ApplicationCommandOptionType.String;
    validateChoice(errors, `data.choices.${index}`, { choice, type });
  }
  errors.throwIfAny();
}

function refuseType(type: unknown): never {
  const errors = {
    type: {
      _errors: [
        {
          code: "INTERACTION_TYPE_INVALID",
          message: `Type ${String(type)} can't answer this interaction.`,
        },
      ],
    },
  };
  throw new ApiError(400, {
    code: 50035,
    message: "Invalid Form Body",
    errors,
  });
}

function callbackResponse(
  emulation: Emulation,
  {
    interaction,
    type,
    message,
  }: {
    interaction: StoredInteraction;
    type: InteractionResponseType;
    message: StoredMessage | undefined;
  },
): unknown {
  const flags = message?.flags ?? 0;
  return {
    interaction: {
      id: interaction.id,
      type: interaction.type,
      ...(message
        ? {
            response_message_id: message.id,
            response_message_ephemeral: (flags & MessageFlags.Ephemeral) !== 0,
            response_message_loading: (flags & MessageFlags.Loading) !== 0,
          }
        : {}),
    },
    resource: {
      type,
      ...(message ? { message: emulation.messages.payload(message) } : {}),
    },
  };
}
