/** What the rules for messages are tried with. */
export const user = {
  role: "user",
  content: "What is the weather in Kyjiw? ☀️",
};
export const system = { role: "system", content: "Be brief." };
export const call = (id: string, overrides: object = {}) => ({
  id,
  type: "function",
  function: {
    name: "get_weather",
    arguments: '{"city":"Kyjiw"}',
    ...overrides,
  },
});
export const asks = (...calls: object[]) => ({
  role: "assistant",
  content: null,
  tool_calls: calls,
});
export const result = (id: string) => ({
  role: "tool",
  tool_call_id: id,
  content: "21 °C",
});
export const tool = (name: string, definition: object = {}) => ({
  type: "function",
  function: {
    name,
    description: "Weather of a city.",
    parameters: { type: "object", properties: {} },
    ...definition,
  },
});
export const png = "iVBORw0KGgo=";

/** rule → [what breaks it, how the problem begins to read, what keeps it]. */
export type Case = readonly [rule: string, broken: unknown, problem: RegExp, valid: unknown];
