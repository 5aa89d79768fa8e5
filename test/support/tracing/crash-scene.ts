import { httpServer } from "../../tools/mcp/support/http-server.ts";
import type { ParleyOptions, ParleyProcess } from "../parley/parley-process.ts";
import type { TestChat } from "../parley/stage.ts";
import type { ReceivedSpan } from "./otlp-decoder.ts";
import type { OtlpReceiver } from "./otlp-receiver.ts";

const tool = {
  name: "set_guest_wifi",
  description: "Changes the password of the guest Wi-Fi.",
  inputSchema: { type: "object", properties: { password: { type: "string" } } },
  // The same call again does no harm: after a crash it is made again.
  annotations: { idempotentHint: true },
};

/** A router whose first call is never answered. */
async function heldRouter() {
  const held = Promise.withResolvers<void>();
  let calls = 0;
  const server = await httpServer(
    ({ answer }) => {
      calls += 1;
      if (calls === 1) held.resolve();
      else answer({ content: [{ type: "text", text: "Changed." }] });
    },
    { tools: [tool] },
  );
  return { server, isHeld: held.promise };
}

/**
 * A turn that waits for an approval, and whose worker is killed in the middle of the approved call:
 * one process of the role `bots` and two of the role `worker`. Fulfils with the spans of its trace,
 * the earliest first.
 */
export async function playCrash({
  start,
  environment,
  receiver,
  connected,
  chat,
  question,
  answer,
  beforeTap = () => Promise.resolve(),
}: {
  readonly start: (options: ParleyOptions) => ParleyProcess;
  readonly environment: Readonly<Record<string, string>>;
  readonly receiver: OtlpReceiver;
  readonly connected: () => Promise<void>;
  readonly chat: TestChat;
  readonly question: string;
  readonly answer: string;
  /** How long the person takes. */
  readonly beforeTap?: () => Promise<unknown>;
}): Promise<readonly ReceivedSpan[]> {
  const router = await heldRouter();
  await using _ = router.server;
  const options = (role: string) => ({
    environment: { ...environment, ...exportingTo(receiver), PARLEY_ROLE: role },
    config: `mcp: { servers: { router: { url: "${router.server.settings.url}", trusted: true } } }`,
  });
  const bots = start(options("bots"));
  const first = start(options("worker"));
  await Promise.all([bots.ready(), first.ready(), first.waitForLog("an MCP server is ready")]);
  await connected();
  chat.say(question);
  const card = await chat.wait(({ buttons }) => buttons.includes("Approve"));
  const named = (name: string) => receiver.spans.filter((each) => each.name.startsWith(name));
  await receiver.waitFor(() => named("invoke_agent").length === 1, "the first session");
  await beforeTap();
  await chat.tap(card, "Approve");
  await router.isHeld;
  const second = start(options("worker"));
  await second.ready();
  await first.kill();
  await chat.wait(answer);
  await receiver.waitFor(
    () =>
      named("invoke_agent").some(
        ({ attributes }) => attributes["parley.session.outcome"] === "answered",
      ) && named("send").some(({ attributes }) => attributes["parley.outbox.kind"] === "message"),
    "the answer",
  );
  await Promise.all([bots.kill("SIGTERM"), second.kill("SIGTERM")]);
  const [{ traceId } = { traceId: "" }] = named("receive");
  return receiver.spans
    .filter((each) => each.traceId === traceId)
    .sort((one, other) => one.startMs - other.startMs);
}

/** Exports often, so that a process that is killed has exported what was over. */
export const exportingTo = ({ url }: OtlpReceiver): Record<string, string> => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_BSP_SCHEDULE_DELAY: "100",
});
