import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSmppDoor } from '../../../src/simulator/doors/smpp/index.ts'
import type { Simulator } from '../../../src/simulator/index.ts'
import { createTestSimulator, openDatabase } from '../../simulator/simulator-test.ts'
import { type Kannel, kannelIsMissing, startKannel } from './kannel.ts'
import { until } from './server.ts'

const missing = kannelIsMissing()

/**
 * Kannel, a gateway that many operators and aggregators run, as a client of our message centre: it has its own reading of
 * packets, alphabets, parts and reports, and the driver is tested against the same centre.
 */
describe.skipIf(missing !== undefined)(
  `Kannel at the simulated message centre${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    let simulator: Simulator
    let kannel: Kannel
    let drop: () => Promise<void>

    beforeAll(async () => {
      const database = await openDatabase()
      drop = database.drop
      simulator = createTestSimulator(database.db, { doors: [createSmppDoor()] })
      await simulator.listen()
      simulator.start()
      const port = Number(new URL(simulator.hostsOf('smpp').smsc!).port)
      kannel = await startKannel({ port, system_id: 'simulated', password: 'simulat8' })
    })
    afterAll(async () => {
      await kannel?.stop()
      await simulator?.stop()
      await drop?.()
    })

    const bodiesOf = async (phone: string) =>
      (await simulator.sms({ phonenumber: `+${phone}` })).map(({ body }) => body)

    it.each([
      ['plain', 'Pay UGX 5000 now.', 0],
      ['extended', 'Café: 10 € [ok] {1} ~ ^ | @_$', 0],
      ['ucs', 'Àwọn owó 🙏', 2],
      ['long', `${'A long text of many words. '.repeat(12)}€`, 0],
    ] as const)('sends a text (%s), which arrives as it is, and hears of its delivery', async (name, text, coding) => {
      const phone = `25677201${1000 + name.length}`
      expect(await kannel.send({ to: `+${phone}`, from: 'MAMASHOP', text, name, coding })).toContain('Accepted')
      await until(() => kannel.reports.includes(`${name} 8`), `the acceptance of ${name}`)
      await until(() => kannel.reports.includes(`${name} 1`), `the delivery of ${name}`)
      expect(await bodiesOf(phone)).toEqual([text])
    })

    it('hears that an SMS was refused, and that one was not delivered', async () => {
      await kannel.send({ to: '+256772000601', from: 'MAMASHOP', text: 'a', name: 'refused' })
      await kannel.send({ to: '+256772000611', from: 'MAMASHOP', text: 'a', name: 'failed' })
      await until(() => kannel.reports.includes('refused 16'), 'the refusal')
      await until(() => kannel.reports.includes('failed 2'), 'the failure')
    })

    it('gets the SMS of a customer', async () => {
      await simulator.text({ door: 'smpp', phonenumber: '+256772000777', to: '8080', text: 'STOP é' })
      await until(() => kannel.incoming.length > 0, 'the SMS of the customer')
      expect(kannel.incoming[0]).toMatch(/^\+?256772000777 8080 STOP é$/)
    })

    it('keeps its session by enquire_link', async () => {
      const log = kannel.log()
      await until(
        () => kannel.log().slice(log.length).includes('type_name: enquire_link_resp'),
        'an answer to enquire_link',
      )
    })
  },
)
