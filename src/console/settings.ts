import { z } from 'zod'
import type { App } from '../app.ts'
import { renameOrganization } from '../core/access/organizations.ts'
import { changeOfPlace, countryCodes, readPlace, setPlace } from '../core/access/places.ts'
import { removeAcceptanceUrl, setAcceptanceUrl, verdicts } from '../core/collections/acceptance-urls.ts'
import { changeOfSeller, checkSeller, Seller, setSeller } from '../core/documents/seller.ts'
import { choiceError, integer, requiredText } from '../core/fields.ts'
import { begin } from '../db/client.ts'
import { withSnapshot } from '../db/snapshot.ts'
import type { Server } from '../http/server.ts'
import { timeZones } from '../lib/text/time-zones.ts'
import { recordRequestAction } from './audit.ts'
import { addRules } from './control/rules.ts'
import { addFees } from './fees.ts'
import { PlaceChoices, readSettings, Settings } from './settings-view.ts'

const permission = 'manage_organization'

/** The routes for the settings of an organization. */
export function addSettings(server: Server, app: App): void {
  server.get('/console/api/settings', {
    config: { permission },
    schema: { response: { 200: Settings } },
    handler: (request) =>
      withSnapshot(app.db, (tx) => readSettings(tx, request.caller.organization, request.caller.user)),
  })
  addName(server, app)
  addPlace(server, app)
  addSeller(server, app)
  addRules(server, app)
  addFees(server, app)
  addAcceptanceUrl(server, app)
}

function addName(server: Server, app: App): void {
  const url = '/console/api/settings/name'
  server.put(url, {
    config: { permission },
    schema: { body: z.object({ name: requiredText(100) }) },
    handler: async (request, reply) => {
      const { name } = request.body
      await begin(app.db, async (tx) => {
        await renameOrganization(tx, app.clock.now(), request.caller.organization, name)
        await recordRequestAction(tx, app, request, { action: 'rename organization', details: { name } })
      })
      return reply.code(204).send()
    },
  })
}

function addPlace(server: Server, app: App): void {
  const url = '/console/api/settings/place'
  server.get(url, {
    config: { permission },
    schema: { response: { 200: PlaceChoices } },
    handler: async () => ({ time_zones: [...timeZones()], countries: countryCodes() }),
  })
  server.put(url, {
    config: { permission },
    schema: { body: z.object({ time_zone: requiredText(64), country: z.string().nullable() }) },
    handler: async (request, reply) => {
      const place = readPlace(request.body)
      await begin(app.db, async (tx) => {
        const before = await setPlace(tx, app.clock.now(), request.caller.organization, place)
        const action = { action: 'set time zone and country', details: changeOfPlace(before, place) } as const
        await recordRequestAction(tx, app, request, action)
      })
      return reply.code(204).send()
    },
  })
}

/** Add the details of the seller, which every document shows. */
function addSeller(server: Server, app: App): void {
  server.put('/console/api/settings/seller', {
    config: { permission },
    schema: { body: Seller },
    handler: async (request, reply) => {
      const seller = checkSeller(request.body)
      await begin(app.db, async (tx) => {
        const before = await setSeller(tx, app.clock.now(), request.caller.organization, seller)
        const action = { action: 'set seller details', details: changeOfSeller(before, seller) } as const
        await recordRequestAction(tx, app, request, action)
      })
      return reply.code(204).send()
    },
  })
}

function addAcceptanceUrl(server: Server, app: App): void {
  const url = '/console/api/settings/hook'
  const NewAcceptanceUrl = z.object({
    url: requiredText(2_000).transform((text) => text.trim()),
    when_unreachable: z.enum(verdicts, { error: choiceError(verdicts) }),
    timeout: integer(),
  })

  server.put(url, {
    config: { permission },
    schema: { body: NewAcceptanceUrl },
    handler: async (request, reply) => {
      const { timeout: timeout_s, ...input } = request.body
      await begin(app.db, async (tx) => {
        await setAcceptanceUrl(tx, app.clock.now(), {
          organization: request.caller.organization,
          ...input,
          timeout_s,
        })
        await recordRequestAction(tx, app, request, { action: 'set collection hook', details: { ...input, timeout_s } })
      })
      return reply.code(204).send()
    },
  })

  server.delete(url, {
    config: { permission },
    handler: async (request, reply) => {
      await begin(app.db, async (tx) => {
        await removeAcceptanceUrl(tx, request.caller.organization)
        await recordRequestAction(tx, app, request, { action: 'remove collection hook' })
      })
      app.wake()
      return reply.code(204).send()
    },
  })
}
