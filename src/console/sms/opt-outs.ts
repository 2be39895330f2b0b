import { z } from 'zod'
import type { App } from '../../app.ts'
import { exactPhone } from '../../core/filters.ts'
import { consentStates, pageOfConsents, type SmsConsent } from '../../core/sms/consents.ts'
import { answerPage, listOf, listQuery, orderings } from '../../http/lists.ts'
import { readPage } from '../../http/pages.ts'
import type { Server } from '../../http/server.ts'
import { ConsentView, SMS_SETTINGS } from './view.ts'

const URL = `${SMS_SETTINGS}/opt-outs`

/** Add the list of consents to SMS that are not transactional. */
export function addOptOuts(server: Server, app: App): void {
  server.get(URL, {
    config: { permission: 'view' },
    schema: {
      querystring: listQuery({ phonenumber: exactPhone(), state: z.enum(consentStates).optional() }),
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
}

function toView({ organization, ...consent }: SmsConsent) {
  return { ...consent, own: organization !== null }
}
