import { z } from 'zod'
import type { App } from '../../app.ts'
import { requireOwned, requireSingleOrganization } from '../../core/access/organizations.ts'
import { positiveAmount, requiredText } from '../../core/fields.ts'
import { findAccount, Wallet } from '../../core/ledger/accounts.ts'
import { fundAccountAction } from '../../core/ledger/actions.ts'
import { decimalsError } from '../../core/ledger/currencies.ts'
import { Invalid } from '../../core/refusals.ts'
import type { Server } from '../../http/server.ts'
import { addAction } from '../actor.ts'

/** Add the route that adds money to a wallet, once for each Duplicate-Check-Key, as `npx kusanya accounts fund` does. */
export function addWallets(server: Server, app: App): void {
  addAction(server, app, fundAccountAction, {
    method: 'POST',
    url: '/console/api/wallets/:id/funds',
    body: z.object({ amount: positiveAmount, description: requiredText(200) }),
    answer: Wallet,
    status: 201,
    async input({ caller: { organization }, params: { id }, body: { amount, description } }) {
      await requireSingleOrganization(app.db, organization)
      const { currency } = requireOwned(organization, await findAccount(app.db, id))
      const fault = decimalsError(amount, currency)
      if (fault) throw new Invalid({ amount: [fault] })
      return { id, amount, description }
    },
  })
}
