import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ArchiveOptions, type ArchiveRun, archive } from '../../../../src/cli/commands/archive/write.ts'
import { archiveKinds } from '../../../../src/core/archive/kinds.ts'
import { answer, sendOrder } from '../../../core/charges.ts'
import { amount, openShop, type Shop } from '../../../core/shop.ts'
import type { TestAppOptions } from '../../../test-app.ts'

/** A shop with an archive, whose requests can be made old. */
export interface OldShop extends Shop {
  folder: string
  /** A request that has ended, with an order, its answers and an SMS. */
  endRequest(options?: { paid?: boolean; phonenumber?: string; reason?: string }): Promise<number>
  /** Let all retention end. */
  grow(): void
  archive(changes?: Partial<ArchiveOptions>): Promise<ArchiveRun>
  /** Return the number of rows about a request in the database, by table. */
  count(request: number): Promise<Record<string, number>>
}

const ELEVEN_YEARS_S = 11 * 366 * 24 * 3_600

export async function openOldShop(options?: TestAppOptions): Promise<OldShop> {
  const shop = await openShop(options)
  const folder = await mkdtemp(join(tmpdir(), 'kusanya-archive-'))
  let money = 0
  return {
    ...shop,
    folder,
    async endRequest({ paid = false, phonenumber = '+80000000007', reason = 'Rent' } = {}) {
      const { id } = await shop.createRequest({ phonenumber, reason, max_attempts: 0, send_instructions: true })
      const order = await sendOrder(shop, id)
      money += 1
      if (paid)
        await answer(shop, order, {
          outcome: 'successful',
          remote_id: `M${money}`,
          message: 'Paid',
          amount: amount('1500'),
        } as never)
      else await answer(shop, order, { outcome: 'failed', message: 'The customer said no' } as never)
      await shop.db`
        insert into sms_messages (organization, collection_request, purpose, phonenumber, body, state, created, sent_at, providers)
        values (${shop.organization}, ${id}, 'message', ${phonenumber}, ${`Dear ${phonenumber}`}, 'sent', ${shop.now()}, ${shop.now()},
          '[["sms",null,"S1",null,"sent",1,null,null,true,1893499200000,[1893499200000,"reply","sent"]]]')`
      await shop.db`
        update sms_messages set state = 'failed', last_error = 'No answer', due_at = null where collection_request = ${id} and due_at is not null`
      return id
    },
    grow: () => shop.testApp.clock.advance(ELEVEN_YEARS_S),
    archive: (changes) =>
      archive(shop.testApp.app, { kinds: archiveKinds, folder, sizes: { segment: 2, piece: 1 }, ...changes }),
    async count(request) {
      const [row] = await shop.db<Record<string, number>[]>`
        select (select count(*) from collection_requests where id = ${request}) as requests,
          (select count(*) from collection_request_transitions where collection_request = ${request}) as transitions,
          (select count(*) from network_orders where collection_request = ${request}) as orders,
          (select count(*) from network_order_answers a join network_orders o on o.id = a.network_order
            where o.collection_request = ${request}) as answers,
          (select count(*) from sms_messages where collection_request = ${request}) as sms`
      return row!
    },
    async close() {
      await rm(folder, { recursive: true })
      await shop.close()
    },
  }
}
