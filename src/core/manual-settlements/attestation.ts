import { z } from 'zod'
import type { AnyReader, Reader } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { amount, id, timestamp } from '../fields.ts'
import { NotFound } from '../refusals.ts'

/** `waiting`: for a second person. `superseded`: the network or the biller has answered before anybody decided. */
export const attestationStates = ['waiting', 'approved', 'rejected', 'withdrawn', 'superseded'] as const
type AttestationState = (typeof attestationStates)[number]

export const attestedOutcomes = ['successful', 'failed'] as const
export type AttestedOutcome = (typeof attestedOutcomes)[number]

/** Reading of a statement about an order by one person, and the decision of a second person. */
export const Attestation = z.object({
  id,
  organization: id,
  /** The reference of the order or of the bill purchase. */
  reference: z.string(),
  kind: z.enum(['charge', 'payout', 'refund', 'bill']),
  /** The id of the order or of the bill purchase, by which the audit log knows it. */
  object: id,
  /** The slug of the connection, or the biller. */
  connection: z.string(),
  currency: z.string(),
  outcome: z.enum(attestedOutcomes),
  /** The id of the money in the statement. */
  remote_id: z.string().nullable(),
  amount: amount.nullable(),
  failure_reason: z.string().nullable(),
  statement: z.string(),
  note: z.string(),
  document_name: z.string(),
  document_type: z.string(),
  document_size: z.int(),
  document_sha256: z.string(),
  state: z.enum(attestationStates),
  author: id,
  author_name: z.string(),
  created: timestamp,
  /** Null: nobody, the network, or an operator, whose name `decided_by_name` has. */
  decided_by: id.nullable(),
  decided_by_name: z.string().nullable(),
  decided: timestamp.nullable(),
  decision_note: z.string().nullable(),
})
export type Attestation = z.output<typeof Attestation>

interface AttestationFilters {
  organization?: number | undefined
  state?: AttestationState | undefined
  reference?: string | undefined
}

/** Lists attestations without their documents, newest first, with the count of all matches. */
export async function listAttestations(
  db: AnyReader,
  filters: AttestationFilters,
  page: { limit: number; offset: number },
): Promise<{ rows: Attestation[]; count: number }> {
  const { organization, state, reference } = filters
  const where = sql`${organization === undefined ? sql.always : sql`a.organization = ${organization}`}
    and ${state === undefined ? sql.always : sql`a.state = ${state}`}
    and ${reference === undefined ? sql.always : sql`o.reference = ${reference}`}`
  const [rows, [total]] = await Promise.all([
    db<Attestation[]>`
      select ${columns} from ${source} where ${where} order by a.id desc limit ${page.limit} offset ${page.offset}`,
    db<{ count: number }[]>`select count(*) from ${source} where ${where}`,
  ])
  return { rows: [...rows], count: total?.count ?? 0 }
}

/** Reads an attestation, of one organization if that is given. @throws NotFound */
export async function getAttestation(db: AnyReader, id: number, organization?: number): Promise<Attestation> {
  const [row] = await db<Attestation[]>`select ${columns} from ${source} where a.id = ${id}`
  if (!row || (organization !== undefined && row.organization !== organization))
    throw new NotFound(getMessage('orders.no_attestation', { id }))
  return row
}

export interface StoredDocument {
  name: string
  type: string
  bytes: Buffer
  sha256: string
}

/** Reads the document of an attestation. @throws NotFound */
export async function readDocument(db: Reader, id: number, organization?: number): Promise<StoredDocument> {
  const [row] = await db<(StoredDocument & { organization: number })[]>`
    select organization, document_name as name, document_type as type, document as bytes, document_sha256 as sha256
    from order_attestations where id = ${id}`
  if (!row || (organization !== undefined && row.organization !== organization))
    throw new NotFound(getMessage('orders.no_attestation', { id }))
  const { name, type, bytes, sha256 } = row
  return { name, type, bytes, sha256 }
}

const columns = sql`a.id, a.organization, o.reference,
  case o.kind when 'vend' then 'bill' else o.kind end as kind, coalesce(o.bill_purchase, o.id) as object, o.connection,
  o.currency, a.outcome, a.remote_id, a.amount,
  a.failure_reason, a.statement, a.note, a.document_name, a.document_type, length(a.document) as document_size,
  a.document_sha256, a.state, a.author, u.name as author_name, a.created, a.decided_by, a.decided_by_name, a.decided,
  a.decision_note`
const source = sql`order_attestations a join users u on u.id = a.author
  join network_orders o on o.id = a.network_order`
