import { parseChatKey } from "../../core/chat.ts";
import type { EndReason } from "../../core/history.ts";
import type { ModelCard, ModelRequest } from "../../core/model.ts";
import { toolsUnavailableNote } from "../../models/tools-note.ts";
import { windowFor } from "../compaction/measure.ts";
import { contextFor } from "../compaction/settings.ts";
import { effective } from "./effective-settings.ts";
import { outputCapOf } from "./payment.ts";
import { imagesOf } from "../inbox/read-attachments.ts";
import { closingHint, emptyHint, printedHint } from "../sentences.ts";
import { buildRequestView } from "../view/build-request-view.ts";
import { contextBlocks } from "../view/context-blocks.ts";
import { hotContext } from "../view/hot-context.ts";
import { nothingKept, type KeptMemory } from "../view/kept-blocks.ts";
import { withoutOurBrackets } from "../../text/platform-voice.ts";
import { offeredTools } from "../tools/offered-tools.ts";
import type { TurnContext } from "../turn-context.ts";

/** What a model is asked next, and how that differs from the plain history. */
export interface PreparedRequest {
  readonly request: ModelRequest;
  /** Of the model that it is for. */
  readonly card: ModelCard;
  /** The blocks that lead it. */
  readonly context: readonly string[];
  readonly diagnostics: readonly string[];
}

/**
 * The request of the turn's next model call. Follows from the session alone, so that it can be
 * measured before it is sent.
 * @param closing set when the call is the last and may use no tools.
 * @param card of the model that is asked; absent: the first of the chain.
 */
export function requestFor(
  context: TurnContext,
  closing: EndReason | undefined,
  // Read for every call: a server reports its model's capabilities with the
  // first one.
  card: ModelCard = effective(context).chain.card,
): PreparedRequest {
  const { deps, session, billing } = context;
  const { toolbox } = deps;
  const blocks = contextOf(context, card);
  const { messages, diagnostics } = buildRequestView({
    transcript: session.transcript,
    viewStart: session.viewStart,
    turn: session.state.turn,
    card,
    images: imagesOf(session),
    context: blocks,
    latest: latestOf(context, card),
    tool: (name) => toolbox.find(name),
    keepTurns: contextFor(deps.context, session.settings).keepTurns,
    recalled: session.recalled,
    hint:
      closing === undefined
        ? hintFor(context, card)
        : closingHint(closing, effective(context).policy),
  });
  // What the chat has set is among its models' own options, and beats the persona.
  const temperature =
    session.settings.temperature === undefined
      ? session.narrowing?.persona?.temperature
      : undefined;
  const thinking = card.thinking && showsThinking(context) ? { thinking: true } : {};
  return {
    request: {
      messages,
      tools: card.tools ? offeredTo(context) : [],
      toolChoice: closing === undefined ? "auto" : "none",
      options: {
        ...thinking,
        ...(temperature === undefined ? {} : { temperature }),
        // What is reserved for the answer is what it may take.
        ...(billing.isMetered
          ? {
              maxOutputTokens: Math.min(
                outputCapOf(effective(context).chain, card),
                billing.answerRoom,
              ),
            }
          : {}),
      },
    },
    card,
    context: blocks,
    diagnostics,
  };
}

/** Of what the platform has to say about the last answer. */
function hintFor(context: TurnContext, card: ModelCard): string | undefined {
  const { state } = context.session;
  const hints =
    state.printedIn === state.round
      ? [printedHint(card.tools && offeredTo(context).length > 0)]
      : [state.loop?.hint, emptyHint(state)];
  return hints.filter((each) => each !== undefined).join(" ") || undefined;
}

const offeredTo = ({ deps: { toolbox }, session }: TurnContext) =>
  offeredTools({ toolbox, narrowing: session.narrowing }, session);

/** Whether people of this chat want to see what the model thinks. */
export const showsThinking = ({ deps, session }: TurnContext): boolean =>
  session.settings.thinking === undefined
    ? deps.defaults.thinking
    : session.settings.thinking === "on";

function contextOf(context: TurnContext, card: ModelCard): readonly string[] {
  const { deps, session } = context;
  const persona = session.narrowing?.persona;
  const blocks = contextBlocks({
    // People write personas, too: none of their text passes for the platform's.
    systemPrompt: persona === undefined ? deps.systemPrompt : withoutOurBrackets(persona.prompt),
    // Without tools none can be activated.
    skills: card.tools ? deps.skills() : [],
    notes: persona?.memory === "off" ? [] : session.begun.notes,
    kept: keptOf(context),
    place: {
      platform: parseChatKey(session.chat).platform,
      group: session.state.group === true,
    },
    // In a group it would change from one turn to the next.
    ...(session.state.group ? {} : { language: session.state.requester.language }),
  });
  const note = card.tools ? undefined : toolsUnavailableNote(offeredTo(context));
  return note === undefined ? blocks : [...blocks, note];
}

/** A persona can do without memory, and a person's own facts are for no group. */
function keptOf({ deps, session }: TurnContext): KeptMemory {
  if (session.narrowing?.persona?.memory === "off") return nothingKept;
  const { facts, summaries } = session.begun;
  return {
    ownFacts: session.state.group === true ? [] : session.ownFacts,
    chatFacts: facts,
    // Of what is still in view nothing is said twice.
    summaries: deps.showsSummaries ? summaries.filter(({ to }) => to < session.viewStart) : [],
  };
}

function latestOf(context: TurnContext, card: ModelCard): string {
  const { deps, session } = context;
  const { contextWindow } = effective(context).chain.optionsFor?.(card) ?? {};
  return hotContext({
    transcript: session.transcript,
    turn: session.state.turn,
    todos: session.begun.todos,
    kept: keptOf(context),
    effectOf: (name) => deps.toolbox.find(name)?.effect,
    windowTokens: windowFor(card, contextWindow === undefined ? {} : { contextWindow }),
  });
}
