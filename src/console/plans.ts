import { z } from 'zod'
import type { App } from '../app.ts'
import { timestamp } from '../core/fields.ts'
import { Invalid } from '../core/refusals.ts'
import { nextOccurrence, readSchedule } from '../core/subscriptions.ts'
import { closeAddress } from '../http/resource.ts'
import type { Server } from '../http/server.ts'

/** Enough to see whether it is what was meant. */
const MOST_DATES = 5

/** The dates that the settings of a recurring request give, for whoever is about to create it. */
export function addPlans(server: Server, app: App): void {
  const address = '/console/api/plans/preview'
  server.get(address, {
    config: { permission: 'view' },
    schema: {
      querystring: z.object({ subscription_settings: z.string() }),
      response: { 200: z.object({ dates: z.array(timestamp), more: z.boolean() }) },
    },
    handler: async ({ query }) => {
      const schedule = readSchedule(query.subscription_settings, null, app.clock.now())
      if (Array.isArray(schedule)) throw new Invalid({ subscription_settings: schedule })
      const dates: Date[] = []
      let next: Date | null = schedule.first
      while (next && dates.length < MOST_DATES) {
        dates.push(next)
        next = nextOccurrence(schedule.recurrence, next)
      }
      return { dates, more: next !== null }
    },
  })
  closeAddress(server, address, ['GET'])
}
