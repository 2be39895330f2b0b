import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'
import { withMachineLock } from './machine-lock.ts'

/** Starts the Chromium of the npm package. It is compressed, and the first process on a machine unpacks it. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = await withMachineLock('chromium', () => chromium.executablePath())
  // The package's own arguments are for cloud functions: a single process, and web security off.
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--font-render-hinting=none']
  return playwright.launch({ executablePath, args, headless: true })
}
