import {
  configurationKey,
  CONNECTION_SETTINGS,
  SCOPE_SETTINGS,
  SETTING_ENTRIES,
  type Setting,
  type SettingName,
} from "../../provider/src/settings/settings";
import { code, page, plain, table } from "./markdown";

const settingTable = (): string =>
  table(
    ["Key", "Environment", "Format", "Required, or default", "Secret", "Meaning"],
    SETTING_ENTRIES.map(([name, setting]) => [
      code(configurationKey(name)),
      code(setting.environment),
      plain(setting.form),
      presenceOf(name, setting),
      setting.secret ? "yes" : "",
      plain(setting.description),
    ]),
  );

export const settingPage = (): string =>
  page(
    "# Configuration",
    "<!-- Made by `npm run reference` from the table of settings. Changes go there. -->",
    "Each setting is read from the stack's configuration first, then from the environment. A missing or " +
      "malformed value is an error at preview.",
    settingTable(),
  );

const isOf = (names: readonly SettingName[], name: SettingName): boolean => names.includes(name);

function presenceOf(name: SettingName, setting: Setting<unknown>): string {
  if (setting.default !== undefined) return code(setting.default);
  if (isOf(CONNECTION_SETTINGS, name)) return "required";
  return isOf(SCOPE_SETTINGS, name) ? "required unless each resource sets it" : "none";
}
