import { z } from 'zod'
import type { App } from '../../app.ts'
import {
  AddedPasskey,
  addPasskey,
  checkAttestation,
  creationOptions,
  keepChallenge,
  listPasskeys,
  PasskeyAttestation,
  PasskeyList,
  PasskeyView,
  passkeyName,
  relyingPartyOf,
  removePasskey,
  renamePasskey,
  USER_HANDLE_PURPOSE,
} from '../../core/access/passkeys.ts'
import { hasSecondFactor, replaceRecoveryCodes } from '../../core/access/second-factors.ts'
import { endSessions } from '../../core/access/sessions.ts'
import { begin } from '../../db/client.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { requireSession } from '../guard.ts'
import { Confirmation, confirmIdentity, recordAccountAction } from './confirmation.ts'
import {
  openPasskeyOptions,
  PasskeyOptions,
  refusedPasskey,
  requireRelyingParty,
  spendChallenge,
} from './passkey-answers.ts'

const config = { open: true, open_in_maintenance: true }
const url = '/console/api/account/passkeys'

/** The routes for the passkeys of a user: list, add, rename, remove, and the options for a browser. */
export function addPasskeys(server: Server, app: App): void {
  server.get(url, {
    config,
    schema: { response: { 200: PasskeyList } },
    handler: async (request) => {
      const { user } = requireSession(request)
      return { origin: relyingPartyOf(app.address.url)?.origin ?? null, results: await listPasskeys(app.db, user) }
    },
  })
  addCreation(server, app)

  server.patch(`${url}/:id`, {
    config,
    schema: { params: idParams, body: z.object({ name: passkeyName }), response: { 200: PasskeyView } },
    handler: async (request) => {
      const session = requireSession(request)
      const { name } = request.body
      return begin(app.db, async (tx) => {
        const renamed = await renamePasskey(tx, { user: session.user, passkey: request.params.id, name })
        await recordAccountAction(app, tx, request, session, 'rename passkey', { name: renamed.name })
        return renamed
      })
    },
  })

  server.delete(`${url}/:id`, {
    config,
    schema: { params: idParams, body: Confirmation },
    handler: async (request, reply) => {
      const session = requireSession(request)
      await confirmIdentity(app, request, request.body)
      await begin(app.db, async (tx) => {
        const { name } = await removePasskey(tx, session.user, request.params.id)
        await recordAccountAction(app, tx, request, session, 'remove passkey', { name })
      })
      return reply.code(204).send()
    },
  })

  // Used to confirm actions with a passkey.
  server.post('/console/api/account/confirmation', {
    config,
    schema: { response: { 200: PasskeyOptions } },
    handler: (request) => openPasskeyOptions(app, requireSession(request), 'confirm'),
  })
}

/** The two routes that add a passkey: the options need a confirmation, the answer needs their challenge. */
function addCreation(server: Server, app: App): void {
  const handle_key = app.deriveSecret(USER_HANDLE_PURPOSE)

  server.post(`${url}/options`, {
    config,
    schema: { body: Confirmation, response: { 200: PasskeyOptions } },
    handler: async (request) => {
      const { id: session, user, name, email } = requireSession(request)
      const party = requireRelyingParty(app)
      await confirmIdentity(app, request, request.body)
      const settings = { service_name: app.config.SERVICE_NAME, handle_key }
      const { challenge, options } = await creationOptions(app.db, party, { id: user, name, email }, settings)
      await begin(app.db, (tx) => keepChallenge(tx, app.clock.real(), { session, purpose: 'add', challenge }))
      return { ...options }
    },
  })

  server.post(url, {
    config,
    schema: {
      body: z.object({ name: passkeyName, answer: PasskeyAttestation }),
      response: { 201: AddedPasskey },
    },
    handler: async (request, reply) => {
      const session = requireSession(request)
      const { name, answer } = request.body
      const party = requireRelyingParty(app)
      const challenge = await spendChallenge(app, session, 'add')
      const made = await checkAttestation(party, challenge, answer)
      if (!made) throw refusedPasskey()
      const { user } = session
      const added = await begin(app.db, async (tx) => {
        const is_first = !(await hasSecondFactor(tx, user))
        const passkey = await addPasskey(tx, app.clock.real(), { user, name, passkey: made })
        // Another person may know the password, so all other sessions end.
        if (is_first) await endSessions(tx, user, session.id)
        await recordAccountAction(app, tx, request, session, 'add passkey', { name: passkey.name })
        return { passkey, recovery_codes: is_first ? await replaceRecoveryCodes(tx, user) : null }
      })
      return reply.code(201).send(added)
    },
  })
}
