// Starts the real server, offline, on a free port in a temporary folder.

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ADDRESS = /aileron \S+ at (http:\/\/\S+)/;
const BUILDS = ["release", "debug"].map((profile) =>
  fileURLToPath(new URL(`../../../../../target/${profile}/aileron`, import.meta.url)),
);

/** The binary of `AILERON_BIN`, else the one that cargo built last. */
function binary(): string {
  const path = process.env.AILERON_BIN ?? BUILDS.find((build) => existsSync(build));
  if (path === undefined) throw new Error("no server to test against: build it (`cargo build`), or set AILERON_BIN");
  return path;
}

/** The variables of the environment that do not change how the server answers. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/_API_KEY$|^AILERON_/.test(name)));
}

export class TestServer {
  private child: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    readonly url: string,
    private readonly settings: Record<string, string>,
  ) {}

  /** `settings` are variables of the environment, such as `AILERON_TOKENS`. */
  static async start(settings: Record<string, string> = {}): Promise<TestServer> {
    const folder = await mkdtemp(join(tmpdir(), "aileron-client-"));
    const { child, url } = await launch(folder, "127.0.0.1:0", settings);
    const server = new TestServer(folder, url, settings);
    server.child = child;
    return server;
  }

  /** Ends the process at once, as a crash would. */
  async kill(): Promise<void> {
    await ended(this.child, "SIGKILL");
    this.child = undefined;
  }

  /** Starts it again at the same address with the same store. */
  async restart(): Promise<void> {
    await this.kill();
    this.child = (await launch(this.folder, new URL(this.url).host, this.settings)).child;
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}

function launch(cwd: string, address: string, settings: Record<string, string>): Promise<{ child: ChildProcess; url: string }> {
  const env = { ...environment(), ...settings };
  const child = spawn(binary(), ["serve", "--init", "--address", address], { cwd, env });
  let output = "";
  return new Promise((resolve, reject) => {
    const read = (piece: Buffer): void => {
      output += piece.toString();
      const url = ADDRESS.exec(output)?.[1];
      if (url !== undefined && output.includes("Ctrl-C stops")) resolve({ child, url });
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`the server ended with ${code}:\n${output}`)));
  });
}

function ended(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill(signal);
  });
}
