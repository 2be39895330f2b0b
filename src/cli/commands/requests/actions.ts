import type { Command } from 'commander'
import type { App } from '../../../app.ts'
import { chargeConnections } from '../../../connections/charge-connections.ts'
import { chooseNetworkAgain, reminderLimits } from '../../../connections/request-actions.ts'
import { getOrganization } from '../../../core/access/organizations.ts'
import { ensureSecret, PAGE_KEY_PURPOSE } from '../../../core/checkout/payment-pages.ts'
import type { CollectionRequest } from '../../../core/collections/collection-request.ts'
import { requestsById } from '../../../core/collections/requests.ts'
import { remindCustomer } from '../../../core/follow-ups/reminders.ts'
import { retryRequest } from '../../../core/follow-ups/retries.ts'
import { sendPaymentLink } from '../../../core/follow-ups/sent-links.ts'
import { NotFound } from '../../../core/refusals.ts'
import { begin, type Tx } from '../../../db/client.ts'
import { byOption, findActor, jsonOption, toCount } from '../../arguments.ts'
import { recordOperatorAction } from '../../operator-audit.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

/** The commands that remind a customer, try a request again, and send a payment link for it. */
export function addRequestActions(requests: Command, terminal: Terminal): void {
  addAction(requests, terminal, {
    verb: 'remind',
    about: 'resend the instructions of an open request, and bring the next prompt forward',
    audit: 'remind customer',
    act: (app, tx, input) =>
      remindCustomer(tx, app.clock.now(), {
        ...{ ...input, request: input.request.id, limits: reminderLimits(app.config) },
        connections: chargeConnections(app.connections),
      }),
    text: ({ prompt }) => (prompt ? 'The reminder is sent, and another prompt follows.' : 'The reminder is sent.'),
  })
  addAction(requests, terminal, {
    verb: 'retry',
    about: 'retry a failed or expired request',
    audit: 'retry request',
    act: async (app, tx, input) => {
      const network = await chooseNetworkAgain(tx, app.connections.list(), input.request)
      return retryRequest(tx, app.clock.now(), { ...input, request: input.request.id, network })
    },
    text: ({ id }) => `Request ${id} asks for the money again.`,
  })
  addAction(requests, terminal, {
    verb: 'link',
    about: 'send a payment link for a failed or expired request',
    audit: 'send payment link',
    act: async (app, tx, input) => {
      const { id: request, organization } = input.request
      const sent = { ...input, request, limits: reminderLimits(app.config), base_url: app.address.url }
      const link = await sendPaymentLink(tx, app.clock.now(), sent)
      await ensureSecret(tx, app.clock.now(), organization, app.sealingKeys(PAGE_KEY_PURPOSE))
      return link
    },
    text: ({ id, url }) => `Payment link ${id} is sent: ${url}`,
  })
}

interface Action<Made> {
  verb: string
  about: string
  /** The action in the audit log. */
  audit: string
  act(app: App, tx: Tx, input: { request: CollectionRequest; author: number; comment: string }): Promise<Made>
  text(made: Made): string
}

function addAction<Made extends object>(requests: Command, terminal: Terminal, action: Action<Made>): void {
  requests
    .command(action.verb)
    .description(action.about)
    .argument('<id>', 'as `requests list` shows it', toCount)
    .option('--comment <text>', 'the reason, kept on record', '')
    .addOption(byOption())
    .addOption(jsonOption())
    .action((id: number, options: { comment: string; by?: string; json?: boolean }) =>
      withApp(terminal, async (app) => {
        const by = await findActor(app.db, options.by)
        const made = await begin(app.db, async (tx) => {
          const request = (await requestsById(tx, [id])).get(id)
          if (!request) throw new NotFound(`There is no request ${id}.`)
          const { organization } = request
          const author = by.user ?? (await getOrganization(tx, organization)).service_user
          const result = await action.act(app, tx, { request, author, comment: options.comment })
          const entry = { action: action.audit, object_type: 'collectionrequest', object: id } as const
          await recordOperatorAction(tx, app, organization, { ...entry, details: { by: by.name } })
          return result
        })
        app.wake()
        printResult(terminal, made, { ...options, text: action.text(made) })
      }),
    )
}
