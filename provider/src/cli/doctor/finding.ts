/** The result of one check. */
export interface DoctorFinding {
  /** What was checked: a part of the setup, or the key of a setting. */
  readonly check: string;
  readonly status: "ok" | "warning" | "failed";
  readonly message: string;
  /** The command or the sentence that says how to fix it. */
  readonly fix?: string;
}

export const ok = (check: string, message: string): DoctorFinding => ({ check, status: "ok", message });

const bad =
  (status: DoctorFinding["status"]) =>
  (check: string, message: string, fix: string): DoctorFinding => ({ check, status, message, fix });

export const warning = bad("warning");
export const failed = bad("failed");
