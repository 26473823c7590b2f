import { sameValue } from "../../provider/src/core/equality";
import { leafFields, type Field } from "../../provider/src/core/fields";
import {
  isList,
  isMap,
  pick,
  valueAt,
  type PropertyMap,
  type PropertyValue,
} from "../../provider/src/core/property-value";
import { pipeFields } from "../../testkit/pipe-fields";

/** The paths of the declared values that differ from what the API has. What the API never returns is not compared. */
export function missed(declared: PropertyMap, present: PropertyMap): string[] {
  return leafFields(pipeFields)
    .filter((field) => !field.writeOnly && field.onChange !== "providerOnly")
    .filter((field) => {
      const wanted = valueAt(declared, field.path);
      if (wanted === undefined) return false;
      return !sameValue(field, wanted, projected(field, wanted, valueAt(present, field.path)));
    })
    .map(({ path }) => path.join("."));
}

/** The value of the API, without what the server filled in where elements omit it. */
function projected({ identity }: Field, wanted: PropertyValue, present: PropertyValue): PropertyValue {
  if (!isList(present) || !isList(wanted)) return present;
  const maps = wanted.filter(isMap);
  return present.map((one) => {
    const asked = maps.find((map) => isMap(one) && identity.every((name) => map[name] === one[name]));
    return isMap(one) && asked !== undefined ? pick(one, Object.keys(asked)) : one;
  });
}
