import { describe, expect, it } from "vitest";
import type { Model } from "../../../src/core/model.ts";
import { createOpenAiModel } from "../../../src/models/openai/model.ts";
import { ask, request } from "../helpers.ts";

type Body = Readonly<Record<string, unknown>>;

const ok = 'data: {"choices":[{"index":0,"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\n';

/** A model whose server refuses some bodies. */
function refusing(refusal: (body: Body) => [status: number, message: string] | undefined): {
  model: Model;
  bodies: Body[];
} {
  const bodies: Body[] = [];
  const model = createOpenAiModel({
    settings: { baseUrl: "http://host:1/v1" },
    id: "a/m",
    fetch: (_, init) => {
      if (!(init?.body instanceof Uint8Array)) return Promise.resolve(Response.json({ data: [] }));
      const body = JSON.parse(new TextDecoder().decode(init.body)) as Body;
      bodies.push(body);
      const refused = refusal(body);
      return Promise.resolve(
        refused === undefined
          ? new Response(ok)
          : Response.json({ error: { message: refused[1] } }, { status: refused[0] }),
      );
    },
  });
  return { model, bodies };
}

const options = { temperature: 0.5, maxOutputTokens: 50 };

describe("fields that a server refuses", () => {
  it.each([
    ["stream_options", 400, "Unrecognized request argument: stream_options"],
    ["stream_options", 422, "stream_options: Extra inputs are not permitted"],
    ["temperature", 400, "Unsupported value: 'temperature' does not support 0.5 with this model."],
  ])("leaves %s out from then on", async (field, status, message) => {
    const { model, bodies } = refusing((body) => (field in body ? [status, message] : undefined));
    expect((await ask(model, request("hi", { options }))).text).toBe("ok");
    expect((await ask(model, request("hi", { options }))).text).toBe("ok");
    expect(bodies.map((body) => field in body)).toEqual([true, false, false]);
  });

  it("says max_tokens in OpenAI's newer word where it is told to", async () => {
    const { model, bodies } = refusing((body) =>
      "max_tokens" in body
        ? [
            400,
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
          ]
        : undefined,
    );
    expect((await ask(model, request("hi", { options }))).text).toBe("ok");
    expect(bodies.at(-1)).toMatchObject({ max_completion_tokens: 50 });
  });

  it.each([
    [400, "'messages' is not supported"],
    [400, "temperature must be a good one"],
    [400, "max_tokens is too large and not supported: this model's maximum context length is 4096"],
    [500, "temperature is not supported"],
  ])("does not try again after %i %s", async (status, message) => {
    const { model, bodies } = refusing(() => [status, message]);
    const answer = await ask(model, request("hi", { options }));
    expect(answer.failure?.message).toContain(message);
    expect(bodies).toHaveLength(1);
  });

  it("ends though everything is refused", async () => {
    const { model, bodies } = refusing((body) => [400, `unknown: ${Object.keys(body).join(", ")}`]);
    const answer = await ask(model, request("hi", { options }));
    expect(answer.failure?.kind).toBe("invalid-request");
    expect(bodies).toHaveLength(4);
  });
});
