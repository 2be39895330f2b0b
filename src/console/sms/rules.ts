import { z } from 'zod'
import type { App } from '../../app.ts'
import { booleanField, optional, requiredText, text } from '../../core/fields.ts'
import { Invalid } from '../../core/refusals.ts'
import { removeCountryRule, setCountryRule } from '../../core/sms/country-rules.ts'
import { begin } from '../../db/client.ts'
import type { Server } from '../../http/server.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { recordRequestAction } from '../audit.ts'
import { requireSingleOrganization } from '../fees.ts'
import { countryCode, RuleView, SMS_SETTINGS } from './view.ts'

const permission = 'manage_organization'
const params = z.object({ country: countryCode })

/** `HH:MM` of the country's clock. Both empty: no quiet hours. What is left out stays as it is. */
const Rule = z.object({
  time_zone: optional(requiredText(60)),
  quiet_from: text(5).optional(),
  quiet_until: text(5).optional(),
  consent_required: booleanField.optional(),
})

/** The routes for the rules of countries, which count for all organizations. */
export function addSmsRules(server: Server, app: App): void {
  const url = `${SMS_SETTINGS}/rules/:country`
  server.put(url, {
    config: { permission },
    schema: { params, body: Rule, response: { 200: RuleView } },
    handler: async (request) => {
      const { time_zone, consent_required } = request.body
      const change = {
        ...readHours(request.body),
        ...(time_zone !== undefined && { time_zone }),
        ...(consent_required !== undefined && { consent_required }),
      }
      const set = await begin(app.db, async (tx) => {
        await requireSingleOrganization(tx, request.caller.organization)
        const rule = await setCountryRule(tx, request.params.country, change)
        await recordRequestAction(tx, app, request, { action: 'set sms rule', details: { ...rule } })
        return rule
      })
      app.wake()
      return { ...set, is_set: true }
    },
  })

  server.delete(url, {
    config: { permission },
    schema: { params },
    handler: async (request, reply) => {
      const { country } = request.params
      await begin(app.db, async (tx) => {
        await requireSingleOrganization(tx, request.caller.organization)
        await removeCountryRule(tx, country)
        await recordRequestAction(tx, app, request, { action: 'remove sms rule', details: { country } })
      })
      app.wake()
      return reply.code(204).send()
    },
  })
}

/** @throws Invalid where only one of the two is given */
function readHours({ quiet_from, quiet_until }: z.output<typeof Rule>) {
  if (quiet_from === undefined && quiet_until === undefined) return {}
  if (!quiet_from && !quiet_until) return { quiet_from: null, quiet_until: null }
  if (!quiet_from || !quiet_until)
    throw new Invalid({ [quiet_from ? 'quiet_until' : 'quiet_from']: [getMessage('sms.both_times')] })
  return { quiet_from, quiet_until }
}
