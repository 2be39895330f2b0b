import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import type { SmsReport } from '../../lib/adapter-types.ts'
import { formatAmount, parseAmount } from '../../lib/money.ts'
import { comparePhone } from '../../lib/phone.ts'
import { toStorableText } from '../../lib/storable-text.ts'
import { applySmsUpdates, type ChangedSms, type SmsConnections, type SmsUpdate } from './outcomes.ts'
import { providerId } from './providers.ts'
import { referenceStart, smsOfReferences, toSmsReference } from './references.ts'

/** Result of applying the reports of one callback. */
export interface AppliedReports {
  changed: ChangedSms[]
  /** The provider's ids of SMS that are not known yet: their reports were kept. */
  early: string[]
  /** Number of reports that named no SMS of this connection. */
  unknown: number
}

const earlyTable = table('sms_early_reports', {
  id: column.id(),
  connection: column.text(),
  remote_id: column.text(),
  report: column.jsonb<StoredReport>(),
  received: column.timestamptz(),
})

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
  const early: { remote_id: string; report: StoredReport }[] = []
  let unknown = 0
  for (const report of reports) {
    const attempt = find(report)
    if (attempt !== undefined) updates.push(toUpdate(attempt, report))
    else if ('remote_id' in report.sms)
      early.push({ remote_id: toStorableText(report.sms.remote_id), report: toJson(report) })
    else unknown += 1
  }
  const changed = await applySmsUpdates(tx, now, updates, connections)
  if (early.length > 0)
    tx.send`
      ${insert(earlyTable, early, { connection, received: now })}
      where (select count(*) from sms_early_reports where connection = ${connection}) < ${MAX_EARLY_REPORTS}`
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
    select p.connection, p.remote_id from sms_providers p
    where p.sms_message = any(${smsOfReferences(references)}::bigint[])
      and p.reference_start = any(${references.map(referenceStart)}::text[]) and exists (
      select from sms_early_reports e where e.connection = p.connection and e.remote_id = p.remote_id)`
}

/** Applies the kept reports of these SMS whose provider's ids are known by now. */
export async function applyEarlyReports(
  tx: Tx,
  now: Date,
  ids: readonly { connection: string; remote_id: string }[],
  connections: SmsConnections,
): Promise<ChangedSms[]> {
  const r = rows(ids, { connection: 'text', remote_id: 'text' })
  const taken = await tx<Omit<Row<typeof earlyTable>, 'received'>[]>`
    delete from sms_early_reports e using ${r.as('r')}
    where e.connection = r.connection and e.remote_id = r.remote_id and exists (
      select from sms_messages m where m.provider_ids @> array[e.connection || ' ' || e.remote_id])
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
 * Finds the attempts that reports name. A provider that gives an id twice means the newest SMS. A report that names phones is
 * about an SMS to one of them: customers may write what looks like a report, and centres count ids anew. An id whose form may
 * differ from the answer's names an SMS only together with its phone.
 */
async function findAttempts(
  tx: Tx,
  connection: string,
  reports: readonly SmsReport[],
): Promise<(report: SmsReport) => NamedAttempt | undefined> {
  const ours = reports.flatMap(({ sms }) => ('reference' in sms ? toStorableText(sms.reference) : []))
  const theirs = reports.flatMap(({ sms }) => ('remote_id' in sms ? idsOf(sms) : []))
  const provider_ids = theirs.map((id) => providerId(connection, id))
  const found = await tx<(Omit<NamedAttempt, 'reference'> & { reference_start: string })[]>`
    select sms_message as sms, reference_start, remote_id, phonenumber from sms_providers
    where sms_message = any(${smsOfReferences(ours)}::bigint[] || array(
        select id from sms_messages where provider_ids && ${provider_ids}::text[]))
      and connection = ${connection} and (reference_start = any(${ours.map(referenceStart)}::text[]) or remote_id = any(${theirs}::text[]))
    order by sms_message, attempt`
  const attempts = found.map(({ reference_start: start, ...attempt }) => ({
    ...attempt,
    reference: toSmsReference(start, attempt.sms),
  }))
  const by_reference = new Map(attempts.map((attempt) => [attempt.reference, attempt]))
  const by_remote_id = Map.groupBy(attempts, ({ remote_id }) => remote_id)
  return ({ sms }) => {
    if ('reference' in sms) return by_reference.get(sms.reference)
    const [id, ...others] = idsOf(sms)
    const compare = ({ phonenumber }: NamedAttempt) => comparePhone(phonenumber, sms.phonenumbers ?? [])
    const exact = by_remote_id.get(id!)?.findLast((one) => compare(one) !== 'other')
    return exact ?? others.flatMap((one) => by_remote_id.get(one) ?? []).find((one) => compare(one) === 'same')
  }
}

/** The provider's id of an SMS as the report has it, and then in its other forms. */
function idsOf({ remote_id, other_ids = [] }: Extract<SmsReport['sms'], { remote_id: string }>): string[] {
  return [remote_id, ...other_ids].map(toStorableText)
}

function toUpdate({ sms, reference }: NamedAttempt, { sms: _, state, message, code, ...rest }: SmsReport): SmsUpdate {
  return {
    sms,
    reference,
    outcome: state,
    source: 'report' as const,
    ...rest,
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
  phonenumbers?: readonly string[]
  cost?: { amount: string; currency: string }
  at?: string
}

function toJson({ sms, cost, at, ...report }: SmsReport): StoredReport {
  const texts = { message: shorten(report.message), code: shorten(report.code) }
  const phonenumbers = 'remote_id' in sms ? sms.phonenumbers?.map((one) => shorten(one)!) : undefined
  return {
    ...report,
    ...(phonenumbers && { phonenumbers }),
    ...(Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)) as Partial<StoredReport>),
    ...(cost && { cost: { amount: formatAmount(cost.amount), currency: cost.currency } }),
    ...(at && { at: at.toISOString() }),
  }
}

function fromJson(remote_id: string, { phonenumbers, cost, at, ...report }: StoredReport): SmsReport {
  return {
    ...report,
    sms: { remote_id, ...(phonenumbers && { phonenumbers }) },
    ...(cost && { cost: { amount: parseAmount(cost.amount)!, currency: cost.currency } }),
    ...(at && { at: new Date(at) }),
  }
}
