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
  type ActionContext,
  type ActionEntry,
  type Actor,
  type InputOf,
  organizationOf,
} from '../core/access/action.ts'
import { allPermissions } from '../core/access/api-keys.ts'
import { type NewAuditEntry, recordAudit } from '../core/access/audit.ts'
import { requireSingleOrganization } from '../core/access/organizations.ts'
import { eventTypes, extraEventTypes } from '../core/events/events.ts'
import { claimDuplicateKeys, createDuplicateKeyClaim, linkKeysToObjects } from '../core/idempotency.ts'
import { Forbidden } from '../core/refusals.ts'
import { createHostCheck } from '../core/target-urls.ts'
import { begin, type Tx } from '../db/client.ts'
import { changeContext } from '../http/change-context.ts'
import { attestationSettings } from './attestation-context.ts'

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

/**
 * Perform an action in one transaction, with its entry in the audit log. The door has checked the permission and read
 * the input.
 * @param key the Duplicate-Check-Key of the call
 * @throws Forbidden where only an operator may do it, Duplicate, and as the action
 */
// biome-ignore lint/suspicious/noExplicitAny: an action of any input
export async function runAction<Fields extends Record<string, any>, Result>(
  app: App,
  actor: Actor,
  action: Action<Fields, Result>,
  input: InputOf<Fields>,
  key?: string,
): Promise<Result> {
  const { clock } = app
  const context: ActionContext = { now: clock.now(), real: clock.real(), actor, service: serviceOf(app) }
  const { is_operators } = action
  if (action.permission === 'operator' && actor.user !== null) throw new Forbidden()
  const for_operator = typeof is_operators === 'function' ? is_operators(input) : is_operators === true
  await action.check?.(context.service, input, actor)
  if (action.confirmed && actor.user !== null) await confirmed(actor)
  const result = await begin(app.db, async (tx) => {
    if (for_operator && actor.user !== null) await requireSingleOrganization(tx, actor.organization!)
    const done = await runOnce(tx, context, action, input, key)
    for (const entry of [action.audit(done, input, context) ?? []].flat())
      await recordAudit(tx, context.now, entryOf(action, actor, entry))
    return done
  })
  if (action.refreshes) await app.providers.refresh()
  if (action.wakes) app.wake()
  return result
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
  context: ActionContext,
  { creates, run }: Action<Fields, Result>,
  input: InputOf<Fields>,
  key: string | undefined,
): Promise<Result> {
  if (!key) return run(tx, context, input)
  const claim = createDuplicateKeyClaim(organizationOf(context), key)
  if (!creates) return run(tx, { ...context, claim }, input)
  const [duplicate] = await claimDuplicateKeys(tx, context.now, creates.type, [claim])
  if (duplicate) throw duplicate
  const made = await run(tx, context, input)
  linkKeysToObjects(tx, [{ claim, object: creates.id(made) }])
  return made
}

/** Return the whole entry of the audit log. Operators, and users on their own account, have the organization of the object. */
function entryOf(
  action: Pick<Action, 'name' | 'object_type' | 'permission'>,
  actor: Actor,
  entry: ActionEntry,
): NewAuditEntry {
  const { user, key, address } = actor
  const {
    action: name = action.name,
    object,
    object_type = action.object_type,
    organization = actor.organization,
    details,
  } = entry
  return {
    organization: user === null || action.permission === 'self' ? organization : actor.organization,
    user,
    ...(key !== undefined && { key }),
    ...(address !== undefined && { address }),
    action: name,
    ...(object_type && { object_type }),
    ...(object !== undefined && { object }),
    details: { ...(user === null && { by: actor.name, ...(actor.for && { for: actor.for }) }), ...details },
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
