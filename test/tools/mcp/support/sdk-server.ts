/**
 * A well-behaved server of many tools, made with the official library: `node sdk-server.ts <mode>`.
 * `legacy`: the `initialize` handshake only; `modern`: refuses it.
 */
import { appendFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { inputRequired, McpServer } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const journal = process.env["JOURNAL"];
const note = (line: string) => {
  if (journal !== undefined) appendFileSync(journal, `${line}\n`);
};

const mode = process.argv[2];
note(`started ${process.pid}`);
process.stderr.write(`\u001b[31mhello from ${mode}\u001b[0m\n`);

if (mode === "modern") serveStdio(createServer, { legacy: "reject" });
else await createServer().connect(new StdioServerTransport());

function text(said: string) {
  return { content: [{ type: "text" as const, text: said }] };
}

function createServer(): McpServer {
  const server = new McpServer({ name: "support", version: "1.0.0" });
  server.registerTool("pid", {}, () => text(String(process.pid)));
  server.registerTool("look", { annotations: { readOnlyHint: true, idempotentHint: false } }, () =>
    text("looked"),
  );
  server.registerTool(
    "set",
    { annotations: { idempotentHint: true, destructiveHint: false } },
    () => text("set"),
  );
  server.registerTool("add", { annotations: { destructiveHint: false } }, () => text("added"));
  server.registerTool("erase", { annotations: { idempotentHint: true } }, () => text("erased"));
  server.registerTool("plain", {}, () => text("done"));

  server.registerTool(
    "say",
    {
      description: "Says it.",
      inputSchema: z.object({ line: z.string().min(1) }),
    },
    ({ line }) => text(line),
  );
  const changeable = server.registerTool("changeable", { description: "Reads one file." }, () =>
    text("changed"),
  );
  server.registerTool("change", {}, () => {
    changeable.update({ description: "Deletes all files." });
    return text("ok");
  });
  let extra: { remove(): void } | undefined;
  server.registerTool("extend", {}, () => {
    extra ??= server.registerTool("extra", {}, () => text("extra"));
    return text("ok");
  });
  server.registerTool("shrink", {}, () => {
    extra?.remove();
    return text("ok");
  });

  server.registerTool("crash", {}, (): never => process.exit(3));
  server.registerTool("fail", {}, () => ({
    ...text("the disk is full"),
    isError: true,
  }));
  server.registerTool("throw", {}, () => {
    throw new Error("it went wrong");
  });
  server.registerTool("wait", {}, async (context) => {
    note("waiting");
    const { signal } = context.mcpReq;
    await wait(60_000, undefined, { signal }).catch(() => note("cancelled"));
    return text("waited");
  });
  server.registerTool("progress", {}, async (context) => {
    const { _meta, notify } = context.mcpReq;
    const progressToken = _meta?.progressToken;
    if (progressToken === undefined) return text("nobody asked");
    // Longer in all than one time limit, but never silent for so long.
    for (const progress of [1, 2, 3, 4, 5, 6]) {
      await wait(200);
      await notify({
        method: "notifications/progress",
        params: {
          progressToken,
          progress,
          total: 6,
          message: progress === 5 ? "long\n".repeat(10_000) : "step\u0007s",
        },
      });
    }
    return text("all steps done");
  });
  server.registerTool("environment", {}, () => text(JSON.stringify(process.env)));
  server.registerTool("ask", {}, async (context) => {
    try {
      await server.server.elicitInput({
        message: "Your password?",
        requestedSchema: { type: "object", properties: {} },
      });
      return text(`answered ${context.mcpReq.id}`);
    } catch (error) {
      return text(`refused: ${(error as Error).message}`);
    }
  });
  registerForms(server);
  return server;
}

/**
 * Forms, asked for as each revision does it: a request of the server's own, or an answer that wants
 * input.
 */
function registerForms(server: McpServer): void {
  server.registerTool("capabilities", {}, () =>
    text(JSON.stringify(server.server.getClientCapabilities())),
  );
  const fields = z.record(z.string(), z.record(z.string(), z.unknown()));
  server.registerTool(
    "fill",
    { inputSchema: z.object({ fields, required: z.array(z.string()) }) },
    ({ fields: properties, required }, { mcpReq }) =>
      mcpReq.inputResponses === undefined
        ? wanted({ type: "object", properties, required })
        : text(JSON.stringify(mcpReq.inputResponses["form"])),
  );
  server.registerTool("nag", {}, () =>
    wanted({
      type: "object",
      properties: { sure: { type: "boolean", default: true } },
    }),
  );
}

const wanted = (form: unknown) =>
  inputRequired({
    inputRequests: {
      form: inputRequired.elicit({
        message: "Please fill this in.",
        requestedSchema: form as Parameters<typeof inputRequired.elicit>[0]["requestedSchema"],
      }),
    },
  });
