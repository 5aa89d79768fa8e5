import { describe, expect, it } from "vitest";
import { endpoint, isLocal } from "../../src/models/endpoint.ts";
import { splitModelKey } from "../../src/models/model-key.ts";
import { redact } from "../../src/models/redact.ts";

const basic = (text: string): string => `Basic ${Buffer.from(text).toString("base64")}`;

describe("addresses", () => {
  it.each([
    ["https://api.example/v1", "https://api.example/v1", undefined],
    ["http://ann:p%40ss@host:1/v1", "http://host:1/v1", basic("ann:p@ss")],
    ["ann:hush@host:11434", "host:11434", basic("ann:hush")],
    ["https://token@host/v1", "https://host/v1", basic("token:")],
    ["https://host/v1?to=a@b", "https://host/v1?to=a@b", undefined],
    ["http://a%zz:b@host", "http://host", basic("a%zz:b")],
  ])("takes the userinfo out of %s", (address, url, authorization) => {
    expect(endpoint(address)).toMatchObject({
      url,
      ...(authorization === undefined ? {} : { authorization }),
    });
  });

  it.each([
    ["http://127.0.0.1:1234/v1", true],
    ["http://localhost:1234/v1", true],
    ["http://[::1]:1234", true],
    ["http://192.168.1.5", true],
    ["http://172.20.0.3", true],
    ["http://ollama:11434", true],
    ["http://gpu.lan", true],
    ["https://api.openai.com/v1", false],
    ["https://172.32.0.1", false],
    ["https://[2001:db8::1]", false],
    ["not an address", false],
  ])("%s is local: %s", (url, local) => {
    expect(isLocal(url)).toBe(local);
  });

  it("splits a model's key at its first slash", () => {
    expect(splitModelKey("openrouter/meta/llama")).toEqual({
      provider: "openrouter",
      name: "meta/llama",
    });
    for (const key of ["gpt", "/gpt", "openai/"]) expect(() => splitModelKey(key)).toThrow(key);
  });
});

describe("messages for the log", () => {
  it.each([
    ["Incorrect key sk-proj-1***abcd.", "sk-proj"],
    ["Authorization: Bearer abc.def-ghi", "abc.def"],
    ["connecting to http://ann:hush@host failed", "hush"],
    ["odd key 12345-own", "12345-own"],
  ])("%s", (message, secret) => {
    const text = redact(message, ["12345-own", ""]);
    expect(text).not.toContain(secret);
  });

  it("are short and well-formed", () => {
    const text = redact(`${"x".repeat(499)}😀${"y".repeat(1000)}`, []);
    expect(text.length).toBeLessThan(510);
    expect(text.isWellFormed()).toBe(true);
  });
});
