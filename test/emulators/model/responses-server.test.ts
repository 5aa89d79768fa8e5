import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { OpenAiServer } from "./openai-server.ts";
import { ScriptedModel } from "./scripted-model.ts";

const tools: OpenAI.Responses.FunctionTool[] = ["a", "b"].map((name) => ({
  type: "function",
  name,
  parameters: { type: "object", properties: {} },
  strict: false,
}));

function client(server: OpenAiServer): OpenAI {
  return new OpenAI({
    apiKey: "sk-test",
    baseURL: server.baseUrl,
    maxRetries: 0,
  });
}

describe("the emulated Responses API", () => {
  it("lets a script see rounds as it sees Chat Completions'", async () => {
    await using server = await OpenAiServer.start({
      model: ScriptedModel.textDriven(),
    });
    const input: OpenAI.Responses.ResponseInputItem[] = [
      { role: "user", content: "call a {} and b {} then b {}" },
    ];
    const rounds: string[][] = [];
    for (let round = 0; round < 3; round += 1) {
      const { output, output_text } = await client(server).responses.create({
        model: "gpt-4o",
        instructions: "Be kind.",
        store: false,
        input,
        tools,
      });
      const calls = output.filter((item) => item.type === "function_call");
      rounds.push(calls.map(({ name }) => name));
      for (const { call_id, name, arguments: given } of calls)
        input.push({
          type: "function_call",
          call_id,
          name,
          arguments: given,
        });
      for (const { call_id, name } of calls)
        input.push({
          type: "function_call_output",
          call_id,
          output: `${name} done`,
        });
      if (calls.length === 0) expect(output_text).toBe("b said: b done");
    }
    expect(rounds).toEqual([["a", "b"], ["b"], []]);
    expect(server.model.requests[0]).toMatchObject({
      wire: "responses",
      systemText: "Be kind.",
      toolNames: ["a", "b"],
      stream: false,
    });
  });

  it("numbers its events, and repeats all items at the end", async () => {
    await using server = await OpenAiServer.start();
    server.model.reply({
      reasoning: "Hm.",
      text: "Hello there",
      toolCalls: [{ name: "a", arguments: { x: 1 } }],
    });
    const events = await Array.fromAsync(
      await client(server).responses.create({
        model: "gpt-4o",
        input: "hi",
        stream: true,
      }),
    );
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(
      events.map((_, index) => index),
    );
    const last = events.at(-1);
    if (last?.type !== "response.completed") throw new Error("no end");
    expect(last.response.output.map(({ type }) => type)).toEqual([
      "reasoning",
      "message",
      "function_call",
    ]);
    expect(last.response.usage?.total_tokens).toBeGreaterThan(0);
  });

  it("refuses what the vendor would, and remembers it", async () => {
    await using server = await OpenAiServer.start();
    const asking = client(server).responses.create({
      model: "gpt-4o",
      input: [{ type: "function_call_output", call_id: "c", output: "x" }],
    });
    await expect(asking).rejects.toMatchObject({
      status: 400,
      param: "input",
      message: expect.stringContaining("No tool call found") as string,
    });
    expect(server.violations).toMatchObject([{ wire: "responses" }]);
    expect(server.model.received).toBe(0);
  });
});
