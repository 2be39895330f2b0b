import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Simulator } from '../../src/simulator/index.ts'
import { createTestSimulator, openDatabase } from './simulator-test.ts'

let database: Awaited<ReturnType<typeof openDatabase>>
let simulator: Simulator
let root = ''
const heard: string[] = []
const business = createServer(async (request, response) => {
  heard.push((await request.setEncoding('utf8').toArray()).join(''))
  response.end()
})

beforeAll(async () => {
  database = await openDatabase()
  simulator = createTestSimulator(database.db, { controls: {} })
  root = new URL(await simulator.listen()).origin
  simulator.start()
  await new Promise<void>((resolve) => business.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await simulator.stop()
  business.closeAllConnections()
  business.close()
  await database.drop()
})

const get = async (path: string, accept = 'application/json') =>
  (await fetch(root + path, { headers: { accept } })).text()
const post = (path: string, body: object) =>
  fetch(root + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function sendOverKannel(to: string, text: string): Promise<void> {
  const query = new URLSearchParams({
    username: 'simulated',
    password: 'simulated-kannel-password',
    from: 'SHOP',
    to,
    text,
  })
  expect((await fetch(`${root}/kannel/cgi-bin/sendsms?${query}`)).status).toBe(202)
}

describe('the SMS of the simulator', () => {
  it('are listed for scripts and on the page, without their markup taking effect', async () => {
    await sendOverKannel('+256772000001', 'Pay <b>1500</b>')
    const { sms } = JSON.parse(await get('/simulator/sms?phonenumber=%2B256772000001&door=kannel'))
    expect(sms).toMatchObject([{ phonenumber: '+256772000001', sender: 'SHOP', body: 'Pay <b>1500</b>', parts: 1 }])
    expect(JSON.parse(await get('/simulator/sms?door=twilio'))).toEqual({ sms: [] })
    const page = await get('/', 'text/html')
    expect(page).toContain('Pay &#60;b&#62;1500&#60;/b&#62;')
    expect(page).toContain('an SMS arrives after 10 minutes')
  })

  it('providers take no money: they are not in the list of payable networks', async () => {
    const { doors } = JSON.parse(await get('/simulator/doors')) as { doors: { code: string; kind: string }[] }
    const sms = doors.filter(({ kind }) => kind === 'sms').map(({ code }) => code)
    expect(sms).toEqual(expect.arrayContaining(['africas-talking', 'twilio', 'infobip', 'kannel']))
    const form = /<form id="pay">.*?<\/form>/s.exec(await get('/', 'text/html'))![0]
    expect(form).toContain('value="mtn-momo"')
    for (const code of sms) expect(form).not.toContain(`value="${code}"`)
  })

  it('of a customer reach the business, or are refused in words', async () => {
    const sms = { door: 'africas-talking', phonenumber: '+256772000001', to: '22123', text: 'STOP' }
    const refused = await post('/simulator/text', { ...sms, door: 'infobip' })
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: 'not_possible' }])
    const { port } = business.address() as AddressInfo
    await simulator.setSwitches('africas-talking', { incoming_url: `http://127.0.0.1:${port}/` })
    expect((await post('/simulator/text', sms)).status).toBe(200)
    while (heard.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(new URLSearchParams(heard[0]).get('text')).toBe('STOP')
    expect((await post('/simulator/text', { ...sms, phonenumber: '0772' })).status).toBe(400)
  })
})
