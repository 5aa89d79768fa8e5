import { EventEmitter, once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { afterAll, expect, it } from "vitest";
import { startTcpProxy } from "./tcp-proxy.ts";

const echo = createServer((socket) => {
  socket.on("error", () => undefined);
  socket.pipe(socket);
}).listen(0, "127.0.0.1");
await once(echo, "listening");
const proxy = await startTcpProxy((echo.address() as AddressInfo).port);
afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  echo.close();
});

async function open(): Promise<{ socket: Socket; heard: () => string }> {
  const socket = connect(proxy.port, "127.0.0.1");
  let heard = "";
  socket.setEncoding("utf8").on("data", (text: string) => (heard += text));
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return { socket, heard: () => heard };
}

const say = async (socket: Socket, text: string): Promise<void> => {
  socket.write(text);
  await once(socket, "data");
};

it("passes on, holds back while stalled and keeps the order", async () => {
  const { socket, heard } = await open();
  await say(socket, "one ");
  proxy.stall();
  socket.write("two ");
  const other = await open();
  other.socket.write("nothing comes back");
  expect(heard()).toBe("one ");
  proxy.heal();
  await expect.poll(heard).toBe("one two ");
  proxy.delay(20);
  socket.write("three ");
  socket.write("four");
  await expect.poll(heard).toBe("one two three four");
  proxy.heal();
  await expect.poll(other.heard).toBe("nothing comes back");
  socket.destroy();
  other.socket.destroy();
});

it("ends what is open when it is cut, and refuses until it is healed", async () => {
  const { socket } = await open();
  const ended = once(socket, "close");
  proxy.cut();
  await ended;
  const refused = connect(proxy.port, "127.0.0.1").on("error", () => undefined);
  await once(refused, "close");
  proxy.heal();
  const { socket: next, heard } = await open();
  await say(next, "again");
  expect(heard()).toBe("again");
  next.destroy();
});

it("resets a connection in the middle of a reply", async () => {
  const { socket, heard } = await open();
  const failures = new EventEmitter();
  socket.on("error", (error) => failures.emit("failed", error));
  const failed = once(failures, "failed");
  proxy.reset(1);
  socket.write("a whole reply");
  const [error] = (await failed) as [NodeJS.ErrnoException];
  proxy.heal();
  expect(error.code).toBe("ECONNRESET");
  expect(heard().length).toBeLessThan("a whole reply".length);
  expect(proxy.resets).toBe(1);
});
