import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'
import { withMachineLock } from './machine-lock.ts'

let shared: Promise<Browser> | undefined

/**
 * The browser of this process, which the test files share: each closes its own windows. It is started when it is first needed,
 * and again after a crash.
 */
export function openChromium(): Promise<Browser> {
  shared ??= launchChromium().then((browser) =>
    browser.on('disconnected', () => {
      shared = undefined
    }),
  )
  return shared
}

/** Start the Chromium of the npm package. It is compressed, and the first process on a machine unpacks it. */
async function launchChromium(): Promise<Browser> {
  const executablePath = await withMachineLock('chromium', () => chromium.executablePath())
  // The package's own arguments are for cloud functions: a single process, and web security off.
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--font-render-hinting=none']
  return playwright.launch({ executablePath, args, headless: true })
}
