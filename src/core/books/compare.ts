import type { Reader } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import {
  type StatementChunk,
  type StatementLine,
  type UnreadableLine,
  WrongStatement,
} from '../../lib/statements/statement-line.ts'
import {
  compareLines,
  createStatementTable,
  type Finding,
  type FindingKind,
  findingKinds,
  findMissingAtNetwork,
  noteUnreadableIds,
  type ReconciliationScope,
} from '../ledger/reconciliation.ts'
import { ComparedSums } from './sums.ts'

/** Result of comparing a statement with the ledger. */
export interface Comparison {
  /** The slug of the connection, and the code of its network. */
  connection: string
  network: string
  from: Date | null
  to: Date | null
  lines: number
  /** True if the whole statement was compared. */
  complete: boolean
  /** True if the statement lists sent money, so that payments were compared too. */
  sent: boolean
  agreeing: number
  findings: Record<FindingKind, number>
  sums: ComparedSums
  /** The time zone of times that name none in the file; null for a statement that a network gives to programs. */
  zone: string | null
}

/** The part of a statement that is compared. Without `from` and `to` it reaches from its first line to its last. */
export interface ComparedPart {
  from?: Date | undefined
  to?: Date | undefined
  /** Account to compare, for the statement of one till. */
  account?: number | undefined
}

/**
 * Creates a comparison.
 * @param sent true if the statement is known to list sent money
 * @param currency of lines that name none
 */
export function newComparison(
  {
    slug,
    code,
    zone = null,
    currency,
  }: { slug: string; code: string; zone?: string | null; currency?: string | undefined },
  { from, to }: ComparedPart,
  sent: boolean,
): Comparison {
  const findings = Object.fromEntries(findingKinds.map((kind) => [kind, 0])) as Comparison['findings']
  return {
    connection: slug,
    network: code,
    from: from ?? null,
    to: to ?? null,
    lines: 0,
    complete: false,
    sent,
    agreeing: 0,
    findings,
    zone,
    sums: new ComparedSums(currency),
  }
}

/**
 * Compares a statement with the ledger. Yields the differences in chunks: first those of the lines of the statement,
 * then entries that the statement lacks. The comparison counts them.
 * @param connection a reserved one: it keeps a temporary table
 * @throws WrongStatement when the statement has no dates and the part names none, or as the source does
 */
export async function* compareStatement(
  connection: Reader,
  source: AsyncIterable<StatementChunk>,
  part: ComparedPart,
  comparison: Comparison,
): AsyncGenerator<Finding[]> {
  await createStatementTable(connection)
  let problem: UnreadableLine | undefined
  for await (const { lines: all, unreadable } of source) {
    const lines = all.filter((line) => isWithin(line, part))
    extendPeriod(comparison, lines, part)
    comparison.lines += lines.length + unreadable.length
    const { compared, agreeing, sent, findings } = await compareLines(connection, comparison.connection, lines)
    for (const { line, books, is_repeated } of compared) comparison.sums.addLine(line, is_repeated ? null : books)
    comparison.agreeing += agreeing
    comparison.sent ||= sent > 0
    yield count(comparison, findings)
    await noteUnreadableIds(connection, unreadable)
    problem ??= unreadable[0]
    yield count(comparison, unreadable.map(toFinding))
  }
  for await (const findings of findMissingAtNetwork(connection, scopeOf(comparison, part, problem))) {
    for (const { books } of findings) comparison.sums.addEntry(books!, books!.what === 'payment')
    yield count(comparison, findings)
  }
  comparison.complete = true
}

function toFinding(unreadable: UnreadableLine): Finding {
  return { kind: 'unreadable', remote_id: unreadable.remote_id, statement: null, books: null, unreadable }
}

function count(comparison: Comparison, findings: Finding[]): Finding[] {
  for (const { kind } of findings) comparison.findings[kind] += 1
  return findings
}

/** True if a line lies within the compared part. A line without a date does. */
export function isWithin({ paid_at }: Pick<StatementLine, 'paid_at'>, { from, to }: ComparedPart): boolean {
  return paid_at === null || ((!from || paid_at >= from) && (!to || paid_at <= to))
}

/** Extends the period to the lines, on each side where the part has no limit. */
function extendPeriod(comparison: Comparison, lines: readonly StatementLine[], part: ComparedPart): void {
  for (const { paid_at } of lines) {
    if (!paid_at) continue
    if (!part.from && (!comparison.from || paid_at < comparison.from)) comparison.from = paid_at
    if (!part.to && (!comparison.to || paid_at > comparison.to)) comparison.to = paid_at
  }
}

function scopeOf(
  { connection, from, to, sent }: Comparison,
  { account }: ComparedPart,
  problem: UnreadableLine | undefined,
): ReconciliationScope {
  if ((!from || !to) && problem)
    throw new WrongStatement(
      getMessage('reconciliation.unreadable', { line: problem.line, problem_text: problem.problem }),
    )
  if (!from || !to)
    throw new WrongStatement(getMessage('reconciliation.no_dates'), 'Give its period with --from and --to.')
  return { connection, account: account ?? null, from, to, sent }
}

/** Counts the differences that a comparison has found. */
export function countDifferences({ findings }: Pick<Comparison, 'findings'>): number {
  return findingKinds.reduce((sum, kind) => sum + findings[kind], 0)
}
