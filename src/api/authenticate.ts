import type { FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import type { Caller, Permission } from '../core/access/api-keys.ts'
import { requestLimits } from '../core/access/request-limits.ts'
import { Forbidden, Unauthenticated, WrongCell } from '../core/refusals.ts'
import { isReadMethod } from '../http/methods.ts'
import type { ThrottleVerdict } from '../http/throttle.ts'
import { addressGroup } from '../lib/http/address-groups.ts'
import { cellOfKey } from '../lib/text/cells.ts'
import type { ApiKeyCache } from './api-key-cache.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
  interface FastifyContextConfig {
    /** The permission that the caller needs. Absent on addresses that need no key. */
    permission?: Permission
  }
}

/**
 * Find the caller of a request with `Authorization: Token <API_KEY>` (interface section 5) or `Bearer <API_KEY>` (RFC
 * 6750, interface-gaps: Requests and answers). The case of the scheme word does not matter.
 * @throws Unauthenticated, WrongCell
 */
export async function authenticate(request: FastifyRequest, api_keys: ApiKeyCache, cell: number): Promise<Caller> {
  const header = request.headers.authorization?.trim()
  if (!header) throw new Unauthenticated('Authentication credentials were not provided.')
  const key = /^(?:Token|Bearer)\s+(\S+)$/i.exec(header)?.[1]
  const caller = key ? await api_keys.find(key, addressGroup(request.ip ?? '')) : 'unknown'
  if (typeof caller !== 'string') return caller
  if (key) requireCellOfKey(key, cell)
  throw new Unauthenticated('Invalid token.')
}

/** Refuse a key that is not known here and names another cell. Keys of organizations that came from there are known. @throws WrongCell */
export function requireCellOfKey(key: string, cell: number): void {
  const named = cellOfKey(key)
  if (named !== undefined && named !== cell) throw new WrongCell('key', named)
}

/** Check that the key has the permission of an address and may use the method. @throws Forbidden */
export function authorize(caller: Caller, permission: Permission, method: string): void {
  if (!caller.permissions.has(permission)) throw new Forbidden()
  if (caller.read_only && !isReadMethod(method)) throw new Forbidden('This API key is read-only.')
}

/**
 * Count a request for the rate limit: by its key and organization, or by its IP address without a valid key. A key
 * counts alone if the operator has set its limit above the organization's.
 */
export function countRequest(
  { config, throttle }: App,
  request: FastifyRequest,
  caller: Caller | undefined,
): ThrottleVerdict | Promise<ThrottleVerdict> {
  const kind = isReadMethod(request.method) ? 'read' : 'write'
  const limits = requestLimits(config)[kind]
  if (!caller) return throttle.take(`${kind} address ${addressGroup(request.ip ?? '')}`, limits.key)
  const limit = (kind === 'read' ? caller.reads_per_minute : caller.writes_per_minute) ?? limits.key
  const organization = { key: `${kind} organization ${caller.organization}`, limit: limits.organization }
  return throttle.take(`${kind} key ${caller.key}`, limit, limit > organization.limit ? undefined : organization)
}
