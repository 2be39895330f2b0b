import { join } from 'node:path'
import { afterAll, beforeAll, it } from 'vitest'
import { PYTHON_PACKAGE, python, titleOf } from '../packages/clients/languages.ts'
import { ClientPage, expectProgramsOf } from './client-page.ts'

/*
 * Run every program of docs/clients/python.md against a service.
 */

const page = new ClientPage({
  page: 'clients/python.md',
  language: 'py',
  command: [python.path ?? 'python3', '-B'],
  settings: { PYTHONPATH: join(PYTHON_PACKAGE, 'src') },
})

beforeAll(async () => {
  if (!python.skipped) await page.open()
})
afterAll(() => page.close())

const test = (title: string, body: () => Promise<unknown>) => it.skipIf(python.skipped)(titleOf(title, python), body)

it('has a promise for each program, and only blocks that this test knows', () => {
  page.expectToBeWhole(/^(pip install \.\.\/kusanya\/packages\/client-python |npx kusanya listen |export KUSANYA_URL=)/)
})

it("the programs of the package's README equal the page's", () => {
  expectProgramsOf(page, 'packages/client-python/README.md', 'py')
})

test('collects money, and receives the notification', async () => {
  const receiver = await page.startReceiver('receive.py')
  await page.runToEnd('collect.py')
  await page.waitForPromised('receive.py', receiver)
})

for (const name of [...page.programs.keys()].filter((one) => !/^(collect|receive)/.test(one)))
  test(`runs ${name}`, () => page.runToEnd(name))
