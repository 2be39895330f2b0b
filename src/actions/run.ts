import type { App } from '../app.ts'
import { listBillConnections } from '../connections/bill-sellers.ts'
import { chargeConnections } from '../connections/charge-connections.ts'
import { networkOfContact } from '../connections/contact-network.ts'
import { networkName, networksForInvoices } from '../connections/invoice-networks.ts'
import { requireReady } from '../connections/operate.ts'
import { networksForPayouts } from '../connections/payout-networks.ts'
import { chooseNetworkAgain, reminderLimits } from '../connections/request-actions.ts'
import { routableConnections } from '../connections/sms.ts'
import {
  type Action,
  type ActionCall,
  type ActionContext,
  type ActionEntry,
  type Actor,
  type InputOf,
  organizationOf,
} from '../core/access/action.ts'
import { allPermissions } from '../core/access/api-keys.ts'
import { type NewAuditEntry, recordAudit } from '../core/access/audit.ts'
import { requireSingleOrganization } from '../core/access/organizations.ts'
import { clearAttempt } from '../core/access/sign-in-attempts.ts'
import { eventTypes, extraEventTypes } from '../core/events/events.ts'
import { claimDuplicateKeys, createDuplicateKeyClaim, linkKeysToObjects } from '../core/idempotency.ts'
import { Forbidden, Invalid } from '../core/refusals.ts'
import { createHostCheck } from '../core/target-urls.ts'
import { begin, beginFrequent, type Tx } from '../db/client.ts'
import { changeContext } from '../http/change-context.ts'
import { zip } from '../lib/batches/zip.ts'
import { attestationSettings } from './attestation-context.ts'
import { createBatchedWrite } from './batched-calls.ts'
import { countCall, type OpenAttempt, openAttempt } from './throttle.ts'

/** Actor of the command line. @param organization null for all organizations @param by the person behind it */
export function operator(
  organization: number | null,
  by: { name: string; user?: number | null } = { name: AN_OPERATOR },
): Actor {
  const { name, user } = by
  return { organization, user: null, name, ...(user && { on_behalf_of: user }), permissions: new Set(allPermissions) }
}

const AN_OPERATOR = 'an operator'

/** Operator who writes in the name of a member. */
export function operatorFor(organization: number, { id, email }: { id: number; email: string }): Actor {
  return { ...operator(organization), on_behalf_of: id, for: email }
}

/** Actor of what people do who have not signed in. */
export function stranger(address: string): Actor {
  return { organization: null, user: null, name: '', permissions: new Set(), address }
}

/**
 * Perform an action in one transaction, with its entry in the audit log. The door has checked the permission and read
 * the input.
 * @param key the Duplicate-Check-Key of the call
 * @throws Forbidden where only an operator may do it, Throttled, Duplicate, and as the action
 */
// biome-ignore lint/suspicious/noExplicitAny: an action of any input
export async function runAction<Fields extends Record<string, any>, Result>(
  app: App,
  actor: Actor,
  action: Action<Fields, Result>,
  input: InputOf<Fields>,
  key?: string,
): Promise<Result> {
  const perform = await admitAction(app, actor, action, input, key)
  return perform()
}

/**
 * Count a call of an action against its throttle.
 * @returns a function that performs it, for a door that does not wait for the result @throws Forbidden, Throttled
 */
// biome-ignore lint/suspicious/noExplicitAny: an action of any input
export async function admitAction<Fields extends Record<string, any>, Result>(
  app: App,
  actor: Actor,
  action: Action<Fields, Result>,
  input: InputOf<Fields>,
  key?: string,
): Promise<() => Promise<Result>> {
  const { clock } = app
  const context: ActionContext = { now: clock.now(), real: clock.real(), actor, service: serviceOf(app) }
  if (action.runMany) return () => batchOf(app, action)({ context: withClaim(context, key), input }) as Promise<Result>
  if (action.permission === 'operator' && actor.user !== null) throw new Forbidden()
  await countCall(app, actor, action)
  const attempt = await openAttempt(app, actor, action, input)
  const perform = () => performOnce(app, action, { context, input }, { key, attempt })
  return () =>
    perform().catch(async (error: unknown) => {
      if (attempt && error instanceof Invalid) await recordFailure(app, action, { context, input }, attempt)
      throw error
    })
}

// biome-ignore lint/suspicious/noExplicitAny: an action of any input
async function performOnce<Fields extends Record<string, any>, Result>(
  app: App,
  action: Action<Fields, Result>,
  call: ActionCall<InputOf<Fields>>,
  { key, attempt }: { key: string | undefined; attempt: OpenAttempt | undefined },
): Promise<Result> {
  const { context, input } = call
  const { actor } = context
  const { is_operators, throttle } = action
  const for_operator = typeof is_operators === 'function' ? is_operators(input) : is_operators === true
  const checked = await action.check?.(context.service, input, actor)
  if (action.confirmed && actor.user !== null) await confirmed(actor)
  const result = await begin(app.db, async (tx) => {
    if (for_operator && actor.user !== null) await requireSingleOrganization(tx, actor.organization!)
    if (attempt && !throttle?.attempts?.is_kept) await clearAttempt(tx, attempt.counted)
    const done = await runOnce(tx, call, action, key, checked)
    await recordEntries(tx, action, call, done)
    return done
  })
  if (action.refreshes) await app.providers.refresh()
  wakeFor(app, action)
  return result
}

// biome-ignore-start lint/suspicious/noExplicitAny: an action of any input
type AnyAction = Action<any, any>
type AnyCall = ActionCall<any>
// biome-ignore-end lint/suspicious/noExplicitAny: an action of any input
type Perform = (call: AnyCall) => Promise<unknown>
const batches = new WeakMap<App, Map<AnyAction, Perform>>()

