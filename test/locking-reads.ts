/*
 * The rule for locks (ARCHITECTURE.md): rows are locked by their key alone. PostgreSQL checks a row again after it has
 * waited for its lock. With a subquery or a join in the statement, it can lose rows on the way.
 */

/** Keys by which tables are locked, if not by their `id`. */
const KEYS: Record<string, string> = { simulator_transactions: 'remote_id' }

const LOCK = /\bfor\s+(?:no\s+key\s+update|update|key\s+share|share)\b(?:\s+of\s+\w+)?(\s+skip\s+locked)?/g
const BY_KEY = /^select\b.*? from (\w+|\$) where (\w+) = (any\(\$(?:::\w+\[\])?\)|\$)( order by (\w+))?$/

/** The locking reads of a file that are not by key alone, each with its line and what to do. Claims are left out. */
export function lockFaults(path: string, text: string): string[] {
  return [...text.matchAll(LOCK)].flatMap((lock) => {
    const line = text.slice(0, lock.index).split('\n').length
    if (lock[1] || isComment(text.split('\n')[line - 1]!)) return []
    const fault = faultOf(statementBefore(text, lock.index))
    return fault ? [`${path}:${line} ${fault}`] : []
  })
}

function faultOf(statement: string | undefined): string | undefined {
  const [, table, key, wanted, order, ordered] = (statement && BY_KEY.exec(statement)) || []
  if (table === undefined || key !== (KEYS[table] ?? 'id'))
    return 'locks rows by more than their key: choose the rows by a plain read, lock their keys, then check what they are.'
  if (wanted !== '$' && ordered !== key)
    return `locks rows in no order: add "order by ${key}", so that two transactions never wait for each other.`
  return wanted === '$' && order ? 'locks one row: it needs no order.' : undefined
}

/** The innermost select of the template in which the lock stands, in one line, with `$` for each value. */
function statementBefore(text: string, end: number): string | undefined {
  let statement = ''
  let parentheses = 0
  for (let at = end - 1; at >= 0; at -= 1) {
    const character = text[at]!
    if (character === '`' || (character === '(' && parentheses === 0)) return oneLine(statement)
    if (character === ')') parentheses += 1
    if (character === '(') parentheses -= 1
    if (character === '}') {
      at = startOfValue(text, at)
      statement = `$${statement}`
    } else statement = character + statement
  }
  return undefined
}

/** Return the position of the `$` whose `${…}` ends here. */
function startOfValue(text: string, end: number): number {
  let braces = 0
  for (let at = end; at >= 0; at -= 1) {
    if (text[at] === '}') braces += 1
    if (text[at] === '{') braces -= 1
    if (braces === 0) return at - 1
  }
  return 0
}

function oneLine(statement: string): string {
  return statement.replace(/\s+/g, ' ').trim()
}

function isComment(line: string): boolean {
  return /^\s*(\/\/|\/?\*)/.test(line)
}
