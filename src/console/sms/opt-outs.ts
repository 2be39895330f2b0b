import { z } from 'zod'
import type { App } from '../../app.ts'
import { choiceError, phonenumber, requiredText } from '../../core/fields.ts'
import { exactPhone } from '../../core/filters.ts'
import { getConsent, pageOfConsents, removeConsent, type SmsConsent, setConsents } from '../../core/sms/consents.ts'
import { begin } from '../../db/client.ts'
import { answerPage, idParams, listOf, listQuery, orderings } from '../../http/lists.ts'
import { readPage } from '../../http/pages.ts'
import type { Server } from '../../http/server.ts'
import { recordRequestAction } from '../audit.ts'
import { requireSingleOrganization } from '../fees.ts'
import { requireSession } from '../guard.ts'
import { ConsentView, SMS_SETTINGS } from './view.ts'

const permission = 'manage_organization'
const URL = `${SMS_SETTINGS}/opt-outs`
const states = ['withdrawn', 'given'] as const

const reason = requiredText(200).transform((text) => text.trim())

const NewConsent = z.object({
  phonenumber,
  state: z.enum(states, { error: choiceError(states) }).default('withdrawn'),
  /** Reason; the audit log keeps it. */
  reason,
})

/**
 * Add the routes for consent to SMS that are not transactional: list, enter, and forget. Users enter it for their own
 * organization. The audit log gets the reasons but no phone numbers, because it is kept when a person is erased.
 */
export function addOptOuts(server: Server, app: App): void {
  server.get(URL, {
    config: { permission: 'view' },
    schema: {
      querystring: listQuery({ phonenumber: exactPhone(), state: z.enum(states).optional() }),
      response: { 200: listOf(ConsentView) },
    },
    handler: async (request) => {
      const { phonenumber, state } = request.query
      const { organization } = request.caller
      const page = readPage(request.query, orderings)
      const slice = { limit: page.limit, offset: page.offset, descending: page.ordering.descending }
      const list = await app.reads.snapshot((tx) => pageOfConsents(tx, { organization, phonenumber, state }, slice))
      return answerPage(app, request, page, { ...list, rows: list.rows.map(toView) })
    },
  })
  addSet(server, app)
  addRemove(server, app)
}

function toView({ organization, ...consent }: SmsConsent) {
  return { ...consent, own: organization !== null }
}

function addSet(server: Server, app: App): void {
  server.post(URL, {
    config: { permission },
    schema: { body: NewConsent },
    handler: async (request, reply) => {
      const { phonenumber: phone, state, reason } = request.body
      const { organization } = request.caller
      const by = requireSession(request).name
      const said = {
        organization,
        phonenumber: phone.number,
        state,
        word: null,
        connection: null,
        by,
        at: app.clock.now(),
      }
      await begin(app.db, async (tx) => {
        await setConsents(tx, [said])
        await recordRequestAction(tx, app, request, { action: 'set sms consent', details: { state, reason } })
      })
      return reply.code(204).send()
    },
  })
}

function addRemove(server: Server, app: App): void {
  const url = `${URL}/:id/remove`
  server.post(url, {
    config: { permission },
    schema: { params: idParams, body: z.object({ reason }) },
    handler: async (request, reply) => {
      const { reason } = request.body
      await begin(app.db, async (tx) => {
        const found = await getConsent(tx, request.params.id, request.caller.organization)
        // Consent for all organizations is not for one of them to forget.
        if (found.organization === null) await requireSingleOrganization(tx, request.caller.organization)
        const { state, id: consent } = await removeConsent(tx, found.phonenumber, found.organization)
        await recordRequestAction(tx, app, request, {
          action: 'remove sms consent',
          details: { consent, state, reason },
        })
      })
      return reply.code(204).send()
    },
  })
}
