import { createHash } from "node:crypto";
import type { Backup } from "./models";

const BACKUPS_PER_SERVICE = 4;
const LATEST = Date.UTC(2026, 0, 31, 3);
const DAY_MS = 86_400_000;
const BASE_SIZE_BYTES = 12_884_901_888;

/** A UUID of version 4 form that is the same in every run. */
function seededUuid(seed: string): string {
  const hex = createHash("sha256").update(seed).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The backups that a service starts with, most recent first and the same in every run. */
export function seedBackups(serviceId: string): Backup[] {
  return Array.from({ length: BACKUPS_PER_SERVICE }, (_, age) => {
    const startedAt = LATEST - age * DAY_MS;
    const durationInSeconds = 90 + age * 7;
    return {
      id: seededUuid(`${serviceId}/backup/${age}`),
      serviceId,
      startedAt: new Date(startedAt).toISOString(),
      finishedAt: new Date(startedAt + durationInSeconds * 1000).toISOString(),
      sizeInBytes: BASE_SIZE_BYTES - age * 104_857_600,
      durationInSeconds,
      backupName: `daily-${new Date(startedAt).toISOString().slice(0, 10)}`,
      bucket: {
        bucketPath: `s3://datapipes-backups/${serviceId}/${age}`,
        iamRoleArn: "arn:aws:iam::000000000000:role/datapipes-backups",
        iamRoleSessionName: "datapipes-backup",
      },
    };
  });
}
