import { fieldsOf } from "../../../provider/src/core/fields";
import { setDiff } from "../../../provider/src/core/set-diff";
import { serviceSettingsSchema } from "../../../provider/src/resources/service-settings/schema";

const field = fieldsOf(serviceSettingsSchema, new Set()).find(({ name }) => name === "ipAccessList");
if (field === undefined) throw new Error("the schema has no access list");

test("an entry equals itself with members that the server adds, and an empty description equals none", () => {
  const declared = [{ source: "10.0.0.0/8" }, { source: "10.1.0.0/16", description: "office" }];
  const listed = [
    { source: "10.1.0.0/16", description: "office", createdBy: "somebody" },
    { source: "10.0.0.0/8", description: "" },
  ];
  expect(setDiff(field, declared, listed)).toEqual({ add: [], remove: [] });
});

test("entries with different descriptions differ", () => {
  const [office, home] = ["office", "home"].map((description) => ({ source: "10.1.0.0/16", description }));
  expect(setDiff(field, [office], [home])).toEqual({ add: [home], remove: [office] });
});

test("entries with different spellings of address, network or description are equal", () => {
  const declared = [
    { source: "10.0.0.1", description: " office" },
    { source: "10.1.2.3/8" },
    { source: "2001:DB8::1/128" },
    { source: "any" },
  ];
  const listed = [
    { source: "any", description: " " },
    { source: "10.0.0.1/32", description: "office " },
    { source: "10.0.0.0/8" },
    { source: "2001:db8:0::1" },
  ];
  expect(setDiff(field, declared, listed)).toEqual({ add: [], remove: [] });
});
