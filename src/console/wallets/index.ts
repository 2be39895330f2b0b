import { z } from 'zod'
import { performAction } from '../../actions/routes.ts'
import type { App } from '../../app.ts'
import { requireOwned, requireSingleOrganization } from '../../core/access/organizations.ts'
import { positiveAmount, requiredText } from '../../core/fields.ts'
import { findAccount, Wallet } from '../../core/ledger/accounts.ts'
import { fundAccountAction } from '../../core/ledger/actions.ts'
import { decimalsError } from '../../core/ledger/currencies.ts'
import { Invalid } from '../../core/refusals.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { Confirmation } from '../access/confirmation.ts'
import { sessionActor } from '../actor.ts'

const permission = 'manage_organization'
const path = '/console/api/wallets'

const Funds = z.object({ amount: positiveAmount, description: requiredText(200) })

/** Add the route that adds money to a wallet, once for each Duplicate-Check-Key, as `npx kusanya accounts fund` does. */
export function addWallets(server: Server, app: App): void {
  server.post(`${path}/:id/funds`, {
    config: { permission },
    schema: { params: idParams, body: Funds.and(Confirmation), response: { 201: Wallet } },
    handler: async (request, reply) => {
      const { organization } = request.caller
      const { id } = request.params
      const { amount, description } = request.body
      await requireSingleOrganization(app.db, organization)
      const { currency } = requireOwned(organization, await findAccount(app.db, id))
      const fault = decimalsError(amount, currency)
      if (fault) throw new Invalid({ amount: [fault] })
      const options = { input: { id, amount, description }, actor: sessionActor(app, request) }
      const funded = await performAction(app, request, fundAccountAction, options)
      return reply.code(201).send(funded)
    },
  })
}
