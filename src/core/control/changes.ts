import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { formatAmount, parseAmount } from '../../lib/money.ts'
import { includesPermission, type Permission, permissionNames } from '../access/api-keys.ts'
import { type AuditAction, recordAudit } from '../access/audit.ts'
import { type ApprovalKind, decide, type Proposal } from '../approvals/decide.ts'
import { type MailSettings, mailGuardians } from '../approvals/notices.ts'
import { Forbidden, Invalid, NotFound } from '../refusals.ts'
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
  /** The API key that was used. */
  key?: number
  /** The IP address of the caller. */
  address?: string
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
    ((await needsOperator(tx, prepared)) || (await hasOtherManager(tx, organization, user)))
  if (is_pending) {
    await requireNoEqual(tx, context.now, organization, prepared.description)
    const change = await insertChange(tx, context, actor, { request, prepared, state: 'pending' })
    await mailGuardians(tx, context, organization, noticeOfChange(change, prepared.concerns ?? null))
    const details = { change: change.id, description: change.description }
    return { is_pending, change, entry: { action: 'ask for change', details } }
  }
  const link = await apply(tx, { ...context, author: user, operator }, prepared)
  const entry = prepared.action
  if (!prepared.is_control) return { is_pending, change: null, entry, ...(link && { link }) }
  const change = await insertChange(tx, context, actor, { request, prepared, state: 'applied' })
  await mailGuardians(tx, context, organization, noticeOfChange(change, prepared.concerns ?? null))
  return { is_pending, change, entry, ...(link && { link }) }
}

/** The decision about a pending change. */
export interface ChangeDecision {
  id: number
  verdict: 'confirm' | 'reject' | 'withdraw'
}

export interface DecidedChange {
  change: ControlChange
  /** The link of an invitation that was confirmed. */
  link?: InvitationLink
}

/** Person who decides about a change. */
interface ChangeDecider extends Omit<Actor, 'organization'> {
  /** Null for an operator, who decides in all organizations. */
  organization: number | null
}

/**
 * Decides about a pending change. Another manager than its author, or an operator, approves or rejects it; the author
 * may withdraw it.
 * @throws as decide. Forbidden to managers if the operator confirms. Invalid if its object has changed.
 */
export async function decideChange(
  tx: Tx,
  context: ChangeContext,
  actor: ChangeDecider,
  { id, verdict }: ChangeDecision,
): Promise<DecidedChange> {
  let link: InvitationLink | undefined
  const kind: ApprovalKind<ChangeRow> = {
    ...changeApproval,
    closed: (row) => closedAt(row, context.now),
    async approve(_tx, _now, row) {
      link = await applyConfirmed(tx, context, actor, row)
    },
  }
  const { organization, change } = await decide(tx, context.now, kind, {
    id,
    verdict: verdict === 'confirm' ? 'approve' : verdict,
    by: actor,
  })
  const state = ({ confirm: 'confirmed', reject: 'rejected', withdraw: 'withdrawn' } as const)[verdict]
  await tx`
    update control_changes set state = ${state}, decided_by = ${actor.user}, decided_at = ${context.now}, sealed = null
    where id = ${id}`
  const decided = await getChange(tx, context.now, organization, id)
  await mailGuardians(tx, context, organization, noticeOfChange(decided, change.concerns))
  return { change: decided, ...(link && { link }) }
}

const changeApproval = {
  deciders: 'managers',
  own: 'changes.other_manager',
  not_own: 'changes.only_author',
  lock: lockChange,
  /** An operator decides where no second manager can. */
  async requireOperator() {},
  /** Its object may be gone, so it is not prepared. */
  async reject() {},
} as const

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
export async function getChange(db: Reader, now: Date, organization: number, id: number): Promise<ControlChange> {
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

/** True if the organization has another manager than this user, who confirms what weakens control. */
export async function hasOtherManager(db: Reader, organization: number, user: number): Promise<boolean> {
  const [other] = await db`
    select 1 from memberships m join users u on u.id = m."user"
    where m.organization = ${organization} and m."user" <> ${user} and u.kind = 'person'
      and 'manage_organization' = any(m.permissions) limit 1`
  return other !== undefined
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

interface ChangeRow extends Proposal {
  id: number
  change: StoredChange
  state: string
  expires: Date | null
  /** Encrypted secrets that the change would set. */
  sealed: string | null
}

async function insertChange(
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
  const [row] = await tx<{ id: number }[]>`
    insert into control_changes (organization, change, description, state, author, created, expires, decided_at, sealed)
    values (${organization}, ${sql.json(change)}, ${prepared.description}, ${state}, ${user}, ${now}, ${expires},
      ${decided_at}, ${sealed})
    returning id`
  return getChange(tx, now, organization, row!.id)
}

/** @throws NotFound */
async function lockChange(tx: Tx, id: number, by: { organization: number | null }): Promise<ChangeRow> {
  const [found] = await tx<{ organization: number }[]>`select organization from control_changes where id = ${id}`
  if (!found || (by.organization !== null && by.organization !== found.organization))
    throw new NotFound(getMessage('changes.none', { id }))
  await lockOrganization(tx, found.organization)
  const [row] = await tx<ChangeRow[]>`
    select id, organization, change, state, author, expires, sealed from control_changes where id = ${id} for update`
  return row!
}

/** Returns why a change does not wait; undefined if it does. */
function closedAt({ state, expires }: ChangeRow, now: Date) {
  if (state !== 'pending') return { state: [getMessage('changes.already', { state })] }
  return expires! <= now ? { state: [getMessage('changes.expired')] } : undefined
}

/**
 * Applies a confirmed change.
 * @throws Forbidden if its author may not make it any more, and to a manager where the operator confirms. Invalid if its
 *   object has changed.
 */
async function applyConfirmed(
  tx: Tx,
  context: ChangeContext,
  actor: ChangeDecider,
  { id, organization, author, change, sealed }: ChangeRow,
): Promise<InvitationLink | undefined> {
  const asker = { ...context, author }
  const prepared = await prepareChange(tx, asker, organization, readRequest(change.request, sealed))
  if (actor.user !== null && (await needsOperator(tx, prepared)))
    throw new Forbidden(
      `Several organizations share this installation, so its operator confirms this: npx kusanya organizations changes confirm ${id}`,
    )
  if (author !== null) await requireAuthority(tx, organization, author, prepared)
  if (JSON.stringify(prepared.before) !== JSON.stringify(change.before))
    throw new Invalid({ state: [getMessage('changes.outdated')] })
  const link = await apply(tx, asker, prepared)
  const details = { ...prepared.action.details, change: id }
  const by = author === null && { by: actor.operator ?? 'an operator' }
  const entry = { ...actor, organization, user: author, ...prepared.action, details: { ...by, ...details } }
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
  ...['threshold', 'second_threshold', 'third_threshold'],
  ...['per_day', 'per_recipient', 'per_user', 'per_payment'],
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
