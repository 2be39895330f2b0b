import { readFileSync } from 'node:fs'
import { parseSync } from 'vite'

/** Texts in the source of a page. */
export interface SourceTexts {
  /** Texts for people that are not in the catalogue, as `line: text`. */
  literals: string[]
  /** The keys that it gives to `t` and `Trans`. */
  keys: string[]
  /** Values that it gives to `t` beside a key. A spread or a variable can give any. */
  calls: { key: string; values: string[] }[]
  /** Its strings and templates: some are keys that it gives to `t` in another place. `${…}` in a template is any word. */
  strings: Set<string>
  templates: RegExp[]
}

/** The attributes and properties whose value people read. */
const TEXT_NAMES = new Set(
  'title label placeholder aria-label description about message button submit done empty alt text closeButtonLabel'.split(
    ' ',
  ),
)
/** Elements whose content is the same in every language. */
const CODE_ELEMENTS = new Set(['code', 'Code', 'kbd', 'pre', 'style'])
/** Form of a sentence anywhere: a capital letter, and words after it. */
const SENTENCE = /^\p{Lu}\p{L}*’?\p{Ll}*,? \p{L}+/u

interface Node {
  type: string
  start: number
  [name: string]: unknown
}

/** Read a file of `web/` with the parser of the build. */
export function readSourceTexts(path: string): SourceTexts {
  const source = readFileSync(path, 'utf8')
  const nodes = [...walk(parseSync(path, source).program)]
  const literals = nodes.flatMap(readTexts).filter(([, text]) => /\p{L}/u.test(text))
  const strings = nodes.filter((node) => node.type === 'Literal' && typeof node.value === 'string')
  return {
    literals: [...new Set(literals.map(([{ start }, text]) => `${lineOf(source, start)}: ${text.trim()}`))],
    keys: nodes.flatMap(readKeys),
    calls: nodes.flatMap(readCalls),
    strings: new Set(strings.map(({ value }) => String(value))),
    templates: nodes.filter(({ type }) => type === 'TemplateLiteral').map(toPattern),
  }
}

/** A text of the source, with the node that it begins at. */
type Text = [Node, string]

function readTexts(node: Node): Text[] {
  const name = node.type === 'Property' ? (node.key as Node).name : node.type === 'JSXAttribute' && nameOf(node)
  if (TEXT_NAMES.has(String(name))) return textsOf(node.value)
  if (name === 'facts') return factNames(node.value)
  if (node.type === 'JSXElement' && CODE_ELEMENTS.has(nameOf(node.openingElement as Node))) return []
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') return (node.children as Node[]).flatMap(readChild)
  const sentence = textsOf(node.type === 'Literal' || node.type === 'TemplateLiteral' ? node : undefined)
  return sentence.filter(([, text]) => SENTENCE.test(text))
}

function readChild(child: Node): Text[] {
  if (child.type === 'JSXText') return [[child, String(child.value)]]
  return child.type === 'JSXExpressionContainer' ? textsOf(child.expression) : []
}

/** The names of facts: the first of each pair. */
function factNames(given: unknown): Text[] {
  const pairs =
    isNode(given) && given.type === 'JSXExpressionContainer' ? (given.expression as Node).elements : undefined
  return ((pairs ?? []) as Node[]).flatMap((pair) => (pair.elements ? textsOf((pair.elements as Node[])[0]) : []))
}

function readKeys(node: Node): string[] {
  const key =
    node.type === 'CallExpression' && (node.callee as Node).name === 't'
      ? (node.arguments as Node[])[0]
      : node.type === 'JSXAttribute' && nameOf(node) === 'i18nKey' && node.value
  return textsOf(key)
    .filter(([{ type }]) => type === 'Literal')
    .map(([, text]) => text)
}

function readCalls(node: Node): { key: string; values: string[] }[] {
  if (node.type !== 'CallExpression' || (node.callee as Node).name !== 't') return []
  const [key, given] = node.arguments as (Node | undefined)[]
  const properties = given === undefined ? [] : (given.properties as Node[] | undefined)
  if (key?.type !== 'Literal' || properties === undefined) return []
  if (properties.some(({ type }) => type === 'SpreadElement')) return []
  return [{ key: String(key.value), values: properties.map((property) => String((property.key as Node).name)) }]
}

/** The strings that an expression can give, with those between the values of a template. */
function textsOf(node: unknown): Text[] {
  if (!isNode(node)) return []
  if (node.type === 'Literal' && typeof node.value === 'string') return [[node, node.value]]
  if (node.type === 'TemplateLiteral') return partsOf(node).map((part) => [node, part])
  const inner = {
    ConditionalExpression: [node.consequent, node.alternate],
    LogicalExpression: [node.left, node.right],
    BinaryExpression: node.operator === '+' ? [node.left, node.right] : [],
    ParenthesizedExpression: [node.expression],
    JSXExpressionContainer: [node.expression],
    ArrowFunctionExpression: [node.body],
  }[node.type]
  return (inner ?? []).flatMap(textsOf)
}

function toPattern(template: Node): RegExp {
  return new RegExp(`^${partsOf(template).map(escapePattern).join('\\w+')}$`)
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

function partsOf(template: Node): string[] {
  return (template.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked)
}

function nameOf({ name }: Node): string {
  return String(isNode(name) ? name.name : name)
}

function lineOf(source: string, start: number): number {
  return source.slice(0, start).split('\n').length
}

function* walk(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return
  if (isNode(value)) yield value
  for (const inner of Object.values(value)) yield* walk(inner)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
