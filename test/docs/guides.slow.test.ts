import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestService, REQUIRED_FIELDS, type TestService } from '../interface/test-service.ts'
import { java, type Program, PYTHON_PACKAGE, php, python, titleOf } from '../packages/clients/languages.ts'
import { openCustomer } from '../pay/customer.ts'
import { ClientPage } from './client-page.ts'
import { installPhpClient, installTypeScriptClient } from './installed-clients.ts'

/*
 * Follow the guides of docs/guides that have programs: the shop starts, a link is made, a customer pays on its page, and the shop
 * gets to know of it.
 */

interface Guide {
  page: ClientPage
  program: Program
  shop: string
  sell: string
  install?: (folder: string) => void
}

const GUIDES: Record<string, Guide> = {
  TypeScript: {
    page: new ClientPage({ page: 'guides/typescript.md', language: 'ts', command: [process.execPath] }),
    program: { path: process.execPath },
    shop: 'shop.ts',
    sell: 'sell.ts',
    install: installTypeScriptClient,
  },
  Python: {
    page: new ClientPage({
      page: 'guides/python.md',
      language: 'py',
      command: [python.path ?? 'python3', '-B'],
      settings: { PYTHONPATH: join(PYTHON_PACKAGE, 'src') },
    }),
    program: python,
    shop: 'shop.py',
    sell: 'sell.py',
  },
  PHP: {
    page: new ClientPage({
      page: 'guides/php.md',
      language: 'php',
      command: [php.path ?? 'php'],
      serve: (port) => ['-S', `127.0.0.1:${port}`],
      ready: 'Development Server',
    }),
    program: php,
    shop: 'shop.php',
    sell: 'sell.php',
    install: installPhpClient,
  },
  Java: {
    page: new ClientPage({ page: 'guides/java.md', language: 'java', command: [java.path ?? 'java'] }),
    program: java,
    shop: 'Shop.java',
    sell: 'Sell.java',
  },
}

const KNOWN_COMMANDS =
  /^(npm ci && npm start|export KUSANYA_URL=|npm (pack|install) |python3 -m venv |pip install |composer install$|npx kusanya listen |WEBHOOK_SECRET=\S+ php -S )/

let service: TestService
beforeAll(async () => {
  service = await openTestService()
  for (const { page, program, install } of Object.values(GUIDES)) {
    if (program.skipped) continue
    await page.open(service)
    install?.(page.folder)
  }
})
afterAll(async () => {
  for (const { page } of Object.values(GUIDES)) await page.close()
  await service.close()
})

describe.each(Object.entries(GUIDES))('the guide for %s', (_language, { page, program, shop, sell }) => {
  it('has a promise for each program, and only blocks that this test knows', () => {
    page.expectToBeWhole(KNOWN_COMMANDS)
  })

  it.skipIf(program.skipped)(titleOf('begins with nothing, and ends with money seen', program), async () => {
    const running = await page.startReceiver(shop)
    const url = /http:\S+/.exec(await page.runToEnd(sell))![0]
    const { receipt } = await openCustomer().pay({ url }, { phone: '+80000000003' })
    expect(receipt).toMatch(/\/pay\//)
    await page.waitForPromised(shop, running)
  })
})

describe('the guide for moving over', () => {
  const page = new ClientPage({ page: 'guides/moving-over.md', language: 'js', command: [process.execPath] })
  let old: { OLD_URL: string; OLD_KEY: string }
  beforeAll(async () => {
    await page.open(service)
    installTypeScriptClient(page.folder)
    old = { OLD_URL: service.url, OLD_KEY: service.otherShop.key }
  })
  afterAll(() => page.close())

  it('has a promise for each program, and only blocks that this test knows', () => {
    page.expectToBeWhole(/^(curl | {2}-d event=|export OLD_URL=)/)
  })

  it('compares both, moves a contact, and moves a plan once', async () => {
    const customer = { phone_number: '+80000007771', first_name: 'Jane', last_name: 'Doe', metadata: { shop: 7 } }
    expect((await service.otherShop.post('/api/contacts', customer)).status).toBe(201)
    expect(await page.runToEnd('compare.js', old)).not.toMatch(/look at/)
    await page.runToEnd('move-contacts.js', old)
    const { body: found } = await service.shop.get('/api/contacts?phone_number=%2B80000007771')
    expect(found.results).toMatchObject([{ first_name: 'Jane', metadata: { shop: 7 } }])

    const monthly = { end_date: '31/12/2030 08:00:00', frequency: 'monthly' }
    const input = { ...REQUIRED_FIELDS, subscription_settings: monthly }
    const { body: plan } = await service.otherShop.post('/api/collectionrequests', input)
    const settings = { ...old, PLAN: String(plan.id), NEXT_DATE: '01/02/2030 08:00:00' }
    const [first, second] = [
      await page.runToEnd('move-plan.js', settings),
      await page.runToEnd('move-plan.js', settings),
    ]
    expect(first).toBe(second)
    const { body: moved } = await service.shop.get(`/api/collectionrequests/${/Plan (\d+)/.exec(first)![1]}`)
    expect(JSON.parse(String(moved.subscription_settings))).toMatchObject({
      ...monthly,
      start_date: '01/02/2030 08:00:00',
    })
  })
})
