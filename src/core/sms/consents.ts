import type { AnyReader, Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { toStorableText } from '../../lib/storable-text.ts'
import { NotFound } from '../refusals.ts'
import { type NewSmsMessage, queueSms } from './outbox.ts'
import { type Meaning, meaningOf } from './words.ts'

/** Decisions of a person about SMS that are not transactional. */
export const consentStates = ['withdrawn', 'given'] as const

/** Decision of a person about SMS that are not transactional. */
const consentTable = table('sms_consents', {
  id: column.id(),
  /** Null: it counts for all organizations. */
  organization: column.bigint().nullable(),
  phonenumber: column.text(),
  state: column.text<(typeof consentStates)[number]>(),
  /** The word that the person sent; null where an operator entered it. */
  word: column.text().nullable(),
  /** The connection over which the word came. */
  connection: column.text().nullable(),
  /** Person who entered it. */
  by: column.text().nullable(),
  at: column.timestamptz(),
})
export type SmsConsent = Row<typeof consentTable>

/** Stores decisions of people; the newest one counts. */
export async function setConsents(tx: Tx, consents: readonly Omit<SmsConsent, 'id'>[]): Promise<void> {
  const newest = new Map(consents.map((one) => [`${one.phonenumber} ${one.organization}`, one]))
  if (newest.size === 0) return
  await tx`
    ${insert(consentTable, [...newest.values()], {})} order by phonenumber, organization
    ${consentTable.replace(['state', 'word', 'connection', 'by', 'at'], ['phonenumber', 'organization'])}`
}

/** Forgets a person's decision. */
export async function removeConsent(tx: Tx, id: number): Promise<void> {
  await tx`delete from sms_consents where id = ${id}`
}

/** Lists the consents and refusals of people, newest first: to one organization, or to any of them. */
export async function listConsents(
  db: Reader,
  filters: { organization?: number; phonenumber?: string; state?: SmsConsent['state'] },
  limit: number,
): Promise<SmsConsent[]> {
  const { organization, phonenumber, state } = filters
  return db<SmsConsent[]>`
    select * from sms_consents
    where ${organization === undefined ? sql.always : sql`(organization is null or organization = ${organization})`}
      and ${phonenumber === undefined ? sql.always : sql`phonenumber = ${phonenumber}`}
      and ${state === undefined ? sql.always : sql`state = ${state}`}
    order by at desc, id desc limit ${limit}`
}

/** Returns one page of the consents and refusals to an organization or to all of them, with their count. */
export async function pageOfConsents(
  db: AnyReader,
  filters: {
    organization?: number | undefined
    phonenumber?: string | undefined
    state?: SmsConsent['state'] | undefined
  },
  page: { limit: number; offset: number; descending: boolean },
): Promise<{ rows: SmsConsent[]; count: number }> {
  const { organization } = filters
  const condition = sql`${organization === undefined ? sql.always : sql`(organization is null or organization = ${organization})`}
    and ${filters.phonenumber === undefined ? sql.always : sql`phonenumber = ${filters.phonenumber}`}
    and ${filters.state === undefined ? sql.always : sql`state = ${filters.state}`}`
  const direction = page.descending ? sql`desc` : sql`asc`
  const [[total], rows] = await Promise.all([
    db<{ count: number }[]>`select count(*) as count from sms_consents where ${condition}`,
    db<SmsConsent[]>`
      select * from sms_consents where ${condition}
      order by at ${direction}, id ${direction} limit ${page.limit} offset ${page.offset}`,
  ])
  return { rows, count: total!.count }
}

/**
 * Reads a consent or refusal by its id, if it counts for this organization.
 * @param organization null for an operator, who may read all
 * @throws NotFound
 */
export async function getConsent(db: Reader, id: number, organization: number | null): Promise<SmsConsent> {
  const [found] = await db<SmsConsent[]>`
    select * from sms_consents
    where id = ${id} and (organization is null or ${organization}::bigint is null or organization = ${organization}::bigint)`
  if (!found) throw new NotFound(getMessage('sms.no_opt_out', { id }))
  return found
}

/** Reads the decision of a person, to one organization or to all. @throws NotFound */
export async function getConsentOf(db: Reader, phonenumber: string, organization: number | null): Promise<SmsConsent> {
  const [found] = await db<SmsConsent[]>`
    select * from sms_consents
    where phonenumber = ${phonenumber} and organization is not distinct from ${organization}::bigint`
  if (!found) throw new NotFound(getMessage('sms.said_nothing_about', { phonenumber }))
  return found
}

/** A person and the organization that wants to send an SMS. */
export interface Addressee {
  organization: number
  phonenumber: string
}

/** Reads the latest decision of each of these persons to each organization, or to all of them; undefined for none. */
export async function readConsents(
  db: Reader,
  addressees: readonly Addressee[],
): Promise<(addressee: Addressee) => SmsConsent['state'] | undefined> {
  if (addressees.length === 0) return () => undefined
  const phones = [...new Set(addressees.map(({ phonenumber }) => phonenumber))]
  const found = await db<SmsConsent[]>`
    select * from sms_consents where phonenumber = any(${phones}::text[]) order by at desc, id desc`
  const by_phone = Map.groupBy(found, ({ phonenumber }) => phonenumber)
  return ({ organization, phonenumber }) =>
    by_phone.get(phonenumber)?.find((one) => one.organization === null || one.organization === organization)?.state
}

/** An SMS that a customer sent to us. */
export interface IncomingText {
  remote_id: string
  /** True where the provider gives no id: `remote_id` is a digest, which a later SMS with the same words shares. */
  is_digest?: boolean
  from: string
  to: string
  text: string
}

/** Result of storing an incoming SMS. */
export interface StoredIncoming {
  phonenumber: string
  meaning: Meaning | null
  organizations: number[]
}

const incomingTable = table('sms_incoming', {
  id: column.id(),
  connection: column.text(),
  remote_id: column.text(),
  phonenumber: column.text(),
  recipient: column.text(),
  body: column.text(),
  meaning: column.text<'stop' | 'start' | 'help'>().nullable(),
  organization: column.bigint().nullable(),
  received: column.timestamptz(),
})

/** For so long the same START is one whose acknowledgement was lost, even after STOP: in doubt STOP counts. */
const REPEATED_MS = 60 * 60 * 1_000
/** Days after an SMS of ours in which an answer belongs to it. */
const ANSWER_DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1_000
const MAX_TEXT = 1_600

/**
 * Stores SMS of customers, and acts on STOP, START and HELP. STOP and START count for the organization of the
 * connection; otherwise for those that sent to this phone over it within 30 days; otherwise for all. The same SMS is
 * stored once. STOP, START and HELP are answered once a day.
 */
export async function receiveIncomingSms(
  tx: Tx,
  now: Date,
  connection: { slug: string; organization: number | null },
  messages: readonly IncomingText[],
): Promise<StoredIncoming[]> {
  const stored: StoredIncoming[] = []
  for (const message of messages) {
    const [remote_id, from, to, text] = [message.remote_id, message.from, message.to, message.text].map(
      toStorableText,
    ) as [string, string, string, string]
    const found = meaningOf(text)
    const organizations = await organizationsOf(tx, now, connection, from)
    if (message.is_digest) await releaseDigest(tx, now, { connection: connection.slug, remote_id, from })
    const { count } = await tx`
      ${insert(incomingTable, [{ remote_id, phonenumber: from, recipient: to }], {
        connection: connection.slug,
        body: [...text].slice(0, MAX_TEXT).join(''),
        meaning: found?.meaning,
        organization: organizations[0],
        received: now,
      })}
      on conflict (connection, remote_id) do nothing`
    if (count === 0) continue
    stored.push({ phonenumber: from, meaning: found?.meaning ?? null, organizations })
    if (!found) continue
    if (found.meaning !== 'help') {
      const state = found.meaning === 'stop' ? 'withdrawn' : 'given'
      const said = {
        phonenumber: from,
        state,
        word: found.word,
        connection: connection.slug,
        by: null,
        at: now,
      } as const
      const owners = organizations.length > 0 ? organizations : [null]
      await setConsents(
        tx,
        owners.map((organization) => ({ ...said, organization })),
      )
    }
    await answerOnce(tx, now, { phonenumber: from, meaning: found.meaning, organization: organizations[0] })
  }
  return stored
}

/**
 * Takes the digest from an earlier SMS with the same words, unless this is the same SMS again: nothing came from the phone
 * since, or it is a START of the last hour. Words of an earlier day are always said anew.
 */
async function releaseDigest(
  tx: Tx,
  now: Date,
  { connection, remote_id, from }: { connection: string; remote_id: string; from: string },
): Promise<void> {
  const [earlier] = await tx<{ id: number; meaning: Meaning | null; received: Date }[]>`
    select id, meaning, received from sms_incoming where connection = ${connection} and remote_id = ${remote_id}`
  if (!earlier) return
  const age_ms = now.getTime() - earlier.received.getTime()
  if (age_ms < DAY_MS) {
    if (earlier.meaning === 'start' && age_ms < REPEATED_MS) return
    const [later] = await tx`
      select from sms_incoming
      where received >= ${earlier.received} and id > ${earlier.id} and phonenumber = ${from} and connection = ${connection}
      limit 1`
    if (!later) return
  }
  await tx`update sms_incoming set remote_id = remote_id || ' ' || id where id = ${earlier.id}`
}

async function organizationsOf(
  tx: Tx,
  now: Date,
  connection: { slug: string; organization: number | null },
  phonenumber: string,
): Promise<number[]> {
  if (connection.organization !== null) return [connection.organization]
  const found = await tx<{ organization: number }[]>`
    select organization from sms_messages
    where phonenumber = ${phonenumber} and sender = ${connection.slug}
      and created > ${new Date(now.getTime() - ANSWER_DAYS * DAY_MS)}
    group by organization order by max(id) desc`
  return found.map(({ organization }) => organization)
}

async function answerOnce(
  tx: Tx,
  now: Date,
  { phonenumber, meaning, organization }: { phonenumber: string; meaning: Meaning; organization: number | undefined },
): Promise<void> {
  if (organization === undefined) return
  const [answered] = await tx`
    select from sms_messages where phonenumber = ${phonenumber} and organization = ${organization} and purpose = 'reply'
      and created > ${new Date(now.getTime() - DAY_MS)} limit 1`
  if (answered) return
  const [row] = await tx<{ name: string }[]>`select name from organizations where id = ${organization}`
  const reply: NewSmsMessage = {
    organization,
    phonenumber,
    purpose: 'reply' as const,
    body: replies[meaning](row?.name ?? ''),
  }
  await queueSms(tx, now, [reply])
}

const replies: Readonly<Record<Meaning, (name: string) => string>> = {
  stop: (name) => `${name}: you will get SMS about your own payments only. Send START to get all SMS again.`,
  start: (name) => `${name}: you will get our SMS again. Send STOP to opt out.`,
  help: (name) => `${name} sends you SMS about your payments. Send STOP to opt out of all others.`,
}

/** An incoming SMS as it is listed. */
export interface IncomingRow {
  id: number
  connection: string
  remote_id: string
  phonenumber: string
  recipient: string
  body: string
  meaning: Meaning | null
  organization: number | null
  received: Date
}

/** The newest SMS of customers. */
export async function listIncomingSms(
  db: Reader,
  filters: { organization?: number; phonenumber?: string },
  limit: number,
): Promise<IncomingRow[]> {
  const { organization, phonenumber } = filters
  return db<IncomingRow[]>`
    select * from sms_incoming
    where ${organization === undefined ? sql.always : sql`organization = ${organization}`}
      and ${phonenumber === undefined ? sql.always : sql`phonenumber = ${phonenumber}`}
    order by id desc limit ${limit}`
}

/** Retention of incoming SMS, in days. */
const KEPT_DAYS = 90

/** Deletes old incoming SMS, and reports without an SMS. Returns the number of deleted rows. */
export async function deleteOldIncoming(tx: Tx, now: Date, limit: number): Promise<number> {
  const texts = await tx`
    delete from sms_incoming where id in (
      select id from sms_incoming where received < ${new Date(now.getTime() - KEPT_DAYS * DAY_MS)} limit ${limit})`
  const reports = await tx`
    delete from sms_early_reports where id in (
      select id from sms_early_reports where received < ${new Date(now.getTime() - DAY_MS)} limit ${limit})`
  return Math.max(texts.count, reports.count)
}
