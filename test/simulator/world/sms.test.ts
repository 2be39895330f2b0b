import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countParts, smsBehaviourOf, smsNumbersOfAllDoors } from '../../../src/simulator/world/sms-behaviours.ts'
import { openDatabase, openSimulatorTest, type SimulatorTest } from '../simulator-test.ts'

let database: Awaited<ReturnType<typeof openDatabase>>
let test: SimulatorTest
beforeAll(async () => {
  database = await openDatabase()
  test = await openSimulatorTest(database.db)
})
afterAll(async () => {
  await test.close()
  await database.drop()
})

describe('the SMS of simulated phones', () => {
  it('stay on their way until their end, and are found by phone and door, newest first', async () => {
    const world = test.simulator.world('twilio')
    const sms = { phonenumber: '+256772000001', sender: 'SHOP', body: 'Hello' }
    await world.takeSms({ ...sms, remote_id: 'a' }, () => [])
    const failing = { ends: 'failed', reason: 'rejected' } as const
    await world.takeSms({ ...sms, remote_id: 'b', details: { x: 1 }, behaviour: failing }, () => [])
    expect(await test.simulator.sms({ phonenumber: sms.phonenumber })).toMatchObject([
      { remote_id: 'b', state: 'sent', reason: null, ended: null, details: { x: 1 } },
      { remote_id: 'a', state: 'sent', parts: 1, door: 'twilio' },
    ])
    await test.clock.advance(2)
    expect(await world.findSms('a')).toMatchObject({ state: 'delivered', ended: test.clock.now() })
    expect(await world.listSms({})).toMatchObject([{ state: 'failed', reason: 'rejected' }, { state: 'delivered' }])
    expect(await test.simulator.sms({ door: 'kannel' })).toEqual([])
  })

  it('are refused by a door that takes no inbound SMS', async () => {
    const sms = { phonenumber: '+256772000001', to: '22123', text: 'STOP' }
    await expect(test.simulator.text({ ...sms, door: 'sandbox' })).rejects.toThrow('takes no SMS')
    await expect(test.simulator.text({ ...sms, door: 'twilio' })).rejects.toThrow('does not know where')
  })

  it('are counted as operators count them', () => {
    const counted = [160, 161, 306, 307].map((length) => countParts('a'.repeat(length)))
    expect(counted).toEqual([1, 2, 2, 3])
    expect([70, 71, 134, 135].map((length) => countParts('ŋ'.repeat(length)))).toEqual([1, 2, 2, 3])
    expect([80, 81].map((length) => countParts('€'.repeat(length)))).toEqual([1, 2])
  })

  it('end as the documented numbers say', () => {
    for (const { number } of smsNumbersOfAllDoors)
      expect(smsBehaviourOf(`+256772${number.slice(-6)}`), number).not.toEqual(smsBehaviourOf('+256772000001'))
  })
})
