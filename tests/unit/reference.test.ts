import { leafFields, type OnChange } from "../../provider/src/core/fields";
import { RESOURCES } from "../../tools/reference/catalogue";
import { Declarations } from "../../tools/reference/declarations";
import { MADE, staleFiles } from "../../tools/reference/files";
import { declarationsOf } from "../../tools/reference/sources";
import { refilled } from "../../tools/reference/markdown";

/** The compiler reads the whole package for it. */
const COMPILER_TIMEOUT_MS = 120_000;

test(
  "the reference equals what `npm run reference` writes, and every public name has a doc comment",
  async () => {
    for (const make of MADE) expect((await staleFiles(await make())).map(({ path }) => path)).toEqual([]);
  },
  COMPILER_TIMEOUT_MS,
);

/** What a doc comment says of a change. */
const wordings: Record<OnChange, RegExp> = {
  replace: /\ba change( of any part)? replaces\b/i,
  update: /\bchanged in place\b/i,
  sentAlong: /\bsent along\b/i,
  providerOnly: /\bnever sent\b/i,
};

describe.each(RESOURCES)("the doc comments of $type", (resource) => {
  const { type, fields } = resource;
  const commented = async () => {
    const declarations = await declarationsOf(resource);
    return leafFields(fields).map((field) => {
      const text = declarations.commentAt(`${type}Args`, field.path)?.text ?? "";
      return { field, path: field.path.join("."), text };
    });
  };

  test("describe a change as the schema does", async () => {
    const found = (await commented()).map(({ path, text }) => ({
      path,
      says: Object.entries(wordings).flatMap(([meaning, wording]) => (wording.test(text) ? [meaning] : [])),
    }));
    expect(found).toEqual(
      leafFields(fields).map(({ path, onChange }) => ({ path: path.join("."), says: [onChange] })),
    );
  });

  test("name every secret field as secret", async () => {
    const said = (await commented()).filter(({ text }) => /\bsecret\b/i.test(text));
    const secret = leafFields(fields).filter((field) => field.secret);
    expect(said.map(({ path }) => path)).toEqual(secret.map(({ path }) => path.join(".")));
  });
});

test("comments are found through wrappers, lists, unions, parents and inline types", () => {
  const text = `
    type Nothing = null | undefined;
    type Maybe<T> = Input<T | undefined> | undefined;
    interface Base {
      /** Of the base. */
      shared?: Maybe<string>;
    }
    interface One extends Base {
      /** The first. */
      one: Input<{
        /** Inside. */
        inner?: string;
      }>;
      /** Not here. */
      two?: Nothing;
    }
    interface Two extends Base {
      /** The second. */
      two: Maybe<Input<Leaf>[]>;
    }
    interface Leaf {
      /**
       * A {@link Leaf}.
       * @default 3
       */
      leaf: number;
    }
    type Either = One | Two;
    interface Args {
      /** Which. */
      which: Input<Either>;
      bare?: string;
    }`;
  const declarations = new Declarations([{ name: "args.ts", text }]);
  const at = (path: string) => declarations.commentAt("Args", path.split("."));
  expect(at("which")).toEqual({ text: "Which.", required: true });
  expect(at("which.shared")).toEqual({ text: "Of the base.", required: false });
  expect(at("which.one.inner")).toEqual({ text: "Inside.", required: false });
  expect(at("which.two")).toEqual({ text: "The second.", required: true });
  expect(at("which.two.leaf")).toEqual({ text: "A `Leaf`.", required: true, default: "3" });
  expect(at("bare")).toBeUndefined();
  expect(at("which.three")).toBeUndefined();
});

test("a block of an unknown name is an error, and text outside of blocks stays", () => {
  const marked = (name: string, inside: string) =>
    `before\n<!-- generated: ${name} -->\n\n${inside}\n\n<!-- end of generated -->\nafter\n`;
  const blocks = new Map([["known", "new"]]);
  expect(refilled(marked("known", "old"), blocks)).toBe(marked("known", "new"));
  expect(() => refilled(marked("unknown", "old"), blocks)).toThrow("no block is named unknown");
});
