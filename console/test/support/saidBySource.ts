import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** A text that the sources say, with `{}` for each part that differs, and the file where it stands. */
export interface SaidText {
  text: string;
  file: string;
}

/**
 * The texts that the sources below a folder give as messages: to a parameter or field `message`, as a result of a
 * function whose name says that it returns a fault, and in tables of messages. A name that is put in after "did you
 * mean" is left out.
 */
export function saidBySource(folder: string): SaidText[] {
  const sources = filesBelow(folder).map((file) =>
    ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true),
  );
  const takers = takersOf(sources);
  return sources.flatMap((source) => {
    const file = path.relative(folder, source.fileName);
    return new Reader(source, takers).texts().map((text) => ({ text, file }));
  });
}

function filesBelow(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return names.filter((name) => /(?<!\.d)\.ts$/.test(name)).map((name) => path.join(folder, name));
}

const ofMessages = new Set(['message', 'problem', 'text']);
const faultNames = /fault|problem|message|difference|reason|unknown|unexplained/i;
const tableNames = /messages$|Words$|^(needs|nouns|plurals|expected)$/;

/** Which arguments of which functions are messages, by the names of their parameters. */
function takersOf(sources: readonly ts.SourceFile[]): Map<string, Set<number>> {
  const takers = new Map<string, Set<number>>([['notFound', new Set([0])]]);
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) {
      node.parameters.forEach(({ name }, index) => {
        const of = ts.isConstructorDeclaration(node) ? (node.parent.name?.text ?? '') : nameOfFunction(node);
        if (name.getText() === 'message') takers.set(of, (takers.get(of) ?? new Set()).add(index));
      });
    }
    ts.forEachChild(node, visit);
  };
  sources.forEach(visit);
  return takers;
}

function nameOfFunction(node: ts.Node): string {
  const named = ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isMethodSignature(node);
  const { name } = named ? node : (node.parent as { name?: ts.Node });
  return name && ts.isIdentifier(name) ? name.text : '';
}

class Reader {
  private readonly found: string[] = [];
  private readonly values = new Map<string, ts.Expression[]>();

  constructor(
    private readonly source: ts.SourceFile,
    private readonly takers: ReadonlyMap<string, ReadonlySet<number>>,
  ) {}

  texts(): string[] {
    this.readValues(this.source);
    this.visit(this.source, '');
    return this.found.filter((text) => /[a-z]{2}/.test(text));
  }

  /** Values that stand under a name, which messages are often put together in. */
  private readValues(node: ts.Node): void {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
      this.values.set(node.name.text, [...(this.values.get(node.name.text) ?? []), node.initializer]);
    }
    ts.forEachChild(node, (child) => this.readValues(child));
  }

  private visit(node: ts.Node, within: string): void {
    const name = ts.isFunctionLike(node) ? nameOfFunction(node) || within : within;
    this.readReturn(node, name);
    this.readCall(node);
    this.readNamed(node);
    ts.forEachChild(node, (child) => this.visit(child, name));
  }

  private readReturn(node: ts.Node, name: string): void {
    if (!faultNames.test(name)) return;
    if (ts.isReturnStatement(node)) this.add(node.expression);
    if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) this.add(node.body);
  }

  private readCall(node: ts.Node): void {
    if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return;
    for (const index of this.takers.get(calledName(node.expression)) ?? []) this.add(node.arguments?.[index]);
  }

  private readNamed(node: ts.Node): void {
    if (ts.isShorthandPropertyAssignment(node) && ofMessages.has(node.name.text)) this.add(node.name);
    if (!ts.isPropertyAssignment(node) && !ts.isVariableDeclaration(node) && !ts.isParameter(node)) return;
    const name = node.name.getText();
    if (ofMessages.has(name) && !ts.isVariableDeclaration(node)) this.add(node.initializer);
    if (tableNames.test(name) && node.initializer) this.addTable(node.initializer);
  }

  private addTable(value: ts.Expression): void {
    const fields = ts.isObjectLiteralExpression(value) ? value.properties : [];
    for (const each of fields) if (ts.isPropertyAssignment(each)) this.add(each.initializer);
    this.add(value);
  }

  private add(value: ts.Expression | undefined): void {
    if (value) this.found.push(...this.textsOf(value, 0));
  }

  private textsOf(value: ts.Expression, depth: number): string[] {
    const both = (one: ts.Expression, other: ts.Expression) =>
      [one, other].flatMap((each) => this.textsOf(each, depth));
    if (ts.isStringLiteralLike(value)) return [value.text];
    if (ts.isTemplateExpression(value)) return [templateText(value)];
    if (ts.isConditionalExpression(value)) return both(value.whenTrue, value.whenFalse);
    if (ts.isBinaryExpression(value) && /^(\?\?|\|\|)$/.test(value.operatorToken.getText())) {
      return both(value.left, value.right);
    }
    if (ts.isParenthesizedExpression(value) || ts.isAsExpression(value)) return this.textsOf(value.expression, depth);
    if (!ts.isIdentifier(value) || depth > 3) return [];
    return (this.values.get(value.text) ?? []).flatMap((each) => this.textsOf(each, depth + 1));
  }
}

function calledName(called: ts.Expression): string {
  if (ts.isIdentifier(called)) return called.text;
  return ts.isPropertyAccessExpression(called) ? called.name.text : '';
}

function templateText({ head, templateSpans }: ts.TemplateExpression): string {
  const rest = templateSpans.map(({ expression, literal }) => {
    const isLike = ts.isCallExpression(expression) && calledName(expression.expression) === 'didYouMean';
    return `${isLike ? '' : '{}'}${literal.text}`;
  });
  return head.text + rest.join('');
}
