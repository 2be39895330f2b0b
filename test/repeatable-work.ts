import { parseSync } from 'vite'

/*
 * The rule for the work of transactions (`begin` in src/db/client.ts): it runs again after a deadlock, so it changes nothing
 * outside of itself that a second run would change twice.
 */

interface Node {
  type: string
  start: number
  [name: string]: unknown
}

const BEGIN = /^begin(Frequent)?$/
const CHANGES = /^(push|pop|shift|unshift|splice|set|add|delete|clear|fill|release)$/

/** The places of a file where the work of a transaction adds to something outside of it. Setting a variable anew is no such change. */
export function repeatFaults(path: string, text: string): string[] {
  if (!/\bbegin(Frequent)?\(/.test(text)) return []
  const works = [...walk(parseSync(path, text).program)].flatMap((node) => {
    const { name } = (node.callee ?? {}) as { name?: string }
    const work = (node.arguments as Node[] | undefined)?.at(-1)
    return node.type === 'CallExpression' && BEGIN.test(name ?? '') && isFunction(work) ? [work] : []
  })
  return works.flatMap((work) => {
    const own = new Set([...walk(work)].flatMap(declaredNames))
    return [...walk(work.body)].flatMap((node) => {
      const changed = changedName(node)
      if (changed === undefined || own.has(changed)) return []
      const line = text.slice(0, node.start).split('\n').length
      return [
        `${path}:${line} changes "${changed}" twice if the transaction is repeated: return it, or make it inside.`,
      ]
    })
  })
}

function* walk(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value && typeof value.type === 'string') yield value as Node
  for (const part of Object.values(value)) yield* walk(part)
}

function isFunction(node: Node | undefined): node is Node {
  return node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression'
}

/** The names that a node declares: of variables, parameters and functions. */
function declaredNames(node: Node): string[] {
  const is_function = /^(ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/.test(node.type)
  const patterns = node.type === 'VariableDeclarator' ? node.id : is_function ? node.params : []
  return [...walk(patterns)].flatMap((part) => (part.type === 'Identifier' ? [String(part.name)] : []))
}

/** The first name of what a node adds to or takes from, if it does. */
function changedName(node: Node): string | undefined {
  if (node.type === 'UpdateExpression') return firstName(node.argument)
  if (node.type === 'AssignmentExpression') {
    const { operator, left, right } = node as Node & { left: Node; right: Node }
    const name = firstName(left)
    const reads_itself = [...walk(right)].some((part) => part.type === 'Identifier' && part.name === name)
    return operator !== '=' || reads_itself ? name : undefined
  }
  const { property, object } = (node.callee ?? {}) as { property?: { name?: string }; object?: unknown }
  if (node.type !== 'CallExpression' || !CHANGES.test(property?.name ?? '')) return undefined
  // A function that takes the transaction writes to the database.
  const takes_tx = (node.arguments as Node[]).some((argument) => argument.name === 'tx')
  return takes_tx ? undefined : firstName(object)
}

function firstName(value: unknown): string | undefined {
  const node = value as Node | undefined
  if (node?.type === 'Identifier') return String(node.name)
  return node?.object ? firstName(node.object) : undefined
}
