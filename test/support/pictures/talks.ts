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
  for (const { question, call, answer } of [split, note, wifi]) {
    const firstTokenDelayMs = 600;
    const steps: Step[] = [
      { toolCalls: [call], firstTokenDelayMs },
      { text: answer, chunkDelayMs: 20, firstTokenDelayMs },
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
