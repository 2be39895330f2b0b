import { createHash } from 'node:crypto'
import type { Tx } from '../../../db/client.ts'
import { getMessage } from '../../../lib/messages/message.ts'
import {
  type ConnectionRow,
  type ConnectionState,
  getConnection,
  requireTransition,
  setConnectionState,
  type TestResult,
  updateConnection,
  versionOf,
} from '../../connections/connections.ts'
import {
  addPlace,
  type ConnectionPlace,
  changePlace,
  findPlace,
  listPlaces,
  type NewPlace,
  removePlace,
  requireNoTwins,
  requireUsable,
} from '../../connections/places.ts'
import { Invalid, NotFound } from '../../refusals.ts'
import type { Prepare, PreparedChange } from './prepared-change.ts'

/*
 * Changes of an organization's own connections. They can send its money to somebody else: to another till, or to
 * another merchant account. A draft moves no money, so it can be made and changed at once. Putting it into use is the
 * change that needs a second manager: the operator, where organizations share the installation. Only the operator sets
 * base URLs.
 */

/** A change of a connection by its organization. */
export type ConnectionRequest =
  | {
      kind: 'connection_settings'
      connection: string
      /** All settings without the secrets, checked by the driver. */
      settings: Record<string, unknown>
      /** All secrets, encrypted. */
      sealed_secrets: string | null
      /** The names of the settings and secrets that are different, for people. */
      changed: string[]
      /** Results of a test with them; null without one. */
      last_test: TestResult[] | null
      /** Digest of the settings that the change was based on, so that no other change is undone by accident. */
      based_on?: string
    }
  | { kind: 'connection_state'; connection: string; state: Exclude<ConnectionState, 'draft'> }
  | {
      kind: 'connection_place'
      connection: string
      account: number
      /** New use of the connection by the account; null: none. */
      place: Omit<NewPlace, 'connection' | 'account'> | null
    }

type Request<Kind extends ConnectionRequest['kind']> = Extract<ConnectionRequest, { kind: Kind }>

/** Does the same as `prepareChange`, for connections. @throws NotFound for a connection of somebody else, Invalid */
export function prepareConnectionRequest(
  tx: Tx,
  organization: number,
  request: ConnectionRequest,
): Promise<PreparedChange> {
  switch (request.kind) {
    case 'connection_settings':
      return prepareSettings(tx, organization, request)
    case 'connection_state':
      return prepareState(tx, organization, request)
    case 'connection_place':
      return preparePlace(tx, organization, request)
  }
}

const prepareSettings: Prepare<Request<'connection_settings'>> = async (
  tx,
  organization,
  { connection, settings, sealed_secrets, changed, last_test, based_on },
) => {
  const row = await getOwnConnection(tx, organization, connection)
  if (based_on !== undefined && based_on !== digestOf(row))
    throw new Invalid({ slug: [getMessage('connections.changed')] })
  const is_in_use = row.state !== 'draft'
  return {
    description: `The connection ${nameOf(row)} gets other settings: ${changed.join(', ') || 'none'}.`,
    before: [digestOf(row), row.state],
    is_control: is_in_use,
    weakens: is_in_use && changed.length > 0,
    operator_confirms_shared: true,
    action: actionOf('change connection', row, { settings: changed }),
    apply: (tx, { now }) => updateConnection(tx, now, connection, { settings, sealed_secrets }, last_test),
  }
}

const prepareState: Prepare<Request<'connection_state'>> = async (tx, organization, { connection, state }) => {
  const row = await getOwnConnection(tx, organization, connection)
  requireTransition(row, state)
  const places = await listPlaces(tx, connection)
  if (row.state === 'draft' && state === 'active') await requireNoTwins(tx, connection, places)
  const words = { active: 'is put into use', paused: 'is paused', removed: 'is removed' }[state]
  return {
    description: `The connection ${nameOf(row)} ${words}.`,
    // Who confirms has looked at these settings and places.
    before: [digestOf(row), row.state, ...places.map(placeText)],
    is_control: true,
    weakens: state === 'active' && row.state === 'draft',
    operator_confirms_shared: true,
    action: actionOf(`${{ active: 'resume', paused: 'pause', removed: 'remove' }[state]} connection`, row),
    apply: (tx, { now }) => setConnectionState(tx, now, connection, state),
  }
}

const preparePlace: Prepare<Request<'connection_place'>> = async (tx, organization, { connection, account, place }) => {
  const row = await getOwnConnection(tx, organization, connection)
  const before = await findPlace(tx, connection, account)
  if (place) await requireUsable(tx, { ...place, connection, account })
  else if (!before) throw new Invalid({ account: [getMessage('changes.unused_connection', { account, connection })] })
  const now_under = place ? `uses ${nameOf(row)} under ${place.number}` : `no longer uses ${nameOf(row)}`
  const was = before ? ` (before: ${before.number})` : ''
  const verb = place ? (before ? 'change' : 'add') : 'remove'
  return {
    description: `The account ${account} ${now_under}${was}.`,
    before: before ? placeText(before) : null,
    is_control: row.state !== 'draft',
    weakens: row.state !== 'draft' && place !== null,
    operator_confirms_shared: true,
    action: actionOf(`${verb} place of connection`, row, { account, number: place?.number ?? null }),
    async apply(tx) {
      if (!place) await removePlace(tx, connection, account)
      else if (before) await changePlace(tx, connection, account, place)
      else await addPlace(tx, { ...place, connection, account })
    },
  }
}

/** Reads a connection of the organization itself; others' and the operator's count as missing. */
async function getOwnConnection(tx: Tx, organization: number, slug: string): Promise<ConnectionRow> {
  const row = await getConnection(tx, slug)
  if (row.organization !== organization) throw new NotFound(getMessage('connections.none', { connection: slug }))
  return row
}

function nameOf({ slug, driver, environment }: ConnectionRow): string {
  return `${slug} (${driver}, ${environment})`
}

/** A digest: the change is stored, and must hold neither the secrets nor another copy of their encrypted form. */
export function digestOf(row: ConnectionRow): string {
  return createHash('sha256').update(versionOf(row)).digest('hex')
}

function placeText({ account, number, currency, country, collects, pays_out, unrequested }: ConnectionPlace): string {
  return JSON.stringify([account, number, currency, country, collects, pays_out, unrequested])
}

function actionOf(action: string, { id, slug }: ConnectionRow, details: PreparedChange['action']['details'] = {}) {
  return { action, object_type: 'connection' as const, object: id, details: { connection: slug, ...details } }
}
