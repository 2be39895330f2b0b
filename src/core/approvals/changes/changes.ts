import type { Reader, Tx } from '../../../db/client.ts'
import { sql } from '../../../db/sql.ts'
import { column, insert, type Row, table } from '../../../db/table.ts'
import { getMessage } from '../../../lib/messages/message.ts'
import { formatAmount, parseAmount } from '../../../lib/money.ts'
import { includesPermission, type Permission, permissionNames } from '../../access/api-keys.ts'
import { type AuditAction, recordAudit } from '../../access/audit.ts'
import { Forbidden, Invalid, NotFound } from '../../refusals.ts'
import { hasOther } from '../../spending/approvers.ts'
import { type MailSettings, mailGuardians } from '../notices.ts'
import type { ApprovalKind, Decision } from '../proposals.ts'
import type { ChangeState, ControlChange } from './control-change.ts'
import {
  type ControlContext,
  type ControlRequest,
  type InvitationLink,
  type PreparedChange,
  prepareChange,
} from './kinds.ts'
import { noticeOfChange } from './notices.ts'

/** The settings and clocks of a change. */
export interface ChangeContext extends Omit<ControlContext, 'author'> {
  /** Maximum wait of a change for a second manager, in milliseconds. */
  pending_ms: number
  /** Null without a mail server: then no mail is sent. */
  mail: MailSettings | null
}

/** Author of a change: a user of the organization, or null for an operator. */
export interface Actor {
  organization: number
  user: number | null
  /** The name of an operator. */
  operator?: string
}

export interface ChangeResult {
  is_pending: boolean
  /** Null if the change concerns no control, such as a permission to view. */
  change: ControlChange | null
  /** The link of an invitation that was made. */
  link?: InvitationLink
  /** Name of the audit entry: it was made, or asked for. */
  entry: AuditAction
}

/**
 * Makes a change, which the caller records. If it weakens control, and the organization has a second manager, it waits for that manager instead.
 * If several organizations share the installation, some changes wait for the operator. An operator's change never
 * waits. Those concerned get a mail.
 * @throws NotFound, Invalid. Forbidden if the user would give a permission that the user lacks.
 */
export async function requestChange(
  tx: Tx,
  context: ChangeContext,
  actor: Actor,
  request: ControlRequest,
): Promise<ChangeResult> {
  const { organization, user, operator } = actor
  await lockOrganization(tx, organization)
  const prepared = await prepareChange(tx, { ...context, author: user, operator }, organization, request)
  if (user !== null) await requireAuthority(tx, organization, user, prepared)
  const is_pending =
    user !== null &&
    prepared.weakens &&
    ((await needsOperator(tx, prepared)) || (await hasOther(tx, organization, user, 'manage_organization')))
  if (is_pending) {
    await requireNoEqual(tx, context.now, organization, prepared.description)
    const change = await storeChange(tx, context, actor, { request, prepared, state: 'pending' })
    const details = { change: change.id, description: change.description }
    return { is_pending, change, entry: { action: 'ask for change', details } }
  }
  const link = await apply(tx, { ...context, author: user, operator }, prepared)
  const entry = prepared.action
  if (!prepared.is_control) return { is_pending, change: null, entry, ...(link && { link }) }
  const change = await storeChange(tx, context, actor, { request, prepared, state: 'applied' })
  return { is_pending, change, entry, ...(link && { link }) }
}

export interface DecidedChange {
  change: ControlChange
  /** The link of an invitation that was confirmed. */
  link?: InvitationLink
}

/** Change with the link that its confirmation makes. */
type LockedChange = ChangeRow & { link?: InvitationLink | undefined }

/**
 * Approval of changes. Another manager than its author, or an operator where no second manager can, confirms or rejects a
 * change; the author may withdraw it. A confirmation is also refused to managers if the operator confirms, and if the
 * object of the change has changed.
 */
export const changeApproval: ApprovalKind<LockedChange, ChangeContext, DecidedChange> = {
  noun: 'change',
  deciders: 'managers',
  own: 'changes.other_manager',
  withdrawal: { refusal: 'changes.only_author' },
  expired: 'changes.expired',
  lock: lockChange,
  closed: ({ state }) => (state === 'pending' ? undefined : { state: [getMessage('changes.already', { state })] }),
  async requireOperator() {},
  async approve(tx, context, change, decision) {
    change.link = await applyConfirmed(tx, context, decision, change)
    await close(tx, context, decision)
  },
  /** Its object may be gone, so it is not prepared. */
  reject: (tx, context, _, decision) => close(tx, context, decision),
  async read(tx, { now }, { organization, link }, { id }) {
    return { change: await getChange(tx, now, organization, id), ...(link && { link }) }
  },
  notice: async (_, { change }, { change: { concerns } }) => noticeOfChange(change, concerns),
}

