import tseslint from "typescript-eslint";

/** The borders of the provider's inside: which folders a folder must not import from. */
const border = (files, patterns) => ({
  files,
  rules: {
    "@typescript-eslint/no-restricted-imports": ["error", { patterns }],
  },
});

const noPulumi = {
  regex: "^@pulumi/",
  message: "api/ knows HTTP and no Pulumi.",
};
const noProcesses = {
  regex: "/(?:lifecycle|resources|program|run)/",
  message: "api/ knows HTTP and no Pulumi.",
};
const noApiAndSettings = {
  regex: "^(?:\\.\\./){2}(?:api|settings|resources|program|run|cli)/|/next-steps$|^axios",
  message: "lifecycle/ knows Pulumi, and no pipe, no HTTP and no setting.",
};
const nothingAbove = {
  regex: "/(?:api|lifecycle|resources|program|run|cli)/|^@pulumi/|^axios",
  message: "values/, messages/ and settings/ know nothing of the rest.",
};
const noProgram = {
  regex: "^(?:\\.\\./)+(?:program|run|cli)/",
  message: "resources/ runs in the plugin process.",
};
const noAxios = {
  regex: "^axios",
  message: "Only api/ speaks HTTP.",
};
const noZod = {
  regex: "^zod",
  message: "Only cli/ uses zod, which takes as long to load as all other code of the plugin process.",
};
const noProvider = {
  regex: "^pulumi-datapipes$|^pulumi-datapipes/|/provider/",
  message: "The simulator is independent of the provider.",
};

const noTests = {
  regex: "/tests/(?!kit/|jest/)",
  message: "What tests share with scripts and benchmarks is in tests/kit/.",
};
const onlyTheCli = {
  regex: "/bench/|/scripts/(?!pulumi-cli/)",
  message: "tests/kit/ imports of scripts/ only what finds the CLI.",
};
/**
 * A path out of the suite, from a folder so deep in it. `jest/` has hosts for a whole test run and the list of `npm test`, and
 * the simulator's client is for the suite `browser`, too.
 */
const noOtherSuite = (depth) => ({
  regex: `^(\\.\\./){${depth + 1}}(?!\\.\\./|kit/|jest/(?:hosts/|tiers$)|simulator/client$)`,
  message: "No suite imports another: what suites share is in tests/kit/.",
});

const noSuite = (depth) => ({
  regex: `^(\\.\\./){${depth + 1}}(?!\\.\\./)`,
  message: "tests/kit/ imports no suite.",
});

/** A call of `test`, `describe` or `test.each(…)`, with a name of more than 90 characters. */
const LONG_NAMES = ["callee.name", "callee.callee.object.name"].map(
  (callee) => `CallExpression[${callee}=/^(?:test|describe)$/] > Literal.arguments[value=/^.{91}/]`,
);

/** What makes a failed test hard to read. */
const unreadableTests = [
  ...LONG_NAMES.map((selector) => ({ selector, message: "A test's name has at most 90 characters." })),
  {
    selector: "CallExpression[callee.name='expect'] > ArrayExpression.arguments[elements.length>1]",
    message: "Write one expectation a line; in a loop, name what it is about: expect({ path, status }).",
  },
  {
    selector: "ObjectExpression > SpreadElement > ObjectExpression",
    message: "Write the members themselves, one a line.",
  },
];

export default tseslint.config(
  // `npm run openapi` writes the last one.
  {
    ignores: ["**/dist/", "**/node_modules/", "coverage/", ".mutation/", "simulator/src/openapi.ts"],
  },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: {
          allowDefaultProject: [
            "*.mjs",
            "tools/mutate/main.mjs",
            "tools/*.mjs",
            "{provider,simulator}/bin/*.js",
          ],
        },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    },
  },
  { files: ["**/*.ts"], rules: { "max-lines": ["error", 300] } },
  // `npm run reference` writes it.
  { files: ["provider/src/program/*/args.ts"], rules: { "max-lines": "off" } },
  {
    files: ["{provider,simulator,scripts,bench,tests/kit,tests/jest}/**/*.ts"],
    rules: { "max-lines-per-function": ["error", { max: 40, skipBlankLines: true, skipComments: true }] },
  },
  border(["provider/src/api/**"], [noPulumi, noProcesses, noZod]),
  border(["provider/src/lifecycle/**"], [noApiAndSettings, noZod]),
  border(["provider/src/{values,messages,settings}/**"], [nothingAbove, noZod]),
  border(["provider/src/resources/**"], [noAxios, noProgram, noZod]),
  border(["provider/src/program/**", "provider/src/run/**"], [noAxios, noZod]),
  border(["provider/src/cli/**"], [noAxios]),
  border(["simulator/**"], [noProvider]),
  border(["scripts/**", "bench/**"], [noTests]),
  ...["", "*/", "*/*/"].map((folders, depth) => border([`tests/*/${folders}*.ts`], [noOtherSuite(depth)])),
  ...["", "*/"].map((folders, depth) => border([`tests/kit/${folders}*.ts`], [onlyTheCli, noSuite(depth)])),
  {
    files: ["tests/**/*.ts"],
    rules: { "no-restricted-syntax": ["error", ...unreadableTests] },
  },
  {
    files: ["**/*.{mjs,cjs}", "**/bin/*.js", "simulator/ui/*.js"],
    extends: [tseslint.configs.disableTypeChecked],
    rules: { "@typescript-eslint/no-require-imports": "off" },
  },
);
