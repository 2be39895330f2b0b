import type { Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { prepareText } from '../../lib/sms-text.ts'
import { refuseSms } from './attempts.ts'

/** SMS that still waits, with the text that it has to say now; null if it has nothing to say any more. */
export interface RevisedSms {
  id: number
  body: string | null
}

/** Changes or ends SMS, after what they say has changed. One that a process sends at the moment stays as it is. */
export async function reviseUnsent(tx: Tx, revised: readonly RevisedSms[]): Promise<void> {
  if (revised.length === 0) return
  const bodies = new Map(revised.map(({ id, body }) => [id, body]))
  const locked = await tx<{ id: number; organization: number; state: string; leased_until: Date | null }[]>`
    select id, organization, state, leased_until from sms_messages where id = any(${[...bodies.keys()]}::bigint[])
    order by id for update`
  const unsent = locked.filter(({ state, leased_until }) => state === 'waiting' && leased_until === null)
  const changed = unsent.flatMap(({ id, organization }) => {
    const body = bodies.get(id)!
    return body === null ? [] : [{ id, organization, body: prepareText(body) }]
  })
  const message = getMessage('sms.changed')
  refuseSms(
    tx,
    unsent.flatMap(({ id, organization }) =>
      bodies.get(id) === null ? [{ id, organization, reason: 'request_ended', message }] : [],
    ),
  )
  if (changed.length === 0) return
  const r = rows(changed, { id: 'bigint', organization: 'bigint', body: 'text' })
  tx.send`
    update sms_messages m set body = r.body from ${r.as('r')} where m.id = r.id and m.organization = r.organization`
}
