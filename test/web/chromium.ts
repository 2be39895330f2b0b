import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'
import { withMachineLock } from './machine-lock.ts'

/** Starts the Chromium that comes from npm. It lies there packed, and the first who needs it on a machine unpacks it. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = await withMachineLock('chromium', () => chromium.executablePath())
  // Its own list of arguments is for a cloud function: one process for all, and web security off.
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--font-render-hinting=none']
  return playwright.launch({ executablePath, args, headless: true })
}
