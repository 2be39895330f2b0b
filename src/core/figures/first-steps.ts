import { z } from 'zod'
import type { AnyReader } from '../../db/client.ts'
import { requestCountQuery } from '../collections/request-counts.ts'

/** First steps of a newcomer in the sandbox, each true once it has happened. */
export const FirstSteps = z.object({
  /** A request exists. */
  request: z.boolean(),
  /** A customer has paid a request. */
  paid: z.boolean(),
  /** A program has accepted an event at one of the webhooks. */
  webhook: z.boolean(),
  payment_link: z.boolean(),
  invoice: z.boolean(),
  /** A second person is a user, or was invited. */
  colleague: z.boolean(),
  /** Payments need an approval in some currency. */
  approval_rule: z.boolean(),
})
export type FirstSteps = z.output<typeof FirstSteps>

/** Reads which first steps an organization has done. */
export async function readFirstSteps(db: AnyReader, organization: number): Promise<FirstSteps> {
  const [steps] = await db<FirstSteps[]>`
    select ${requestCountQuery(organization, undefined)} > 0 as request,
      ${requestCountQuery(organization, 'successful')} > 0 as paid,
      exists (select from webhooks w join webhook_attempts a on a.webhook = w.id
        where w.organization = ${organization} and a.failure is null) as webhook,
      exists (select from payment_links where organization = ${organization}) as payment_link,
      exists (select from invoices where organization = ${organization}) as invoice,
      (select count(*) > 1 from memberships m join users u on u.id = m."user"
        where m.organization = ${organization} and u.kind = 'person')
        or exists (select from one_time_links where organization = ${organization} and purpose = 'invitation') as colleague,
      exists (select from approval_rules where organization = ${organization}) as approval_rule`
  return steps!
}
