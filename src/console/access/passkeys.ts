import { z } from 'zod'
import { runAction } from '../../actions/run.ts'
import type { App } from '../../app.ts'
import { addPasskeyAction } from '../../core/access/account/actions.ts'
import { keepChallengeAction } from '../../core/access/account/session-actions.ts'
import {
  AddedPasskey,
  checkAttestation,
  creationOptions,
  listPasskeys,
  PasskeyAttestation,
  PasskeyList,
  passkeyName,
  refusedPasskey,
  relyingPartyOf,
  USER_HANDLE_PURPOSE,
} from '../../core/access/passkeys.ts'
import type { Server } from '../../http/server.ts'
import { sessionActor } from '../actor.ts'
import { requireSession } from '../guard.ts'
import { Confirmation, confirmIdentity } from './confirmation.ts'
import { openPasskeyOptions, PasskeyOptions, requireRelyingParty, spendChallenge } from './passkey-answers.ts'

const config = { open: true, open_in_maintenance: true }
const url = '/console/api/account/passkeys'

/** Add the routes that list and add passkeys of a user, and the options for a browser. */
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
      await runAction(app, sessionActor(app, request), keepChallengeAction, { session, purpose: 'add', challenge })
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
      const added = await runAction(app, sessionActor(app, request), addPasskeyAction, { name, passkey: made })
      return reply.code(201).send(added)
    },
  })
}
