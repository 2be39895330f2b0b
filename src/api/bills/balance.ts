import { z } from 'zod'
import type { App } from '../../app.ts'
import { BillRefusal } from '../../core/bills/refusals.ts'
import { findBillWallet, findLastDepositTime } from '../../core/bills/wallets.ts'
import { documented, timestamp } from '../../core/fields.ts'
import type { Server } from '../../http/server.ts'
import { amountNumber, envelopeOf, success } from './envelope.ts'

const balance = z.object({
  balance: documented(amountNumber, 'The amount that can be spent.'),
  lastDeposit: documented(timestamp.nullable(), 'When money was last added; null for never.'),
})

/** The balance of the wallet that pays for bills, without the amounts on hold for open purchases. */
export function addBalance(server: Server, app: App): void {
  server.get('/superagent/account/balance', {
    schema: {
      tags: ['Bill payments'],
      operationId: 'getBillBalance',
      summary: 'Get the balance of the wallet that pays for bills',
      description:
        'Returns the amount that the wallet can spend, without amounts on hold, and the time of the last deposit.',
      response: { 200: envelopeOf(balance) },
    },
    handler: async (request) => {
      const wallet = await findBillWallet(app.db, request.caller.organization)
      if (!wallet) throw new BillRefusal('EXC00105', 'The organization has no active account in NGN.')
      return success({ balance: wallet.balance, lastDeposit: await findLastDepositTime(app.db, wallet.id) })
    },
  })
}
