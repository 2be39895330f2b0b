import type { FastifyRequest } from 'fastify'
import { type AuditAction, recordAudit } from '../core/access/audit.ts'
import type { Tx } from '../db/client.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** True when the route has recorded its action itself. */
    audited?: boolean
  }
}

/** Return the author of a request: the organization, the user, the API key if any, and the address. */
export function requestActor({ caller: { organization, user, key }, ip: address }: FastifyRequest) {
  return { organization, user, ...(key !== 0 && { key }), address }
}

/**
 * Record the action of a request's caller, in the transaction of the action: with the user, the API key if it came with
 * one, and the address.
 */
export async function recordRequestAction(
  tx: Tx,
  app: { clock: { now(): Date } },
  request: FastifyRequest,
  action: AuditAction,
): Promise<void> {
  await recordAudit(tx, app.clock.now(), { ...requestActor(request), ...action })
  request.audited = true
}
