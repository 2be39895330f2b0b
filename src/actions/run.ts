import type { App } from '../app.ts'
import { routableConnections } from '../connections/sms.ts'
import type { Action, ActionContext, Actor, InputOf } from '../core/access/action.ts'
import { allPermissions } from '../core/access/api-keys.ts'
import { recordAudit } from '../core/access/audit.ts'
import { requireSingleOrganization } from '../core/access/organizations.ts'
import { begin } from '../db/client.ts'

/** Actor of the command line. @param organization null for all organizations @param name the person behind it */
export function operator(organization: number | null, name = 'an operator'): Actor {
  return { organization, user: null, name, permissions: new Set(allPermissions) }
}

/**
 * Perform an action in one transaction, with its entry in the audit log. The door has checked the permission and read
 * the input.
 * @throws Forbidden where only an operator may do it, and as the action
 */
// biome-ignore lint/suspicious/noExplicitAny: an action of any input
export async function runAction<Fields extends Record<string, any>, Result>(
  app: App,
  actor: Actor,
  action: Action<Fields, Result>,
  input: InputOf<Fields>,
): Promise<Result> {
  const context: ActionContext = { now: app.clock.now(), actor, service: serviceOf(app) }
  const { is_operators } = action
  const for_operator = typeof is_operators === 'function' ? is_operators(input) : is_operators === true
  const result = await begin(app.db, async (tx) => {
    if (for_operator && actor.user !== null) await requireSingleOrganization(tx, actor.organization!)
    const done = await action.run(tx, context, input)
    const entry = action.audit(done, input, context)
    if (entry) {
      const { object_type, name } = action
      const { object, organization = actor.organization } = entry
      const by_operator = actor.user === null
      await recordAudit(tx, context.now, {
        organization: by_operator ? organization : actor.organization,
        user: actor.user,
        ...(actor.key !== undefined && { key: actor.key }),
        ...(actor.address !== undefined && { address: actor.address }),
        action: name,
        ...(object_type && { object_type }),
        ...(object !== undefined && { object }),
        details: { ...(by_operator && { by: 'an operator' }), ...entry.details },
      })
    }
    return done
  })
  if (action.wakes) app.wake()
  return result
}

function serviceOf(app: App): ActionContext['service'] {
  return {
    networks: () => [...new Set(app.connections.list().map(({ code }) => code))],
    smsConnections: () => routableConnections(app),
    sealingKeys: (purpose) => app.sealingKeys(purpose),
  }
}
