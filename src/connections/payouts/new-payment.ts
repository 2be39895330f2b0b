import { findNetworkNames } from '../../core/contacts/lookups.ts'
import { findAccountOwners, listActiveWallets } from '../../core/ledger/accounts.ts'
import type { NewPayment } from '../../core/payments/create.ts'
import { type NewPaymentBody, toNewPayment } from '../../core/payments/new-payment.ts'
import type { Reader } from '../../db/client.ts'
import { findConnection, hasSeveralNetworks } from '../choose.ts'
import type { Connections } from '../registry.ts'

/** The parts of the App that new payments need. */
interface PaymentsApp {
  db: Reader
  clock: { now(): Date }
  connections: Pick<Connections, 'list'>
}

/** The user who wants to pay. */
interface PaymentCaller {
  organization: number
  user: number
}

/**
 * Turn a valid body into a payment that has no rows yet: with its wallet, and with the network of each recipient.
 * @throws as toNewPayment
 */
export async function prepareNewPayment(
  app: PaymentsApp,
  { organization, user }: PaymentCaller,
  body: NewPaymentBody,
): Promise<NewPayment> {
  const connections = app.connections.list()
  const phones = [body, ...(body.recipient_data ?? [])].flatMap(({ phonenumber }) => phonenumber?.number ?? [])
  const [wallets, owners, known] = await Promise.all([
    listActiveWallets(app.db, [organization]),
    body.account ? findAccountOwners(app.db, [body.account]) : new Map<number, number>(),
    hasSeveralNetworks(connections, organization) ? findNetworkNames(app.db, organization, phones) : undefined,
  ])
  return toNewPayment(body, {
    now: app.clock.now(),
    organization,
    author: user,
    wallets,
    owner: owners.get(body.account ?? 0),
    networkFor: (phonenumber, { id: account, currency }, amount) =>
      findConnection(connections, {
        kind: 'payout',
        organization,
        phonenumber,
        currency,
        amount,
        account,
        network_name: known?.get(phonenumber),
        airtime: body.payment_type === 'airtime',
      }),
  })
}
