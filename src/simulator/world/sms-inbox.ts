import type { Reader, Tx } from '../../db/client.ts'
import { insert } from '../../db/table.ts'
import { valueTable } from './door-values.ts'
import type { CustomerSms, ReceivedSms } from './sms-records.ts'

/*
 * Inbound SMS that a provider keeps until the business fetches them: a list in the values of its door.
 */

const INBOX = 'inbox'

/** Add an inbound SMS to the provider's list. */
export async function keepSms(tx: Tx, door: string, sms: CustomerSms, now: Date): Promise<void> {
  const value = [{ ...sms, received: now.toISOString() }]
  await tx`
    ${insert(valueTable, [{ door, name: INBOX, value }], {})}
    on conflict (door, name) do update
    set value = (simulator_door_values.value::jsonb || excluded.value::jsonb)::json`
}

/** Read the SMS that a provider keeps, oldest first, after the one with an id; 0 for all. */
export async function readInbox(db: Reader, door: string, after: number, limit: number): Promise<ReceivedSms[]> {
  const found = await db<{ id: number; sms: Omit<ReceivedSms, 'id'> }[]>`
    select kept.id::integer as id, kept.sms
    from simulator_door_values v cross join lateral json_array_elements(v.value) with ordinality as kept(sms, id)
    where v.door = ${door} and v.name = ${INBOX} and kept.id > ${after}
    order by kept.id limit ${limit}`
  return found.map(({ id, sms }) => ({ id, ...sms }))
}
