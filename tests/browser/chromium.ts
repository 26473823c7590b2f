import { execFile, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { LaunchOptions } from "playwright-core";
import { devDependencies } from "./package.json";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

const FONTS = "fonts.xml";

async function unpacked(): Promise<string> {
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new Error("Chromium was not found on PATH: install it, or set CHROME_PATH to its file.");
  const folder = path.resolve(
    __dirname,
    "node_modules/.cache",
    `chromium-${devDependencies["@sparticuz/chromium"]}`,
  );
  if (existsSync(folder)) return folder;
  await mkdir(path.dirname(folder), { recursive: true });
  const unfinished = await mkdtemp(`${folder}-`);
  // It unpacks into the folder of temporary files, and the libraries for the system that the variable names.
  const env = { ...process.env, TMPDIR: unfinished, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" };
  const unpack = 'import("@sparticuz/chromium").then((module) => module.default.executablePath())';
  await promisify(execFile)(process.execPath, ["--eval", unpack], { env, cwd: __dirname });
  // Its own configuration names other folders.
  const fonts = `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/cache</cachedir></fontconfig>`;
  await writeFile(path.join(unfinished, FONTS), fonts);
  // Another process may have unpacked it meanwhile.
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }));
  return folder;
}

/** How to launch a Chromium: the file that `CHROME_PATH` names, else one on PATH, else that of the package. */
export async function chromiumOptions(): Promise<LaunchOptions> {
  const args = ["--disable-dev-shm-usage", "--disable-background-networking"];
  const which = spawnSync("which", NAMES, { encoding: "utf8" });
  const [onPath = ""] = which.status === null ? [] : which.stdout.split("\n");
  const executablePath = process.env["CHROME_PATH"] ?? onPath;
  if (executablePath !== "") return { executablePath, args };
  const folder = await unpacked();
  const env = {
    ...process.env,
    LD_LIBRARY_PATH: path.join(folder, "al2023/lib"),
    FONTCONFIG_FILE: path.join(folder, FONTS),
  };
  return {
    executablePath: path.join(folder, "chromium"),
    env,
    args: [...args, "--no-zygote", "--no-sandbox", "--headless=shell"],
  };
}
