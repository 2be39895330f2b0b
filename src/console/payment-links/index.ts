import { renderSVG } from 'uqr'
import { addView } from '../../actions/lists/views.ts'
import type { App } from '../../app.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { linkUrl } from '../../core/checkout/payment-link.ts'
import { findPaymentLink, readLinkTotals } from '../../core/checkout/payment-links.ts'
import { PageDesign, readLogo, readPageDesign } from '../../core/checkout/payment-pages.ts'
import { countLockedPhones } from '../../core/checkout/prompt-limits.ts'
import { NotFound } from '../../core/refusals.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { LinkTotalsView } from './view.ts'

/** The routes for payment links that only the console has: QR codes, totals, and the look of the pages. */
export function addPaymentLinkPages(server: Server, app: App): void {
  addQrCode(server, app)
  addTotals(server, app)
  addLook(server, app)
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
  addView(server, app, {
    url: '/console/api/payment-links/:id/totals',
    permission: 'view',
    answer: LinkTotalsView,
    of: (db, { id }, now) => findPaymentLink(db, now, id),
    read: async (db, { of: { id }, now }) => ({
      ...(await readLinkTotals(db, id)),
      locked_phones: await countLockedPhones(db, now, id),
    }),
  })
}

function addLook(server: Server, app: App): void {
  const url = '/console/api/payment-links/look'
  const permission = 'manage_organization'
  addView(server, app, {
    url,
    permission,
    answer: PageDesign,
    source: 'statements',
    read: (db, { organization }) => readPageDesign(db, organization),
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
