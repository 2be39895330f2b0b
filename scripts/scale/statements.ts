import { parseSync } from 'libpg-query'
import { DISTRIBUTION_COLUMN, tableOf, tables } from './tables.ts'

/** A statement that reads or writes a distributed table and does not name the organization of its rows. */
export interface StatementFault {
  table: string
  /** The text of the statement in one line, without quotes. */
  statement: string
}

/** A node of the parse tree of PostgreSQL. */
type Node = { [key: string]: unknown }

/** The tables of one query level by the names that it uses for them, and those whose organization it names. */
interface Level {
  relations: Map<string, string>
  named: Set<string>
}

/**
 * Finds the distributed tables of a statement whose organization it does not name. A query level names it with
 * `organization = …`, `organization = any (…)` or `(organization, …) = (…)` in its `where` or `on`, combined by `and` with
 * everything else; an insert, with the column. Tables that have no such column yet are not looked at: `tables` names them.
 * Load the parser first: `await loadModule()` of libpg-query.
 */
export function findStatementFaults(text: string): StatementFault[] {
  const statement = oneLine(text)
  const found = new Set<string>()
  visit(parseSync(text), new Set(), (table) => found.add(table))
  return [...found].map((table) => ({ table, statement }))
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('"', '').trim()
}

function visit(node: unknown, ctes: ReadonlySet<string>, report: (table: string) => void): void {
  if (Array.isArray(node)) for (const item of node) visit(item, ctes, report)
  if (node === null || typeof node !== 'object' || Array.isArray(node)) return
  for (const [key, child] of Object.entries(node as Node)) {
    const inner = /^(Select|Insert|Update|Delete)Stmt$/.test(key) ? checkLevel(key, child as Node, ctes, report) : ctes
    visit(child, inner, report)
  }
}

/** Reports the tables of one query level. @returns the names of the common table expressions that are known below it */
function checkLevel(
  kind: string,
  statement: Node,
  outer: ReadonlySet<string>,
  report: (table: string) => void,
): ReadonlySet<string> {
  const ctes = new Set([...outer, ...cteNames(statement)])
  const level: Level = { relations: new Map(), named: new Set() }
  if (kind !== 'SelectStmt') readRelation(statement.relation as Node, new Set(), level)
  for (const item of [statement.fromClause, statement.usingClause].flat()) readFrom(item, ctes, level)
  if (kind === 'InsertStmt') {
    const columns = ((statement.cols as Node[]) ?? []).map((column) => (column.ResTarget as Node).name)
    if (columns.includes(DISTRIBUTION_COLUMN)) for (const alias of level.relations.keys()) level.named.add(alias)
  }
  readCondition(statement.whereClause, level)
  for (const [alias, table] of level.relations) if (!level.named.has(alias)) report(table)
  return ctes
}

function cteNames(statement: Node): string[] {
  const { ctes = [] } = (statement.withClause ?? {}) as { ctes?: { CommonTableExpr: { ctename: string } }[] }
  return ctes.map(({ CommonTableExpr: { ctename } }) => ctename)
}

function readFrom(item: unknown, ctes: ReadonlySet<string>, level: Level): void {
  const { RangeVar: relation, JoinExpr: join } = (item ?? {}) as { RangeVar?: Node; JoinExpr?: Node }
  if (relation) readRelation(relation, ctes, level)
  if (!join) return
  readFrom(join.larg, ctes, level)
  readFrom(join.rarg, ctes, level)
  readCondition(join.quals, level)
}

function readRelation(relation: Node, ctes: ReadonlySet<string>, level: Level): void {
  const name = relation.relname as string
  const placement = tables[tableOf(name)]
  if (ctes.has(name) || placement?.kind !== 'distributed' || placement.through) return
  level.relations.set((relation.alias as { aliasname: string } | undefined)?.aliasname ?? name, tableOf(name))
}

/** Reads the equations of a condition that hold for every row: parts of an `or` do not. */
function readCondition(condition: unknown, level: Level): void {
  const { BoolExpr: bool, A_Expr: expression } = (condition ?? {}) as { BoolExpr?: Node; A_Expr?: Node }
  if (bool?.boolop === 'AND_EXPR') for (const part of bool.args as Node[]) readCondition(part, level)
  if (!expression) return
  const [operator] = expression.name as { String: { sval: string } }[]
  if (operator?.String.sval !== '=') return
  for (const side of [expression.lexpr, expression.rexpr]) readColumn(side, level)
}

function readColumn(side: unknown, level: Level): void {
  const { ColumnRef: column, RowExpr: row } = (side ?? {}) as { ColumnRef?: Node; RowExpr?: { args: Node[] } }
  for (const item of row?.args ?? []) readColumn(item, level)
  if (!column) return
  const names = (column.fields as { String?: { sval: string } }[]).map((field) => field.String?.sval)
  if (names.at(-1) !== DISTRIBUTION_COLUMN) return
  if (names.length > 1) level.named.add(names[0]!)
  // A name without its table can only mean the table that has the column.
  else if (level.relations.size === 1) level.named.add([...level.relations.keys()][0]!)
}
