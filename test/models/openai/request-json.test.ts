import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { requestJson } from "../../../src/models/openai/request-json.ts";

describe("a request's body as JSON", () => {
  it("is what JSON.stringify writes, also of members that were written before", () => {
    const members = fc.array(fc.oneof(fc.object(), fc.object(), fc.jsonValue()), { maxLength: 80 });
    fc.assert(
      fc.property(
        members,
        fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.constant(undefined))),
        fc.object(),
        (messages, fields, added) => {
          for (const list of [messages, [...messages, added], [added, ...messages], messages]) {
            const body = { ...fields, messages: list, tools: [added] };
            expect(requestJson(body).toString()).toBe(JSON.stringify(body));
          }
        },
      ),
    );
  });
});
