import { afterAll, expect } from "vitest";
import { validateOpenAiMessages } from "../../emulators/model/message-rules.ts";
import type { RecordedRequest } from "../../emulators/model/scripted-model.ts";
import { OllamaServer } from "../../emulators/model/ollama-server.ts";
import type { World } from "./open-world.ts";
import type { TestChat } from "./stage.ts";

/** The world's model behind three wires, which a person changes with `/model`. */
export interface Wires {
  /** For the sections `providers` and `models` of `parley.yaml`. */
  readonly providers: readonly string[];
  readonly models: readonly string[];
  /** The model requests that show these words of a chat's conversation, oldest first. */
  requestsWith(words: string): readonly RecordedRequest[];
  /**
   * One more ordinary message by each wire, which is answered: no server has anything against the
   * history that it is sent, nor had against any request before.
   * @param tag words that the chat's conversation holds, and no other's.
   */
  goOn(chat: TestChat, tag: string): Promise<void>;
  /** What a chat has shown from its `from`th message on, without what `goOn` was told. */
  shownSince(chat: TestChat, from: number): readonly string[];
}

/** The wires, and on each a model that thinks nothing of the others' calls. */
const models = {
  openai: "openai/gpt-4o-mini",
  ollama: "local/llama3.2",
  responses: "answers/gpt-4o-mini",
} as const;

const goesOn = " goes on by ";

/** Call it once, at the top of a test file. */
export async function openWires({ openai, model }: World): Promise<Wires> {
  const ollama = await OllamaServer.start({ model });
  afterAll(() => ollama[Symbol.asyncDispose]());
  const requestsWith = (words: string) =>
    model.requests.filter(({ messages }) => messages.some(({ text }) => text.includes(words)));
  return {
    providers: [
      `local: { type: ollama, host: "${ollama.baseUrl}" }`,
      `answers: { type: openai, api: responses, baseUrl: "${openai.baseUrl}", apiKey: "\${OPENAI_API_KEY}" }`,
    ],
    models: [`${models.ollama}: {}`, `${models.responses}: {}`],
    requestsWith,
    shownSince: (chat, from) =>
      chat
        .shown()
        .slice(from)
        .map(({ text }) => text)
        .filter((text) => !text.includes(goesOn) && !text.startsWith("Your model is now ")),
    async goOn(chat, tag) {
      let calls: readonly string[] = [];
      for (const [wire, key] of Object.entries(models)) {
        if (wire !== "openai") await chat.command("model", key);
        const answer = `${tag}${goesOn}${wire}`;
        chat.say(`say ${answer}`);
        await chat.wait(({ text }) => text === answer);
        const [request] = requestsWith(answer);
        expect(request?.wire).toBe(wire);
        if (wire === "openai") calls = callsIn(request);
        else expectMasked(request, calls);
      }
      expect(
        [...openai.violations, ...ollama.violations]
          .filter(({ body }) => JSON.stringify(body).includes(tag))
          .map(({ wire, problems }) => [wire, ...problems]),
      ).toEqual([]);
      expect(requestsWith(tag).flatMap(compatibleProblems)).toEqual([]);
    },
  };
}

/** Names of the tools that a request shows as called. */
const callsIn = (request: RecordedRequest | undefined): readonly string[] =>
  request?.messages.flatMap(({ toolCalls }) => toolCalls.map(({ name }) => name)) ?? [];

/** To another provider's model calls are told in words, every one. */
function expectMasked(request: RecordedRequest | undefined, calls: readonly string[]): void {
  expect(callsIn(request)).toEqual([]);
  const told = request?.messages.map(({ text }) => text).join("\n") ?? "";
  const named = [...told.matchAll(/^.*The tool (\S+) was given:$/gm)];
  expect(named.map(([, name]) => name)).toEqual(calls);
}

/**
 * What Anthropic's and Google's endpoints would say to it, which speak the same wire and take less.
 */
const compatibleProblems = ({ wire, body }: RecordedRequest): string[] =>
  wire === "openai"
    ? validateOpenAiMessages(body["messages"], body["tools"], {
        compatibleEndpoints: true,
      })
    : [];
