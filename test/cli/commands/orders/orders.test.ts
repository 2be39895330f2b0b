import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createUser, setMembership } from '../../../../src/core/access/organizations.ts'
import { begin } from '../../../../src/db/client.ts'
import { sendOrder } from '../../../core/charges.ts'
import { openShop, type Shop } from '../../../core/shop.ts'
import { openShell } from '../../shell.ts'

const CLERK = 'clerk@demo.example'
let shop: Shop
let kusanya: ReturnType<typeof openShell>
let folder: string
let document: string
let reference: string

beforeAll(async () => {
  shop = await openShop()
  const { DATABASE_URL, DATA_DIR } = shop.testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR })
  folder = await mkdtemp(join(tmpdir(), 'kusanya-orders-'))
  document = join(folder, 'march.csv')
  await writeFile(document, 'id,amount\nM77,1500\n')
  await begin(shop.db, async (tx) => {
    const user = await createUser(tx, shop.now(), { name: 'Clerk', email: CLERK })
    const permissions = ['view', 'initiate_payments'] as const
    await setMembership(tx, shop.now(), { organization: shop.organization, user: user.id, permissions })
  })
  const { id } = await shop.createRequest()
  ;({ reference } = await sendOrder(shop, id))
})
afterAll(async () => {
  await shop.close()
  await rm(folder, { recursive: true })
})

const attest = (more: string[], file = document) => {
  const why = ['--statement', 'March, page 2', '--note', 'Row 7', '--document', file, '--user', CLERK]
  return kusanya(['orders', 'attest', reference, ...more, ...why])
}
const SUCCESS = ['--outcome', 'successful', '--remote-id', 'M77', '--amount', '1,500']

it('two people settle an order, the second one as the operator', async () => {
  // The commands follow the database's clock, which is years before the shop's.
  expect((await attest(SUCCESS)).err).toContain('can be settled by hand from')
  await shop.db`update network_orders set sent = sent - interval '30 years' where reference = ${reference}`
  expect((await kusanya(['orders', 'list', '--needs-attention'])).out).toContain(reference)
  expect((await kusanya(['orders', 'list', '--open', '--connection', 'elsewhere'])).out).toBe(
    'There are no such orders.',
  )
  expect((await attest(['--outcome', 'successful'])).err).toContain('The id of the money')
  expect((await attest(SUCCESS, join(folder, 'none.pdf'))).code).toBe(1)
  const made = await attest(SUCCESS)
  expect(made.out).toMatch(/^Attestation \d+ of order .* waits for a second person\.$/)
  const id = /\d+/.exec(made.out)![0]
  expect((await kusanya(['orders', 'approve', id])).err).toContain('Say who decides')
  expect((await kusanya(['orders', 'approve', id, '--user', CLERK])).err).toContain('A person other than')
  expect((await kusanya(['orders', 'approve', id, '--by', CLERK])).err).toContain('A person other than')
  expect((await kusanya(['orders', 'approve', id, '--by', 'Ruth'])).out).toBe(`Attestation ${id} is approved.`)
  expect((await kusanya(['orders', 'reject', id, '--by', 'Ruth'])).err).toContain('The attestation is approved')
  const shown = await kusanya(['orders', 'show', reference])
  expect(shown.out).toContain('successful.')
  expect(shown.out).toContain('operator: successful (M77, 1,500)')
  expect(shown.out).toContain('approved by Ruth')
  expect((await kusanya(['orders', 'attestations', '--state', 'approved'])).out).toContain('Ruth')
  const copy = join(folder, 'copy.csv')
  expect((await kusanya(['orders', 'document', id, '--output', copy])).out).toContain('text/csv')
  expect(await readFile(copy, 'utf8')).toBe(await readFile(document, 'utf8'))
  expect((await kusanya(['orders', 'review', reference, '--by', 'Ruth'])).err).toContain('needs no attention')
  expect((await shop.collections()).map(({ remote_transaction_id }) => remote_transaction_id)).toEqual(['M77'])
})
