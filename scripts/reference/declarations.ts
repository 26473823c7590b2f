import ts from "typescript";

/** What a doc comment says. */
export interface Comment {
  /** The text, in one line. */
  readonly text: string;
  /** The `@default` tag. */
  readonly default?: string;
  /** The `@output` tag: what is said of the output that mirrors an argument. */
  readonly output?: string;
  /** Whether the program must give it, where it can. */
  readonly required: boolean;
}

/** A public property of a class. */
export interface Output {
  readonly name: string;
  readonly type: string;
  readonly node: ts.TypeNode;
  readonly comment: Comment;
}

export interface Member {
  readonly name: string;
  readonly type: ts.TypeNode;
  readonly comment: Comment;
}

/** A member of an interface, or of an object in a schema. */
type Property = ts.PropertySignature | ts.PropertyAssignment;

type Named = ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.ClassDeclaration | ts.VariableDeclaration;

const namedIn = (statement: ts.Statement): readonly ts.Node[] =>
  ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement];

const isNamed = (node: ts.Node): node is Named =>
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isClassDeclaration(node) ||
  ts.isVariableDeclaration(node);

/** The declarations of some files, read for their doc comments. Nothing is resolved beyond these files. */
export class Declarations {
  readonly #named: ReadonlyMap<string, Named>;

  constructor(files: readonly { readonly name: string; readonly text: string }[]) {
    const statements = files.flatMap(({ name, text }) => [
      ...ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true).statements,
    ]);
    const nodes = statements.flatMap(namedIn).filter(isNamed);
    this.#named = new Map(nodes.map((node) => [node.name?.getText() ?? "", node]));
    const exported = nodes.filter(isExported).map((node) => node.name?.getText());
    const twice = exported.filter((name, index) => exported.indexOf(name) !== index);
    if (twice.length > 0) throw new Error(`several files export ${twice.join(", ")}: rename all but one`);
  }

  /** What is said of the declaration itself. */
  commentOf(name: string): Comment | undefined {
    const declaration = this.#named.get(name);
    return declaration && commentOn(declaration);
  }

  /** What is said of the member at a path below an interface, type or schema, looking through lists, unions and wrappers. */
  commentAt(name: string, path: readonly string[]): Comment | undefined {
    return this.#propertiesAt(name, path)
      .map(commentOn)
      .find((comment) => comment !== undefined);
  }

  /** The members at a path, one for each part of a union that has it. */
  #propertiesAt(name: string, path: readonly string[]): readonly Property[] {
    const declaration = this.#named.get(name);
    let nodes: readonly ts.Node[] = declaration === undefined ? [] : [declaration];
    let properties: readonly Property[] = [];
    for (const step of path) {
      properties = nodes.flatMap((node) => this.#membersOf(node)).filter((member) => nameOf(member) === step);
      nodes = properties.flatMap((property) => valueOf(property) ?? []);
    }
    return properties;
  }

  /** The name of the interface or type of the member at a path, or of the constant that is its schema, if it has one of its own. */
  typeNameAt(name: string, path: readonly string[]): string | undefined {
    const [last] = this.#propertiesAt(name, path);
    const value = last && valueOf(last);
    return value && this.#firstNamed(value);
  }

  #firstNamed(node: ts.Node): string | undefined {
    if (ts.isIdentifier(node)) return this.#isOwnType(node.text) ? node.text : undefined;
    for (const child of childrenOf(node)) {
      const found = this.#firstNamed(child);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** A generic type, such as `Optional`, is none: it only wraps another. */
  #isOwnType(name: string): boolean {
    const declaration = this.#named.get(name);
    if (declaration === undefined) return false;
    if (ts.isVariableDeclaration(declaration)) return isMadeByCall(declaration);
    return !(ts.isTypeAliasDeclaration(declaration) && declaration.typeParameters !== undefined);
  }

  /** The members of an interface with a doc comment, also the inherited ones; of a type alias, those of the interface that it names. */
  membersOf(name: string): readonly Member[] {
    const declaration = this.#named.get(name);
    const nodes = declaration === undefined ? [] : this.#membersOf(declaration);
    return nodes.flatMap((node) => {
      const comment = commentOn(node);
      return comment === undefined || !ts.isPropertySignature(node) || node.type === undefined
        ? []
        : [{ name: nameOf(node), type: node.type, comment }];
    });
  }

  /** The public properties that a class declares. */
  outputsOf(name: string): readonly Output[] {
    const declaration = this.#named.get(name);
    if (declaration === undefined || !ts.isClassDeclaration(declaration)) return [];
    return declaration.members.filter(ts.isPropertyDeclaration).flatMap((property) => {
      const comment = commentOn(property);
      const { type } = property;
      return comment === undefined || type === undefined
        ? []
        : [{ name: nameOf(property), type: type.getText(), node: type, comment }];
    });
  }

  /** Whether a type has no value but `undefined` and `null`: it only says that a member is not there. */
  #isAbsent(type: ts.Node | undefined): boolean {
    if (type === undefined) return false;
    if (ts.isUnionTypeNode(type)) return type.types.every((part) => this.#isAbsent(part));
    if (ts.isLiteralTypeNode(type)) return NOTHING.has(type.literal.kind);
    const alias = ts.isTypeReferenceNode(type) ? this.#named.get(type.typeName.getText()) : undefined;
    return alias !== undefined && ts.isTypeAliasDeclaration(alias)
      ? this.#isAbsent(alias.type)
      : NOTHING.has(type.kind);
  }

  /** The members of all that a type is made of. */
  #membersOf(node: ts.Node): readonly Property[] {
    if (ts.isPropertyAssignment(node)) return [node];
    if (ts.isPropertySignature(node)) return this.#isAbsent(node.type) ? [] : [node];
    const referred = ts.isIdentifier(node) ? this.#named.get(node.text) : undefined;
    // A declaration holds its own name.
    if (referred !== undefined && node.parent !== referred) return this.#membersOf(referred);
    return childrenOf(node).flatMap((child) => this.#membersOf(child));
  }
}

