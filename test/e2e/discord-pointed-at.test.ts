import { expect, it } from "vitest";
import { png } from "../support/files/samples.ts";
import { openWorld } from "../support/parley/open-world.ts";

const world = await openWorld();
world.start({
  environment: { ...world.services, ...world.discord.environment },
  config: "models: { openai/gpt-4o-mini: { vision: true } }",
});
await world.discord.connected();

const { server } = world.discord;
const timeoutMs = 20_000;

it("a reply to a picture shows it once, and again after /new", async () => {
  const ann = server.user({ username: "ann" });
  const direct = server.directMessage(ann);
  /** The request that this brings to the model. */
  const asked = async (send: () => unknown) => {
    const before = world.model.received;
    send();
    await expect.poll(() => world.model.received, { timeout: timeoutMs }).toBeGreaterThan(before);
    await world.delivered();
    return world.model.requests.at(-1);
  };
  const images = (request: Awaited<ReturnType<typeof asked>>) =>
    request?.messages.map((each) => each.images).filter((count) => count > 0);
  const picture = { name: "cat.png", bytes: png, contentType: "image/png" };
  let photo: { readonly id: string } | undefined;
  await asked(() => (photo = ann.send(direct, "look", { attachments: [picture] })));
  const replyTo = photo?.id ?? "";
  const inside = await asked(() => ann.send(direct, "what animal is that?", { replyTo }));
  expect(images(inside)).toEqual([1]);
  ann.send(direct, "/new");
  await expect.poll(() => server.messages(direct).length, { timeout: timeoutMs }).toBe(6);
  const after = await asked(() => ann.send(direct, "what animal was that?", { replyTo }));
  expect(after?.messages.at(-1)).toMatchObject({ images: 1 });
});
