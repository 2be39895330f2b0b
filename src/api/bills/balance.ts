import { z } from 'zod'
import type { App } from '../../app.ts'
import { BillRefusal } from '../../core/bills/refusals.ts'
import { findBillWallet, findLastDepositTime } from '../../core/bills/wallets.ts'
import { timestamp } from '../../core/fields.ts'
import { refuseOtherMethods } from '../../http/methods.ts'
import type { Server } from '../../http/server.ts'
import { amountNumber, envelopeOf, success } from './envelope.ts'

/** What is left to pay bills with. What is on hold for purchases under way is not in it. */
export function addBalance(counter: Server, app: App): void {
  counter.get('/superagent/account/balance', {
    config: { allow: 'GET, HEAD, OPTIONS' },
    schema: {
      tags: ['Bill payments'],
      operationId: 'getBillBalance',
      summary: 'Get the balance that bills are paid from',
      response: { 200: envelopeOf(z.object({ balance: amountNumber, lastDeposit: timestamp.nullable() })) },
    },
    handler: async (request) => {
      const wallet = await findBillWallet(app.db, request.caller.organization)
      if (!wallet) throw new BillRefusal('EXC00105', 'The organization has no active account in NGN.')
      return success({ balance: wallet.balance, lastDeposit: await findLastDepositTime(app.db, wallet.id) })
    },
  })
  refuseOtherMethods(counter, '/superagent/account/balance', ['GET'])
}
