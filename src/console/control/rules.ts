import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../app.ts'
import type { ControlRequest } from '../../core/control/kinds.ts'
import { anyAmount, booleanField, integer, optional } from '../../core/fields.ts'
import type { Server } from '../../http/server.ts'
import { Confirmation } from '../access/confirmation.ts'
import { makeChange, PendingAnswer } from './changes.ts'

/** Rule of payments, of the kind of its change. */
interface Rule {
  kind: ControlRequest['kind']
  /** Below `/console/api/settings`. */
  path: string
  params?: z.ZodRawShape
  fields: z.ZodRawShape
  /** Fields without the rule. Missing for a rule that nobody removes. */
  none?: Record<string, null>
}

const currency = { currency: z.string() }
const limit = optional(anyAmount).transform((amount) => amount ?? null)
/** An amount, or null for no limit. A field that is left out stays undefined. */
const limitOrAbsent = z.preprocess((input) => (input === '' ? null : input), z.union([z.null(), anyAmount])).optional()

const rules: readonly Rule[] = [
  {
    kind: 'approval_rule',
    path: 'approval/:currency',
    params: currency,
    fields: { threshold: anyAmount, second_threshold: limitOrAbsent, third_threshold: limitOrAbsent },
    none: { threshold: null },
  },
  {
    kind: 'approver_limits',
    path: 'approvers/:user/:currency',
    params: { user: integer(), ...currency },
    fields: { per_payment: limit, per_day: limit },
    none: { per_payment: null, per_day: null },
  },
  {
    kind: 'payment_limits',
    path: 'limits/:currency',
    params: currency,
    fields: { per_day: limit, per_recipient: limit, per_user: limit },
    none: { per_day: null, per_recipient: null, per_user: null },
  },
  { kind: 'second_factor_rule', path: 'second-factor', fields: { required: booleanField } },
  { kind: 'matching_threshold', path: 'matching/:currency', params: currency, fields: { threshold: limit } },
]

/**
 * Add the routes for the rules of payments: approvals, limits by approver and sum, second factors, and thresholds for
 * manual matching. They answer 204, or 202 if the change waits for a second manager.
 */
export function addRules(server: Server, app: App): void {
  for (const { kind, path, params, fields, none } of rules) {
    const add = (method: 'PUT' | 'DELETE', read: z.ZodObject, given?: Record<string, null>) =>
      server.route({
        method,
        url: `/console/api/settings/${path}`,
        config: { permission: 'manage_organization' },
        schema: {
          ...(params && { params: z.object(params) }),
          body: z.intersection(read, Confirmation),
          response: { 202: PendingAnswer, 204: z.undefined() },
        },
        handler: async (request: FastifyRequest, reply: FastifyReply) => {
          const body = request.body as Confirmation & Record<string, unknown>
          const members = Object.fromEntries(Object.keys(fields).map((name) => [name, body[name]]))
          const change = { kind, ...(request.params as object), ...(given ?? members) } as ControlRequest
          const result = await makeChange(app, request, change, body)
          return result.is_pending ? reply.code(202).send({ pending: result.change! }) : reply.code(204).send()
        },
      })
    add('PUT', z.object(fields))
    if (none) add('DELETE', z.object({}), none)
  }
}
