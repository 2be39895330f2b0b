import { z } from 'zod'
import type { App } from '../../app.ts'
import { BillRefusal } from '../../core/bills/refusals.ts'
import { findBillWallet, findLastDepositTime } from '../../core/bills/wallets.ts'
import { timestamp } from '../../core/fields.ts'
import type { Server } from '../../http/server.ts'
import { amountNumber, envelopeOf, success } from './envelope.ts'

/** The balance of the wallet that pays for bills, without the amounts on hold for open purchases. */
export function addBalance(server: Server, app: App): void {
  server.get('/superagent/account/balance', {
    config: { allow: 'GET, HEAD, OPTIONS' },
    schema: {
      tags: ['Bill payments'],
      operationId: 'getBillBalance',
      summary: 'Get the balance of the wallet that pays for bills',
      response: { 200: envelopeOf(z.object({ balance: amountNumber, lastDeposit: timestamp.nullable() })) },
    },
    handler: async (request) => {
      const wallet = await findBillWallet(app.db, request.caller.organization)
      if (!wallet) throw new BillRefusal('EXC00105', 'The organization has no active account in NGN.')
      return success({ balance: wallet.balance, lastDeposit: await findLastDepositTime(app.db, wallet.id) })
    },
  })
}
