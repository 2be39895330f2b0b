import { afterAll, beforeAll, it } from 'vitest'
import { ClientPage, expectProgramsOf } from './client-page.ts'
import { installTypeScriptClient } from './installed-clients.ts'

/*
 * Run every program of docs/clients/typescript.md against a service.
 */

const page = new ClientPage({ page: 'clients/typescript.md', language: 'js', command: [process.execPath] })

beforeAll(async () => {
  await page.open()
  installTypeScriptClient(page.folder)
})
afterAll(() => page.close())

it('has a promise for each program, and only blocks that this test knows', () => {
  page.expectToBeWhole(/^(npm pack -w packages\/client|npm install |npx kusanya listen |export KUSANYA_URL=)/)
})

it("the programs of the package's README equal the page's", () => {
  expectProgramsOf(page, 'packages/client/README.md', 'js')
})

it('collects money, and receives the notification with Node and with Fastify', async () => {
  const names = ['receive.js', 'receive-fastify.js']
  const receivers = await Promise.all(names.map((name) => page.startReceiver(name)))
  await page.runToEnd('collect.js')
  for (const [index, name] of names.entries()) await page.waitForPromised(name, receivers[index]!)
})

it.each([...page.programs.keys()].filter((name) => !/^(collect|receive)/.test(name)))('runs %s', async (name) => {
  await page.runToEnd(name)
})
