import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, it } from 'vitest'
import { ClientPage, expectProgramsOf, ROOT } from './client-page.ts'

/*
 * Runs every program of docs/clients/typescript.md against a service.
 */

const page = new ClientPage({ page: 'typescript.md', language: 'js', command: [process.execPath] })

beforeAll(async () => {
  await page.open()
  installClient()
  writeFileSync(join(page.folder, 'package.json'), '{ "type": "module" }')
})
afterAll(() => page.close())

/** The client as it is in the repository, under its name, and the framework that a program of the page uses. */
function installClient(): void {
  const packages = join(page.folder, 'node_modules')
  const client = join(packages, '@kusanya/client')
  mkdirSync(client, { recursive: true })
  writeFileSync(join(client, 'package.json'), '{ "type": "module", "exports": "./src/index.ts" }')
  symlinkSync(join(ROOT, 'packages/client/src'), join(client, 'src'), 'junction')
  symlinkSync(join(ROOT, 'node_modules/fastify'), join(packages, 'fastify'), 'junction')
}

it('has a promise for each program, and only blocks that this test knows', () => {
  page.expectToBeWhole(/^(npm pack -w packages\/client|npm install |npx kusanya listen |export KUSANYA_URL=)/)
})

it('the programs of the README of the package are those of the page', () => {
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
