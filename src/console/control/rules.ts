import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../app.ts'
import type { ControlRequest } from '../../core/control/kinds.ts'
import { anyAmount, booleanField, integer, optional } from '../../core/fields.ts'
import type { Server } from '../../http/server.ts'
import { Confirmation } from '../access/confirmation.ts'
import { makeChange, PendingAnswer } from './changes.ts'

const permission = 'manage_organization'
const response = { 202: PendingAnswer, 204: z.undefined() }
const params = z.object({ currency: z.string() })

/** Make a change. Returns the answer if it waits for a second manager. */
type Change = (
  request: FastifyRequest & { body: Confirmation },
  input: ControlRequest,
) => Promise<z.output<typeof PendingAnswer> | undefined>

/**
 * Add the routes for the rules of payments: approvals, limits by approver and sum, second factors, and thresholds for
 * manual matching. They answer 204, or 202 if the change waits for a second manager.
 */
export function addRules(server: Server, app: App): void {
  const change: Change = async (request, input) => {
    const result = await makeChange(app, request, input, request.body)
    return result.is_pending ? { pending: result.change! } : undefined
  }
  addApproval(server, change)
  addApproverLimits(server, change)
  addLimits(server, change)
  addSecondFactorRule(server, change)
  addMatchingThreshold(server, change)
}

/** An amount, or null for no limit. A field that is left out stays undefined. */
const limitOrAbsent = z.preprocess((input) => (input === '' ? null : input), z.union([z.null(), anyAmount])).optional()

function addApproval(server: Server, change: Change): void {
  const url = '/console/api/settings/approval/:currency'
  const Rule = z.object({ threshold: anyAmount, second_threshold: limitOrAbsent, third_threshold: limitOrAbsent })
  server.put(url, {
    config: { permission },
    schema: { params, body: Rule.and(Confirmation), response },
    handler: async (request, reply) => {
      const { threshold, second_threshold, third_threshold } = request.body
      const rule = { threshold, second_threshold, third_threshold }
      const pending = await change(request, { kind: 'approval_rule', ...request.params, ...rule })
      return pending ? reply.code(202).send(pending) : reply.code(204).send()
    },
  })
  server.delete(url, {
    config: { permission },
    schema: { params, body: Confirmation, response },
    handler: async (request, reply) => {
      const pending = await change(request, { kind: 'approval_rule', ...request.params, threshold: null })
      return pending ? reply.code(202).send(pending) : reply.code(204).send()
    },
  })
}

const limit = optional(anyAmount).transform((amount) => amount ?? null)

function addApproverLimits(server: Server, change: Change): void {
  const url = '/console/api/settings/approvers/:user/:currency'
  const params = z.object({ user: integer(), currency: z.string() })
  const Limits = z.object({ per_payment: limit, per_day: limit })
  server.put(url, {
    config: { permission },
    schema: { params, body: Limits.and(Confirmation), response },
    handler: async (request, reply) => {
      const { per_payment, per_day } = request.body
      const pending = await change(request, { kind: 'approver_limits', ...request.params, per_payment, per_day })
      return pending ? reply.code(202).send(pending) : reply.code(204).send()
    },
  })
  server.delete(url, {
    config: { permission },
    schema: { params, body: Confirmation, response },
    handler: async (request, reply) => {
      const none = { per_payment: null, per_day: null }
      const pending = await change(request, { kind: 'approver_limits', ...request.params, ...none })
      return pending ? reply.code(202).send(pending) : reply.code(204).send()
    },
  })
}

function addLimits(server: Server, change: Change): void {
  const url = '/console/api/settings/limits/:currency'
  const Limits = z.object({ per_day: limit, per_recipient: limit, per_user: limit })
  server.put(url, {
    config: { permission },
    schema: { params, body: Limits.and(Confirmation), response },
    handler: async (request, reply) => {
      const { per_day, per_recipient, per_user } = request.body
      const limits = { per_day, per_recipient, per_user }
      const pending = await change(request, { kind: 'payment_limits', ...request.params, ...limits })
      return pending ? reply.code(202).send(pending) : reply.code(204).send()
    },
  })
  server.delete(url, {
    config: { permission },
    schema: { params, body: Confirmation, response },
    handler: async (request, reply) => {
      const none = { per_day: null, per_recipient: null, per_user: null }
      const pending = await change(request, { kind: 'payment_limits', ...request.params, ...none })
      return pending ? reply.code(202).send(pending) : reply.code(204).send()
    },
  })
}

function addMatchingThreshold(server: Server, change: Change): void {
  const url = '/console/api/settings/matching/:currency'
  server.put(url, {
    config: { permission },
    schema: { params, body: z.object({ threshold: limit }).and(Confirmation), response },
    handler: async (request, reply) => {
      const { threshold } = request.body
      const pending = await change(request, { kind: 'matching_threshold', ...request.params, threshold })
      return pending ? reply.code(202).send(pending) : reply.code(204).send()
    },
  })
}

function addSecondFactorRule(server: Server, change: Change): void {
  const url = '/console/api/settings/second-factor'
  server.put(url, {
    config: { permission },
    schema: { body: z.object({ required: booleanField }).and(Confirmation), response },
    handler: async (request, reply) => {
      const pending = await change(request, { kind: 'second_factor_rule', required: request.body.required })
      return pending ? reply.code(202).send(pending) : reply.code(204).send()
    },
  })
}
