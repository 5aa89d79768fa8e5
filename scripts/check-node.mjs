// Runs before src/main.ts: an older Node would only say that it does not know the file extension.
const [major] = process.versions.node.split(".").map(Number);
if (major < 24) {
  process.stderr.write(
    `Parley runs on Node 24 or newer; this is ${process.version}. "npm ci" brings Node 24 along unless development ` +
      "dependencies are left out (NODE_ENV=production, --omit=dev); then install Node 24 yourself.\n",
  );
  process.exit(2);
}