/** Return the batch of an action: the calls of all doors share its transactions. */
function batchOf(app: App, action: AnyAction): Perform {
  const known = batches.get(app) ?? new Map<AnyAction, Perform>()
  batches.set(app, known)
  const perform = known.get(action) ?? createBatch(app, action)
  known.set(action, perform)
  return perform
}

function createBatch(app: App, action: AnyAction): Perform {
  const begins = action.frequent ? beginFrequent : begin
  const flush = async (calls: AnyCall[]) => {
    const now = app.clock.now()
    const results = await begins(app.db, async (tx) => {
      const made = await action.runMany!(tx, now, calls)
      for (const [{ context, input }, result] of zip(calls, made))
        if (result.ok && context.actor.key === undefined)
          await recordEntries(tx, action, { context: { ...context, now }, input }, result.value)
      return made
    })
    if (results.some(({ ok }) => ok)) wakeFor(app, action)
    return results
  }
  return createBatchedWrite(app, flush, app.queue_wait_ms, {
    groupOf: ({ context }) => organizationOf(context),
    namesOf: ({ context: { claim }, input }) => [...(claim ? [claim.hash] : []), ...(action.namesOf?.(input) ?? [])],
  })
}

/** Write the entries of a call to the audit log. */
async function recordEntries(tx: Tx, action: AnyAction, { context, input }: AnyCall, result: unknown): Promise<void> {
  for (const entry of [action.audit(result, input, context) ?? []].flat())
    await recordAudit(tx, context.now, entryOf(action, context.actor, entry))
}

/** Record a wrong guess in the audit log, after the transaction that it has undone. */
async function recordFailure(app: App, action: AnyAction, { context, input }: AnyCall, attempt: OpenAttempt) {
  const { failed } = action.throttle!.attempts!
  if (!failed) return
  await begin(app.db, async (tx) => {
    for (const entry of [await failed(tx, context, input, attempt)].flat())
      await recordAudit(tx, context.now, entryOf(action, context.actor, entry))
  })
}

function wakeFor(app: App, { wakes }: AnyAction): void {
  if (wakes) app.wake(wakes === true ? undefined : wakes)
}

function withClaim(context: ActionContext, key: string | undefined): ActionContext {
  return key ? { ...context, claim: createDuplicateKeyClaim(organizationOf(context), key) } : context
}

/** @throws Error for a door that lets no user confirm */
async function confirmed({ confirm }: Actor): Promise<void> {
  if (!confirm) throw new Error('A user confirms this action.')
  await confirm()
}

/** Run an action after the claim of its key: a second call hears of the first, whatever would refuse it by now. */
// biome-ignore lint/suspicious/noExplicitAny: an action of any input
async function runOnce<Fields extends Record<string, any>, Result>(
  tx: Tx,
  { context, input }: ActionCall<InputOf<Fields>>,
  { creates, run }: Action<Fields, Result>,
  key: string | undefined,
  checked: unknown,
): Promise<Result> {
  const claimed = withClaim(context, key)
  const { claim } = claimed
  if (!claim || !creates) return run(tx, claimed, input, checked)
  const [duplicate] = await claimDuplicateKeys(tx, context.now, creates.type, [claim])
  if (duplicate) throw duplicate
  const made = await run(tx, context, input, checked)
  linkKeysToObjects(tx, [{ claim, object: creates.id(made) }])
  return made
}

/** Return the whole entry of the audit log. Operators, and users on their own account, have the organization of the object. */
function entryOf(
  action: Pick<Action, 'name' | 'object_type' | 'permission'>,
  actor: Actor,
  entry: ActionEntry,
): NewAuditEntry {
  const { key, address } = actor
  const {
    user = actor.user,
    action: name = action.name,
    object,
    object_type = action.object_type,
    organization = actor.organization,
    details,
  } = entry
  const is_operators = actor.user === null && action.permission !== 'anyone'
  return {
    organization: actor.user === null || action.permission === 'self' ? organization : actor.organization,
    user,
    ...(key !== undefined && { key }),
    ...(address !== undefined && { address }),
    action: name,
    ...(object_type && { object_type }),
    ...(object !== undefined && { object }),
    details: { ...(is_operators && { by: actor.name, ...(actor.for && { for: actor.for }) }), ...details },
  }
}

function serviceOf(app: App): ActionContext['service'] {
  return {
    base_url: app.address.url,
    service_name: app.config.SERVICE_NAME,
    mode: app.config.MODE,
    networkOfContact: (organization, phone) => networkOfContact(app.connections, organization, phone),
    reminderLimits: () => reminderLimits(app.config),
    chargeConnections: () => chargeConnections(app.connections),
    chooseNetworkAgain: (db, request) => chooseNetworkAgain(db, app.connections.list(), request),
    has_mail: app.mailer !== null,
    chooseInvoiceNetwork: networksForInvoices(app.connections),
    networkOfMoney: (order) => networkName(app.connections, order),
    connections: () => app.connections.list(),
    choosePayoutNetwork: networksForPayouts(app.connections),
    billConnections: () => listBillConnections(app),
    findConnection: (slug) => app.connections.find(slug),
    attestations: attestationSettings(app),
    changes: changeContext(app),
    networks: () => [...new Set(app.connections.list().map(({ code }) => code))],
    smsConnections: () => routableConnections(app),
    eventTypes: () => (app.config.EXTRA_EVENT_TYPES ? [...eventTypes, ...extraEventTypes] : eventTypes),
    checkTarget: (target) => createHostCheck(app.config)(target),
    connections_app: app,
    requireReady: (organization, slug) => requireReady(app, organization, slug),
    max_keys: app.config.KEYS_PER_ORGANIZATION,
    sealingKeys: (purpose) => app.sealingKeys(purpose),
  }
}
