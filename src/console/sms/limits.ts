import { z } from 'zod'
import type { App } from '../../app.ts'
import { booleanField, integer } from '../../core/fields.ts'
import { Invalid } from '../../core/refusals.ts'
import { setSmsLimit } from '../../core/sms/usage.ts'
import { begin } from '../../db/client.ts'
import type { Server } from '../../http/server.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { recordRequestAction } from '../audit.ts'
import { requireSingleOrganization } from '../fees.ts'
import { SMS_SETTINGS } from './view.ts'

/** Limits to change; missing ones stay. */
const Limit = z.object({
  /** Parts of SMS in a calendar month in UTC; null or empty for any number. */
  monthly_parts: z
    .preprocess((input) => (input === '' ? null : input), integer({ min: 0, max: 999_999_999 }).nullable())
    .optional(),
  /** True if STOP also ends the SMS that confirm payments. */
  stop_covers_receipts: booleanField.optional(),
})

/** Add the route for an organization's monthly SMS limit, which the operator sets, and for the SMS that STOP ends. */
export function addSmsLimits(server: Server, app: App): void {
  const url = `${SMS_SETTINGS}/limit`
  server.put(url, {
    config: { permission: 'manage_organization' },
    schema: {
      body: Limit,
      response: { 200: z.object({ monthly_parts: z.int().nullable(), stop_covers_receipts: z.boolean() }) },
    },
    handler: async (request) => {
      const { monthly_parts, stop_covers_receipts } = request.body
      const { organization } = request.caller
      if (monthly_parts === undefined && stop_covers_receipts === undefined)
        throw new Invalid({ monthly_parts: [getMessage('sms.limit')] })
      return begin(app.db, async (tx) => {
        if (monthly_parts !== undefined) await requireSingleOrganization(tx, organization)
        const set = await setSmsLimit(tx, organization, {
          ...(monthly_parts !== undefined && { monthly_parts }),
          ...(stop_covers_receipts !== undefined && { stop_covers_receipts }),
        })
        const details = { monthly_parts: set.monthly_parts, stop_covers_receipts: set.stop_covers_receipts }
        await recordRequestAction(tx, app, request, {
          ...{ action: 'set sms limit', object_type: 'organization', object: organization, details },
        })
        return details
      })
    },
  })
}
