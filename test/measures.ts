import { parseSync } from 'vite'

/* The measures of a source file that the formatter cannot change: it is parsed, and its lines are not counted. */

/** The measures of a file. Lines begin with 1. */
export interface Measures {
  /** Statements of the whole file, without imports and types. */
  statements: number
  /** Functions with the number of their statements. An inner function counts for itself alone. */
  functions: { line: number; statements: number }[]
  /** Lines of spreads that do nothing, such as `...{ a, b }` in an object: the formatter would give each field a line. */
  packed: number[]
}

interface Node {
  type: string
  start: number
  end: number
  [part: string]: unknown
}

/** @throws Error for a file that cannot be parsed */
export function measure(path: string, text: string): Measures {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]!.message}`)
  const measures: Measures = { statements: 0, functions: [], packed: [] }
  visit(program as unknown as Node, measures, undefined, (at) => text.slice(0, at).split('\n').length)
  return measures
}

/** @param inside the function that holds the node; undefined at the top of the file and of a `describe` block */
function visit(
  node: Node,
  measures: Measures,
  inside: Measures['functions'][number] | undefined,
  lineOf: (at: number) => number,
): void {
  if (isStatement(node)) {
    measures.statements += 1
    if (inside) inside.statements += 1
  }
  for (const spread of packedSpreads(node)) measures.packed.push(lineOf(spread.start))
  let holder = inside
  if (FUNCTIONS.has(node.type)) {
    holder = { line: lineOf(node.start), statements: 0 }
    measures.functions.push(holder)
  }
  // A `describe` block is a table of contents.
  const contents = node.type === 'CallExpression' && isDescribe(node.callee as Node) ? nodesIn(node.arguments) : []
  for (const child of nodesIn(Object.values(node))) {
    if (contents.includes(child) && FUNCTIONS.has(child.type))
      for (const part of nodesIn(Object.values(child))) visit(part, measures, undefined, lineOf)
    else visit(child, measures, holder, lineOf)
  }
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
const NO_STATEMENTS = new Set(['BlockStatement', 'EmptyStatement'])

function isStatement({ type }: Node): boolean {
  return /(Statement|^(Variable|Function|Class)Declaration)$/.test(type) && !NO_STATEMENTS.has(type)
}

/** True for `describe`, and for what it gives: `describe.each(…)`. */
function isDescribe(callee: Node): boolean {
  if (callee.type === 'Identifier') return callee.name === 'describe'
  const inner = (callee.object ?? callee.callee) as Node | undefined
  return inner !== undefined && isDescribe(inner)
}

/** Return the spreads of literals of the same kind in an object, in an array and among arguments. */
function packedSpreads(node: Node): Node[] {
  const kind = node.type === 'ObjectExpression' ? 'ObjectExpression' : 'ArrayExpression'
  const parts = nodesIn([node.properties, node.elements, node.type === 'CallExpression' && node.arguments])
  return parts.filter(({ type, argument }) => type === 'SpreadElement' && (argument as Node).type === kind)
}

/** Return the nodes in a part of a node, which may be a node or a list of such parts. */
function nodesIn(part: unknown): Node[] {
  if (Array.isArray(part)) return part.flatMap(nodesIn)
  return part !== null && typeof part === 'object' && 'type' in part ? [part as Node] : []
}
