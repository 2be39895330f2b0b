import { begin, type Database, type Tx } from '../../db/client.ts'
import { accountHolderOf } from './behaviours.ts'
import { queueCallbacks } from './callbacks.ts'
import { createChargeBatcher, findCharge, findPayment, listOpenPrompts } from './charges.ts'
import { issueToken, ownerOfToken, readSwitches, recall, recallAll, remember } from './door-values.ts'
import { addSeconds } from './ids.ts'
import { createPayoutBatcher, failPayout, findPayout } from './payouts.ts'
import { placeRefund } from './refunds.ts'
import { findSms, listSms, takeSms } from './sms.ts'
import { readInbox } from './sms-inbox.ts'
import { readBalance, readStatement } from './statement.ts'
import { payUnrequested } from './validation-requests.ts'
import type { World, WorldContext } from './world.ts'

interface WorldOptions extends WorldContext {
  db: Database
  /** Something is due now: callbacks, or a payment that waits for validation. */
  onAction(): void
}

/**
 * Open the world over a database. Any number of processes may do so.
 * @returns a function that makes the world of one door
 */
export function openWorld(options: WorldOptions): (door: string) => World {
  const { db, faults } = options
  const placeCharge = createChargeBatcher(options)
  const placePayout = createPayoutBatcher(options)
  return (door) => {
    const skewed = (time: Date) => addSeconds(time, faults.clockSkew(door))
    const real = () => skewed(options.real())
    const act = async <Result>(work: (tx: Tx) => Promise<Result>) => {
      const result = await begin(db, work)
      options.onAction()
      return result
    }
    return {
      now: () => skewed(options.now()),
      real,
      placeCharge: (charge) => placeCharge({ ...charge, door }),
      findCharge: (name) => findCharge(db, door, name),
      placePayout: (payout) => placePayout({ ...payout, door }),
      findPayout: (name) => findPayout(db, options.now(), door, name, false),
      failPayout: (key, failure) => act((tx) => failPayout(tx, options.now(), { door, key }, failure)),
      placeRefund: (refund) => begin(db, (tx) => placeRefund(tx, options, { ...refund, door })),
      findRefund: (name) => findPayout(db, options.now(), door, name, true),
      findPayment: (remote_id) => findPayment(db, door, remote_id),
      openPrompts: (phonenumber) => listOpenPrompts(db, phonenumber, door),
      holder: accountHolderOf,
      balance: (number, currency) => readBalance(db, door, number, currency),
      statement: (filter) => readStatement(db, { ...filter, door }),
      pay: async (payment) => ({ remote_id: await act((tx) => payUnrequested(tx, options, door, payment)) }),
      takeSms: (sms, reportsOf) => act((tx) => takeSms(tx, options, door, sms, reportsOf)),
      listSms: (filter) => listSms(db, { ...filter, door }, options.now()),
      inbox: (after, limit) => readInbox(db, door, after, limit),
      findSms: (remote_id) => findSms(db, door, remote_id, options.now()),
      sendCallback: (callback) =>
        act((tx) => queueCallbacks(tx, options.now(), [{ ...callback, door, about: null, held: false }])),
      switches: () => readSwitches(db, door, options.doors.get(door)?.default_switches ?? {}),
      remember: (name, value) => begin(db, (tx) => remember(tx, door, name, value)),
      recall: (name) => recall(db, door, name),
      recallAll: (prefix) => recallAll(db, door, prefix),
      issueToken: (owner, valid_s, { token, ends_earlier = false } = {}) => {
        const [now, expires] = [real(), addSeconds(real(), valid_s)]
        return begin(db, (tx) => issueToken(tx, { door, owner, token, expires, now, ends_earlier }))
      },
      ownerOfToken: (token) => ownerOfToken(db, door, token, real()),
    }
  }
}
