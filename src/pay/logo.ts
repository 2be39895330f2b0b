import type { FastifyReply } from 'fastify'
import type { App } from '../app.ts'
import { readLogo } from '../core/checkout/payment-pages.ts'
import { NotFound } from '../core/refusals.ts'

/** Answer the logo of an organization. @throws NotFound if it has none */
export async function sendLogo(app: App, reply: FastifyReply, organization: number): Promise<FastifyReply> {
  const logo = await readLogo(app.db, organization)
  if (!logo) throw new NotFound()
  // The policy also disarms an image that is opened by itself.
  reply.header('content-security-policy', "default-src 'none'; sandbox; frame-ancestors 'none'")
  return reply.header('cache-control', 'private, max-age=300').type(logo.type).send(logo.bytes)
}
