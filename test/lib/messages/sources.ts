import { readFileSync } from 'node:fs'
import { parseSync } from 'vite'

/** Use of the catalogue in a file of `src/`. */
export interface MessageUses {
  /** The calls of `getMessage` with one key, and the names of their values; undefined if the source does not tell. */
  calls: { key: string; names: string[] | undefined }[]
  /** All strings: some are keys that are chosen elsewhere. */
  strings: Set<string>
  /** Sentences for people that are not in the catalogue, as `line: text`. */
  sentences: string[]
}

interface Node {
  type: string
  start: number
  end: number
  [name: string]: unknown
}

/** Calls whose texts are for readers of the API's reference. */
const REFERENCE =
  /^(documented|meta|describe|optionalName|choiceField|exactText|exactId|anyOf|timestampFilter|\w+Filter)$/
/** Form of a sentence: a capital letter or a value, at least two words, and a sign at the end. */
const SENTENCE = /^(?:\p{Lu}|x )[^\n]* [^\n]*[.!?]$/u

/** Read a file with the parser of the build. */
export function readMessageUses(path: string): MessageUses {
  const source = readFileSync(path, 'utf8')
  const uses: MessageUses = { calls: [], strings: new Set(), sentences: [] }
  visit(parseSync(path, source).program, uses, source)
  return uses
}

/** People read pages; developers the API's reference, and operators the words of a command, which stand in English. */
type Readers = 'people' | 'developers' | 'operators'

function visit(value: unknown, uses: MessageUses, source: string, readers: Readers = 'people'): void {
  if (Array.isArray(value)) {
    for (const one of value) visit(one, uses, source, readers)
    return
  }
  if (!isNode(value) || value.type === 'ImportDeclaration' || value.type === 'TaggedTemplateExpression') return
  const text = textOf(value)
  if (text !== undefined) {
    uses.strings.add(text)
    if (readers === 'people' && SENTENCE.test(text))
      uses.sentences.push(`${source.slice(0, value.start).split('\n').length}: ${text}`)
  }
  if (value.type === 'CallExpression' && nameOf(value.callee) === 'getMessage') readCall(value, uses)
  const inner = readersWithin(value, readers)
  for (const [name, child] of Object.entries(value)) if (name !== 'type') visit(child, uses, source, inner)
}

function readCall({ arguments: given }: Node, { calls }: MessageUses): void {
  const [key, values] = given as (Node | undefined)[]
  const known = key?.type === 'ConditionalExpression' ? [key.consequent, key.alternate] : [key]
  const names = values === undefined ? [] : values.type === 'ObjectExpression' ? namesOf(values) : undefined
  for (const one of known) {
    const text = textOf(one)
    if (text !== undefined) calls.push({ key: text, names: known.length > 1 ? undefined : names })
  }
}

function namesOf({ properties }: Node): string[] | undefined {
  const names = (properties as Node[]).map(({ key }) => nameOf(key))
  return names.every((name) => name !== undefined) ? names : undefined
}

function readersWithin(node: Node, readers: Readers): Readers {
  if (readers === 'operators' || isCommand(node)) return 'operators'
  if (readers === 'developers') return node.type === 'ArrowFunctionExpression' ? 'people' : 'developers'
  return isReference(node) ? 'developers' : 'people'
}

/** Return true for the words of a command, and for what makes them: `differencesCommand`, `commandText`. */
function isCommand({ type, key, id }: Node): boolean {
  if (type === 'Property') return nameOf(key) === 'cli'
  return /^(FunctionDeclaration|VariableDeclarator)$/.test(type) && /command/i.test(nameOf(id) ?? '')
}

/** Return true for descriptions of fields, and for errors that only a mistake in the program can cause. */
function isReference(node: Node): boolean {
  if (node.type === 'CallExpression') return REFERENCE.test(nameOf(node.callee) ?? '')
  if (node.type === 'NewExpression') return nameOf(node.callee) === 'Error'
  return node.type === 'Property' && nameOf(node.key) === 'description'
}

/** Return the text of a string or a template, with `x` in place of each value of the latter. */
function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node.type !== 'TemplateLiteral') return undefined
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('x')
}

function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  return node.type === 'MemberExpression' ? nameOf(node.property) : (node.name as string | undefined)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