const NOTHING: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.UndefinedKeyword,
  ts.SyntaxKind.NullKeyword,
]);

export function childrenOf(node: ts.Node): readonly ts.Node[] {
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => {
    children.push(child);
  });
  return children;
}

const nameOf = (member: Property | ts.PropertyDeclaration): string =>
  member.name.getText().replaceAll('"', "");

const valueOf = (member: Property): ts.Node | undefined =>
  ts.isPropertySignature(member) ? member.type : member.initializer;

const isExported = (node: Named): boolean =>
  (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Export) !== 0;

/** Whether a constant is a schema, as `const scaling = object({ … })` is. */
const isMadeByCall = ({ initializer }: ts.VariableDeclaration): boolean =>
  initializer !== undefined && ts.isCallExpression(initializer);

function commentOn(node: ts.Node): Comment | undefined {
  const doc = ts.getJSDocCommentsAndTags(node).findLast(ts.isJSDoc);
  const text = inOneLine(ts.getTextOfJSDocComment(doc?.comment));
  if (doc === undefined || text === "") return undefined;
  const tags = (doc.tags ?? [])
    .filter(({ tagName }) => tagName.text === "default" || tagName.text === "output")
    .map(({ tagName, comment }) => [tagName.text, inOneLine(ts.getTextOfJSDocComment(comment))]);
  const required = ts.isPropertySignature(node) && node.questionToken === undefined;
  return { text, required, ...(Object.fromEntries(tags) as Pick<Comment, "default" | "output">) };
}

const inOneLine = (text = ""): string =>
  text
    .replace(/\{@link (\S+?)\}/g, "`$1`")
    .replace(/\s+/g, " ")
    .trim();
