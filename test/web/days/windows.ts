import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { checkPage } from '../browser.ts'
import { WINDOWS } from '../pictures/variants.ts'
import { findFaults } from '../pictures/walk.ts'

/** Buttons that carry the main action of a page or dialog. */
const PRIMARY = '.mantine-Button-root:is([data-variant=filled], :not([data-variant])):not([disabled]):visible'

/**
 * Check a page or dialog at a desk and on a phone. It stays in the second window, so that a step begins at the desk and
 * ends on the phone, or the other way round.
 */
export async function checkInBothWindows(page: Page, name: string): Promise<void> {
  const is_desk = page.viewportSize()!.width === WINDOWS.desk.width
  const [first, second] = is_desk ? (['desk', 'phone'] as const) : (['phone', 'desk'] as const)
  await look(page, `${name}-${first}`)
  await page.setViewportSize(WINDOWS[second])
  await look(page, `${name}-${second}`)
}

/** Check a page or its open dialog: that people can use it, read it, and reach its main action. */
async function look(page: Page, name: string): Promise<void> {
  await checkPage(page, name)
  expect.soft((await findFaults(page)).join('\n'), name).toBe('')
  const dialog = page.getByRole('dialog')
  const part = (await dialog.isVisible()) ? dialog : page.getByRole('main')
  for (const button of await part.locator(PRIMARY).all()) await button.click({ trial: true })
}
