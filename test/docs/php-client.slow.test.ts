import { afterAll, beforeAll, it } from 'vitest'
import { php, titleOf } from '../packages/clients/languages.ts'
import { ClientPage, expectProgramsOf } from './client-page.ts'
import { installPhpClient } from './installed-clients.ts'

/*
 * Run every program of docs/clients/php.md against a service. That Composer installs the package is tried in
 * test/packages/clients/packages.slow.test.ts.
 */

const page = new ClientPage({
  page: 'clients/php.md',
  language: 'php',
  command: [php.path ?? 'php'],
  serve: (port) => ['-S', `127.0.0.1:${port}`],
  ready: 'Development Server',
})

beforeAll(async () => {
  if (php.skipped) return
  await page.open()
  installPhpClient(page.folder)
})
afterAll(() => page.close())

const test = (title: string, body: () => Promise<unknown>) => it.skipIf(php.skipped)(titleOf(title, php), body)

it('has a promise for each program, and only blocks that this test knows', () => {
  page.expectToBeWhole(/^(composer install$|npx kusanya listen |export KUSANYA_URL=|WEBHOOK_SECRET=\S+ php -S )/)
})

it("the programs of the package's README equal the page's", () => {
  expectProgramsOf(page, 'packages/client-php/README.md', 'php')
})

test('collects money, and receives the notification', async () => {
  const receiver = await page.startReceiver('receive.php')
  await page.runToEnd('collect.php')
  await page.waitForPromised('receive.php', receiver)
})

for (const name of [...page.programs.keys()].filter((one) => !/^(collect|receive)/.test(one)))
  test(`runs ${name}`, () => page.runToEnd(name))
