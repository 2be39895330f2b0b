import { z } from 'zod'
import type { Tx } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type ActionCommand, type ActionEntry, action } from '../access/action.ts'
import { booleanField, integer, requiredText, text } from '../fields.ts'
import { NotFound } from '../refusals.ts'
import {
  type ConnectionRow,
  type ConnectionState,
  connectionEntry,
  getConnection,
  setConnectionState,
} from './connections.ts'
import { addPlace, type ConnectionPlace, changePlace, getPlace, listPlaces, removePlace } from './places.ts'
import { isBuiltIn } from './sandbox-networks.ts'

/* Actions on connections: their states, their places and their callback addresses. */

const ofConnection = { object_type: 'connection', permission: 'manage_organization', is_operators: true } as const

const slug = requiredText(40)
const account = integer()

const use = {
  country: text(2)
    .transform((code) => code.toUpperCase())
    .optional(),
  collects: booleanField.optional(),
  pays_out: booleanField.optional(),
  unrequested: booleanField.optional(),
}
const typedUse = {
  country: ['--country <code>', 'the country that the number serves, such as UG; all unless given'],
  collects: ['--collects <yes or no>', 'whether the account collects here'],
  pays_out: ['--pays-out <yes or no>', 'whether the account pays out from here'],
  unrequested: ['--unrequested <yes or no>', 'whether it gets money that no order asked for'],
} as const
const typedPlace = { slug: ['<slug>', ''], account: ['<account>', 'its id'] } as const

export const addPlaceAction = action({
  ...ofConnection,
  name: 'add place of connection',
  input: z.object({ slug, account, number: requiredText(100), ...use }),
  async run(tx, _, { slug: connection, ...place }) {
    await getConnection(tx, connection)
    return withRow(tx, await addPlace(tx, { connection, ...place }))
  },
  audit: ({ row, place }) => placeEntry(row, place),
  wakes: true,
  refreshes: true,
  cli: {
    path: 'connections places add',
    description: 'let an account use a connection',
    typed: {
      slug: ['<slug>', ''],
      account: ['<account>', 'as `accounts list` shows it'],
      number: ['<number>', 'our till, short code or merchant number at the network'],
      ...typedUse,
    },
    text: ({ place: { account, connection, number, currency } }) =>
      `The account ${account} now uses ${connection} under ${number} (${currency}).`,
    view: ({ place }) => place,
  },
})

/** Change how an account uses a connection. Missing members stay. */
export const changePlaceAction = action({
  ...ofConnection,
  name: 'change place of connection',
  input: z.object({ slug, account, number: requiredText(100).optional(), ...use }),
  async run(tx, _, { slug, account, ...change }) {
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    const before = await getPlace(tx, slug, account)
    return { ...(await withRow(tx, await changePlace(tx, slug, account, given))), before: before.number }
  },
  audit: ({ row, place, before }) => placeEntry(row, place, { before }),
  wakes: true,
  refreshes: true,
  cli: {
    path: 'connections places set',
    description: 'change a place',
    typed: { ...typedPlace, number: ['--number <number>', 'another till or short code'], ...typedUse },
    text: ({ place: { account, connection } }) => `Changed how the account ${account} uses ${connection}.`,
    view: ({ place }) => place,
  },
})

export const removePlaceAction = action({
  ...ofConnection,
  name: 'remove place of connection',
  input: z.object({ slug, account }),
  run: async (tx, _, { slug, account }) => withRow(tx, await removePlace(tx, slug, account)),
  audit: ({ row, place }) => placeEntry(row, place),
  refreshes: true,
  cli: {
    path: 'connections places remove',
    description: 'remove a connection from an account that has nothing open there',
    typed: typedPlace,
    text: ({ place: { account, connection } }) => `The account ${account} no longer uses ${connection}.`,
    view: ({ place }) => place,
  },
})

const REASON = ['--reason <text>', 'why; the audit log keeps it'] as const
const stateInput = z.object({ slug, force: z.boolean().default(false), reason: text(1_000).optional() })

/** Declare the action that brings a connection into a state. */
function stateAction(
  name: string,
  state: Exclude<ConnectionState, 'draft'>,
  cli: Pick<ActionCommand<z.output<typeof stateInput>, unknown>, 'path' | 'description' | 'typed'>,
) {
  return action({
    ...ofConnection,
    name,
    input: stateInput,
    async run(tx, { now }, { slug, force }) {
      const { source } = await getConnection(tx, slug)
      // A connection of the sandbox needs no test.
      const is_forced = force || isBuiltIn(slug) || source !== 'person'
      const row = await setConnectionState(tx, now, slug, state, { force: is_forced })
      const is_used = state !== 'active' || row.kind !== 'network' || (await listPlaces(tx, slug)).length > 0
      return { row, is_used }
    },
    audit: ({ row }, { force, reason }) =>
      connectionEntry(row, { ...(force && { forced: true }), ...(reason !== undefined && { reason }) }),
    refreshes: true,
    cli: {
      ...cli,
      text: ({ row: { slug }, is_used }) =>
        `The connection ${slug} is ${state} now.${is_used ? '' : `\nNo account uses it yet: \`npx kusanya connections places add ${slug} <account> <number>\`.`}`,
      view: ({ row: { slug } }) => ({ slug, state }),
    },
  })
}

export const pauseConnectionAction = stateAction('pause connection', 'paused', {
  path: 'connections pause',
  description: 'stop new orders; the status of open ones is still queried',
  typed: { slug: ['<slug>', ''], reason: REASON },
})

export const resumeConnectionAction = stateAction('resume connection', 'active', {
  path: 'connections resume',
  description: 'activate a draft or paused connection that has passed its test',
  typed: {
    slug: ['<slug>', ''],
    force: ['--force', 'even if its test has not passed; needs --reason'],
    reason: REASON,
  },
})

export const removeConnectionAction = stateAction('remove connection', 'removed', {
  path: 'connections remove',
  description: 'remove a connection that has nothing open',
  typed: { slug: ['<slug>', ''], reason: REASON },
})

/** The address contains a secret of the connection, so the audit log says who has seen it. */
export const showCallbackAddressAction = addressAction('show callback address')
export const registerCallbackAddressAction = addressAction('register callback address')

/** Declare an action on the callback address of a connection, of the actor's organization unless an operator acts. */
function addressAction(name: string) {
  return action({
    object_type: 'connection',
    permission: 'manage_organization',
    name,
    input: z.object({ slug }),
    async run(tx, { actor: { user, organization } }, { slug: connection }) {
      const row = await getConnection(tx, connection)
      if (user !== null && row.organization !== organization)
        throw new NotFound(getMessage('connections.none', { connection }))
      return row
    },
    audit: (row) => connectionEntry(row, {}),
  })
}

async function withRow(tx: Tx, place: ConnectionPlace) {
  return { row: await getConnection(tx, place.connection), place }
}

function placeEntry(row: ConnectionRow, place: ConnectionPlace, more: { before?: string } = {}): ActionEntry {
  const { account, number, currency, collects, pays_out, unrequested, organization } = place
  const details = { account, number, currency, collects, pays_out, unrequested, ...more }
  return { ...connectionEntry(row, details), organization }
}
