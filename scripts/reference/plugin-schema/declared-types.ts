import ts from "typescript";
import type { Declarations } from "../declarations";
import { ANY, refTo, type NamedType, type PropertySpec, type TypeSpec } from "./types";

/** Reads types from their TypeScript declarations. */
export class DeclaredTypes {
  readonly types = new Map<string, NamedType>();

  constructor(private readonly declarations: Declarations) {}

  objectOf(name: string): NamedType {
    const members = this.declarations.membersOf(name);
    if (members.length === 0)
      throw new Error(`no members with doc comments are declared of the type ${name}`);
    const text = this.declarations.commentOf(name)?.text;
    const properties = members.map((member): [string, PropertySpec] => [
      member.name,
      { ...this.typeOf(member.type), description: member.comment.text },
    ]);
    const required = members.filter(({ comment }) => comment.required).map((member) => member.name);
    return {
      type: "object",
      ...(text !== undefined && { description: text }),
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
    };
  }

  typeOf(node: ts.TypeNode): TypeSpec {
    if (ts.isArrayTypeNode(node)) return { type: "array", items: this.typeOf(node.elementType) };
    if (ts.isTypeOperatorNode(node)) return this.typeOf(node.type);
    if (ts.isUnionTypeNode(node))
      return this.typeOf(node.types.find(({ kind }) => kind !== ts.SyntaxKind.UndefinedKeyword) ?? node);
    if (node.kind === ts.SyntaxKind.StringKeyword) return { type: "string" };
    if (node.kind === ts.SyntaxKind.NumberKeyword) return { type: "number" };
    if (node.kind === ts.SyntaxKind.BooleanKeyword) return { type: "boolean" };
    if (!ts.isTypeReferenceNode(node)) throw new Error(`no type of the schema for ${node.getText()}`);
    return this.#referenced(node);
  }

  #referenced(node: ts.TypeReferenceNode): TypeSpec {
    const name = node.typeName.getText();
    const [inner, second] = node.typeArguments ?? [];
    if (name === "Record" && second !== undefined) return { type: "object", additionalProperties: ANY };
    // `Readonly`, `pulumi.Unwrap`, `pulumi.Input` and `Optional` of a type.
    if (inner !== undefined) return this.typeOf(inner);
    // The arguments of a resource have a type already.
    const short = name.replace(/Args$/, "");
    if (short === name && !this.types.has(name)) this.types.set(name, this.objectOf(name));
    return refTo(short);
  }
}
