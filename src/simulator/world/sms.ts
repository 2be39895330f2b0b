import type { Database, Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import { type QueuedCallback, withFault } from './callback-faults.ts'
import { queueCallbacks } from './callbacks.ts'
import { readStates } from './door-values.ts'
import { addSeconds } from './ids.ts'
import { countParts, type SmsBehaviour, smsBehaviourOf } from './sms-behaviours.ts'
import { keepSms } from './sms-inbox.ts'
import type { CustomerSms, NewSms, SimulatedSms, SmsFilter } from './sms-records.ts'
import { type CallbackRequest, NotPossible, type WorldContext } from './world.ts'

/** Make the requests that report the end of an SMS. `forged`: the authentication must be wrong. */
type ReportsOf = (sms: SimulatedSms, forged: boolean) => CallbackRequest[]

const smsTable = table('simulator_sms', {
  id: column.id(),
  door: column.text(),
  remote_id: column.text(),
  reference: column.text().nullable(),
  phonenumber: column.text(),
  sender: column.text(),
  body: column.text(),
  parts: column.integer(),
  ends: column.text<SmsBehaviour['ends']>(),
  reason: column.text<NonNullable<SimulatedSms['reason']>>().nullable(),
  ends_at: column.timestamptz(),
  details: column.json<SimulatedSms['details']>().default({}).given(),
  created: column.timestamptz(),
})
type SmsRow = Omit<Row<typeof smsTable>, 'id'>

/** Store an SMS that a provider has taken, and the reports about its end, which are sent when it is reached. */
export async function takeSms(
  tx: Tx,
  context: WorldContext,
  door: string,
  sms: NewSms,
  reportsOf: ReportsOf,
): Promise<SimulatedSms> {
  const { ends, reason, after_s, reports } = { ...smsBehaviourOf(sms.phonenumber), ...sms.behaviour }
  const row: SmsRow = {
    door,
    remote_id: sms.remote_id,
    reference: sms.reference ?? null,
    phonenumber: sms.phonenumber,
    sender: sms.sender,
    body: sms.body,
    parts: countParts(sms.body),
    details: sms.details ?? {},
    ends,
    reason: ends === 'failed' ? reason : null,
    ends_at: addSeconds(context.now(), after_s),
    created: context.now(),
  }
  await tx`${insert(smsTable, [row], {})}`
  if (ends !== 'never') await queueReports(tx, context, row, { after_s, count: reports }, reportsOf)
  return toSms(row, context.now())
}

async function queueReports(
  tx: Tx,
  context: WorldContext,
  row: SmsRow,
  { after_s, count }: { after_s: number; count: number },
  reportsOf: ReportsOf,
): Promise<void> {
  const fault = context.faults.takeForCallback(row.door)
  const about = `${row.door}/${row.remote_id}`
  const requests = reportsOf(toSms(row, row.ends_at), fault?.kind === 'forged')
  const callbacks = requests.map(
    (request): QueuedCallback => ({
      ...request,
      after_s: after_s + (request.after_s ?? 0),
      door: row.door,
      about,
      held: false,
    }),
  )
  const queued = fault ? withFault(callbacks, fault) : Array.from({ length: count }, () => callbacks).flat()
  await queueCallbacks(tx, context.now(), queued)
}

/** A customer sends an SMS to the business. @throws NotPossible where the provider hands none over */
export async function receiveSms(tx: Tx, context: WorldContext, door: string, sms: CustomerSms): Promise<void> {
  const { incomingSms, keeps_sms = false } = context.doors.get(door) ?? {}
  if (!incomingSms) throw new NotPossible(`${door} takes no SMS from customers.`)
  const state = (await readStates(tx, context, [door])).get(door)!
  const requests = incomingSms(sms, state)
  if (keeps_sms) await keepSms(tx, door, sms, state.now)
  else if (requests.length === 0)
    throw new NotPossible(`${door} does not know where the business wants SMS of customers.`)
  await queueCallbacks(
    tx,
    context.now(),
    requests.map((request) => ({ ...request, door, about: null, held: false })),
  )
}

/** Find an SMS of a door by the provider's id. */
export async function findSms(
  db: Reader,
  door: string,
  remote_id: string,
  now: Date,
): Promise<SimulatedSms | undefined> {
  const [row] = await db<SmsRow[]>`select * from simulator_sms where door = ${door} and remote_id = ${remote_id}`
  return row && toSms(row, now)
}

/** List SMS, newest first. */
export async function listSms(db: Database, filter: SmsFilter, now: Date): Promise<SimulatedSms[]> {
  const { phonenumber, door, limit = 50 } = filter
  const found = await db<SmsRow[]>`
    select * from simulator_sms
    where ${phonenumber === undefined ? sql.always : sql`phonenumber = ${phonenumber}`}
      and ${door === undefined ? sql.always : sql`door = ${door}`}
    order by id desc limit ${limit}`
  return found.map((row) => toSms(row, now))
}

function toSms(row: SmsRow, now: Date): SimulatedSms {
  const { door, remote_id, reference, phonenumber, sender, body, parts, ends, reason, ends_at, details, created } = row
  const has_ended = ends !== 'never' && ends_at <= now
  return {
    door,
    remote_id,
    reference,
    phonenumber,
    sender,
    body,
    parts,
    details,
    created,
    state: has_ended ? ends : 'sent',
    reason: has_ended ? reason : null,
    ended: has_ended ? ends_at : null,
  }
}