async function close(tx: Tx, { now }: ChangeContext, { id, verdict, by }: Decision): Promise<void> {
  const state = ({ approve: 'confirmed', reject: 'rejected', withdraw: 'withdrawn' } as const)[verdict]
  await tx`
    update control_changes set state = ${state}, decided_by = ${by.user}, decided_at = ${now}, sealed = null
    where id = ${id}`
}

/** Lists one page of the changes of an organization, newest first, with the count of all matches. */
export async function listChanges(
  db: Reader,
  now: Date,
  organization: number,
  filters: { state?: ChangeState },
  page: { limit: number; offset: number },
): Promise<{ rows: ControlChange[]; count: number }> {
  const where = sql`c.organization = ${organization}
    and ${filters.state === undefined ? sql.always : sql`${stateAt(now)} = ${filters.state}`}`
  const [rows, [total]] = await Promise.all([
    db<ControlChange[]>`
      select ${columns(now)} from ${source()} where ${where} order by c.id desc limit ${page.limit} offset ${page.offset}`,
    db<{ count: number }[]>`select count(*) from control_changes c where ${where}`,
  ])
  return { rows: [...rows], count: total?.count ?? 0 }
}

/** Reads a change of an organization. @throws NotFound */
async function getChange(db: Reader, now: Date, organization: number, id: number): Promise<ControlChange> {
  const [row] = await db<ControlChange[]>`
    select ${columns(now)} from ${source()} where c.id = ${id} and c.organization = ${organization}`
  if (!row) throw new NotFound(getMessage('changes.none', { id }))
  return row
}

/** Locks the changes of an organization: they happen one after the other, so that a check of one of them stays true. */
async function lockOrganization(tx: Tx, organization: number): Promise<void> {
  const [row] = await tx`select id from organizations where id = ${organization} for no key update`
  if (!row) throw new NotFound(getMessage('access.no_organization_with', { organization }))
}

/**
 * Refuses a user who gives a permission that the user lacks, or does something that only an operator may do.
 * @throws Forbidden
 */
async function requireAuthority(tx: Tx, organization: number, user: number, prepared: PreparedChange): Promise<void> {
  const [member] = await tx<{ permissions: Permission[] }[]>`
    select permissions from memberships where organization = ${organization} and "user" = ${user}`
  if (!member?.permissions.includes(prepared.permission ?? 'manage_organization')) throw new Forbidden()
  if (prepared.operator_only !== undefined) throw new Forbidden(prepared.operator_only)
  if (prepared.own_permissions_of?.includes(user)) throw new Forbidden(getMessage('changes.own_permissions'))
  const had = new Set(member.permissions)
  const lacking = (prepared.grants ?? []).filter((permission) => !includesPermission(had, permission))
  if (lacking.length > 0)
    throw new Forbidden(getMessage('changes.ungranted', { permissions: permissionNames(lacking) }))
}

/** True if the operator confirms a change: several organizations share the installation, and it concerns them all. */
async function needsOperator(db: Reader, { operator_confirms_shared }: PreparedChange): Promise<boolean> {
  if (!operator_confirms_shared) return false
  const organizations = await db`select 1 from organizations limit 2`
  return organizations.length > 1
}

async function requireNoEqual(db: Reader, now: Date, organization: number, description: string): Promise<void> {
  const [equal] = await db`
    select 1 from control_changes c where organization = ${organization} and description = ${description}
      and ${stateAt(now)} = 'pending'`
  if (equal) throw new Invalid({ non_field_errors: [getMessage('changes.already_waiting')] })
}

/** Stored change: the request, and the state before it. */
interface StoredChange {
  kind: ControlRequest['kind']
  request: unknown
  before: unknown
  concerns: string | null
}

const changeTable = table('control_changes', {
  id: column.id(),
  organization: column.bigint(),
  change: column.json<StoredChange>(),
  description: column.text(),
  state: column.text<Exclude<ChangeState, 'expired'>>(),
  /** Null: an operator. */
  author: column.bigint().nullable(),
  created: column.timestamptz(),
  expires: column.timestamptz().nullable(),
  decided_by: column.bigint().later(),
  decided_at: column.timestamptz().nullable(),
  /** Encrypted secrets that the change would set. */
  sealed: column.text().nullable(),
})
type ChangeRow = Row<typeof changeTable>

