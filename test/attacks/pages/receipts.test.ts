import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PAGE_KEY_PURPOSE, setPageDesign } from '../../../src/core/checkout/payment-pages.ts'
import { begin } from '../../../src/db/client.ts'
import { openTestService, type TestService } from '../../interface/test-service.ts'
import { png } from '../../lib/pdf/png.ts'
import { openCustomer } from '../../pay/customer.ts'
import { printFigure } from '../figures.ts'

/*
 * A stranger guesses addresses of receipts and has PDFs written without end. A shop uploads logos that are broken, or far larger
 * when they are unpacked.
 */

let service: TestService
let url: string

beforeAll(async () => {
  service = await openTestService({ settings: { TRUST_PROXY: 'on' } })
  const { collection } = await service.advanceUntilStatus((await service.createRequest()).id, 'successful')
  const { body } = await service.shop.post('/api/receipts', { collection })
  url = body.url
})
afterAll(() => service.close())

/** Each address has its own count of requests. */
const readerAt = (number: number) => openCustomer({ 'x-forwarded-for': `192.0.2.${number}` })

it('guessed addresses all get the same answer', async () => {
  const code = url.split('/').at(-1)!
  const swapped = `${code.slice(0, -1)}${code.endsWith('A') ? 'B' : 'A'}`
  const guesses = [swapped, code.slice(0, 22), `${code}A`, 'A'.repeat(24), '1', 'R-000001', '%00', `${code}%20`]
  const answers = await Promise.all(guesses.map((guess) => readerAt(1).open(url.replace(code, guess))))
  expect(answers.map(({ status }) => status)).toEqual(guesses.map(() => 404))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  printFigure('receipts', `0 of ${guesses.length} guessed addresses showed a receipt`)
})

it('one address asks for sixty PDFs a minute, and others go on', async () => {
  // PDFs of unknown receipts count, too, and cost this test less.
  const unknown = `${url.slice(0, -24)}${'A'.repeat(24)}.pdf`
  const answers = []
  for (let batch = 0; batch < 7; batch += 1)
    answers.push(...(await Promise.all(Array.from({ length: 10 }, () => readerAt(2).open(unknown)))))
  const answered = answers.filter(({ status }) => status === 404).length
  const refused = answers.filter(({ status }) => status === 429)
  // A new minute may begin meanwhile.
  expect(answered).toBeGreaterThanOrEqual(60)
  expect(answered + refused.length).toBe(70)
  expect((await readerAt(3).open(`${url}.pdf`)).status).toBe(200)
  expect((await readerAt(2).open(url)).status).toBe(200)
  printFigure('receipts', `${answered} of 70 requests of one address for PDFs were answered`)
})

it('a logo that cannot be unpacked is left out, and the service goes on', async () => {
  const { app, organization, db } = service.testApp
  const keys = app.sealingKeys(PAGE_KEY_PURPOSE)
  const logos = [
    png({ color: 6, pixels: Buffer.from('no zlib') }),
    png({ color: 6, pixels: deflateSync(Buffer.alloc(20_000_000)) }),
    png({ color: 4, pixels: deflateSync(Buffer.alloc(3)) }),
    png({ color: 3 }),
    png({ color: 6 }).subarray(0, 40),
  ]
  for (const bytes of logos) {
    const look = { color: '#0b6e4f', logo: { bytes, type: 'image/png' } }
    await begin(db, (tx) => setPageDesign(tx, app.clock.now(), organization, look, keys))
    const { status, text } = await readerAt(4).open(`${url}.pdf`)
    expect([status, text.slice(0, 5), text.includes('/Subtype /Image')]).toEqual([200, '%PDF-', false])
  }
  printFigure('receipts', `${logos.length} of ${logos.length} broken logos were left out of the PDF`)
})
