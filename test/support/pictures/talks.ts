import { httpServer, type HttpServer } from "../../tools/mcp/support/http-server.ts";
import { ScriptedModel } from "../../emulators/model/scripted-model.ts";
import type { ScriptedCall, Step } from "../../emulators/model/step.ts";

interface Talk {
  readonly question: string;
  readonly call: ScriptedCall;
  readonly answer: string;
}

export const split: Talk = {
  question: "Dinner was €86.40. With a 10% tip, what does each of us three pay?",
  call: { name: "calculate", arguments: { expression: "86.40 * 1.10 / 3" } },
  answer:
    "**€31.68 each.**\n\n- Dinner: €86.40\n- With a 10% tip: €95.04\n- Split three ways: €31.68",
};

export const note: Talk = {
  question: "Note that Ben owes me €31.68",
  call: { name: "write_note", arguments: { note: "Ben owes Ana €31.68" } },
  answer: "Noted: Ben owes you **€31.68**.",
};

/** An answer that is long enough to be watched. */
export const packing: Talk = {
  question: "What should I pack for three days of hiking?",
  call: { name: "current_time", arguments: {} },
  answer:
    "**For three days in autumn:**\n\n- Boots that are already broken in\n- Rain jacket and a warm layer\n- Two pairs of wool socks\n- Water for half a day, and a filter\n- Head torch, map, first-aid kit\n- Snacks that don't melt",
};

/** What the note says after a change. */
export const changedNote = "Ben owes Ana €32";

/** A made-up password, which a card masks. */
export const password = "maple-otter-92-kettle";

export const wifi: Talk = {
  question: "Give the guest Wi-Fi a new password",
  call: {
    name: "router_set_guest_wifi",
    arguments: { network: "Guests", password },
  },
  answer: "Done. The network **Guests** has a new password. Devices have to sign in again.",
};

/** A model that makes one call and gives one answer to each question. */
export function talkingModel(): ScriptedModel {
  const model = new ScriptedModel();
  for (const talk of [split, note, packing, wifi]) {
    const { question, call, answer } = talk;
    const firstTokenDelayMs = 600;
    const chunkDelayMs = talk === packing ? 250 : 20;
    const steps: Step[] = [
      { toolCalls: [call], firstTokenDelayMs },
      { text: answer, chunkDelayMs, firstTokenDelayMs },
    ];
    model.when(
      ({ lastUserText }) => lastUserText.includes(question),
      ({ roundsSinceUser }) => steps[Math.min(roundsSinceUser, 1)] ?? {},
    );
  }
  return model;
}

/** An MCP server with one tool, which asks for approval. */
export const routerServer = (): Promise<HttpServer> =>
  httpServer(({ answer }) => answer({ content: [{ type: "text", text: "Changed." }] }), {
    tools: [
      {
        name: "set_guest_wifi",
        description: "Changes the password of the guest Wi-Fi.",
        inputSchema: {
          type: "object",
          properties: {
            network: { type: "string" },
            password: { type: "string" },
          },
          required: ["network", "password"],
        },
      },
    ],
  });
