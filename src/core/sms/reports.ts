import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import type { SmsReport } from '../../lib/adapter-types.ts'
import { formatAmount, parseAmount } from '../../lib/money.ts'
import { toStorableText } from '../../lib/storable-text.ts'
import { applySmsUpdates, type ChangedSms, type SmsConnections, type SmsUpdate } from './outcomes.ts'
import { smsOfReferences } from './references.ts'

/** Result of applying the reports of one callback. */
export interface AppliedReports {
  changed: ChangedSms[]
  /** The provider's ids of SMS that are not known yet: their reports were kept. */
  early: string[]
  /** Number of reports that named no SMS of this connection. */
  unknown: number
}

/** Maximum number of early reports kept of one connection: with more, something is wrong there. */
const MAX_EARLY_REPORTS = 10_000
const MAX_TEXT = 500

/**
 * Applies verified reports of a provider. A report may come before the answer that tells the provider's id of its SMS:
 * it is kept, and `applyEarlyReports` applies it. A report that names a reference of ours unknown to this connection is
 * ignored.
 */
export async function applySmsReports(
  tx: Tx,
  now: Date,
  connection: string,
  reports: readonly SmsReport[],
  connections: SmsConnections,
): Promise<AppliedReports> {
  const find = await findAttempts(tx, connection, reports)
  const updates: SmsUpdate[] = []
  const early: { remote_id: string; report: object }[] = []
  let unknown = 0
  for (const report of reports) {
    const attempt = find(report)
    if (attempt !== undefined) updates.push(toUpdate(attempt, report))
    else if ('remote_id' in report.sms)
      early.push({ remote_id: toStorableText(report.sms.remote_id), report: toJson(report) })
    else unknown += 1
  }
  const changed = await applySmsUpdates(tx, now, updates, connections)
  if (early.length > 0) {
    const r = rows(early, { remote_id: 'text', report: 'jsonb' })
    tx.send`
      insert into sms_early_reports (connection, remote_id, report, received)
      select ${connection}, remote_id, report, ${now} from ${r.as('r')}
      where (select count(*) from sms_early_reports where connection = ${connection}) < ${MAX_EARLY_REPORTS}`
  }
  return { changed, early: early.map(({ remote_id }) => remote_id), unknown }
}

/**
 * Returns the provider's ids of attempts that have just become known and have kept reports. Ask after the commit of the
 * ids: then either this or the transaction that keeps a report finds both.
 */
export async function findEarlyReports(
  db: Reader,
  references: readonly string[],
): Promise<{ connection: string; remote_id: string }[]> {
  return db<{ connection: string; remote_id: string }[]>`
    select a.connection, a.remote_id from sms_attempts a
    where a.sms_message = any(${smsOfReferences(references)}::bigint[])
      and a.reference = any(${[...references]}::text[]) and exists (
      select from sms_early_reports e where e.connection = a.connection and e.remote_id = a.remote_id)`
}

/** Applies the kept reports of these SMS whose provider's ids are known by now. */
export async function applyEarlyReports(
  tx: Tx,
  now: Date,
  ids: readonly { connection: string; remote_id: string }[],
  connections: SmsConnections,
): Promise<ChangedSms[]> {
  const r = rows(ids, { connection: 'text', remote_id: 'text' })
  const taken = await tx<{ connection: string; remote_id: string; report: StoredReport; id: number }[]>`
    delete from sms_early_reports e using ${r.as('r')}
    where e.connection = r.connection and e.remote_id = r.remote_id and exists (
      select from sms_attempts a where a.connection = e.connection and a.remote_id = e.remote_id)
    returning e.id, e.connection, e.remote_id, e.report`
  const changed: ChangedSms[] = []
  const in_order = taken.toSorted((a, b) => a.id - b.id)
  for (const [connection, all] of Map.groupBy(in_order, (one) => one.connection)) {
    const reports = all.map(({ remote_id, report }) => fromJson(remote_id, report))
    const applied = await applySmsReports(tx, now, connection, reports, connections)
    changed.push(...applied.changed)
  }
  return changed
}

/** An attempt that a report names. */
interface NamedAttempt {
  sms: number
  reference: string
  remote_id: string | null
  phonenumber: string
}

/**
 * Finds the attempts that reports name. A provider that gives an id twice means the newest SMS. An id whose form may
 * differ from the answer's names an SMS only together with its phone.
 */
async function findAttempts(
  tx: Tx,
  connection: string,
  reports: readonly SmsReport[],
): Promise<(report: SmsReport) => NamedAttempt | undefined> {
  const ours = reports.flatMap(({ sms }) => ('reference' in sms ? toStorableText(sms.reference) : []))
  const theirs = reports.flatMap(({ sms }) => ('remote_id' in sms ? idsOf(sms) : []))
  const found = await tx<NamedAttempt[]>`
    select m.id as sms, a.reference, a.remote_id, m.phonenumber
    from sms_attempts a join sms_messages m on m.id = a.sms_message
    where a.connection = ${connection}
      and (a.sms_message = any(${smsOfReferences(ours)}::bigint[]) and a.reference = any(${ours}::text[])
        or a.remote_id = any(${theirs}::text[])) order by a.id`
  const by_reference = new Map(found.map((attempt) => [attempt.reference, attempt]))
  const by_remote_id = new Map(found.map((attempt) => [attempt.remote_id, attempt]))
  return ({ sms }) => {
    if ('reference' in sms) return by_reference.get(sms.reference)
    const [id, ...others] = idsOf(sms)
    const digits = sms.phonenumber?.replace(/\D/g, '') ?? ''
    const other = others
      .map((one) => by_remote_id.get(one))
      .find((attempt) => digits !== '' && attempt?.phonenumber.endsWith(digits))
    return by_remote_id.get(id!) ?? other
  }
}

/** The provider's id of an SMS as the report has it, and then in its other forms. */
function idsOf({ remote_id, other_ids = [] }: Extract<SmsReport['sms'], { remote_id: string }>): string[] {
  return [remote_id, ...other_ids].map(toStorableText)
}

function toUpdate({ sms, reference }: NamedAttempt, { sms: _, state, message, code, ...rest }: SmsReport): SmsUpdate {
  return {
    ...{ sms, reference, outcome: state, source: 'report' as const, ...rest },
    message: shorten(message),
    code: shorten(code),
  }
}

/** A text of a provider, for storing: short, and in one line. */
export function shorten(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  return toStorableText([...text.replace(/\s+/g, ' ').trim()].slice(0, MAX_TEXT).join(''))
}

type StoredReport = Omit<SmsReport, 'sms' | 'cost' | 'at'> & {
  cost?: { amount: string; currency: string }
  at?: string
}

function toJson({ sms: _, cost, at, ...report }: SmsReport): StoredReport {
  const texts = { message: shorten(report.message), code: shorten(report.code) }
  return {
    ...report,
    ...(Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)) as Partial<StoredReport>),
    ...(cost && { cost: { amount: formatAmount(cost.amount), currency: cost.currency } }),
    ...(at && { at: at.toISOString() }),
  }
}

function fromJson(remote_id: string, { cost, at, ...report }: StoredReport): SmsReport {
  return {
    ...report,
    sms: { remote_id },
    ...(cost && { cost: { amount: parseAmount(cost.amount)!, currency: cost.currency } }),
    ...(at && { at: new Date(at) }),
  }
}
