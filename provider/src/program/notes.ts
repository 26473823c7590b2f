import * as pulumi from "@pulumi/pulumi";
import { enumerated } from "../messages/enumerated";
import { perProgram } from "./per-program";
import { fileOfProgram } from "./program-ids";
import { getOrAdd } from "../values/get-or-add";

/** The notes that the program has logged, as JSON. */
const logOfProgram = perProgram(() => new Set<string>());

/** Logs the notes of the provider instances, those of the same words as one warning. */
export function logNotes(): void {
  const logged = logOfProgram();
  const subjects = new Map<string, string[]>();
  for (const note of fileOfProgram().notes()) {
    const text = JSON.stringify(note);
    if (logged.has(text)) continue;
    logged.add(text);
    getOrAdd(subjects, note.words, () => []).push(note.subject);
  }
  for (const [words, about] of subjects) void pulumi.log.warn(`${enumerated(about)}: ${words}`);
}