/** Store a change, and mail those concerned. */
async function storeChange(
  tx: Tx,
  context: ChangeContext,
  { organization, user }: Actor,
  input: { request: ControlRequest; prepared: PreparedChange; state: 'pending' | 'applied' },
): Promise<ControlChange> {
  const { request, prepared, state } = input
  const { now } = context
  const change: StoredChange = {
    kind: request.kind,
    request: writeRequest(request),
    before: prepared.before,
    concerns: prepared.concerns ?? null,
  }
  const expires = state === 'pending' ? new Date(now.getTime() + context.pending_ms) : null
  const decided_at = state === 'pending' ? null : now
  const sealed = state === 'pending' && 'sealed_secrets' in request ? request.sealed_secrets : null
  // Earlier changes that nobody has decided about in time are of no use any more.
  await tx`
    update control_changes set sealed = null
    where organization = ${organization} and sealed is not null and expires <= ${now}`
  const made = {
    organization,
    change,
    description: prepared.description,
    state,
    author: user,
    expires,
    decided_at,
    sealed,
  }
  const [row] = await tx<{ id: number }[]>`${insert(changeTable, [made], { created: now })} returning id`
  const stored = await getChange(tx, now, organization, row!.id)
  await mailGuardians(tx, context, organization, noticeOfChange(stored, change.concerns))
  return stored
}

/** @throws NotFound */
async function lockChange(tx: Tx, _: ChangeContext, { id, by }: Decision): Promise<ChangeRow> {
  const [found] = await tx<{ organization: number }[]>`select organization from control_changes where id = ${id}`
  if (!found || (by.organization !== null && by.organization !== found.organization))
    throw new NotFound(getMessage('changes.none', { id }))
  await lockOrganization(tx, found.organization)
  const [row] = await tx<ChangeRow[]>`
    select ${changeTable.columns} from control_changes where id = ${id} for update`
  return row!
}

/**
 * Applies a confirmed change.
 * @throws Forbidden if its author may not make it any more, and to a manager where the operator confirms. Invalid if its
 *   object has changed.
 */
async function applyConfirmed(
  tx: Tx,
  context: ChangeContext,
  { by }: Decision,
  { id, organization, author, change, sealed }: ChangeRow,
): Promise<InvitationLink | undefined> {
  const asker = { ...context, author }
  const prepared = await prepareChange(tx, asker, organization, readRequest(change.request, sealed))
  if (by.user !== null && (await needsOperator(tx, prepared)))
    throw new Forbidden(
      `Several organizations share this installation, so its operator confirms this: npx kusanya organizations changes confirm ${id}`,
    )
  if (author !== null) await requireAuthority(tx, organization, author, prepared)
  if (JSON.stringify(prepared.before) !== JSON.stringify(change.before))
    throw new Invalid({ state: [getMessage('changes.outdated')] })
  const link = await apply(tx, asker, prepared)
  const details = { ...prepared.action.details, change: id }
  const operator = author === null && { by: by.name ?? 'an operator' }
  const entry = { ...by, organization, user: author, ...prepared.action, details: { ...operator, ...details } }
  await recordAudit(tx, context.now, entry)
  return link
}

async function apply(tx: Tx, context: ControlContext, prepared: PreparedChange): Promise<InvitationLink | undefined> {
  await prepared.apply(tx, context)
  return prepared.invite?.(tx, context)
}

/** Amounts are stored as texts, as on the wire. Encrypted secrets have a column of their own, so that they can leave. */
function writeRequest(request: ControlRequest): unknown {
  return Object.fromEntries(
    Object.entries(request)
      .filter(([name]) => name !== 'sealed_secrets')
      .map(([name, value]) => [name, typeof value === 'bigint' ? formatAmount(value) : value]),
  )
}

const AMOUNTS = new Set([
  'threshold',
  'second_threshold',
  'third_threshold',
  'per_day',
  'per_recipient',
  'per_user',
  'per_payment',
])

function readRequest(stored: unknown, sealed_secrets: string | null): ControlRequest {
  const { kind } = stored as ControlRequest
  const request = kind === 'connection_settings' ? { ...(stored as object), sealed_secrets } : (stored as object)
  return Object.fromEntries(
    Object.entries(request).map(([name, value]) => [
      name,
      AMOUNTS.has(name) && typeof value === 'string' ? parseAmount(value)! : value,
    ]),
  ) as unknown as ControlRequest
}

function stateAt(now: Date) {
  return sql`(case when c.state = 'pending' and c.expires <= ${now} then 'expired' else c.state end)`
}

function columns(now: Date) {
  return sql`c.id, c.organization, c.change->>'kind' as kind, c.description,
    (c.change->'request'->>'collection')::bigint as collection, ${stateAt(now)} as state, c.author,
    a.name as author_name, c.created, c.expires, c.decided_by, d.name as decided_by_name, c.decided_at`
}

function source() {
  return sql`control_changes c left join users a on a.id = c.author left join users d on d.id = c.decided_by`
}
