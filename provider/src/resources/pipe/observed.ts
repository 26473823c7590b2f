import type { WireObject } from "../../api/wire";
import { isMap, omit, withoutNulls, type PropertyMap, type PropertyValue } from "../../core/property-value";

/** The pipe as it is stored: nulls are absent, and a request-only field that a server echoes is dropped. */
export function observed(pipe: WireObject): PropertyMap {
  const known = withoutNulls(pipe) as PropertyMap;
  const source = known["source"];
  if (!isMap(source)) return known;
  return { ...known, source: withoutRequestOnly(source) };
}

const REQUEST_ONLY = ["credentials", "accessKey", "validateSamples"];

const withoutRequestOnly = (value: PropertyValue): PropertyValue => {
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(omit(value, REQUEST_ONLY)).map(([name, member]) => [name, withoutRequestOnly(member)]),
  );
};
