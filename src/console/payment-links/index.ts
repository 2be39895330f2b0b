import { renderSVG } from 'uqr'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { readColor } from '../../core/checkout/colors.ts'
import { readLogoUpload } from '../../core/checkout/logos.ts'
import { linkUrl } from '../../core/checkout/payment-link.ts'
import { findPaymentLink, readLinkTotals } from '../../core/checkout/payment-links.ts'
import {
  ensureSecret,
  PAGE_KEY_PURPOSE,
  PageDesign,
  readLogo,
  readPageDesign,
  readResultSecret,
  rotateResultSecret,
  setPageDesign,
} from '../../core/checkout/payment-pages.ts'
import { countLockedPhones } from '../../core/checkout/prompt-limits.ts'
import { requiredText } from '../../core/fields.ts'
import { NotFound } from '../../core/refusals.ts'
import { begin } from '../../db/client.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { recordRequestAction } from '../audit.ts'
import { LinkTotalsView } from './view.ts'

/** The routes for payment links that only the console has: QR codes, totals, the look of the pages, and the secret. */
export function addPaymentLinkPages(server: Server, app: App): void {
  addQrCode(server, app)
  addTotals(server, app)
  addLook(server, app)
  addSecret(server, app)
}

/** The QR code of a link's address, for the screen and for printing. */
function addQrCode(server: Server, app: App): void {
  const url = '/console/api/payment-links/:id/qr.svg'
  server.get(url, {
    config: { permission: 'view' },
    schema: { params: idParams },
    handler: async ({ caller, params }, reply) => {
      const link = requireOwned(caller.organization, await findPaymentLink(app.db, app.clock.now(), params.id))
      const svg = renderSVG(linkUrl(app.address.url, link.token), { ecc: 'M', border: 4 })
      reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
      return reply.type('image/svg+xml').send(svg)
    },
  })
}

function addTotals(server: Server, app: App): void {
  const url = '/console/api/payment-links/:id/totals'
  server.get(url, {
    config: { permission: 'view' },
    schema: { params: idParams, response: { 200: LinkTotalsView } },
    handler: async ({ caller, params }) => {
      const link = requireOwned(caller.organization, await findPaymentLink(app.db, app.clock.now(), params.id))
      return app.reads.read(async (db) => ({
        ...(await readLinkTotals(db, link.id)),
        locked_phones: await countLockedPhones(db, app.clock.now(), link.id),
      }))
    },
  })
}

/** `logo`: an image as a data URL. Null takes it away, and nothing leaves it. */
const NewLook = z.object({ color: requiredText(20), logo: z.string().max(100_000).nullable().optional() })

function addLook(server: Server, app: App): void {
  const url = '/console/api/payment-links/look'
  const permission = 'manage_organization'

  server.get(url, {
    config: { permission },
    schema: { response: { 200: PageDesign } },
    handler: ({ caller }) => readPageDesign(app.db, caller.organization),
  })

  server.put(url, {
    config: { permission },
    schema: { body: NewLook, response: { 200: PageDesign } },
    handler: async (request) => {
      const { organization } = request.caller
      const color = readColor(request.body.color)
      const { logo: upload } = request.body
      const logo = upload === undefined ? undefined : upload ? readLogoUpload(upload) : null
      return begin(app.db, async (tx) => {
        await setPageDesign(tx, app.clock.now(), organization, { color, logo }, app.sealingKeys(PAGE_KEY_PURPOSE))
        const details = { color, logo: logo === undefined ? 'kept' : logo === null ? 'removed' : logo.type }
        await recordRequestAction(tx, app, request, { action: 'change look of payment links', details })
        return readPageDesign(tx, organization)
      })
    },
  })

  server.get(`${url}/logo`, {
    config: { permission },
    handler: async ({ caller }, reply) => {
      const logo = await readLogo(app.db, caller.organization)
      if (!logo) throw new NotFound()
      reply.header('content-security-policy', "default-src 'none'; sandbox")
      return reply.type(logo.type).send(logo.bytes)
    },
  })
}

/** The secret with which the results on the way back to the shop are signed. Each use is recorded in the audit log. */
function addSecret(server: Server, app: App): void {
  const url = '/console/api/payment-links/secret'
  const Secret = z.object({ secret: z.string() })
  const keys = () => app.sealingKeys(PAGE_KEY_PURPOSE)

  server.post(url, {
    config: { permission: 'manage_organization' },
    schema: { response: { 200: Secret } },
    handler: (request) =>
      begin(app.db, async (tx) => {
        const { organization } = request.caller
        await ensureSecret(tx, app.clock.now(), organization, keys())
        await recordRequestAction(tx, app, request, { action: 'show secret of payment links' })
        return { secret: (await readResultSecret(tx, organization, keys()))! }
      }),
  })

  server.post(`${url}/rotate`, {
    config: { permission: 'manage_organization' },
    schema: { response: { 200: Secret } },
    handler: (request) =>
      begin(app.db, async (tx) => {
        const { organization } = request.caller
        await rotateResultSecret(tx, app.clock.now(), organization, keys())
        await recordRequestAction(tx, app, request, { action: 'rotate secret of payment links' })
        return { secret: (await readResultSecret(tx, organization, keys()))! }
      }),
  })
}
