import type { Tx } from '../../db/client.ts'
import { addBuiltIn, connectSandboxNetworks } from '../connections/sandbox-networks.ts'
import { type Account, assignReceiver, createAccount, type NewAccount } from './accounts.ts'
import { TEST_CURRENCY } from './currencies.ts'
import { scheduleRefill } from './refills.ts'

/** Opens a wallet and gives it a receiver number of its own on the networks of the sandbox. @throws Invalid */
export async function openSandboxWallet(tx: Tx, now: Date, connection: string, input: NewAccount): Promise<Account> {
  const account = await createAccount(tx, now, input)
  await addBuiltIn(tx, now, [{ slug: connection, driver: 'sandbox', environment: 'sandbox' }], { priority: 1_000 })
  await assignReceiver(tx, { connection, number: String(RECEIVER_NUMBER_OFFSET + account.id), account: account.id })
  await connectSandboxNetworks(tx, now)
  if (account.currency === TEST_CURRENCY && account.kind === 'local') await scheduleRefill(tx, now, account.id)
  return account
}

/** Receiver numbers have at least six digits, like tills and short codes. */
const RECEIVER_NUMBER_OFFSET = 100_000
