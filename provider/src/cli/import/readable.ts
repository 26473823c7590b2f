import { harmless } from "../../messages/printable";
import {
  isList,
  isMap,
  mapMembers,
  pick,
  type PropertyPath,
  type PropertyValue,
} from "../../lifecycle/property-value";
import type { ListedPipe } from "../../resources/pipe/observed";
import { pipeFields } from "../../resources/pipe/schema";
import { pathOfText } from "./text-path";

/** The pipe as the provider reads it: without control characters and invisible ones. */
export const readablePipe = (returned: ListedPipe): ListedPipe => ({
  ...readable(returned),
  id: returned.id,
});

const readable = <T extends PropertyValue>(value: T): T =>
  (typeof value === "string"
    ? harmless(value)
    : isList(value)
      ? value.map((element) => readable(element))
      : isMap(value)
        ? mapMembers(value, (member): PropertyValue => readable(member))
        : value) as T;

/** The first declared field whose text has such characters. A program without them would say something else than the service. */
export const unreadableField = (returned: ListedPipe): PropertyPath | undefined =>
  pathOfText(
    pick(
      returned,
      pipeFields.map(({ name }) => name).filter((name) => name !== "name"),
    ),
    (text) => !isHarmless(text),
  );

export const hasReadableName = ({ name }: ListedPipe): boolean =>
  typeof name !== "string" || isHarmless(name);

const isHarmless = (text: string): boolean => harmless(text) === text;
