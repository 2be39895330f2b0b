import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { addConnectionAction } from '../../actions/connection-actions.ts'
import type { App } from '../../app.ts'
import { prepareConnectionChange } from '../../connections/changes.ts'
import { connectionContext, isGood, tryConnection } from '../../connections/operate.ts'
import { changeOwnSettingsAction } from '../../core/approvals/changes/actions.ts'
import { digestOf } from '../../core/approvals/changes/connection-kinds.ts'
import type { TestResult } from '../../core/connections/connections.ts'
import { requiredText } from '../../core/fields.ts'
import { type FieldErrors, Invalid } from '../../core/refusals.ts'
import { withSnapshot } from '../../db/snapshot.ts'
import { type SettingField, settingFields } from '../../drivers/settings.ts'
import type { Server } from '../../http/server.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { addAction } from '../actor.ts'
import { getOwn, withSecrets } from './own.ts'
import { ConsoleConnectionDetail, readForOrganization, settingsOf, slugParams } from './views.ts'

/** Settings and secrets by their names. The driver checks them. */
const values = z.record(z.string().max(100), z.union([z.string().max(100_000), z.number(), z.boolean(), z.null()]))

const NewConnection = z.object({
  slug: requiredText(40).transform((text) => text.trim()),
  driver: requiredText(100),
  environment: requiredText(100),
  values,
  /** True if the network shall make the credentials, which only test environments do. */
  provision: z.boolean().default(false),
})

/** The routes that create a connection as a draft, and change its settings and secrets. */
export function addSettingRoutes(server: Server, app: App, url: string): void {
  const read = (organization: number, slug: string) =>
    withSnapshot(app.db, (tx) => readForOrganization(app, tx, organization, slug))
  addAction(server, app, addConnectionAction, {
    method: 'POST',
    url,
    body: NewConnection,
    answer: ConsoleConnectionDetail,
    status: 201,
    async input({ caller: { organization }, body }) {
      const { provision: wants_credentials, values: given, ...input } = body
      const made = wants_credentials ? await makeCredentials(app, organization, body) : {}
      return { connection: { ...input, organization, hosts: {}, values: { ...given, ...made } } }
    },
    view: ({ slug }, { caller }) => read(caller.organization, slug),
  })
  addAction(server, app, changeOwnSettingsAction, {
    method: 'PUT',
    url: `${url}/:slug/settings`,
    params: slugParams,
    body: z.object({ values }),
    answer: ConsoleConnectionDetail,
    input: (request) => withSecrets(() => prepareSettings(app, request, request.params.slug, request.body.values)),
    view: (_, { caller, params }) => read(caller.organization, params.slug),
  })
}

/** Check new settings and secrets. Those of a connection in use are tested, so that a mistake does not stop payments. */
async function prepareSettings(app: App, request: FastifyRequest, slug: string, values: Record<string, unknown>) {
  await getOwn(app, request, slug)
  const { before, change } = await prepareConnectionChange(app.db, connectionContext(app), slug, { values })
  const fields = fieldsOf(app, before.driver)
  const { settings = before.settings, sealed_secrets = before.sealed_secrets } = change
  const changed = changedNames(fields, values, before.settings, settings)
  if (changed.length === 0) throw new Invalid({ non_field_errors: [getMessage('connections.nothing_to_change')] })
  const last_test = before.state === 'active' ? await tryConnection(app, { ...before, ...change }) : null
  if (last_test && !isGood(last_test)) throw new Invalid(messagesOfTest(last_test, fields))
  return { slug, settings, sealed_secrets, changed, last_test, based_on: digestOf(before) }
}

function fieldsOf(app: App, code: string): SettingField[] {
  const driver = app.providers.drivers.find((one) => one.code === code)
  return driver ? settingFields(driver) : []
}

/** Return the names of changed settings. A given secret always counts as changed. */
function changedNames(
  fields: readonly SettingField[],
  values: Record<string, unknown>,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): string[] {
  return fields
    .filter(({ name, secret }) => (secret ? Object.hasOwn(values, name) : before[name] !== after[name]))
    .map(({ name }) => name)
}

/** Place the faults that a test found at the settings that they name. */
function messagesOfTest(results: readonly TestResult[], fields: readonly SettingField[]): FieldErrors {
  const wrong = results.filter(({ outcome }) => outcome === 'failed' || outcome === 'unknown')
  const errors: FieldErrors = {
    non_field_errors: [getMessage('connections.fails_test')],
  }
  for (const result of wrong) {
    const named = settingsOf(result, fields)
    for (const { name } of named) errors[name] = [...(errors[name] ?? []), result.message]
    if (named.length === 0) errors.non_field_errors!.push(`${result.name}: ${result.message}`)
  }
  return errors
}

/** Let the network make credentials in its test environment. @throws Invalid with the network's answer */
async function makeCredentials(
  app: App,
  organization: number,
  { slug, driver, environment, values }: z.output<typeof NewConnection>,
): Promise<Record<string, unknown>> {
  const found = app.providers.drivers.find(({ code }) => code === driver)
  const target = found && Object.hasOwn(found.environments, environment) ? found.environments[environment] : undefined
  // Wrong names are reported with all other faults, when the connection is checked.
  if (!found || !target) return {}
  if (!found.provision || target.live)
    throw new Invalid({
      provision: [getMessage('connections.no_credentials', { driver: found.name, environment: target.title })],
    })
  const made = await app.providers
    .provision({
      slug,
      driver,
      environment,
      hosts: {},
      settings: values,
      organization,
      state: 'draft',
      priority: 100,
      places: [],
      max_concurrent: 50,
      max_per_second: 100,
      callback_secret: '0'.repeat(48),
    })
    .catch((error: Error) => ({ outcome: 'failed' as const, message: error.message }))
  if (made.outcome !== 'provisioned') throw new Invalid({ provision: [`No credentials were made: ${made.message}`] })
  return made.settings
}
