// The client after bundling and in Node: small, without unused parts, the worklet as a file of its own.

import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { brotliCompressSync } from "node:zlib";
import { build, type Rollup } from "vite";
import { expect, test } from "vitest";

const MAX_KB = 12;
const client = fileURLToPath(new URL("../..", import.meta.url));

/** The files of a page that has this script. */
async function bundled(script: string): Promise<Map<string, string>> {
  const result = (await build({
    configFile: false,
    logLevel: "silent",
    build: { write: false, assetsInlineLimit: 0, target: "es2023", rolldownOptions: { input: "page" } },
    plugins: [
      {
        name: "page",
        resolveId: (id) => (id === "page" ? "\0page" : undefined),
        load: (id) => (id === "\0page" ? script.replace("CLIENT", `${client}src/index.ts`) : undefined),
      },
    ],
  })) as Rollup.RollupOutput;
  return new Map(result.output.map((file) => [file.fileName, file.type === "chunk" ? file.code : String(file.source)]));
}

function script(files: Map<string, string>): string {
  const found = [...files].find(([name]) => name.endsWith(".js") && !name.includes("audio-worklet"));
  if (!found) throw new Error("there is no script");
  return found[1];
}

test("the whole client is small, and the worklet is a separate file", async () => {
  const files = await bundled('import * as client from "CLIENT"; globalThis.client = client;');
  const worklet = [...files].find(([name]) => name.includes("audio-worklet"));
  expect(worklet?.[1].includes("registerProcessor")).toBe(true);
  expect(script(files).includes(worklet![0])).toBe(true);
  expect(/data:\w+\/|blob:|"node:/.test(script(files))).toBe(false);
  expect(brotliCompressSync(script(files)).length).toBeLessThan(MAX_KB * 1024);
});

test("a page without voice does not carry it", async () => {
  const files = await bundled('import { Aileron } from "CLIENT"; globalThis.client = new Aileron();');
  expect(/AudioContext|aileron\.bearer/.test(script(files))).toBe(false);
});

test("the example stays short", async () => {
  const folder = fileURLToPath(new URL("../../../example-next/app", import.meta.url));
  const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), "utf8")));
  expect(files.join("").split("\n").length).toBeLessThan(150);
});

test("the built package loads in Node", async () => {
  const folder = await mkdtemp(join(tmpdir(), "aileron-build-"));
  try {
    const tsc = fileURLToPath(new URL("../../../node_modules/typescript/bin/tsc", import.meta.url));
    await promisify(execFile)(process.execPath, [tsc, "-p", join(client, "tsconfig.build.json"), "--outDir", folder]);
    const script = `const { Aileron, Voice } = await import(${JSON.stringify(pathToFileURL(join(folder, "index.js")))}); console.log(typeof new Aileron().chat().send, typeof Voice);`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
    expect(stdout).toBe("function function\n");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 60_000);
